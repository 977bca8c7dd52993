"""A candidate for the next edit, the same type for every source, the scorer and the gates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from editahead.suggest.types import Document
from editahead.text.edits import ByteEdit
from editahead.text.words import SCRIPT_IDENTIFIER
from editahead.verification.proposal import whole_words

NAME = re.compile(SCRIPT_IDENTIFIER)
REPEAT, LINES, NETWORK = "repeat", "lines", "network"
"""The sources besides the rules of consequences, which have their own names."""


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
