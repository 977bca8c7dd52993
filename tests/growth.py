"""How the cost of some work grows with its input: for tests that nothing is quadratic in what a user may open."""

from __future__ import annotations

import gc
import math
import time
import tracemalloc
from collections.abc import Callable

MOST = 8.0  # four times the input may cost so many times as much: linear work on a busy machine, never quadratic
_TRIES = 15  # only work that seems to grow too fast needs more than one
_FLOOR = 0.02  # seconds that any work may take: below, a clock tells nothing


def seconds(work: Callable[[], object], tries: int = 1) -> float:
    """Processor time of the shortest of some runs: what other programs take does not count.

    Garbage is not collected meanwhile: how long that takes depends on all that the tests before have left.
    """
    taken = []
    collects = gc.isenabled()
    gc.disable()
    try:
        for _ in range(tries):
            begun = time.process_time()
            work()
            taken.append(time.process_time() - begun)
    finally:
        if collects:
            gc.enable()
    return min(taken)


def assert_linear(work: Callable[[int], Callable[[], object]], size: int) -> None:
    """`work(n)` prepares work on an input of size n, which must not grow faster than n: seen at n and 4n.

    The shortest runs are compared, and more of them are made where others may have used the machine. What takes no
    longer on the larger input than the floor allows passes without the smaller one.
    """
    small, large = work(size), work(4 * size)
    one = four = math.inf
    for _ in range(_TRIES):
        four = min(four, seconds(large))
        if four <= MOST * _FLOOR:
            return
        one = min(one, seconds(small))
        if four <= MOST * max(_FLOOR, one):
            return
    raise AssertionError(f"{one:.3f} s for {size}, {four:.3f} s for four times as much")


def peak_bytes(work: Callable[[], object]) -> int:
    """The most memory that Python held for some work."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
