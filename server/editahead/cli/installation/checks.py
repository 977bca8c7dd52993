"""What `editahead doctor` and its `--remote` look at: checks answer with plain values, and damage is an answer too."""

from __future__ import annotations

import logging
import platform
import statistics
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from editahead.cli.errors import CliError
from editahead.cli.question.asking import change_document, open_document
from editahead.cli.samples import SAMPLES, sample
from editahead.runtime import ort
from editahead.runtime.bundle import BundleError, find_bundles, load_bundle
from editahead.runtime.memory import memory_limit
from editahead.runtime.ort import Cancel
from editahead.runtime.selftest import open_sessions, self_test
from editahead.suggest.engine import Engine
from editahead.suggest.open_models import BODY_MODEL, EDIT_MODEL, FIX_MODEL, LANGUAGE_MODEL
from editahead.suggest.types import Document, Reason, Shown, Suppressed
from editahead.syntax.language import Language, all_languages, by_id
from editahead.team.remote.connection import Connection, Replies
from editahead.team.remote.engine import BUDGET, RemoteEngine
from editahead.team.remote.target import TargetError, remote_target
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.words import word_before

REST = "other grammars"
WORDS = "words"
RANKER = "ranker"
PACKAGES = (
    "onnxruntime", "onnxruntime-gpu", "numpy", "tree-sitter", "tree-sitter-python", "tree-sitter-java",
    "tree-sitter-typescript", "tree-sitter-javascript", "tree-sitter-go", "tree-sitter-rust", "tree-sitter-c-sharp",
    "tree-sitter-c", "tree-sitter-cpp", "tree-sitter-languages", "pygls", "lsprotocol",
)  # fmt: skip
ROUNDS = 8
PATIENCE = 10.0  # seconds for the connection
REMOTE_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class LanguageSupport:
    """What stands behind each surface in a language.

    `completions`: a language model with its ranker, a ranker alone, or the words of the file and the project.
    `next_edits`: consequences by scopes, repeated edits, the edit model. `more`: other surfaces that have a model.
    """

    language: str
    completions: str
    next_edits: str
    ghost_text: bool
    more: tuple[str, ...]


def language_support(engine: Engine, grammars: Collection[str]) -> Iterator[LanguageSupport]:
    """A row for each language with rules of names or a model, and a row for all others whose grammar loads."""
    rest, edits = 0, ""
    for language in all_languages():
        if language.id not in grammars:
            continue
        families = engine.families_for(language.id)
        sources = ["scopes"] if language.scopes is not None else []
        sources += ["repeats", *(["model"] if EDIT_MODEL in families else [])]
        if language.scopes is None and not families - {EDIT_MODEL}:
            rest, edits = rest + 1, ", ".join(sources)
            continue
        modelled = LANGUAGE_MODEL in families
        more = {FIX_MODEL: "fixes", BODY_MODEL: "bodies"}
        yield LanguageSupport(
            language.id,
            "model, ranker" if modelled else RANKER if language.scopes is not None else WORDS,
            ", ".join(sources),
            modelled,
            tuple(name for family, name in more.items() if family in families),
        )
    if rest:
        yield LanguageSupport(f"{rest} {REST}", WORDS, edits, False, ())


Run = tuple[float, object]  # milliseconds, decision


@dataclass(frozen=True, slots=True)
class BundleCheck:
    """One bundle. `problem` is None when all checks out; `difference` is that of the golden self-test."""

    path: str
    name: str
    megabytes: float | None = None
    milliseconds: float | None = None
    difference: float | None = None
    tolerance: float | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Latency:
    """Median and worst time of `n` requests of a surface on the sample file; how many were answered."""

    language: str
    surface: str
    n: int
    answered: int
    median_ms: float
    worst_ms: float


@dataclass(frozen=True, slots=True)
class Findings:
    """All results of the doctor."""

    version: str
    python: str
    platform: str
    packages: dict[str, str]
    device: ort.Selection
    providers: tuple[str, ...]
    bundles: tuple[BundleCheck, ...]
    grammars: tuple[str, ...]
    models: dict[str, tuple[str, ...]]
    languages: tuple[LanguageSupport, ...]
    latencies: tuple[Latency, ...]
    memory_mib: float | None
    memory_limit_mib: float | None
    problems: tuple[str, ...] = field(default=())


