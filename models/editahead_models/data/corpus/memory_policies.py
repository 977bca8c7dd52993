"""Which earlier tokens stand in a pointer's memory, worked out on the host for a whole chunk at once.

T steps of a chunk that begins at token `start` of its file, K slots. A slot names a place: 0..K-1 is the memory
carried into the chunk, K + t is step t of this chunk. A token enters the memory after it has been read: step t sees
tokens before t.

Policies:
    last_use_per_name  the latest use of each distinct name, the K most recent names (ours: no duplicates)
    occurrences        the last K uses of names (Müller 2019, section 3.2)
    declarations       the last K introductions of names (Bhoopchand et al. 2016, section 3.2)
    last_tokens        the last K tokens of any kind (their LMAtt; unrestricted attention sharing)
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
from editahead.encode.language_model.encoder import NO_NAME

Numbers = npt.NDArray[np.int64]
POLICIES = ("last_use_per_name", "occurrences", "declarations", "last_tokens")


@dataclass(frozen=True)
class Slots:
    """The memory at every step.

    `position` (T, K) in the file, -1 where empty; `place` (T, K) and `carry` (K,) into [carried memory, chunk].
    """

    position: Numbers
    place: Numbers
    carry: Numbers


class Memory(Protocol):
    """The memory of one file, asked for consecutive chunks."""

    def read(self, start: int, steps: int) -> Slots:
        """The slots of the next chunk."""


def memory_of(policy: str, name: npt.NDArray[np.int32], slots: int) -> Memory:
    """The memory of a file whose tokens have these name numbers (NO_NAME for tokens that are no names).

    Raises ValueError for an unknown policy. Names are (T,).
    """
    if policy == "last_use_per_name":
        return LastUses(name, slots)
    if policy == "occurrences":
        return LastEntries(np.flatnonzero(name != NO_NAME), slots)
    if policy == "declarations":
        _, first = np.unique(name, return_index=True)
        return LastEntries(np.sort(first[name[first] != NO_NAME]), slots)
    if policy == "last_tokens":
        return LastEntries(np.arange(len(name)), slots)
    raise ValueError(f"memory must be one of {', '.join(POLICIES)}, found {policy!r}")


class LastEntries:
    """The last K of a fixed list of positions, the newest in slot 0. `entries` is (N,)."""

    def __init__(self, entries: npt.NDArray[np.integer], slots: int) -> None:
        self._entries = entries.astype(np.int64)
        self._back = np.arange(1, slots + 1)

    def read(self, start: int, steps: int) -> Slots:
        """The memory of `steps` steps from `start` on."""
        before = np.searchsorted(self._entries, np.arange(start, start + steps + 1))  # entries before each step
        entry = before[:, None] - self._back[None, :]
        position = (
            np.where(entry >= 0, self._entries[np.maximum(entry, 0)], -1) if len(self._entries) else entry * 0 - 1
        )
        slots = len(self._back)
        inside = slots + position - start
        carried = np.clip(before[0] - 1 - entry, 0, max(0, slots - 1))
        place = np.where(position >= start, inside, carried)
        return Slots(position[:-1], place[:-1], place[-1])


class LastUses:
    """The latest use of each distinct name; a name keeps its slot until it is the least recently used of all.

    `name` is (T,).
    """

    def __init__(self, name: npt.NDArray[np.int32], slots: int) -> None:
        self._name = name
        self._k = slots
        self._position = np.full(slots, -1, np.int64)
        self._order: OrderedDict[int, int] = OrderedDict()  # name -> slot, least recently used first

    def read(self, start: int, steps: int) -> Slots:
        """The memory of `steps` steps from `start` on."""
        position = np.empty((steps, self._k), np.int64)
        for t, name in enumerate(self._name[start : start + steps].tolist()):
            position[t] = self._position
            if name != NO_NAME:
                slot = self._order.pop(name, None)
                if slot is None:
                    slot = len(self._order) if len(self._order) < self._k else self._order.popitem(last=False)[1]
                self._order[name] = slot
                self._position[slot] = start + t
        own = np.arange(self._k)
        place = np.where(position >= start, position - start + self._k, own)
        carry = np.where(self._position >= start, self._position - start + self._k, own)
        return Slots(position, place, carry)
