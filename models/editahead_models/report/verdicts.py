"""What a row of a paper's table is worth here: it decides, is thin or is absent, and why. The criterion stands here."""

from __future__ import annotations

import math
from collections.abc import Sequence

ENOUGH_TOKENS = 10_000_000
"""Of a language model: attention begins to find names between 4 and 10 million tokens (the curves of the page)."""
ENOUGH_UPDATES = 6_280
"""Of a model of edits whose dev did not rest: 40 passes over the instances of a task."""
NARROW = 10.0
"""Points of a 95 % interval within which a single figure says something."""

LANGUAGE_MODELS = (
    f"A claim decides where every row that it needs read {ENOUGH_TOKENS / 1e6:g} million tokens and the difference is "
    "beyond noise; else it is thin, and absent where a row was not run.\n"
)
EDIT_MODELS = (
    "A row decides where every model that was run ended because dev rested or was perfect, or by its minutes after "
    f"{ENOUGH_UPDATES:,} updates or more; else it is thin. Absent: what print has and was not run.\n"
)
COPYSPAN = (
    "An order decides where, on one of the sets, dev of all its runs rested and the first share differs by more than "
    "two standard errors, and no set shows the opposite; else it is thin, and absent where a run is missing.\n"
)
TREEGEN_ROWS = (
    "A row decides where it had as many epochs as row 1 and differs from it by more than two standard errors; else it "
    "is thin, and absent where it was not run."
)
TREEGEN_FIGURES = f"A figure decides where its 95 % interval is at most {NARROW:g} points wide; else it is thin."


def verdict(missing: Sequence[str], short: Sequence[str], enough: str) -> str:
    """`absent` for what is missing, else `thin` for what falls short of the criterion, else `decides`."""
    if missing:
        return f"absent, because {' and '.join(missing)}"
    return f"thin, because {' and '.join(short)}" if short else f"decides, because {enough}"


def differ(a: float, b: float, n: float, m: float = 0) -> bool:
    """Whether two shares of `n` and `m` (else `n`) cases differ by more than two standard errors."""
    return abs(a - b) > 2 * math.sqrt(a * (1 - a) / n + b * (1 - b) / (m or n))


def width(interval: tuple[float, float], what: str) -> str:
    """The verdict of a single figure, from its interval in points."""
    points = interval[1] - interval[0]
    text = f"the interval of {what} is {points:.1f} points wide"
    return verdict((), () if points <= NARROW else (text,), text)
