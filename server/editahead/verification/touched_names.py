"""The names whose meaning an edit may change, and those of them that cannot mean anything else than before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from editahead.analysis.facts.facts import Occurrence, Receiver, ScopeFacts
from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.syntax.scope_table import Action
from editahead.text.edits import ByteEdit, lines_around
from editahead.text.words import SCRIPT_IDENTIFIER, WORD_BYTES
from editahead.verification.proposal import PositionMap, whole_words

MAX_NAMES = 240  # names of a file that are resolved again; an edit that touches more is refused
WORD = re.compile(rb"(?<![$" + WORD_BYTES + rb"])" + SCRIPT_IDENTIFIER)
_AUGMENTED = re.compile(rb"[ \t]*(?://|\*\*|<<|>>|[-+*/%&|^@])=")
_MAX_DEPTH = 64  # of expressions


def touched_names(data: bytes, edits: Sequence[ByteEdit]) -> list[str] | None:
    """The names whose meaning edits may change: those in the changed lines; None where they are too many to verify.

    What the edits remove and insert comes first, and alone decides whether they are too many.
    """
    names: dict[bytes, None] = {}
    for edit in edits:
        names.update(dict.fromkeys(WORD.findall(data, *whole_words(data, edit))))
        names.update(dict.fromkeys(WORD.findall(edit.new)))
        if len(names) > MAX_NAMES:
            return None
    for edit in edits:
        names.update(dict.fromkeys(WORD.findall(data, *lines_around(data, edit.start, edit.old_end))))
        if len(names) > MAX_NAMES:
            break
    return [name.decode("utf-8", "replace") for name in list(names)[:MAX_NAMES]]


def is_renaming(data: bytes, edit: ByteEdit) -> bool:
    """Whether an edit replaces a name by another name."""
    low, high = whole_words(data, edit)
    new = data[low : edit.start] + edit.new + data[edit.old_end : high]
    return WORD.fullmatch(data, low, high) is not None and WORD.fullmatch(new) is not None


def is_declaration(use: NameAt) -> bool:
    """Whether other occurrences may mean an occurrence: a member is declared where it is assigned."""
    action = use.occurrence.action
    return action not in (Action.USE, Action.KEYWORD) and (action is not Action.ATTRIBUTE or bool(use.occurrence.kind))


def is_augmented(names: Resolver, use: NameAt) -> bool:
    """Whether an occurrence changes a variable that has a value: `x += 1`."""
    return use.occurrence.kind == "variable" and _AUGMENTED.match(names.scopes.facts.data, use.end) is not None


class UnaffectedNames:
    """Names that an edit keeps, in units whose scopes it keeps: none of them can get another meaning.

    Where the edit declares nothing and takes no declaration away, neither can members of what it keeps.
    """

    def __init__(self, before: Resolver, after: Resolver, positions: PositionMap) -> None:
        self._positions = positions
        self._before = [before.scopes.facts.units[number] for number in before.scopes.units_of(positions.removed)]
        self._after = [after.scopes.facts.units[number] for number in after.scopes.units_of(positions.inserted)]
        self._has_same_scopes = _shapes(unit.facts.scopes for unit in self._before) == _shapes(
            unit.facts.scopes for unit in self._after
        )
        self._edited = _edited_names(before.scopes.facts.data, positions.edits)
        rows = [
            (row, positions.is_removed)
            for name in self._edited
            for row in before.scopes.in_spans(positions.removed, name)
        ] + [
            (row, positions.is_inserted)
            for name in self._edited
            for row in after.scopes.in_spans(positions.inserted, name)
        ]
        self._declares = any(is_declaration(row) and is_edited(row.start, row.end) for row, is_edited in rows)

    def is_unaffected(self, name: str) -> bool:
        """Whether a name means what it meant, wherever it stands."""
        if not self._has_same_scopes or name in self._edited:
            return False
        for unit, later in zip(self._before, self._after, strict=True):
            rows = [unit.facts.occurrences[number] for number in unit.facts.by_name.get(name, ())]
            others = [later.facts.occurrences[number] for number in later.facts.by_name.get(name, ())]
            if len(rows) != len(others):
                return False
            for row, other in zip(rows, others, strict=True):
                start = self._positions.after(unit.start + row.start, unit.start + row.end)
                if start != later.start + other.start or _role(row) != _role(other) or not self._is_kept(row):
                    return False
        return True

    def _is_kept(self, row: Occurrence) -> bool:
        """Whether what a name is a member of, or declared as, is the same."""
        if row.receiver is None and row.declared_type is None:
            return True
        return not self._declares and self._edited.isdisjoint((*_named_in(row.receiver), *_named_in(row.declared_type)))


def _edited_names(data: bytes, edits: Sequence[ByteEdit]) -> frozenset[str]:
    """The names in what edits take away and insert, whole words each."""
    names = set[bytes]()
    for edit in edits:
        low, high = whole_words(data, edit)
        names.update(WORD.findall(data, low, high))
        names.update(WORD.findall(data[low : edit.start] + edit.new + data[edit.old_end : high]))
    return frozenset(name.decode("utf-8", "replace") for name in names)


def _shapes(units: Iterator[list[ScopeFacts]]) -> list[list[tuple[object, ...]]]:
    """What tells which scope a name is looked up in, bytes and names aside."""
    return [
        [
            (
                scope.kind, scope.parent, scope.static, scope.is_module, scope.is_extension, scope.has_wildcard,
                scope.global_names, scope.nonlocal_names, [list(_named_in(base)) for base in scope.bases],
            )
            for scope in scopes
        ]
        for scopes in units
    ]  # fmt: skip


def _role(row: Occurrence) -> tuple[object, ...]:
    return row.scope, row.action, row.namespace, row.kind, row.shorthand, row.spans is None


def _named_in(receiver: Receiver | None) -> Iterator[str]:
    for _ in range(_MAX_DEPTH):
        if receiver is None:
            return
        yield receiver.name
        receiver = receiver.base
