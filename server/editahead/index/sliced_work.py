"""Long work in small steps: a generator that yields about every tenth of a millisecond and returns its result.

Whoever runs it decides what happens between two steps: nothing (`finish`), or a rest (`pace.py`). The work itself knows
of no thread.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Generator, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
Steps = Generator[None, None, T]

_RUN = 500  # names sorted at once
_COPIED = 300


def finish(steps: Steps[T]) -> T:
    """Run to the end without a rest."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            result: T = stop.value
            return result


def merged(ordered: Sequence[str], more: Sequence[str]) -> Steps[list[str]]:
    """`ordered` (sorted) and `more` (in any order) as one new sorted list."""
    runs = []
    for start in range(0, len(more), _RUN):
        runs.append(sorted(more[start : start + _RUN]))
        yield
    result = []
    for text in heapq.merge(ordered, *runs):  # slower than one sort, and can be left off
        result.append(text)
        if len(result) % _COPIED == 0:
            yield
    return result


def picked(words: Sequence[str], numbers: Iterable[int]) -> Steps[list[str]]:
    """`words[n]` for each number."""
    result = []
    for number in numbers:
        result.append(words[number])
        if len(result) % _COPIED == 0:
            yield
    return result


def span(ordered: Sequence[str], prefix: str) -> tuple[int, int]:
    """Where in a sorted sequence the texts that begin with `prefix` stand: [first, last)."""
    first = bisect_left(ordered, prefix)
    return first, bisect_left(ordered, prefix + "\U0010ffff", first)
