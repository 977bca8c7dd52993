"""Surfaces (kinds of suggestions) as the scheduler and the gates see them: name, setting, deadline, urgency."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from editahead.settings import Settings
from editahead.suggest.types import Suppressed

DEFAULT_DEADLINE_MS = 10_000
EmptyAnswer = Callable[[Suppressed], object]


def null_answer(suppressed: Suppressed) -> None:
    """Return the default empty answer of a surface: null."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Surface:
    """A kind of suggestion. `setting` (on or off) and `deadline` (milliseconds) name fields of `Settings`.

    Waiting jobs run in the order of `urgency`, lowest first; a running job is preempted by a more urgent job.
    """

    name: str
    urgency: int
    setting: str | None = None  # None: cannot be disabled alone
    deadline: str | None = None  # None: DEFAULT_DEADLINE_MS
    empty: EmptyAnswer = null_answer
    at_rest: bool = False  # waits until nothing was requested for a moment
    reads_markup: bool = False  # also answers in HTML without a grammar
    background: bool = False  # no client waits for it: its failures and latency are not counted

    def is_enabled(self, settings: Settings) -> bool:
        """Whether this surface is enabled."""
        return self.setting is None or bool(getattr(settings, self.setting))

    def seconds(self, settings: Settings) -> float:
        """Return the deadline of an answer in seconds."""
        return float(DEFAULT_DEADLINE_MS if self.deadline is None else getattr(settings, self.deadline)) / 1000


SENDING = Surface(name="sending", urgency=900, background=True)  # prepares messages to the client
WINDOW = Surface(name="window", urgency=950, background=True)  # reads what a completion did not read
PRIME = Surface(name="prime", urgency=1000, background=True)  # makes the first answer in a document quick
# reads the names around an edit, or at the top of an opened document
NAMES = Surface(name="names", urgency=1050, background=True, at_rest=True)
# reads the modules that a document imports
MODULES = Surface(name="modules", urgency=1100, background=True, at_rest=True)