def examine(bundles: Sequence[Path], device: str, step: Callable[[str], None]) -> Findings:
    """Look at everything; `step` hears what is being looked at."""
    from editahead import __version__

    problems: list[str] = []
    step("providers")
    selection = ort.select_providers(device)
    step("bundles")
    checks = tuple(check_bundle(path, selection) for path in find_bundles(bundles))
    problems += [check.problem for check in checks if check.problem]
    if not checks:
        problems.append("no bundles are installed: in editahead's repository, pip install --force-reinstall .")
    step("grammars")
    grammars = _grammars()
    problems += [f"no grammar for {name}: pip install tree-sitter-{name}" for name in SAMPLES if name not in grammars]
    step("latency")
    models: dict[str, tuple[str, ...]] = {}
    latencies: list[Latency] = []
    languages: tuple[LanguageSupport, ...] = ()
    try:
        sound = [Path(check.path) for check in checks if not check.problem]
        engine = Engine.load(sound, device, lambda message, share: None)
        languages = tuple(language_support(engine, grammars))
        for language in SAMPLES:
            if language in grammars and LANGUAGE_MODEL in engine.families_for(language):
                models[language] = tuple(engine.models_for(language))
                latencies += measure(engine, language)
    except Exception as error:
        problems.append(f"the engine fails: {type(error).__name__}: {error}".splitlines()[0])
    return Findings(
        version=__version__,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        platform=platform.platform(),
        packages={name: version for name in PACKAGES if (version := _version(name))},
        device=selection,
        providers=ort.available_providers(),
        bundles=checks,
        grammars=grammars,
        models=models,
        languages=languages,
        latencies=tuple(latencies),
        memory_mib=memory_mib(),
        memory_limit_mib=memory_limit() / 2**20 if sys.platform == "linux" and selection.used == ort.CPU else None,
        problems=tuple(problems),
    )


def check_bundle(path: Path, selection: ort.Selection) -> BundleCheck:
    """All checks of a bundle: manifest, sizes, checksums, sessions, golden values."""
    began = time.perf_counter()
    try:
        bundle = load_bundle(path)
        difference = self_test(bundle, open_sessions(bundle, selection))
    except BundleError as error:
        return BundleCheck(str(path), path.name, problem=str(error))
    except Exception as error:
        return BundleCheck(str(path), path.name, problem=f"{path}: {type(error).__name__}: {error}".splitlines()[0])
    size = sum(entry.bytes for entry in bundle.manifest.files.values())
    return BundleCheck(
        path=str(path),
        name=bundle.manifest.name,
        megabytes=size / 1e6,
        milliseconds=(time.perf_counter() - began) * 1000,
        difference=difference,
        tolerance=bundle.manifest.tolerance,
    )


