"""A candidate for the next edit, the same type for every source, the scorer and the gates.

A source that compares texts repeats a new argument in all calls of that name, whatever function they refer to: so
renamings and changed parameters whose uses are resolved say what no other source may repeat.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from editahead.analysis.signatures import call_around, function_with_parameters_at
from editahead.suggest.types import Document
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit
from editahead.text.words import SCRIPT_IDENTIFIER
from editahead.verification.proposal import whole_words

NAME = re.compile(SCRIPT_IDENTIFIER)
REPEAT, LINES, NETWORK = "repeat", "lines", "network"
"""The sources besides the rules of consequences, which have their own names."""
_WORD = re.compile(rb"[A-Za-z0-9_$\x80-\xff]+")
_MAX_BYTES = 200  # of a name


class VerifiedUnit(Enum):
    """The edits that are verified together with a candidate."""

    EDIT = "edit"  # none
    NAME = "name"  # none; if it breaks something alone, those of its change that replace the same name in the file
    CHANGE = "change"  # all edits of its change, which make sense only together


@dataclass(frozen=True, slots=True)
class EditCandidate:
    """A possible next edit, before it is rated.

    `edit` is of the text of `document`; `offer` is shown as a single step and includes the edits of the same group in
    the same line. `score` is the source's own probability, in [0, 1], `signals` are further numbers of the source by
    name. `group`, `examples`, `like`, `key` and `pattern` are as in QueuedEdit; `kind` is the class of a consequence,
    empty for other sources; `steps` are (description, probability) of the network's steps.
    """

    source: str
    document: Document
    edit: ByteEdit
    offer: ByteEdit
    group: str
    kind: str
    examples: int
    like: int
    key: str
    pattern: str
    reason: str
    score: float
    signals: Mapping[str, float] = field(default_factory=dict)
    steps: tuple[tuple[str, float], ...] = ()
    unit: VerifiedUnit = VerifiedUnit.EDIT

    @property
    def line(self) -> int:
        """The zero-based line in which the edit begins."""
        return self.document.syntax.buffer.line_at(self.edit.start)


def replaced_name(document: Document, edit: ByteEdit) -> tuple[bytes, bytes] | None:
    """The name that an edit replaces and its replacement; None for any other edit."""
    data = document.syntax.buffer.data
    small = edit.trim(data)
    low, high = whole_words(data, small)
    old, new = data[low:high], data[low : small.start] + small.new + data[small.old_end : high]
    return (old, new) if NAME.fullmatch(old) and NAME.fullmatch(new) else None


def unit_of(document: Document, edit: ByteEdit) -> VerifiedUnit:
    """The unit of an edit that makes sense without the others of its change."""
    return VerifiedUnit.NAME if replaced_name(document, edit) is not None else VerifiedUnit.EDIT


class ResolvedRenaming(NamedTuple):
    """A renaming of a name. `everywhere`: it is resolved in all files, so that no other file may repeat it either.

    `unknown` are the bytes of unresolved occurrences of the old name of the kind that the user changed: in comments and
    strings, and behind objects of unknown type.
    """

    old: str
    new: str
    everywhere: bool
    unknown: frozenset[int] = frozenset()

    def is_unknown(self, edit: ByteEdit) -> bool:
        """Whether an edit lies inside an unresolved occurrence."""
        size = len(self.old.encode())
        return any(start <= edit.start and edit.old_end <= start + size for start in self.unknown)


def makes_renaming(edit: ByteEdit, data: bytes, renamings: Sequence[ResolvedRenaming]) -> bool:
    """Whether an edit of `data` replaces the old name of any of the renamings by the new name, and no other words."""
    if not renamings:
        return False
    first, last = max(0, edit.start - _MAX_BYTES), min(len(data), edit.old_end + _MAX_BYTES)
    before = Counter(_WORD.findall(data[first:last]))
    after = Counter(_WORD.findall(data[first : edit.start] + edit.new + data[edit.old_end : last]))
    removed, added = set(before - after), set(after - before)
    return any(
        removed == {renaming.old.encode()} and added == {renaming.new.encode()} and not renaming.is_unknown(edit)
        for renaming in renamings
    )


def repeats_resolved(candidate: EditCandidate, uri: str, renamings: Sequence[ResolvedRenaming]) -> bool:
    """Whether a candidate makes a renaming of document `uri` that is resolved in the candidate's file."""
    resolved = [renaming for renaming in renamings if renaming.everywhere or candidate.document.uri == uri]
    return makes_renaming(candidate.edit, candidate.document.syntax.buffer.data, resolved)


class ResolvedParameter(NamedTuple):
    """A parameter of a function, resolved in the file `uri`.

    `others` are the bytes at which the function's name refers to another function, `unusable` those of calls in whose
    scope no variable has the parameter's name.
    """

    uri: str
    function: str
    parameter: str
    others: frozenset[int]
    unusable: frozenset[int]

    def refuses(self, syntax: SyntaxSnapshot, edit: ByteEdit) -> bool:
        """Whether an edit of the file gives another function the argument or parameter, or an argument out of scope."""
        table, data = syntax.language.scopes, syntax.buffer.data
        if table is None or not (self.others or self.unusable):
            return False
        small = edit.trim(data)
        gone = small.old_bytes(data)
        named = _count(self.parameter, small.new) > _count(self.parameter, gone)
        call = call_around(syntax, table, small.start)
        if call is not None and call.name == self.function and named and call.name_start in self.unusable:
            return True
        row = (call.name, call.name_start, call.arguments) if call is not None else None
        declared = function_with_parameters_at(syntax, table, small.start) if row is None else None
        row = (declared.name, declared.name_start, declared.parameters) if declared is not None else row
        if row is None or row[0] != self.function or row[1] not in self.others:
            return False
        return not row[2].items or small.new.count(b",") != gone.count(b",")


def _count(word: str, text: bytes) -> int:
    """How often a text uses a name, neither as a member nor as a keyword of an argument."""
    return len(re.findall(rb"(?<![\w$.])" + re.escape(word.encode()) + rb"(?![\w$])(?!\s*[=:](?!=))", text))
