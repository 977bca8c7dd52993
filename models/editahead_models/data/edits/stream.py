"""The endless stream of batches of edit sequences: seeded, and able to go on at any batch without replaying others.

What a batch holds depends on the seed, the epoch, the pool and its number alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from editahead_models.data.edits.batches import Arrays, TextFeatures, collate
from editahead_models.data.edits.crop import cropped
from editahead_models.data.edits.samples import (
    Sample,
    ShardFile,
    mined_edits,
    ordered_sample,
    pattern_sample,
)

POOL = 384  # windows that are drawn and sorted together


@dataclass(frozen=True)
class StreamSettings:
    """How sequences are drawn. `patterns`: the share of made-up repeated edits."""

    tokens: int = 10_240  # initial tokens of a batch
    max_edits: int = 40
    patterns: float = 0.25
    identities: int = 512
    seed: int = 11


@dataclass
class EditPosition:
    """The next batch: number `taken` of a pool of an epoch."""

    epoch: int = 0
    pool: int = 0
    taken: int = 0


class EditStream:
    """Batches of shards, epoch after epoch; `position` moves on with each batch and can be set before iterating.

    Raises ValueError for shards without any edit.
    """

    def __init__(self, shards: Sequence[ShardFile], features: TextFeatures, settings: StreamSettings) -> None:
        self._shards, self._features, self._settings = shards, features, settings
        self._where = [(shard, number) for shard in shards for number in range(len(shard))]
        self.position = EditPosition()
        if not self._where:
            raise ValueError("no edits to learn from")

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Stand at a position that was stored as fields."""
        self.position = EditPosition(**saved)

    def __len__(self) -> int:
        """Windows of an epoch."""
        return len(self._where)

    def __iter__(self) -> Iterator[Arrays]:
        while True:
            at = self.position
            for number, group in enumerate(groups := self._groups(at.epoch, at.pool)):
                if number < at.taken:
                    continue
                rng = np.random.default_rng([self._settings.seed, at.epoch, at.pool, number])
                last = number + 1 == len(groups)
                done = at.pool * POOL + POOL >= len(self._where)
                self.position = (
                    EditPosition(at.epoch, at.pool, number + 1)
                    if not last
                    else EditPosition(at.epoch + 1)
                    if done
                    else EditPosition(at.epoch, at.pool + 1)
                )
                yield collate(group, self._features, rng, self._settings.identities)
            if not groups or self.position is at:  # nothing fitted, or all of it was taken
                at_end = at.pool * POOL + POOL >= len(self._where)
                self.position = EditPosition(at.epoch + 1) if at_end else EditPosition(at.epoch, at.pool + 1)

    def _groups(self, epoch: int, pool: int) -> list[list[Sample]]:
        """The windows of a pool as batches, in a drawn order; windows of a batch are alike in size."""
        settings = self._settings
        order = np.random.default_rng([settings.seed, epoch]).permutation(len(self._where))
        rng = np.random.default_rng([settings.seed, epoch, pool])
        windows: list[Sample] = []
        for index in order[pool * POOL : (pool + 1) * POOL].tolist():
            shard, number = self._where[index]
            sample = self._draw(shard, number, rng)
            if sample is not None:
                windows.append(sample)
        groups: list[list[Sample]] = [[]]
        for window in sorted(windows, key=lambda one: (len(one.state) // 128, len(one.edits), len(one.state))):
            if sum(len(one.state) for one in groups[-1]) + len(window.state) > settings.tokens and groups[-1]:
                groups.append([])
            groups[-1].append(window)
        return [groups[number] for number in rng.permutation(len(groups)) if groups[number]]

    def _draw(self, shard: ShardFile, number: int, rng: np.random.Generator) -> Sample | None:
        settings, mined, sample = self._settings, mined_edits(shard, number), None
        if rng.random() < settings.patterns:
            sample = pattern_sample(mined, shard.runs, self._features.kinds, settings.max_edits, rng)
        return ordered_sample(mined, settings.max_edits, rng) if sample is None else sample


def dev_batches(
    shards: Sequence[ShardFile],
    features: TextFeatures,
    settings: StreamSettings,
    instances: int,
    window: int | None = None,
) -> list[Arrays]:
    """A fixed sample of dev windows, as many of each shard as of the others, one sequence each.

    `window`: of at most so many tokens.
    """
    each = max(1, instances // max(1, len(shards)))
    rng = np.random.default_rng(5)
    windows: list[Sample] = []
    for shard in shards:
        for number in rng.permutation(len(shard))[:each].tolist():
            mined = mined_edits(shard, number)
            mined = mined if window is None else cropped(mined, window, features.kinds)
            sample = ordered_sample(mined, settings.max_edits, rng)
            if sample is not None:
                windows.append(sample)
    groups: list[list[Sample]] = [[]]
    for drawn in sorted(windows, key=lambda one: (len(one.state), len(one.edits))):
        if sum(len(one.state) for one in groups[-1]) + len(drawn.state) > settings.tokens and groups[-1]:
            groups.append([])
        groups[-1].append(drawn)
    return [collate(group, features, rng, settings.identities) for group in groups if group]
