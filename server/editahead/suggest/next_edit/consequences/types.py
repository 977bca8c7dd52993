"""What a generator of consequences gives: candidates with their reasons, or why there are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from editahead.analysis.resolver.resolver import Resolver
from editahead.suggest.next_edit.resolved_parameters import ResolvedParameter
from editahead.suggest.next_edit.resolved_renamings import ResolvedRenaming
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

T = TypeVar("T")


class Consequence(NamedTuple):
    """An edit that follows from what the user did. `edit` is of the text of `document`.

    `group` is the same for all consequences of one change; `kind` the class of the change, by which it is rated;
    `reason` tells people why; `key` names the place and `pattern` the change for rejections. `is_whole`: it makes sense
    only together with all others of its group.
    """

    source: str
    document: Document
    edit: ByteEdit
    group: str
    kind: str
    reason: str
    examples: int
    like: int  # zero-based line of the newest change that it follows from
    key: str
    pattern: str
    is_whole: bool = False


class OpenPlace(NamedTuple):
    """A place that what the user did asks to be edited, where the text to write is not sure.

    `start` is a byte of the text of `document`. `singular` and `plural` say what such places lack, behind their number;
    the rest is as in a consequence.
    """

    source: str
    document: Document
    start: int
    group: str
    kind: str
    reason: str
    singular: str
    plural: str
    key: str
    pattern: str


class Refusal(NamedTuple):
    """Why a change of the user has no consequences."""

    source: str
    change: str
    reason: str


class Moment(NamedTuple):
    """What generators look at: the document with its history and the other open files, and the cursor.

    `resolver` gives the names of a text, from the document's URI, the text, and the parts of it that are asked about.
    `check` ends the work by raising. `shared` keeps what several generators ask, by what it is and the document's URI.
    """

    document: Document
    byte: int
    resolver: Callable[[str, SyntaxSnapshot, Parts], Resolver | None]
    check: Callable[[], None]
    shared: dict[tuple[str, str], Sequence[Any]] | None = None

    def once(self, what: str, document: Document, find: Callable[[], Sequence[T]]) -> Sequence[T]:
        """What `find` gives for a document, found once for all generators that ask."""
        known = {} if self.shared is None else self.shared
        key = (what, document.uri)
        if key not in known:
            known[key] = find()
        return known[key]


class Outcome(NamedTuple):
    """What a generator gives, in the order in which a reader comes to it.

    `resolved`: renamings that no other source may repeat. `places`: what no text is sure for.
    `parameters`: changed ones, with the calls to which no other source may give them.
    """

    candidates: list[Consequence]
    refusals: list[Refusal]
    resolved: list[ResolvedRenaming]
    places: list[OpenPlace]
    parameters: list[ResolvedParameter]

    @classmethod
    def empty(cls) -> Outcome:
        """An outcome with nothing in it yet."""
        return cls([], [], [], [], [])


class Generator(Protocol):
    """A source of consequences."""

    def __call__(self, moment: Moment) -> Outcome:
        """Raises what the check of the moment raises."""
        ...
