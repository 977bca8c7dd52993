"""The aims that the bench judges: each with its limit, what was reached, and whether that is enough."""

from __future__ import annotations

from dataclasses import dataclass

from .load import BESIDE, WATCHED
from .measure import COMPLETION, NEXT_EDIT, Measured, percentile
from .moves import MOVES, PASTE


@dataclass(frozen=True, slots=True)
class Aim:
    """`value` is the worst over the languages; `reached` is None where nothing was measured."""

    name: str
    limit: float
    unit: str
    value: float | None

    @property
    def reached(self) -> bool | None:
        return None if self.value is None else self.value <= self.limit


def judge(results: list[Measured], starts: dict[str, float]) -> list[Aim]:
    return [
        Aim("completion p50, 5,000 lines", 2.5, "ms", _worst(results, COMPLETION, 0.50, 5_000)),
        Aim("completion p99, 5,000 lines", 8, "ms", _worst(results, COMPLETION, 0.99, 5_000)),
        Aim("completion p50 after a jump, an inserted line or an accepted edit", 5, "ms", _worst_move(results, 5_000)),
        Aim("completion p50 after a paste", 15, "ms", _worst(results, PASTE, 0.50, 5_000)),
        Aim("completion p99, others asked at every key", 30, "ms", _worst(results, BESIDE, 0.99)),
        Aim("completion p99, 20,000 files changing", 30, "ms", _worst(results, WATCHED, 0.99)),
        Aim("completion p50, 50,000 against 500 lines", 1.2, "x", _growth(results)),
        Aim("next edit p50, any size", 5, "ms", _worst(results, NEXT_EDIT, 0.50)),
        Aim("next edit p99, any size", 30, "ms", _worst(results, NEXT_EDIT, 0.99)),
        Aim("process start to first completion", 400, "ms", max(starts.values(), default=None)),
        Aim("resident memory at the end, 500 lines", 150, "MB", _memory(results, 500)),
        Aim("resident memory at the end, any size", 160, "MB", _memory(results)),
    ]


def _memory(results: list[Measured], lines: int | None = None) -> float | None:
    return max((result.rss_mb for result in results if lines in (None, result.lines)), default=None)


def _worst(results: list[Measured], surface: str, share: float, lines: int | None = None) -> float | None:
    """The worst percentile; None where nothing was shown: silence is quick, and proves nothing."""
    times = [
        result.times[surface] for result in results if lines in (None, result.lines) and result.answered.get(surface)
    ]
    return max((percentile(values, share) for values in times), default=None)


def _worst_move(results: list[Measured], lines: int) -> float | None:
    """The worst median of the moves without pastes."""
    medians = [_worst(results, move, 0.50, lines) for move in MOVES if move != PASTE]
    return max((median for median in medians if median is not None), default=None)


def _growth(results: list[Measured]) -> float | None:
    """The worst ratio over the languages of the median at 50,000 lines to the median at 500 lines."""
    shown = [r for r in results if r.answered.get(COMPLETION)]
    medians = {(r.language_id, r.lines): percentile(r.times[COMPLETION], 0.5) for r in shown}
    ratios = [
        large / medians[language, 500]
        for (language, lines), large in medians.items()
        if lines == 50_000 and (language, 500) in medians
    ]
    return max(ratios, default=None)
