"""Whole files in lock step: B lanes of files, chunks of T tokens, with the memory slots worked out on the host.

Each lane reads one file after the other; state is carried from chunk to chunk inside a file and reset where
`fresh` is set. What a slot holds is the business of `memory_policies`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from editahead.encode.language_model.encoder import ECHO_STEPS, ECHOES, NO_NAME, NO_TARGET, PARTS
from torch import Tensor

from editahead_models.data.corpus.encoded_files import FileArrays
from editahead_models.data.corpus.memory_policies import memory_of
from editahead_models.families.mixture import Chunk

View = Callable[[FileArrays, int], FileArrays]  # a file and a seed to the file as a model sees it


@dataclass(frozen=True)
class Shape:
    """How files are laid out: B lanes, T steps a chunk, K slots (0: a model without memory), which tokens fill them."""

    lanes: int
    steps: int
    slots: int
    memory: str = "last_use_per_name"
    echo: bool = True  # mark the slots of the names just read


@dataclass(frozen=True)
class LmBatch:
    """One chunk of every lane with its targets. `scored` (B, T) marks real targets."""

    chunk: Chunk
    fresh_B: Tensor  # the lane begins a new file with this chunk
    target_BT: Tensor  # softmax target or NO_TARGET (a copy must produce it)
    match_BTK: Tensor  # slots that hold the target
    scored_BT: Tensor
    is_name_BT: Tensor  # the target is a name
    is_use_BT: Tensor  # the target is a declared name that the file used before
    slot_word_BTK: Tensor  # vocabulary id of the token in each slot
    position_BT: Tensor  # index of the target within its file
    file_B: Tensor  # number of the file that each lane reads

    def to(self, device: str) -> LmBatch:
        """The same batch on a device."""
        if device == "cpu":
            return self
        moved = {name: value.to(device) for name, value in vars(self).items() if isinstance(value, Tensor)}
        return LmBatch(chunk=Chunk(*(part.to(device) for part in self.chunk)), **moved)


class _Lane:
    """One file being read, with its memory."""

    def __init__(self, file: FileArrays, number: int, shape: Shape) -> None:
        self.file, self.number = file, number
        self.at = 0
        self.fresh = True
        self._shape = shape
        self._memory = memory_of(shape.memory, file.name, shape.slots) if shape.slots else None
        # What a copy from a slot produces. Only a memory of all tokens holds some that are no names.
        self._key = np.where(file.name != NO_NAME, file.name, -2 - file.word).astype(np.int64)
        self._read: deque[tuple[int, int]] = deque(maxlen=ECHOES)  # (name, position), the latest first

    @property
    def done(self) -> bool:
        return self.at >= len(self.file.word) - 1

    def skip_to(self, at: int) -> None:
        """Stand where reading everything before token `at` would have led."""
        if self._memory is not None and at:
            self._memory.read(0, at)
            recent = max(0, at - ECHO_STEPS)
            self._latest(recent, at - recent)
        self.at, self.fresh = at, at == 0

    def read(self, row: int, into: dict[str, npt.NDArray[np.generic]]) -> None:
        """Fill row `row` of the arrays with the next chunk."""
        file, start = self.file, self.at
        n = min(self._shape.steps, len(file.word) - 1 - start)
        inputs, targets = slice(start, start + n), slice(start + 1, start + 1 + n)
        target = file.target[targets]
        reachable = target != NO_TARGET
        if self._memory is not None:
            slots = self._memory.read(start, n)
            filled = slots.position >= 0
            key, goal = self._key[np.maximum(slots.position, 0)], self._key[targets]
            match = filled & (key == goal[:, None]) & ((goal >= 0) | (target != NO_TARGET))[:, None]
            into["slot"][row, :n], into["next"][row] = slots.place, slots.carry
            into["mask"][row, :n], into["match"][row, :n] = filled, match
            into["slot_word"][row, :n] = np.where(filled, file.word[np.maximum(slots.position, 0)], 0)
            if self._shape.echo:
                latest = self._latest(start, n)
                into["echo"][row, :n] = (key[:, :, None] == latest[:, None, :]) & (latest != NO_NAME)[:, None, :]
            reachable |= match.any(1)
        into["target"][row, :n] = np.where(reachable, target, file.fallback[targets])
        into["scored"][row, :n] = True
        into["is_name"][row, :n] = file.kind[targets] != 0
        into["is_use"][row, :n] = file.declared[targets] & file.seen[targets]
        into["position"][row, :n] = np.arange(start + 1, start + 1 + n)
        into["word"][row, :n] = file.word[inputs]
        into["kind"][row, :n] = file.kind[inputs]
        into["parts"][row, :n] = file.parts[inputs]
        into["fresh"][row] = self.fresh
        into["file"][row] = self.number
        self.fresh = False
        self.at += n

    def _latest(self, start: int, n: int) -> npt.NDArray[np.int64]:
        """The names read last before each step (n, ECHOES), its own included, NO_NAME where there is none."""
        latest = np.full((n, ECHOES), NO_NAME, np.int64)
        for t, name in enumerate(self.file.name[start : start + n].tolist()):
            if name != NO_NAME:
                self._read.appendleft((name, start + t))
            for place, (read, at) in enumerate(self._read):
                if start + t - at < ECHO_STEPS:
                    latest[t, place] = read
        return latest


@dataclass(frozen=True)
class StreamPosition:
    """Where a stream of batches stands.

    The epoch, how many files of its order are taken, and what each lane reads (file number and token, or None for a
    lane that is done).
    """

    epoch: int = 0
    taken: int = 0
    lanes: tuple[tuple[int, int] | None, ...] = ()


class BatchStream:
    """Batches of whole files, epoch after epoch; `seek` goes on at a position without reading what lies before it.

    `seed` shuffles the files anew in each epoch; None keeps their order. `view` turns each file into what the model
    sees, seeded by the file's number and the epoch's seed. `epochs` None: without end.
    """

    def __init__(
        self, files: Sequence[FileArrays], shape: Shape, *, seed: int | None, view: View | None = None,
        epochs: int | None = None,
    ) -> None:  # fmt: skip
        self._files, self._shape, self._seed, self._view, self._epochs = files, shape, seed, view, epochs
        self._lanes: list[_Lane | None] = [None] * shape.lanes
        self._begin(0)

    @property
    def position(self) -> StreamPosition:
        """Where the next batch begins."""
        lanes = tuple(None if lane is None else (lane.number, lane.at) for lane in self._lanes)
        return StreamPosition(self._epoch, self._taken, lanes)

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Stand at a position that was stored as fields."""
        lanes = tuple(None if lane is None else (lane[0], lane[1]) for lane in saved["lanes"])
        self.seek(StreamPosition(saved["epoch"], saved["taken"], lanes))

    def seek(self, position: StreamPosition) -> None:
        """Stand where `position` was taken. ValueError when the stream has another number of lanes."""
        if position.lanes and len(position.lanes) != self._shape.lanes:
            raise ValueError(f"a position of {len(position.lanes)} lanes for a stream of {self._shape.lanes}")
        self._begin(position.epoch)
        self._taken = position.taken
        for row, place in enumerate(position.lanes):
            self._lanes[row] = None if place is None else self._open(place[0])
            lane = self._lanes[row]
            if lane is not None and place is not None:
                lane.skip_to(place[1])

    def __iter__(self) -> Iterator[LmBatch]:
        while True:
            self._refill()
            if all(lane is None for lane in self._lanes):
                self._begin(self._epoch + 1)
                if self._epochs is not None and self._epoch >= self._epochs:
                    return
                continue
            yield self._read()

    def _begin(self, epoch: int) -> None:
        self._epoch, self._taken = epoch, 0
        self._lanes = [None] * self._shape.lanes
        count = len(self._files)
        seed = self._epoch_seed
        order = np.arange(count) if seed is None else np.random.default_rng(seed).permutation(count)
        self._order = [int(number) for number in order if len(self._files[number].word) > 1]

    @property
    def _epoch_seed(self) -> int | None:
        return None if self._seed is None else self._seed * 1000 + self._epoch

    def _open(self, number: int) -> _Lane:
        file = self._files[number]
        seen = self._view(file, hash((self._epoch_seed or 0, number))) if self._view else file
        return _Lane(seen, number, self._shape)

    def _refill(self) -> None:
        for row, lane in enumerate(self._lanes):
            if lane is None or lane.done:
                if self._taken == len(self._order):
                    self._lanes[row] = None
                    continue
                self._lanes[row] = self._open(self._order[self._taken])
                self._taken += 1

    def _read(self) -> LmBatch:
        arrays = _empty(self._shape)
        for row, lane in enumerate(self._lanes):
            if lane is not None:
                lane.read(row, arrays)
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        chunk = Chunk(*(tensors[name] for name in ("word", "kind", "parts", "slot", "mask", "echo", "next")))
        rest = ("fresh", "target", "match", "scored", "is_name", "is_use", "slot_word", "position", "file")
        return LmBatch(chunk, *(tensors[name] for name in rest))


