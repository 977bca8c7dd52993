"""The consequences of the recent edits as candidates for the next edit; the kinds of these edits select the rules.

In files that are not open, a package may re-export declarations of its modules (`from .cart import total` in
`shop/__init__.py`): files that import these from the package follow, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.analysis.signatures import function_with_parameters_at
from editahead.patterns.changes import NetChange, net_changes, take_latest
from editahead.runtime.ort import Cancel
from editahead.suggest.gate import cheap_gates, first_failure
from editahead.suggest.next_edit.consequences.name_changes import NameChange, Renaming, renamings, typed_name
from editahead.suggest.next_edit.consequences.renames.edits_in_other_files import edits_in_other_files
from editahead.suggest.next_edit.consequences.renames.reexports import reexporting_files
from editahead.suggest.next_edit.consequences.renames.rename import MAX_RENAMINGS, renamed_names
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding, site_of
from editahead.suggest.next_edit.consequences.renames.renamed_uses import is_seen_elsewhere
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule, rate
from editahead.suggest.next_edit.consequences.rules import all_rules
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.next_edit.edit_candidate import EditCandidate
from editahead.suggest.types import Document, UnopenedProject
from editahead.syntax.interrupt import interruptible
from editahead.syntax.language_definition import Role
from editahead.text.edits import ByteEdit

MAX_PACKAGES = 3  # re-exporting packages whose importers are followed
MAX_CHANGES = 6  # the most recent changes of a text, which select the rules to run
_WORD = re.compile(rb"[A-Za-z_\x80-\xff]")
UNOPENED_RATES = "{}-unopened"  # the name of the rates of a source in files that are not open
_SUB_WORD = re.compile(rb"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[\x80-\xff]+")
_MAX_NAME_BYTES = 200


def rename_unopened(moment: Moment) -> list[Consequence]:
    """Edits in files that are not open and import a name that was renamed at its declaration.

    A replaced use may be an edit of that use alone, and a name that became private has no replacement in other files,
    so neither is followed. Raises Cancelled.
    """
    project, candidates = moment.document.unopened, dict[tuple[str, int], Consequence]()
    if project is None:
        return []
    project.cut.clear()
    with interruptible(moment.check):
        for document in (moment.document, *moment.document.others):
            for renaming in renamings(document.history, document.syntax.buffer.data)[:MAX_RENAMINGS]:
                if renaming.new.startswith("_") and not renaming.old.startswith("_"):
                    continue
                for renamed, _ in renamed_names(moment, document, renaming, []):
                    if not is_seen_elsewhere(renamed) or site_of(renamed) != "declaration":
                        continue
                    for candidate in _edits_in_project(moment, project, document, renamed):
                        candidates.setdefault((candidate.document.uri, candidate.edit.start), candidate)
    return list(candidates.values())


def _edits_in_project(
    moment: Moment, project: UnopenedProject, document: Document, renamed: RenamedBinding
) -> list[Consequence]:
    """Edits in files that import from `document`, then in files that import from packages which re-export the name.

    A file with a reference that cannot be renamed is skipped, whatever it imports the name from.
    """
    opened, old = (moment.document, *moment.document.others), renamed.renaming.old
    uris, candidates, skipped_uris = [document.uri], list[Consequence](), set[str]()
    for uri in uris:
        files = list(project.importing(uri, old, moment.check))
        result = edits_in_other_files(moment, document, renamed, files, "unopened-file", project.leads_to, uri=uri)
        if result.is_blocked:
            project.cut.add(old)
            return []
        candidates += result.edits
        skipped_uris |= result.skipped_uris
        followed = [file for file in (*files, *opened) if file.uri not in skipped_uris]
        for package in reexporting_files(moment, uri, renamed, followed, project.leads_to):
            if len(uris) > MAX_PACKAGES:
                project.cut.add(old)
            elif package not in uris:
                uris.append(package)
    if skipped_uris:
        project.cut.add(old)
    return [candidate for candidate in candidates if candidate.document.uri not in skipped_uris]


def kinds_of_changes(document: Document) -> frozenset[ChangeKind]:
    """The kinds of the recent changes of a document. The replacement of a declared name is of no other kind."""
    data = document.syntax.buffer.data
    replaced = renamings(document.history, data)
    kinds = {ChangeKind.NAME_REPLACED} if replaced else set[ChangeKind]()
    renamed = [change for renaming in replaced if _is_declared(document, renaming) for change in renaming.changes]
    changes = (change for change in net_changes(document.history, data) if not change.is_undone(data))
    for change in take_latest(changes, MAX_CHANGES):
        if not any(_is_same(change, name, data) for name in renamed):
            kinds |= _kinds_of(document, change)
    return frozenset(kinds)


def _is_declared(document: Document, renaming: Renaming) -> bool:
    """Whether a name was replaced at its declaration; a keyword argument is no declaration."""
    syntax, buffer = document.syntax, document.syntax.buffer
    for change in renaming.changes:
        line = buffer.line_at(change.start)
        column = change.start - buffer.line_span(line)[0]
        roles = (token.role for token in syntax.line_tokens(line) if token.start == column)
        if any(role.is_declaration and role is not Role.ARGUMENT for role in roles):
            return True
    return False


def _is_same(change: NetChange, name: NameChange, data: bytes) -> bool:
    """Whether a change is the replacement of a name and nothing else."""
    if not name.start <= change.start <= change.end <= name.end:
        return False
    return data[name.start : change.start] + change.old + data[change.end : name.end] == name.old.encode()


def _kinds_of(document: Document, change: NetChange) -> set[ChangeKind]:
    syntax, buffer, table = document.syntax, document.syntax.buffer, document.syntax.language.scopes
    old, new = change.old, buffer.data[change.start : change.end]
    ends = (change.start, change.end)
    is_of_kind = {
        ChangeKind.PARAMETERS: table is not None
        and any(function_with_parameters_at(syntax, table, byte) for byte in ends),
        ChangeKind.ASSIGNMENT: b"=" in new,
        ChangeKind.WORDS_ADDED: _WORD.search(new) is not None,
        ChangeKind.WORDS_REMOVED: _WORD.search(old) is not None,
    }
    return {kind for kind, is_kind in is_of_kind.items() if is_kind}


_Key = tuple[object, ...]


class ConsequenceSource:
    """Runs the rules on the document of the last request. Lives on the inference thread."""

    def __init__(self) -> None:
        self.resolvers = ResolverCache()
        self._key: _Key = ()
        self._outcome = Outcome.empty()
        self._unopened_key: _Key = ()
        self._unopened: list[EditCandidate] = []

    def outcome(self, document: Document, byte: int, cancel: Cancel) -> Outcome:
        """The outcome of all rules for a cursor. Raises Cancelled."""
        key = request_key(document, byte)
        if key != self._key:
            outcome = Outcome.empty()
            if document.settings.next_edit and document.history.undone_at is None and not _is_gated(document):
                moment = Moment(document, byte, self.resolvers.of, cancel.check, {})
                with interruptible(cancel.check):
                    rules = list(_rules_due(document))
                for rule in rules:
                    outcome.extend(rule.run(moment))
            self._outcome, self._key = outcome, key
        return self._outcome

    def candidates(self, document: Document, byte: int, cancel: Cancel) -> list[EditCandidate]:
        """All consequences in reading order. Raises Cancelled."""
        return _candidates(self.outcome(document, byte, cancel).candidates)

    def unopened(self, document: Document, cancel: Cancel) -> list[EditCandidate]:
        """The consequences in files of the project that are not open, for any cursor. Raises Cancelled."""
        project, document = document.unopened, replace(document, idle=True)
        key = (project, *request_key(document, 0))
        if key != self._unopened_key or (project is not None and not project.unchanged()):
            stopped = not document.settings.next_edit or document.history.undone_at is not None or _is_gated(document)
            moment = Moment(document, 0, self.resolvers.of, cancel.check, {})
            self._unopened = [] if stopped else _candidates(rename_unopened(moment), UNOPENED_RATES)
            self._unopened_key = key
        return self._unopened

    def forget(self, uri: str) -> None:
        """Drop everything about a closed document."""
        self.resolvers.forget(uri)
        self._key, self._outcome = (), Outcome.empty()
        self._unopened_key, self._unopened = (), []


def _rules_due(document: Document) -> Iterator[EditRule]:
    """Yield the rules for the kinds of the recent changes of a document, or of the other open files."""
    kinds = kinds_of_changes(document)
    everywhere = kinds.union(*(kinds_of_changes(other) for other in document.others))
    for rule in all_rules():
        if rule.when & (everywhere if rule.elsewhere else kinds) and not (rule.waits and document.is_typing):
            yield rule


def _candidates(consequences: Sequence[Consequence], rates: str = "{}") -> list[EditCandidate]:
    lines = lines_of(consequences)
    return [
        replace(
            row, offer=together(row.document, lines[place_of(row)]), score=rate(rates.format(row.source), row.kind),
            signals=_signals(row),
        )
        for row in consequences
    ]  # fmt: skip


def _signals(candidate: Consequence) -> dict[str, float]:
    """Features from the kind of a change, the similarity of the names, and the occurrences of the new text."""
    syntax, new, edit = candidate.document.syntax, candidate.edit.new, candidate.edit
    fresh = bool(new) and syntax.count(new) <= candidate.examples
    kind, gone = candidate.kind.split("/"), edit.old_bytes(syntax.buffer.data)
    return {
        "declares": float("declaration" in kind),
        "fresh": float(fresh),
        "at_use": float("use" in kind),
        "bound_again": float("bound-again" in kind),
        "of_import": float(kind[0] == "import"),
        "of_member": float(kind[0] in ("method", "field")),
        "sub_words": _shared_sub_words(gone, new),
    }


def _shared_sub_words(old: bytes, new: bytes) -> float:
    """The share of sub-words that two names have in common: all of `max_size` and `maxSize`."""
    old_words, new_words = ({part.lower() for part in _SUB_WORD.findall(text[:_MAX_NAME_BYTES])} for text in (old, new))
    return len(old_words & new_words) / len(old_words | new_words) if old_words | new_words else 0.0


def is_name_incomplete(document: Document, byte: int) -> bool:
    """Whether the user is still typing the replacement of a name at the cursor, the only replacement so far."""
    history, data = document.history, document.syntax.buffer.data
    typed = None if document.idle else typed_name(history, data, byte)
    return typed is not None and not any(
        (renaming.old, renaming.new) == typed and len(renaming.changes) > 1 for renaming in renamings(history, data)
    )


def place_of(candidate: Consequence) -> tuple[str, str, int]:
    """The group, file and line of a candidate: candidates with the same are offered as a single step."""
    buffer = candidate.document.syntax.buffer
    return candidate.group, candidate.document.uri, buffer.line_at(candidate.edit.start)


def lines_of(candidates: Sequence[Consequence]) -> dict[tuple[str, str, int], list[ByteEdit]]:
    """The edits of candidates by the step in which they are offered."""
    lines: dict[tuple[str, str, int], list[ByteEdit]] = {}
    for candidate in candidates:
        lines.setdefault(place_of(candidate), []).append(candidate.edit)
    return lines


def together(document: Document, edits: Sequence[ByteEdit]) -> ByteEdit:
    """Edits of a document merged into a single edit; of overlapping edits the first counts."""
    data, ordered = document.syntax.buffer.data, sorted(edits, key=lambda edit: edit.start)
    parts, at = list[bytes](), ordered[0].start
    for edit in ordered:
        if edit.start >= at:
            parts += [data[at : edit.start], edit.new]
            at = edit.old_end
    return ByteEdit(ordered[0].start, at, b"".join(parts))


def request_key(document: Document, byte: int) -> _Key:
    """The values on which the outcome of a request depends, as a cache key."""
    documents = (document, *document.others)
    texts = tuple((each.uri, each.version, each.syntax.buffer.data, each.history) for each in documents)
    return (byte, document.idle, document.rejections, document.declined, document.settings, texts)


def _is_gated(document: Document) -> bool:
    """Whether a gate that costs little suppresses every next edit of a document."""
    return first_failure(cheap_gates(document, None)) is not None
