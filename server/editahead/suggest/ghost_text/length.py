"""How long ghost text should be: of the lengths that meet the threshold, that of the largest expected saving.

A continuation of n tokens is right when each of its tokens is, so its probability p_n only falls with n
(`runtime/language_model/token_confidence.py`). Taking n tokens saves p_n s_n keystrokes, s_n what need not be typed
beyond the key that accepts; a wrong suggestion costs its reading. The precision that the user asks for says how much:
at precision P as many keystrokes as P / (1 - P) right suggestions of the shortest kind. So the setting is monotonic:
a higher precision never shows a less probable suggestion, and never anything where a lower precision shows nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

MIN_CHARACTERS = 2  # shorter text is not shown
MAX_SAVED = 160  # keystrokes: no continuation is taken to save more
ACCEPT_KEYS = 1
_READING = 1.0  # keystrokes that a wrong suggestion costs at precision 1/2


@dataclass(frozen=True, slots=True)
class Length:
    """One length at which a continuation could stop: its text as inserted, and its calibrated probability."""

    tokens: int
    insert: str
    probability: float

    @property
    def lines(self) -> int:
        """The lines of the text, without line ends around it."""
        return 1 + self.insert.strip("\n").count("\n")

    @property
    def saved_keystrokes(self) -> int:
        """Keystrokes that need not be typed, beyond the key that accepts."""
        return keystrokes(self.insert) - ACCEPT_KEYS


def keystrokes(text: str) -> int:
    """Keys that the text takes: indentation after a line end is the editor's work."""
    first, *more = text.split("\n")
    return len(first) + sum(1 + len(line.lstrip()) for line in more)


def is_long_enough(insert: str) -> bool:
    """Whether a text is long enough to be shown at all."""
    return len(insert.strip()) >= MIN_CHARACTERS


def cost_of_wrong(precision: float) -> float:
    """Keystrokes that a wrong suggestion costs a user who asks for this precision; grows with it without bound."""
    precision = min(max(precision, 0.0), 1.0)
    return math.inf if precision == 1.0 else _READING * precision / (1 - precision)


def value(probability: float, saved: float, cost: float) -> float:
    """Keystrokes that a suggestion is expected to save."""
    wrong = 1 - probability
    return probability * saved - (wrong * cost if wrong else 0.0)


def can_pay_further(probability: float, best: float, needed: float, cost: float) -> bool:
    """Whether any longer text could be better: none is more probable, and none saves more than `MAX_SAVED`."""
    return probability >= needed and value(probability, MAX_SAVED, cost) > best


def by_value(lengths: Sequence[Length], needed: float, cost: float) -> list[Length]:
    """The lengths that meet the threshold and save keystrokes, best first; of equals the more probable."""
    values = [
        (value(length.probability, length.saved_keystrokes, cost), length)
        for length in lengths
        if length.probability >= needed and is_long_enough(length.insert)
    ]
    paying = [pair for pair in values if pair[0] > 0]
    paying.sort(key=lambda pair: (-pair[0], -pair[1].probability, pair[1].tokens))
    return [length for _, length in paying]
