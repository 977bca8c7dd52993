"""What a surface may ask about names that stand elsewhere: a mapping from name to where it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

OPEN, PROJECT = "open", "project"  # the values of `NameOrigin.source`


@dataclass(frozen=True, slots=True)
class NameOrigin:
    """Where a name stands outside its document.

    `source` is OPEN (the buffer of another open document, `where` is its URI) or PROJECT (a file on disk, `where`
    is its path relative to the workspace root, with slashes). `line` counts from zero. `count` is how often the
    name stands there in all, `files` in how many files (or open documents).
    """

    source: str
    where: str
    line: int
    count: int
    files: int


class Followed(NamedTuple):
    """What follows a context elsewhere: texts with probabilities that sum to at most 1 - 2^-hits.

    `hits` counts the contexts found, from the empty one up; `times` is how often the longest of them was seen.
    """

    words: dict[str, float]
    hits: int
    times: int


class Elsewhere(Protocol):
    """The names of one document's surroundings: other open documents, and the project."""

    def names(self, prefix: str) -> Mapping[str, NameOrigin]:
        """Names that begin with `prefix`, the most useful first; few without a prefix. Never raises."""

    def origin(self, name: str) -> NameOrigin | None:
        """Where a name stands; None where it does not."""

    def followers(self, context: Sequence[str]) -> Followed:
        r"""What follows these tokens in the other files of the project; "\n" stands for a line's end. Never raises."""

    @property
    def reliable_context(self) -> int:
        """After how many tokens what follows in the project is evidence: 0 in a small project, at most 5."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """How far an index is. `share` of the `to_read` files is done, in [0, 1]; None when nothing is going on.

    `files` have been read and hold so many distinct `names`. `full` says that a limit was met: what was least useful
    has been left out.
    """

    files: int = 0
    names: int = 0
    share: float | None = None
    to_read: int = 0
    full: bool = False
