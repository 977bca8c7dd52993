"""When Python looks through all objects for circles that nobody needs: while the user rests, not between two keys.

A full collection stops every thread for as long as the heap is large: 45 ms with a file of 5,000 lines open, once in
about ten lines of typing. Little of what the server makes is circular, so waiting for a pause costs next to no memory.
"""

from __future__ import annotations

import gc

REST = 1.0  # seconds without a job after which the user rests
_YOUNG, _MIDDLE = (
    700,
    10,
)  # Python's own: allocations, and collections of the young, before the next older are looked at
_FULL = 1_000  # collections of the middle ones before a full one is made although nobody rests


def defer_full_collections() -> None:
    """Leave what is loaded by now out of every collection, since it stays; make full ones rare."""
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _FULL)


def collect_at_rest() -> None:
    """Make the full collection that typing has put off."""
    gc.collect()
