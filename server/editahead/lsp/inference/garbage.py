"""Scheduling of full garbage collections: while the user pauses or closes a document, not between two keystrokes.

A full collection stops every thread for as long as the heap is large: 45 ms with a file of 5,000 lines open, once in
about ten lines of typing. The server creates few reference cycles, so deferring the collection costs little memory.
"""

from __future__ import annotations

import gc

REST = 1.0  # seconds without a job that count as a pause
_YOUNG, _MIDDLE = (
    700,
    10,
)  # Python's own: allocations, and collections of the young generation, before the next older is collected
_FULL = 1_000  # collections of the middle generation before a full collection without a pause


def pause_collections() -> None:
    """Run no collection until `defer_full_collections`: what a server creates at its start stays.

    Collections took 50 ms of processor time from the start of the process to the first completion.
    """
    gc.disable()


def defer_full_collections() -> None:
    """Collect again, but not what exists now, since it stays; full collections become rare."""
    gc.enable()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _FULL)


def collect_in_full() -> None:
    """Run the full collection that was deferred."""
    gc.collect()
