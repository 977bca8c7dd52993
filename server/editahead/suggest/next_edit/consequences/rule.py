"""A rule of next edits: the changes it applies to, what it gives, its documentation; and the precision of each kind."""

from __future__ import annotations

import json
from enum import Enum
from functools import cache
from pathlib import Path
from typing import NamedTuple

from editahead.suggest.next_edit.consequences.types import Generator, Moment, Outcome
from editahead.syntax.interrupt import interruptible


class ChangeKind(Enum):
    """What a change of the user did to the code; a change may be of several kinds."""

    NAME_REPLACED = "a name replaced by another"
    PARAMETERS = "a list of parameters"
    ASSIGNMENT = "an assignment written"
    WORDS_ADDED = "words written"
    WORDS_REMOVED = "words removed"


class EditRule(NamedTuple):
    """A rule, which serves next edits, replays of commits, tests and the documentation alike.

    `name` is the source that its candidates bear; `variants` are further sources that are rated separately. It runs if
    any of the latest changes is of a kind in `when`; with `elsewhere`, changes of the other open files count as well.
    With `waits`, it runs once the user has finished typing. `you` and `follows` are its row in the documentation. In
    each of `examples`, texts in Python, «old>new» is the user's edit and ‹old>new› what follows.
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

    @property
    def sources(self) -> tuple[str, ...]:
        """All sources that its candidates bear."""
        return (self.name, *self.variants)

    def run(self, moment: Moment) -> Outcome:
        """All that the rule gives. Raises what the check of the moment raises."""
        outcome = Outcome.empty()
        with interruptible(moment.check):
            for item in self.generate(moment):
                outcome.add(item)
        outcome.drop_overlaps()
        return outcome


RATES_FILE = Path(__file__).with_name("rates.json")


@cache
def rates() -> dict[str, dict[str, float]]:
    """Probability by source and kind of change; the empty kind stands for kinds that are not listed."""
    table: dict[str, dict[str, float]] = json.loads(RATES_FILE.read_text(encoding="utf-8"))
    return table


def rate(source: str, kind: str) -> float:
    """The probability that the user will make an edit of this kind; 0 where it was not measured."""
    by_kind = rates().get(source, {})
    return by_kind.get(kind, by_kind.get("", 0.0))
