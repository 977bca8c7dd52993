"""Long work in small steps: generators that yield about every tenth of a millisecond and return a result.

The caller decides what happens between two steps: nothing (`finish`), or a pause (`throttle.py`). The work itself is
independent of threads.
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
    """Run all steps without a pause and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            result: T = stop.value
            return result


def merge_sorted(ordered: Sequence[str], more: Sequence[str]) -> Steps[list[str]]:
    """Merge `ordered` (sorted) and `more` (in any order) into a new sorted list."""
    runs = []
    for start in range(0, len(more), _RUN):
        runs.append(sorted(more[start : start + _RUN]))
        yield
    result = []
    for text in heapq.merge(ordered, *runs):  # slower than a single sort, but interruptible
        result.append(text)
        if len(result) % _COPIED == 0:
            yield
    return result


def select_items(words: Sequence[str], numbers: Iterable[int]) -> Steps[list[str]]:
    """Return `words[n]` for each number."""
    result = []
    for number in numbers:
        result.append(words[number])
        if len(result) % _COPIED == 0:
            yield
    return result


def prefix_range(ordered: Sequence[str], prefix: str) -> tuple[int, int]:
    """Return the range [first, last) of the texts in a sorted sequence that begin with `prefix`."""
    first = bisect_left(ordered, prefix)
    return first, bisect_left(ordered, prefix + "\U0010ffff", first)
