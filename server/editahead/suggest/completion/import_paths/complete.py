"""Completions of a quoted import path, ranked by a small network over what the project says of each path.

That is: other files' imports, exports, their order. N candidates, C features of a candidate, S of the position.
"""

from __future__ import annotations

import heapq
import math
import posixpath
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.index.import_paths import READ, as_written, read_path_imports, taken_names, to_absolute_path
from editahead.index.lexicon import language_family
from editahead.index.project_imports import ImportVotes
from editahead.index.types import OtherImports
from editahead.runtime.language_model.candidate_ranker import ARRAYS, CandidateRanker
from editahead.suggest.gate import cheap_gates, first_failure, short_line
from editahead.suggest.types import Completion, Completions, Decision, Document, GateReading, Reason, Shown, Suppressed
from editahead.syntax.language import Language
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.buffer import Buffer

_LINES_BACK = 400  # of a block of imports
_STATEMENT_LINES = 30  # of the names that a statement takes
_MAX_LINE_BYTES = 400  # bytes of a line that is read
_TYPED: Mapping[str, re.Pattern[str]] = {
    "go": re.compile(r'[ \t]*(?P<import>import[ \t]+)?(?:[\w.]+[ \t]+)?"(?P<path>[^"]*)'),
    "javascript": re.compile(
        r"""(?:.*?[\s}*;]|)(?P<import>from|import|(?:require|import)\s*\()\s*["'](?P<path>[^"']*)"""
    ),
    "c": re.compile(r'[ \t]*#[ \t]*(?P<import>include|import)[ \t]*(?P<path>[<"][^>"]*)'),
}
_BLOCK = re.compile(r"[ \t]*import[ \t]*\(\s*")  # of Go, around paths that stand alone
_IN_BLOCK = re.compile(r'[ \t]*(?://.*|(?:[\w.]+[ \t]+)?"[^"]*"[ \t]*(?://.*)?)?\s*')
CANDIDATE_FEATURES = (
    "files", "alike", "folder", "taken", "exported", "used", "in_order", "out_of_order", "no_file", "own_stem", "local",
    "section", "folders_up", "common",
)  # fmt: skip
PLACE_FEATURES = ("typed", "letters", "takes_names", "before", "after", "present", "candidates", "nothing_known")
_MAX_COMMON = 400  # most imported candidates, beside those with further evidence
_MAX_NAMES = 12  # of a statement
_MAX_BESIDE = 300  # files of the own folder
_QUALIFIER = re.compile(rb"\b([A-Za-z_]\w*)\.")
_READ = 256 * 1024  # bytes that are looked through for packages that are used
_VERSION = re.compile(r"v\d+")
_SCRIPTS = (".d.ts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_HEADERS = (".h", ".hpp", ".hh", ".hxx")
_NO_VOTES = ImportVotes(0, 0.0, 0.0)
FAMILIES = ("go", "javascript", "c")


class ImportPathPlace(NamedTuple):
    """The path [start, end) that is typed so far; paths as the index keeps them (`index/import_paths.py`).

    `names`: what the statement takes from the module. `before`, `after`: the paths of the lines beside it, None where
    these import nothing. `present`: all that the file imports already. `own`: the file below the project's root.
    """

    family: str
    typed: str
    start: int
    end: int
    names: tuple[str, ...]
    before: str | None
    after: str | None
    present: frozenset[str]
    own: str


def import_path_place(syntax: SyntaxSnapshot, byte: int, own: str) -> ImportPathPlace | None:
    """The import whose quoted path contains a byte; None elsewhere."""
    family = language_family(syntax.language.id)
    pattern, buffer = _TYPED.get(family), syntax.buffer
    if pattern is None:
        return None
    line = buffer.line_at(byte)
    start, end = buffer.line_span(line)
    if byte - start > _MAX_LINE_BYTES or end - start > 2 * _MAX_LINE_BYTES:
        return None
    match = pattern.fullmatch(buffer.data[start:byte].decode("utf-8", "replace"))
    if match is None or not (match["import"] or _is_in_block(buffer, line)):
        return None
    quote = match.start("path") - (family != "c")  # of C the quote is a part of the path, as there are two kinds
    if syntax.region_at(start + len(match[0][:quote].encode("utf-8"))) is not Region.CODE:
        return None
    read = read_path_imports(buffer.data[: min(start, READ)] + b"\n" + buffer.data[end : end + READ], family, own)
    names: tuple[str, ...] = ()
    if family == "javascript":
        names = _taken(buffer, line, match)
    typed = match["path"]
    return ImportPathPlace(
        family, typed, byte - len(typed.encode("utf-8")), byte, names,
        _path_of_line(buffer, line - 1, family, own), _path_of_line(buffer, line + 1, family, own),
        frozenset(path for path, _ in read.imports), own,
    )  # fmt: skip


def is_read(language: Language) -> bool:
    """Whether imports of a language name their module in quotes."""
    return language_family(language.id) in _TYPED


def _is_in_block(buffer: Buffer, line: int) -> bool:
    for above in range(line - 1, max(-1, line - _LINES_BACK), -1):
        start, end = buffer.line_span(above)
        if end - start > _MAX_LINE_BYTES:
            return False
        text = buffer.line_text(above)
        if _BLOCK.fullmatch(text):
            return True
        if not _IN_BLOCK.fullmatch(text):
            return False
    return False


def _taken(buffer: Buffer, line: int, match: re.Match[str]) -> tuple[str, ...]:
    """The names between `import` and `from`, of which the former may stand on a line above."""
    if match["import"] != "from":
        return ()
    text = match[0][: match.start("import")]
    for above in range(line - 1, max(-1, line - _STATEMENT_LINES), -1):
        if "import" in text or ";" in text:
            break
        text = f"{buffer.line_text(above)[:_MAX_LINE_BYTES]}\n{text}"
    _, word, names = text.rpartition("import")
    return tuple(taken_names(names)) if word else ()


def _path_of_line(buffer: Buffer, line: int, family: str, own: str) -> str | None:
    if not 0 <= line < buffer.line_count:
        return None
    start, end = buffer.line_span(line)
    if end - start > _MAX_LINE_BYTES:
        return None
    read = read_path_imports(buffer.data[start:end], family, own)
    return to_absolute_path(read.imports[-1][0], own, family) if read.imports else None


Floats = npt.NDArray[np.float32]


class PathCandidates(NamedTuple):
    """Paths as the file writes them, whether the project has each, their features (N, C), and the position's (S,)."""

    texts: tuple[str, ...]
    imported: tuple[bool, ...]
    candidates: Floats
    position: Floats


def path_candidates(
    slot: ImportPathPlace, others: OtherImports | None, text: bytes, common: Mapping[str, float]
) -> PathCandidates:
    """The candidates that match the typed text; `text` is the file.

    `common`: ln(1 + n) of the n projects that import a path, of common paths.
    """
    votes: dict[str, ImportVotes] = {}
    taken: dict[str, float] = {}
    exported: dict[str, float] = {}
    if others is not None:
        votes = others.project.path_votes(slot.present, others.own)
        taken, exported = _of_names(slot, others)
        for path in (*exported, *_beside(slot, others)):
            votes.setdefault(path, _NO_VOTES)
    for path in common:
        votes.setdefault(path, _NO_VOTES)
    used = frozenset(match[1].decode() for match in _QUALIFIER.finditer(text[:_READ])) if slot.family == "go" else ()
    rows: list[tuple[float, ...]] = []
    texts: list[str] = []
    imported: list[bool] = []
    likely = {path for path, vote in votes.items() if vote.alike or vote.folder} | taken.keys() | exported.keys()
    likely.update(path for path in votes if package_name(path) in used)
    likely.update(heapq.nlargest(_MAX_COMMON, votes, key=lambda path: (votes[path].files, common.get(path, 0.0), path)))
    before, after = (None if path is None else as_written(path, slot.own) for path in (slot.before, slot.after))
    for path, vote in votes.items():
        if path in slot.present or not (slot.typed or path in likely):
            continue
        written = as_written(path, slot.own)
        if not is_continuation(written, slot.typed):
            continue
        texts.append(written)
        imported.append(vote.files > 0 or path not in common)
        low, high = before is None or before < written, after is None or written < after
        anchored = before is not None or after is not None
        rows.append((
            math.log1p(vote.files) / 5, vote.alike, vote.folder, taken.get(path, 0.0), exported.get(path, 0.0),
            float(package_name(path) in used), float(anchored and low and high), float(anchored and not (low and high)),
            float(not vote.files), float(_stem(path) == _stem(slot.own)), float(is_local(written, slot.family)),
            float(before is not None and _section(before, slot.family) == _section(written, slot.family)),
            written.count("../") / 4, common.get(path, 0.0) / 3,
        ))  # fmt: skip
    letters = len(slot.typed.lstrip('<"'))
    of_place = (
        letters > 0, math.log1p(letters) / 3, bool(slot.names), before is not None, after is not None,
        math.log1p(len(slot.present)) / 3, math.log1p(len(texts)) / 8, not votes,
    )  # fmt: skip
    return PathCandidates(
        tuple(texts),
        tuple(imported),
        np.array(rows, np.float32).reshape(len(rows), len(CANDIDATE_FEATURES)),
        np.array(of_place, np.float32),
    )


def is_continuation(path: str, typed: str) -> bool:
    """Whether a path begins with the typed text, or any later part of it does."""
    return path.startswith(typed) or (len(typed) > 1 and f"/{typed}" in path)


def package_name(path: str) -> str:
    """The name by which Go code most likely uses a package."""
    parts = path.split("/")
    name = parts[-2] if len(parts) > 1 and _VERSION.fullmatch(parts[-1]) else parts[-1]
    name = name.partition(".")[0].removeprefix("go-").removesuffix("-go")
    return name.rpartition("-")[2]


def is_local(written: str, family: str) -> bool:
    """Whether a path, as it is written or as it is kept, belongs to a project rather than to a library.

    Of Go: whether it does not belong to the standard library.
    """
    if family == "go":
        return "." in written.partition("/")[0]
    return written.startswith((".", "/") if family == "javascript" else '"')


def _of_names(slot: ImportPathPlace, others: OtherImports) -> tuple[dict[str, float], dict[str, float]]:
    """The share of the statement's names that other files import from a path, and the share that a file exports."""
    taken: dict[str, float] = {}
    exported: dict[str, float] = {}
    names = slot.names[:_MAX_NAMES]
    for name in names:
        for path, share in others.project.sources_of(name, others.own).items():
            taken[path] = taken.get(path, 0.0) + share / len(names)
        files = others.project.exporting(name, others.own)
        for path in module_paths(files, others):
            exported[path] = exported.get(path, 0.0) + 1 / len(files) / len(names)
    return taken, exported


def _beside(slot: ImportPathPlace, others: OtherImports) -> Iterable[str]:
    """Files of the same folder; of C and C++ the header that belongs to this file."""
    folder = posixpath.dirname(slot.own)
    if slot.family == "javascript":
        paths = [path for path in others.project.paths if posixpath.dirname(path) == folder and path != others.own]
        return module_paths(paths[:_MAX_BESIDE], others)
    if slot.family == "c":
        stem = _stem(slot.own)
        headers = [path for path in others.project.paths if path.endswith(_HEADERS) and _stem(path) == stem]
        beside = [f'"{posixpath.basename(path)}' for path in headers if posixpath.dirname(path) == folder]
        return [f'"{path}' for path in headers[:_MAX_BESIDE]] + beside
    return ()


def module_paths(files: Iterable[str], others: OtherImports) -> list[str]:
    """Script files as the project's imports name them: with the ending of most imports."""
    endings = _endings(others)
    paths = []
    for file in files:
        ending = next((end for end in _SCRIPTS if file.endswith(end)), "")
        module = file.removesuffix(ending)
        if endings:
            paths.append(f"/{module}{endings if ending not in ('.jsx', '.mjs', '.cjs') else ending}")
        else:
            paths.append("/" + (posixpath.dirname(module) if posixpath.basename(module) == "index" else module))
    return paths


def _endings(others: OtherImports) -> str:
    """The ending that most relative imports of the project have; none where most have none."""
    counts: dict[str, int] = {}
    for path, files in others.project.holders.items():
        if path.startswith("/"):
            ending = next((end for end in _SCRIPTS if path.endswith(end)), "")
            counts[ending] = counts.get(ending, 0) + len(files)
    return max(counts, key=lambda end: (counts[end], end), default="")


def _stem(path: str) -> str:
    return posixpath.basename(path).partition(".")[0].lstrip('"<')


def _section(written: str, family: str) -> str:
    """Imports of a section stand together: of Go by host and owner, elsewhere by how they begin."""
    if family == "go":
        parts = written.split("/")
        return "/".join(parts[:3]) if "." in parts[0] else ""
    return written[:1] if is_local(written, family) else ""


FILE = Path(__file__).with_name("rankers.npz")


def place_of(document: Document, byte: int) -> ImportPathPlace | None:
    """The import path at a byte; None elsewhere, and in languages without such paths."""
    if not is_read(document.syntax.language) or not short_line(document, byte).passed:
        return None
    path, root = document.path, document.root
    inside = path is not None and root is not None and path.is_relative_to(root)
    own = path.relative_to(root).as_posix() if path is not None and root is not None and inside else ""
    return import_path_place(document.syntax, byte, own)


def complete_path(document: Document, byte: int, slot: ImportPathPlace) -> Decision[Completions]:
    """Paths that match the typed text, best first; suppressed when no candidate reaches the floor."""
    gates = cheap_gates(document, None)
    if (failure := first_failure(gates)) is not None:
        return failure
    others = document.elsewhere.imports if document.elsewhere is not None else None
    ranker = open_rankers()[slot.family]
    paths = path_candidates(slot, others, document.syntax.buffer.data, ranker.common)
    settings = document.settings
    chances = ranker.weights.probabilities(paths.candidates, paths.position)[:-1]
    order = np.argsort(-chances, kind="stable")[: document.max_completions].tolist()
    floor = settings.completion_floor
    if document.filtered_by_client and order and chances[order[0]] >= floor:
        floor = 0.0  # further letters may move it to the top
    items = tuple(
        Completion(paths.texts[at], float(chances[at]), "module", "project" if paths.imported[at] else "vocabulary")
        for at in order
        if chances[at] >= floor and paths.texts[at] != slot.typed
    )
    if not items:
        gate = GateReading(Reason.LOW_PROBABILITY, False, f"no path reaches {floor:g}")
        return Suppressed(Reason.LOW_PROBABILITY, gate.value, (*gates, gate))
    return Shown(Completions(items, slot.start, slot.end, complete=False), items[0].probability, tuple(gates))


class PathRanker(NamedTuple):
    """The network of a family, and ln(1 + n) of the n projects that import a path, of those that many do."""

    weights: CandidateRanker
    common: Mapping[str, float]


@lru_cache(maxsize=1)
def open_rankers() -> dict[str, PathRanker]:
    """The rankers of all families, which ship with this package."""
    with np.load(FILE, allow_pickle=False) as held:
        return {
            family: PathRanker(
                CandidateRanker.from_arrays({name: held[f"{family}/{name}"] for name in ARRAYS}),
                dict(zip(held[f"{family}/paths"].tolist(), held[f"{family}/counts"].tolist(), strict=True)),
            )
            for family in FAMILIES
        }
