"""A candidate for the next edit, the same type from every source: what one scorer rates and one gate decides on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from editahead.suggest.types import Document
from editahead.text.edits import ByteEdit

REPEAT, LINES, NETWORK = "repeat", "lines", "network"
"""Sources beside the generators of consequences, which bear their own names."""


@dataclass(frozen=True, slots=True)
class EditCandidate:
    """An edit that may come next, before it is rated.

    `edit` is of the text of `document`; `offer` is what is shown as one step, together with the places of the same
    group in the same line. `score` is the source's own probability, in [0, 1], and `signals` further numbers of the
    source by name. `group`, `examples`, `like`, `key` and `pattern` are as in QueuedEdit; `kind` is the class of a
    consequence, empty for other sources; `steps` are (description, probability) of the network's steps.
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

    @property
    def line(self) -> int:
        """The zero-based line in which it begins."""
        return self.document.syntax.buffer.line_at(self.edit.start)
