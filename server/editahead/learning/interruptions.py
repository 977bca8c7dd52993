"""The interruption budget: after unwanted suggestions in a row nothing is shown for a while, however probable it is."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

BUDGET = 3.0  # the weight of unwanted suggestions in a row after which nothing is shown
WINDOW_KEYS = 100  # keystrokes within which they must lie
MIN_PAUSE, MAX_PAUSE = 60.0, 600.0  # Bounds of a pause in seconds. It lasts MIN_PAUSE divided by the score.
RECENCY = 0.2  # the weight of the newest outcome in the score
FIRST_SCORE = 0.5
OFFSET_STEP = 0.1  # log odds by which an outcome moves the offset, times how unexpected it was
LOWEST_OFFSET = -2.0  # log odds: the offset never makes anybody's gate laxer than it was fitted
_FELT = 0.05  # log odds
GHOST_TEXT, NEXT_EDIT, OPEN_SITE = "inline", "next_edit", "next_edit_place"
"""The kinds of suggestions that come by themselves, and so are budgeted."""
REJECTED, UNDONE, TYPED_THROUGH = "rejected", "undone", "typed through"  # what makes a suggestion unwanted
WEIGHTS = {REJECTED: 1.0, UNDONE: 1.0, TYPED_THROUGH: 0.75}
"""Three rejections, or four that were typed through: on dev, fewer cost right suggestions of an undisturbed gate."""
MAX_UNWANTED = 4  # that are kept

Slot = tuple[str, str]  # a document's language, and a kind of suggestion


class Unwanted(NamedTuple):
    """An unwanted suggestion: the keystrokes before it, its time in seconds, and what became of it."""

    keys: int
    time: float
    outcome: str


@dataclass(slots=True)
class _SlotState:
    """What was unwanted since the last acceptance, and before it; score, offset, and end of the pause in seconds."""

    unwanted: deque[Unwanted] = field(default_factory=lambda: deque(maxlen=MAX_UNWANTED))
    before_acceptance: tuple[Unwanted, ...] = ()
    score: float = FIRST_SCORE
    offset: float = 0.0
    paused_until: float = float("-inf")
    reason: str = ""


class InterruptionBudget:
    """The budgets of a session, for each language and kind. `clock` returns seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._keys = 0
        self._slots: defaultdict[Slot, _SlotState] = defaultdict(_SlotState)
        self._edit_wanted_at = float("-inf")  # in any language

    def count_key(self) -> None:
        """Count a keystroke in any document."""
        self._keys += 1

    def accept(self, slot: Slot, probability: float = 1.0) -> None:
        """Record an acceptance of what was shown with a probability; it ends the pause."""
        state = self._slots[slot]
        state.offset = min(0.0, state.offset + OFFSET_STEP * (1.0 - probability))
        state.score += RECENCY * (1.0 - state.score)
        before = tuple(state.unwanted)
        self.resume(slot)
        state.before_acceptance = before

    def add_unwanted(self, slot: Slot, outcome: str, probability: float = 0.0) -> None:
        """Record an unwanted suggestion that was shown with a probability.

        When those in a row within WINDOW_KEYS weigh BUDGET, a pause begins.
        """
        state, now = self._slots[slot], self._clock()
        state.score *= 1.0 - RECENCY
        state.offset = max(LOWEST_OFFSET, state.offset - OFFSET_STEP * probability)
        if outcome == UNDONE:  # so there was no acceptance
            state.unwanted.extendleft(reversed(state.before_acceptance))
            state.before_acceptance = ()
        state.unwanted.append(Unwanted(self._keys, now, outcome))
        recent = self._recent(state)
        if _weight(recent) >= BUDGET:
            state.paused_until = now + min(MAX_PAUSE, MIN_PAUSE / state.score)
            state.reason = _describe(recent)

    def _recent(self, state: _SlotState) -> list[Unwanted]:
        return [each for each in state.unwanted if self._keys - each.keys <= WINDOW_KEYS]

    def resume(self, slot: Slot) -> None:
        """End the pause, and begin to count anew: the user accepted something, or requested it."""
        if slot[1] != GHOST_TEXT:
            self._edit_wanted_at = self._clock()
        state = self._slots[slot]
        state.unwanted.clear()
        state.before_acceptance = ()
        state.paused_until = float("-inf")

    def pause(self, slot: Slot) -> str:
        """Return why nothing is shown now, and for how long; empty if there is no pause."""
        state = self._slots.get(slot)
        if state is None:
            return ""
        seconds = min(state.paused_until - self._clock(), MAX_PAUSE)  # also if the clock was set back
        if seconds > 0:
            return f"{state.reason}; nothing is shown for {seconds:.0f} s more, or until you request it"
        if state.paused_until > float("-inf"):
            self.resume(slot)
        return ""

    def offset(self, slot: Slot) -> float:
        """Return what the outcomes of the session add to the log odds of ghost text, from LOWEST_OFFSET to 0.

        Where suggestions are wanted as often as their probabilities say, it stays near 0 (`models/LOG.md`).
        """
        state = self._slots.get(slot)
        return state.offset if state is not None else 0.0

    def offsets(self) -> dict[str, float]:
        """Return the offsets of ghost text by language, where they can be felt."""
        slots = (slot for slot in self._slots if slot[1] == GHOST_TEXT and self.offset(slot) < -_FELT)
        return {language: self.offset((language, kind)) for language, kind in slots}

    def describe(self, slot: Slot) -> str:
        """Return how much of the budget is used, for `explain`."""
        if reason := self.pause(slot):
            return reason
        state = self._slots.get(slot)
        used = _weight(self._recent(state)) if state else 0.0
        stricter = f"; stricter by {-self.offset(slot):.1f} log odds" if self.offset(slot) < -_FELT else ""
        return f"{used:g} of {BUDGET:g} used by unwanted suggestions in a row, in {WINDOW_KEYS} keystrokes{stricter}"

    def scores(self) -> dict[Slot, float]:
        """Return the recency-weighted share of wanted suggestions, in [0, 1]."""
        return {slot: state.score for slot, state in self._slots.items()}

    def count_declined(self, after: float) -> int:
        """Return how many next edits were rejected since a time and the last acceptance, in all languages.

        An edit that was undone does not count: it was wanted first, and often a single step of several is taken back.
        """
        after = max(after, self._edit_wanted_at)
        return sum(
            each.time >= after and each.outcome == REJECTED
            for (_, kind), state in self._slots.items()
            if kind != GHOST_TEXT
            for each in state.unwanted
        )


def _weight(unwanted: list[Unwanted]) -> float:
    return sum(WEIGHTS[each.outcome] for each in unwanted)


def _describe(unwanted: list[Unwanted]) -> str:
    counts = Counter(each.outcome for each in unwanted)
    if len(counts) == 1:
        return f"{len(unwanted)} suggestions in a row were {next(iter(counts))}"
    parts = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    return f"{len(unwanted)} suggestions in a row were not wanted ({parts})"