def measure(engine: Engine, language_id: str) -> list[Latency]:
    """Ask for completions at `ROUNDS` places of the sample file, for as many next edits, and for functions there."""
    language = by_id(language_id)
    assert language is not None
    name = SAMPLES[language_id]
    buffer = sample(name)
    places = _ends_of_names(buffer)[:: max(1, len(_ends_of_names(buffer)) // ROUNDS)][:ROUNDS]
    document = open_document(Path(name), language, buffer)
    completions = [_timed(engine.complete, document, byte) for byte in [places[0], *places]]
    edits = []
    for byte in [places[0], *places]:
        after = buffer.apply(ByteEdit(byte, byte, b"s"))
        edits.append(_timed(engine.next_edit, *change_document(Path(name), language, buffer, after)))
    functions = [_timed(engine.bodies, *_empty_function(name, language, buffer, byte)) for byte in [places[0], *places]]
    # the first of each opened its model
    runs = {"completion": completions[1:], "next edit": edits[1:], "function": functions[1:]}
    return [_latency(language_id, surface, run) for surface, run in runs.items() if _has_model(run)]


def memory_mib() -> float | None:
    """The most memory that this process held, in MiB; None where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def _timed(ask: Callable[[Document, int, ort.Cancel], object], document: Document, byte: int) -> Run:
    began = time.perf_counter()
    answer = ask(document, byte, ort.Cancel())
    return (time.perf_counter() - began) * 1000, answer


def _empty_function(file: str, language: Language, buffer: Buffer, byte: int) -> tuple[Document, int]:
    """The sample file with a function that has no body below, called after the name that ends at a byte."""
    end = len(buffer.data)
    name = word_before(buffer.data[:byte].decode("utf-8")) or "part"
    grown = buffer.apply(ByteEdit(end, end, f"\n\ndef {name}_of(value):\n    ".encode()))
    return open_document(Path(file), language, grown), len(grown.data)


def _has_model(runs: Sequence[Run]) -> bool:
    return not all(isinstance(answer, Suppressed) and answer.reason is Reason.NO_MODEL for _, answer in runs)


def _latency(language: str, surface: str, runs: Sequence[Run]) -> Latency:
    times = [milliseconds for milliseconds, _ in runs]
    answered = sum(isinstance(answer, Shown) for _, answer in runs)
    return Latency(language, surface, len(runs), answered, statistics.median(times), max(times))


def _ends_of_names(buffer: Buffer) -> list[int]:
    """Where a name ends in the text: places at which a person types."""
    data = buffer.data
    word = [chr(byte).isalnum() or byte == ord("_") for byte in data]
    return [at + 1 for at in range(len(data) - 1) if word[at] and not word[at + 1]]


def _grammars() -> tuple[str, ...]:
    from editahead.syntax.grammars import available_grammars

    return available_grammars()


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


log = logging.getLogger("editahead.team")


@dataclass(frozen=True, slots=True)
class RemoteCheck:
    """The result of the check. Times are those of requests for ghost text, from the laptop's side, in milliseconds."""

    address: str
    version: str = ""
    replica: str = ""
    models: dict[str, list[str]] = field(default_factory=dict)
    median_ms: float = 0.0
    worst_ms: float = 0.0
    in_budget: float = 0.0  # share of the requests
    problem: str = ""


class _NoLocalEngine:
    """Answers nothing, so that only the server's answers are measured."""

    def inline(self, document: Document, byte: int, cancel: Cancel) -> Suppressed:
        return Suppressed(Reason.FAILED, "not answered by the server")


def check_remote(url: str, token_file: Path | None) -> RemoteCheck:
    """Connect as a laptop does and type in the sample file, which is public. Raises CliError for a wrong URL."""
    try:
        target = remote_target(url, token_file)
    except TargetError as error:
        raise CliError(str(error)) from None
    problems: list[str] = []
    log.addHandler(logging.NullHandler())  # the problem is part of the result
    replies = Replies()
    connection = Connection(target, replies.receive)
    connection.report_problems(problems.append)
    connection.start()
    try:
        until = time.monotonic() + PATIENCE
        while not connection.session and not problems and time.monotonic() < until:
            time.sleep(0.02)
        welcome = connection.welcome
        if welcome is None:
            return RemoteCheck(target.address, problem=problems[0] if problems else f"{target.address} does not answer")
        result = RemoteCheck(target.address, welcome.version, welcome.replica, welcome.models)
        language = next((name for name in SAMPLES if welcome.models.get(name)), None)
        if language is None:
            return replace(result, problem="the team server has no models")
        engine: Any = RemoteEngine(_NoLocalEngine(), connection, replies, budget=PATIENCE)  # type: ignore[arg-type]
        times = _typed(engine, language)
        if engine.answered_by() != {"remote": len(times)}:
            return replace(result, problem=f"of {len(times)} requests, these were answered: {engine.answered_by()}")
        in_budget = sum(milliseconds <= 1000 * BUDGET for milliseconds in times) / len(times)
        return replace(result, median_ms=statistics.median(times), worst_ms=max(times), in_budget=in_budget)
    finally:
        connection.stop()


def _typed(engine: RemoteEngine, language_id: str) -> list[float]:
    """Type a name at the end of the sample file; returns the milliseconds of each request but the first."""
    language = by_id(language_id)
    assert language is not None
    path = Path(SAMPLES[language_id]).absolute()
    buffer = sample(SAMPLES[language_id])
    times = []
    for number in range(REMOTE_ROUNDS + 1):
        end = len(buffer.data)
        buffer = buffer.apply(ByteEdit(end, end, b"\n" if number == 0 else b"s"))
        document = replace(open_document(path, language, buffer), version=number)
        began = time.perf_counter()
        engine.inline(document, len(buffer.data), Cancel())
        times.append((time.perf_counter() - began) * 1000)
    engine.outcomes.subtract({("inline", "remote"): 1})  # the first request warms up
    return times[1:]
