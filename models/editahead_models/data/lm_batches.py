"""Whole files in lock step: B lanes of files, chunks of T tokens, with the memory slots worked out on the host.

Each lane reads one file after the other; state is carried from chunk to chunk inside a file and reset where
`fresh` is set. Slot policy `last_use_per_name`: the latest use of each distinct name, the K most recent names.
A slot is named by its place: 0..K-1 is the carried memory, K + t is step t of this chunk.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from editahead.encode.lm import ECHO_STEPS, ECHOES, NO_NAME, NO_TARGET, PARTS
from torch import Tensor

from editahead_models.data.lm_corpus import FileArrays
from editahead_models.families.spn import SpnChunk


@dataclass(frozen=True)
class LmBatch:
    """One chunk of every lane with its targets. `scored` (B, T) marks real targets."""

    chunk: SpnChunk
    fresh_B: Tensor  # the lane begins a new file with this chunk
    target_BT: Tensor  # softmax target or NO_TARGET (a copy must produce it)
    match_BTK: Tensor  # slots that hold the target's name
    scored_BT: Tensor
    is_name_BT: Tensor  # the target is a name
    is_use_BT: Tensor  # the target is a declared name that the file used before
    slot_word_BTK: Tensor  # vocabulary id of the name in each slot
    position_BT: Tensor  # index of the target within its file


class _Lane:
    """One file being read, with its memory slots."""

    def __init__(self, file: FileArrays, slots: int) -> None:
        self.file = file
        self.at = 0
        self.fresh = True
        self._k = slots
        self._position = np.full(slots, -1, np.int64)
        self._name = np.full(slots, NO_NAME, np.int64)
        self._word = np.zeros(slots, np.int64)
        self._read: deque[tuple[int, int]] = deque(maxlen=ECHOES)  # (name, position), the latest first
        self._order: OrderedDict[int, int] = OrderedDict()  # name -> slot, least recently used first

    @property
    def done(self) -> bool:
        return self.at >= len(self.file.word) - 1

    def read(self, steps: int, row: int, into: dict[str, npt.NDArray[np.generic]]) -> None:
        """Fill row `row` of the arrays with the next chunk."""
        file, k, start = self.file, self._k, self.at
        n = min(steps, len(file.word) - 1 - start)
        inputs, targets = slice(start, start + n), slice(start + 1, start + 1 + n)
        positions = np.empty((n, k), np.int64)
        names = np.empty((n, k), np.int64)
        words = np.empty((n, k), np.int64)
        latest = np.full((n, ECHOES), NO_NAME, np.int64)
        word_list = file.word[inputs].tolist()
        for t, name in enumerate(file.name[inputs].tolist()):
            positions[t], names[t], words[t] = self._position, self._name, self._word
            if name != NO_NAME:
                self._use(name, start + t, word_list[t])
                self._read.appendleft((name, start + t))
            for place, (read, at) in enumerate(self._read):
                if start + t - at < ECHO_STEPS:
                    latest[t, place] = read
        place = np.arange(k)
        into["slot"][row, :n] = np.where(positions >= start, positions - start + k, place)
        into["mask"][row, :n] = positions >= 0
        into["next"][row] = np.where(self._position >= start, self._position - start + k, place)
        target_name = file.name[targets].astype(np.int64)
        match = (names == target_name[:, None]) & (target_name != NO_NAME)[:, None] & (positions >= 0)
        into["match"][row, :n] = match
        into["echo"][row, :n] = (names[:, :, None] == latest[:, None, :]) & (latest != NO_NAME)[:, None, :]
        into["slot_word"][row, :n] = words
        target = file.target[targets]
        into["target"][row, :n] = np.where((target == NO_TARGET) & ~match.any(1), file.fallback[targets], target)
        into["scored"][row, :n] = True
        into["is_name"][row, :n] = target_name != NO_NAME
        into["is_use"][row, :n] = file.declared[targets] & file.seen[targets]
        into["position"][row, :n] = np.arange(start + 1, start + 1 + n)
        into["word"][row, :n] = file.word[inputs]
        into["kind"][row, :n] = file.kind[inputs]
        into["parts"][row, :n] = file.parts[inputs]
        into["fresh"][row] = self.fresh
        self.fresh = False
        self.at += n

    def _use(self, name: int, position: int, word: int) -> None:
        slot = self._order.pop(name, None)
        if slot is None:
            slot = len(self._order) if len(self._order) < self._k else self._order.popitem(last=False)[1]
        self._order[name] = slot
        self._position[slot], self._name[slot], self._word[slot] = position, name, word


def batches(files: Sequence[FileArrays], *, lanes: int, steps: int, slots: int, seed: int | None) -> Iterator[LmBatch]:
    """Chunks until every file has been read once. `seed` shuffles the files; None keeps their order."""
    order = np.arange(len(files)) if seed is None else np.random.default_rng(seed).permutation(len(files))
    waiting = iter([files[n] for n in order if len(files[n].word) > 1])
    active: list[_Lane | None] = [None] * lanes
    while True:
        for row, lane in enumerate(active):
            if lane is None or lane.done:
                file = next(waiting, None)
                active[row] = _Lane(file, slots) if file is not None else None
        if all(lane is None for lane in active):
            return
        arrays = _empty(lanes, steps, slots)
        for row, lane in enumerate(active):
            if lane is not None:
                lane.read(steps, row, arrays)
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        yield LmBatch(
            SpnChunk(
                tensors["word"],
                tensors["kind"],
                tensors["parts"],
                tensors["slot"],
                tensors["mask"],
                tensors["echo"],
                tensors["next"],
            ),
            tensors["fresh"],
            tensors["target"],
            tensors["match"],
            tensors["scored"],
            tensors["is_name"],
            tensors["is_use"],
            tensors["slot_word"],
            tensors["position"],
        )


def _empty(lanes: int, steps: int, slots: int) -> dict[str, npt.NDArray[np.generic]]:
    def flags(*shape: int) -> npt.NDArray[np.bool_]:
        return np.zeros(shape, np.bool_)

    def numbers(*shape: int) -> npt.NDArray[np.int64]:
        return np.zeros(shape, np.int64)

    return {
        "word": numbers(lanes, steps),
        "kind": numbers(lanes, steps),
        "parts": numbers(lanes, steps, PARTS),
        "slot": numbers(lanes, steps, slots),
        "mask": flags(lanes, steps, slots),
        "next": np.tile(np.arange(slots), (lanes, 1)),
        "match": flags(lanes, steps, slots),
        "echo": flags(lanes, steps, slots, ECHOES),
        "slot_word": numbers(lanes, steps, slots),
        "target": numbers(lanes, steps),
        "scored": flags(lanes, steps),
        "is_name": flags(lanes, steps),
        "is_use": flags(lanes, steps),
        "fresh": np.ones(lanes, np.bool_),
        "position": numbers(lanes, steps),
    }
