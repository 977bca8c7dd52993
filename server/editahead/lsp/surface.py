"""What the scheduler and the gates know of a surface: its name, its setting, its deadline and its urgency."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from editahead.settings import Settings
from editahead.suggest.types import Suppressed

DEFAULT_DEADLINE_MS = 10_000
EmptyAnswer = Callable[[Suppressed], object]


def null_answer(suppressed: Suppressed) -> None:
    """The empty answer of a surface without one of its own: null."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Surface:
    """One kind of suggestion. `setting` and `deadline` are names of fields of `Settings`, a switch and milliseconds.

    Waiting jobs run in the order of `urgency`, lowest first; a job that runs gives way to a more urgent one.
    """

    name: str
    urgency: int
    setting: str | None = None  # None: cannot be switched off alone
    deadline: str | None = None  # None: DEFAULT_DEADLINE_MS
    empty: EmptyAnswer = null_answer
    background: bool = False  # nobody waits for it: neither its failures nor its latency count

    def enabled(self, settings: Settings) -> bool:
        """Whether the user wants this surface."""
        return self.setting is None or bool(getattr(settings, self.setting))

    def seconds(self, settings: Settings) -> float:
        """How long an answer may take."""
        return float(DEFAULT_DEADLINE_MS if self.deadline is None else getattr(settings, self.deadline)) / 1000


PRIME = Surface(name="prime", urgency=1000, background=True)  # makes the first answer in a document quick
