"""Types for names of other documents and of the project, as surfaces use them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from editahead.index.project_imports import ImportVotes, ProjectImports

OPEN, PROJECT = "open", "project"  # the values of `NameOrigin.source`


@dataclass(frozen=True, slots=True)
class NameOrigin:
    """The origin of a name outside its document.

    `source` is OPEN (the buffer of another open document, `where` is its URI) or PROJECT (a file on disk, `where`
    is its path relative to the workspace root, with slashes). `line` counts from zero. `count` is the number of
    occurrences, `files` the number of files (or open documents) with the name.
    """

    source: str
    where: str
    line: int
    count: int
    files: int


class NgramPrediction(NamedTuple):
    """A prediction of the n-gram index: texts with probabilities that sum to at most 1 - 2^-hits.

    `hits` is the number of matching contexts, the empty context included; `times` is the count of the longest.
    """

    words: dict[str, float]
    hits: int
    times: int


class OtherImports(NamedTuple):
    """What the files of a project import; those of the file `own` do not count."""

    project: ProjectImports
    own: str | None

    def votes(self, beginning: str, modules: Collection[str]) -> dict[str, ImportVotes]:
        """What other files import behind a beginning; `modules`: those that this file imports already."""
        return self.project.votes(beginning, modules, self.own)

    def import_shares(self, beginning: str, names: Sequence[str]) -> dict[str, float]:
        """How many of some names other files import from modules that begin so, by the next part of the module."""
        return self.project.import_shares(beginning, names, self.own)

    def declaration_shares(self, beginning: str, names: Sequence[str]) -> dict[str, float]:
        """How many of some names other files declare in modules that begin so, by the next part of the module."""
        return self.project.declaration_shares(beginning, names, self.own)


class OutsideNames(Protocol):
    """The names outside a document: those of other open documents and of the project."""

    def names(self, prefix: str) -> Mapping[str, NameOrigin]:
        """Return names that begin with `prefix`, the most useful first; few without a prefix. Never raises."""

    def origin(self, name: str) -> NameOrigin | None:
        """Return the origin of a name, or None."""

    def files_named(self, name: str) -> Sequence[str]:
        """Return the files of the project that are called so, without ending, as paths relative to its root."""

    def followers(self, context: Sequence[str]) -> NgramPrediction:
        r"""Predict the token behind a context from the project; `"\n"` is a line's end. Never raises."""

    @property
    def imports(self) -> OtherImports | None:
        """What the other files of the project import, or None."""

    @property
    def reliable_context(self) -> int:
        """The number of tokens of context for which the project is large enough: 0 in a small project, at most 5."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """The progress of an index. `share` of the `to_read` files is done, in [0, 1]; None when it is idle.

    `files` have been read, with `names` distinct names. `full` is true when a limit was reached and the least useful
    names were dropped.
    """

    files: int = 0
    names: int = 0
    share: float | None = None
    to_read: int = 0
    full: bool = False
