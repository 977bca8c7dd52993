"""What the pointer may copy: the memory slots of a context, its latest names, and which slots repeat them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

ECHOES = 4  # latest names that a slot is compared with
NO_NAME = -1
ECHO_STEPS = 48  # how far back the latest names are looked for
LAST_USE, OCCURRENCES = MEMORIES = ("last_use_per_name", "occurrences")  # what a memory holds, see `memory_slots`


def memory_slots(names: npt.NDArray[np.int32], capacity: int, policy: str = LAST_USE) -> npt.NDArray[np.int32]:
    """Return the positions of the names in the pointer's memory, at most `capacity`, most recent first.

    The last step is excluded: its state is the query, not the memory. Policies: `last_use_per_name`, the latest use
    of each distinct name; `occurrences`, every use (Müller 2019, section 3.2). Names (T,) to positions (K,).
    """
    if policy == OCCURRENCES:
        return np.flatnonzero(names[:-1] != NO_NAME)[::-1][:capacity].astype(np.int32)
    slots: list[int] = []
    taken: set[int] = set()
    at = len(names) - 2
    for name in names[:-1][::-1].tolist():
        if name != NO_NAME and name not in taken:
            taken.add(name)
            slots.append(at)
            if len(slots) == capacity:
                break
        at -= 1
    return np.array(slots, np.int32)


def echoes(names: npt.NDArray[np.int32], slots: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Return (K, ECHOES): whether a slot's name is the latest, second, third .. name, the last step's included."""
    latest = np.full(ECHOES, NO_NAME, np.int32)
    tail = names[-ECHO_STEPS:]
    recent = tail[tail != NO_NAME][::-1][:ECHOES]
    latest[: len(recent)] = recent
    mine = names[slots]
    same: npt.NDArray[np.bool_] = np.logical_and(mine[:, None] == latest[None, :], (latest != NO_NAME)[None, :])
    return same