def batches(
    files: Sequence[FileArrays], shape: Shape, *, seed: int | None, view: View | None = None
) -> Iterator[LmBatch]:
    """Chunks until every file has been read once."""
    return iter(BatchStream(files, shape, seed=seed, view=view, epochs=1))


def _empty(shape: Shape) -> dict[str, npt.NDArray[np.generic]]:
    B, T, K = shape.lanes, shape.steps, shape.slots

    def flags(*size: int) -> npt.NDArray[np.bool_]:
        return np.zeros(size, np.bool_)

    def numbers(*size: int) -> npt.NDArray[np.int64]:
        return np.zeros(size, np.int64)

    return {
        "word": numbers(B, T),
        "kind": numbers(B, T),
        "parts": numbers(B, T, PARTS),
        "slot": numbers(B, T, K),
        "mask": flags(B, T, K),
        "next": np.tile(np.arange(K), (B, 1)),
        "match": flags(B, T, K),
        "echo": flags(B, T, K, ECHOES),
        "slot_word": numbers(B, T, K),
        "target": numbers(B, T),
        "scored": flags(B, T),
        "is_name": flags(B, T),
        "is_use": flags(B, T),
        "fresh": np.ones(B, np.bool_),
        "position": numbers(B, T),
        "file": numbers(B),
    }
