"""How the cost of some work grows with its input: for tests that nothing is quadratic in what a user may open."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

MOST = 8.0  # four times the input may cost so many times as much: linear work on a busy machine, never quadratic
_FLOOR = 0.02  # seconds that any work may take: below, a clock tells nothing


def seconds(work: Callable[[], object], tries: int) -> float:
    """Processor time of the shortest of some runs: what other programs take does not count."""
    taken = []
    for _ in range(tries):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return min(taken)


def assert_linear(work: Callable[[int], Callable[[], object]], size: int) -> None:
    """`work(n)` prepares work on an input of size n, which must not grow faster than n: seen at n and 4n.

    The larger input is timed first: what takes no longer than the floor allows passes without the smaller one.
    """
    for tries in (1, 6):  # a second look where others may have used the machine
        four = seconds(work(4 * size), tries)
        if four <= MOST * _FLOOR or four <= MOST * (one := max(_FLOOR, seconds(work(size), tries))):
            return
    raise AssertionError(
        f"{one:.3f} s for {size}, {seconds(work(2 * size), 6):.3f} s for twice, {four:.3f} s for four times as much"
    )


def peak_bytes(work: Callable[[], object]) -> int:
    """The most memory that Python held for some work."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
