"""Check of a repository: from a revision to the places that were probably missed, and the leftovers of a change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from editahead.check.git import CheckedRepository, CheckError, Span
from editahead.check.given_elsewhere import drop_declared_elsewhere
from editahead.check.left_calls import Reshaped, left_calls, reshaped_functions
from editahead.check.left_imports import gone_modules, importers, left_imports, lost_names, unused_imports
from editahead.check.left_names import left_names
from editahead.check.leftover import MAX_LEFT, FileVersions, Leftover, NamesOf, module_test
from editahead.check.search import CHECK_FEATURES, SearchResult, find_missed_edits
from editahead.check.texts import MAX_EDITS, ChangedFile, RepositoryTexts, changed_file, unchanged_file
from editahead.git import RawChange
from editahead.runtime.bundle import BundleError, find_bundles, load_bundle
from editahead.runtime.edit_model.pattern_scorer import PatternScorer
from editahead.settings import Settings
from editahead.suggest.next_edit.repeats.pattern_features import FEATURES
from editahead.suggest.types import Document

MAX_CHANGED = 1000  # files of the diff that are compared, by path
MAX_SEARCHED = 1000  # files beside them that are searched, those in the nearest folders first


class OtherFiles(NamedTuple):
    """Files of the project beside those of the change.

    `holding`: those that contain any of some words; `at`: those of some paths, as far as they exist; `exists`: whether
    a path exists, of any sort.
    """

    holding: Callable[[Sequence[str]], Sequence[Document]]
    at: Callable[[Sequence[str]], Sequence[Document]]
    exists: Callable[[str], bool]


def leftovers(
    files: Sequence[ChangedFile], added: Sequence[Document], others: OtherFiles, gone: Sequence[ChangedFile] = ()
) -> list[Leftover]:
    """The leftovers of a change, by path and position; each is reported once, by the first rule that applies.

    Files with syntax errors are skipped. `gone`: those that are no longer at their path.
    """
    sound = [versions for versions in _versions(files) if not versions.file.document.syntax.error_count()]
    removed = [
        (versions, names) for versions in (*sound, *_versions(gone)) if (names := lost_names(versions, others.exists))
    ]
    reshaped = [function for versions in sound for function in reshaped_functions(versions)]
    words = sorted({*(name for _, names in removed for name in names), *map(_called_name, reshaped)} - {""})
    names_of = NamesOf()
    mine = [*(file.document for file in files), *added]
    documents = [*mine, *(others.holding(words) if words else ())]
    declaring = [versions.file.document for versions, _ in removed]
    declaring += [function.versions.file.document for function in reshaped]
    importing = {uri: importers(document, documents) for uri, document in {d.uri: d for d in declaring}.items()}
    own = {document.uri for document in mine}
    is_module_of = module_test(lambda path: path in own or others.exists(path))
    rows = chain(
        drop_declared_elsewhere(chain.from_iterable(map(left_names, sound)), mine, others.holding, others.at, names_of),
        chain.from_iterable(
            left_imports(versions, names, importing[versions.file.document.uri], names_of, is_module_of)
            for versions, names in removed
        ),
        chain.from_iterable(
            left_calls(function, importing[function.versions.file.document.uri], names_of, is_module_of)
            for function in reshaped
        ),
        chain.from_iterable(map(unused_imports, sound)),
    )
    return sorted(_once(rows), key=lambda leftover: (leftover.where, leftover.start, leftover.kind))


def _versions(files: Sequence[ChangedFile]) -> list[FileVersions]:
    """The versions of those files whose language has a scope table."""
    return [FileVersions(file, table) for file in files if (table := file.document.syntax.language.scopes) is not None]


def _called_name(reshaped: Reshaped) -> str:
    """The name by which other files call a function; empty where they cannot."""
    names = reshaped.versions.now
    if names is None:
        return ""
    if reshaped.declared.name == names.table.classes.constructor:
        owner = names.scopes.local(reshaped.scope)
        return owner.name if owner is not None else ""
    return reshaped.declared.name if names.scopes.local(reshaped.scope) is None else ""


def _once(rows: Iterator[Leftover]) -> Iterator[Leftover]:
    seen = set[tuple[str, int]]()
    counts: dict[tuple[str, str], int] = {}
    for leftover in rows:
        position, rule = (leftover.where, leftover.start), (leftover.kind, leftover.name)
        counts[rule] = counts.get(rule, 0) + 1
        if position not in seen and counts[rule] <= MAX_LEFT:
            seen.add(position)
            yield leftover


@dataclass(frozen=True, eq=False)
class CheckResult:
    """The result of a check: repository, compared versions, answer, and the number of compared `files`.

    `leftovers`: the leftovers of the change, by path and position, but for the lines of missed edits.
    """

    root: Path
    span: Span
    files: int
    answer: SearchResult
    leftovers: tuple[Leftover, ...] = ()


def model_of(bundles: Sequence[Path]) -> PatternScorer:
    """Load the scorer of missed edits from the first bundle that holds it.

    `bundles` are searched, or the shipped ones; what was fitted to finished changes goes before what was fitted to
    changes under way. A bundle that a person named must be whole.

    Raises CheckError.
    """
    problem = ""
    for path in bundles:
        if not path.is_dir():
            raise CheckError(f"--bundle {path} is no folder: name the folder of a bundle, or one that holds bundles")
    named = set(find_bundles(bundles)) - set(find_bundles())
    for path in find_bundles(bundles):
        try:
            bundle = load_bundle(path, verify=path in named)
            model = PatternScorer.of_check(bundle, CHECK_FEATURES) or PatternScorer.of_bundle(bundle, CHECK_FEATURES)
            if model is not None:
                return model
        except BundleError as error:
            if path in named:
                raise CheckError(str(error)) from None
            problem = f" ({error})"
    raise CheckError(
        f"no model of repeated edits is installed{problem}: install a bundle of edits that has one, or name it by "
        "--bundle"
    )


def under_way_of(bundles: Sequence[Path]) -> PatternScorer | None:
    """A scorer of sites while a change is under way, from the first bundle that holds it.

    None where none has: `model_of` has reported damaged bundles already.
    """
    for path in find_bundles(bundles):
        try:
            model = PatternScorer.of_bundle(load_bundle(path, verify=False), FEATURES)
        except BundleError:
            continue
        if model is not None:
            return model
    return None


def check(
    folder: Path,
    base: str,
    paths: Sequence[Path],
    model: PatternScorer,
    precision: float,
    settings: Settings,
    under_way: PatternScorer | None = None,
) -> CheckResult:
    """Check what changed since `base` in the repository around a folder, and report on `paths` (none: on all).

    Raises CheckError.
    """
    repository = CheckedRepository.around(folder)
    span = repository.span(base)
    wanted = [_inside(repository, span, folder, path) for path in paths]
    return check_span(repository, span, wanted, model, precision, settings, under_way)


def check_span(
    repository: CheckedRepository,
    span: Span,
    wanted: Sequence[str],
    model: PatternScorer,
    precision: float,
    settings: Settings,
    under_way: PatternScorer | None = None,
) -> CheckResult:
    """Check the span of a repository, and report on the `wanted` paths inside it (none: on all). Raises CheckError."""
    entries = repository.changes(span)
    texts = RepositoryTexts(repository, span, settings)
    files, added, gone, notes = open_files(texts, entries)
    changed_paths = {entry.after for entry in entries} | repository.conflicts(span)

    def others(words: Sequence[str]) -> tuple[Sequence[Document], bool]:
        return texts.holding(words, changed_paths, [file.document.uri for file in files], MAX_SEARCHED)

    def is_requested(where: str) -> bool:
        return not wanted or any(path in (".", where) or where.startswith(path + "/") for path in wanted)

    all_leftovers = leftovers(files, added, OtherFiles(lambda words: others(words)[0], texts.at, texts.has_file), gone)
    answer = find_missed_edits(files, added, others, model, precision, under_way, all_leftovers)
    missed = tuple(finding for finding in answer.missed if is_requested(finding.where))
    lines = {(finding.where, finding.site.line) for finding in missed}
    reported_leftovers = tuple(
        row
        for row in all_leftovers
        if row.probability >= precision and is_requested(row.where) and (row.where, row.line) not in lines
    )
    sites = ((finding.where, finding.site) for finding in missed)
    edits = ((where, site.edit.new_text(site.document.syntax.buffer.data)) for where, site in sites)
    unreadable = dict.fromkeys(where for where, text in edits if text is None)
    notes += [f"{where}: no replacements are given where the text is not UTF-8" for where in unreadable]
    result = SearchResult(missed, answer.edits, (*notes, *answer.notes))
    compared = {file.document.uri for file in files} | {file.moved or file.document.uri for file in gone}
    return CheckResult(repository.root, span, len(compared), result, reported_leftovers)


class OpenedFiles(NamedTuple):
    """The changed files, the new files, those that are no longer at their path, and notes on what was skipped."""

    files: list[ChangedFile]
    added: list[Document]
    gone: list[ChangedFile]
    notes: list[str]


def open_files(texts: RepositoryTexts, entries: Sequence[RawChange]) -> OpenedFiles:
    """Read the files of a diff. Raises CheckError."""
    conflicts = texts.repository.conflicts(texts.span)
    notes = [f"{where} is left out: it has a merge conflict" for where in sorted(conflicts)]
    present = (entry for entry in entries if entry.status != "D" and entry.after not in conflicts)
    readable = [entry for entry in present if texts.language(entry.after) is not None]
    if len(readable) > MAX_CHANGED:
        notes.append(f"only the first {MAX_CHANGED} of {len(readable)} changed files were compared")
        del readable[MAX_CHANGED:]
    before = texts.repository.blobs(entry.old for entry in readable if entry.status != "A")
    after = texts.now([entry.after for entry in readable], {entry.after: entry.new for entry in readable if entry.new})
    files: list[ChangedFile] = []
    added: list[Document] = []
    for entry in readable:
        where, language = entry.after, texts.language(entry.after)
        if language is None or where not in after:
            continue
        if entry.status == "A":
            added.append(unchanged_file(where, language, after[where], texts.settings))
        elif entry.old not in before:
            notes.append(f"{where} is left out: what it was is too large, or not in this clone")
        elif b"\0" not in before[entry.old]:
            file = changed_file(where, language, before[entry.old], after[where], texts.settings)
            if file is not None:
                files.append(file)
            else:
                notes.append(f"{where} is left out: it was changed at more than {MAX_EDITS} places")
    return OpenedFiles(files, added, gone_modules(texts, entries), notes)


def _inside(repository: CheckedRepository, span: Span, folder: Path, path: Path) -> str:
    """A path that a person named, relative to the repository; of a commit, it may be a file that is not on disk.

    Raises CheckError.
    """
    root = repository.root
    try:
        whole = (folder / path).resolve()
        there = whole.exists()
    except (OSError, RuntimeError, ValueError):  # a loop of links, or no path at all
        raise CheckError(f"{path} cannot be reached: name a file or folder of the repository") from None
    if not whole.is_relative_to(root):
        raise CheckError(f"{path} is not in the repository {root}: name files or folders inside it")
    inside = whole.relative_to(root).as_posix()
    if not there and not repository.has_path(span, inside):
        raise CheckError(f"{path} does not exist: name a file or folder of the repository")
    return inside
