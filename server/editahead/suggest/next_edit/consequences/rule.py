"""A rule of next edits: which changes of the user it applies to, what it gives, and how it is documented."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from editahead.suggest.next_edit.consequences.types import Generator


class ChangeKind(Enum):
    """What a change of the user did to the code; a change may be of several kinds."""

    NAME_REPLACED = "a name replaced by another"
    PARAMETERS = "a list of parameters"
    ARGUMENTS = "the arguments of a call"
    ASYNC = "the word `async` added or removed"
    ASSIGNMENT = "an assignment written"
    WORDS_ADDED = "words written"
    WORDS_REMOVED = "words removed"
    NUMBER = "a line with a number"
    EXPRESSION = "part of a line"


class EditRule(NamedTuple):
    """One rule: the only object that anything else needs to know of it.

    `name` is the source that its candidates bear, `variants` further names that are rated separately. It runs if
    any of the latest changes is of a kind in `when`; with `elsewhere`, changes of the other open files count as well.
    With `waits`, it runs once the user has finished typing. `by_likeness`: it repeats what the user did in similar
    code; all others follow from what names mean. `you` and `follows` are its row in the documentation. In each of
    `examples`, texts in Python, «old>new» is the user's edit and ‹old>new› what follows.
    """

    name: str
    when: frozenset[ChangeKind]
    generate: Generator
    you: str
    follows: str
    examples: tuple[str, ...]
    variants: tuple[str, ...] = ()
    elsewhere: bool = False
    waits: bool = False
    by_likeness: bool = False

    @property
    def sources(self) -> tuple[str, ...]:
        """All names that its candidates bear."""
        return (self.name, *self.variants)
