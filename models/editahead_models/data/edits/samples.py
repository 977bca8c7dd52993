"""Mined edit instances as sequences of token edits: hunks in a drawn order, names resolved, targets as sets."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from editahead.encode.edit_model.sequences import Edit
from editahead.encode.edit_model.tokens import EditToken, EditVocab

from editahead_models.data.edits.crop import MinedEdits, TextKinds
from editahead_models.data.edits.patterns import RawEdit, repeated_edit

Array = npt.NDArray[np.int64]
Places = npt.NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Sample:
    """One sequence over a window, positions as names; T edits over n0 initial tokens."""

    state: Array  # [n0] text numbers
    state_gap: Array
    content: Array  # [T] text numbers, -1 delete
    edits: tuple[Edit, ...]
    gap: Array
    hunk: Array  # [T] place of the hunk in the chosen order
    following: tuple[tuple[int, ...], ...]  # [T+1] names that are right at each time
    place: Places  # [T+1, n0+T] index of each name at each time, -1 where it is not alive
    stop: bool


class ShardFile:
    """A mined shard in memory; texts are numbered by a table that all shards share."""

    def __init__(self, path: Path, table: dict[str, int]) -> None:
        with np.load(path) as data:
            texts: list[str] = json.loads(data["texts"].tobytes().decode())
            renumber = np.asarray([table.setdefault(text, len(table)) for text in texts] + [-1], dtype=np.int32)
            self.state = renumber[data["state"]]
            self.content = renumber[data["content"]]
            self.state_gap, self.gap = data["state_gap"], data["gap"]
            self.anchor, self.hunk, self.header = data["anchor"], data["hunk"], data["header"]
            self.language = str(data["language"]) if "language" in data else ""
        self.project = path.stem
        self.runs = self._insertions()

    def __len__(self) -> int:
        return len(self.header)

    def _insertions(self, limit: int = 20_000) -> list[list[tuple[int, int]]]:
        """Runs of insertions, each token after the one before, as (text, gap)."""
        runs: list[list[tuple[int, int]]] = []
        rows = zip(self.anchor.tolist(), self.content.tolist(), self.gap.tolist(), strict=True)
        for anchor, content, gap in itertools.islice(rows, 8 * limit):
            if content >= 0 and anchor >= 0:
                runs.append([(content, gap)])
            elif content >= 0 and runs:
                runs[-1].append((content, gap))
        return runs[:limit]

    def bounds(self, number: int) -> tuple[slice, slice]:
        """Slices of one instance in the state arrays and in the edit arrays."""
        last = number + 1 == len(self.header)
        end = (len(self.state), len(self.anchor)) if last else tuple(self.header[number + 1][:2])
        return slice(int(self.header[number][0]), int(end[0])), slice(int(self.header[number][1]), int(end[1]))


def load_shards(folder: Path, table: dict[str, int]) -> list[ShardFile]:
    """All shards of a folder in name order."""
    return [ShardFile(path, table) for path in sorted(folder.glob("*.npz"))]


def count_texts(shards: Iterable[ShardFile], size: int) -> Array:
    """Occurrences of each text, contents counted four times. Counts (V,)."""
    total = np.zeros(size, dtype=np.int64)
    for shard in shards:
        total += np.bincount(shard.state, minlength=size)
        total += 4 * np.bincount(shard.content[shard.content >= 0], minlength=size)
    return total


def build_vocab(shards: Sequence[ShardFile], table: dict[str, int], size: int) -> EditVocab:
    """The most frequent texts, every language weighing the same."""
    counts = np.zeros(len(table))
    for language in {shard.language for shard in shards}:
        own = count_texts([shard for shard in shards if shard.language == language], len(table))
        counts += own * (1e9 / max(1, own.sum()))
    return EditVocab.from_counts(
        Counter({text: round(count) for text, count in zip(table, counts.tolist(), strict=True) if count >= 1}), size
    )


def hunk_order(count: int, first: int, rng: np.random.Generator | None) -> list[int]:
    """The first hunk, then the others: from there on in file order (and around) or, with probability 1/2, shuffled."""
    order = [(first + step) % count for step in range(count)]
    if rng is not None and rng.random() < 0.5:
        order[1:] = list(rng.permutation(order[1:]))
    return order


def mined_edits(shard: ShardFile, number: int) -> MinedEdits:
    """One instance of a shard."""
    states, edits = shard.bounds(number)
    anchors, contents, gaps = shard.anchor[edits].tolist(), shard.content[edits].tolist(), shard.gap[edits].tolist()
    _, starts = np.unique(shard.hunk[edits], return_index=True)
    rows = list(zip(anchors, contents, gaps, strict=True))
    hunks = [rows[low:high] for low, high in pairwise([*starts.tolist(), len(rows)])]
    first, complete = int(shard.header[number][2]), bool(shard.header[number][3])
    return MinedEdits(shard.state[states].astype(np.int64), shard.state_gap[states], hunks, first, complete)


def ordered_sample(mined: MinedEdits, max_edits: int, rng: np.random.Generator | None) -> Sample | None:
    """The edits of a window in a drawn hunk order; None when nothing fits."""
    order = hunk_order(len(mined.hunks), mined.first, rng)
    return resolve(mined.state, mined.state_gap, mined.hunks, order, mined.complete, max_edits)


def pattern_sample(
    mined: MinedEdits,
    runs: Sequence[Sequence[tuple[int, int]]],
    kinds: TextKinds,
    max_edits: int,
    rng: np.random.Generator,
) -> Sample | None:
    """A made-up repeated edit in a window, of one of the insertions `runs`; None when there is no pattern."""
    state, gap = mined.state, mined.state_gap.astype(np.int64)
    hunks = repeated_edit(state, kinds.newline[state], kinds.boring[state], runs, gap, rng)
    if hunks is None:
        return None
    order = hunk_order(len(hunks), int(rng.integers(len(hunks))), rng)
    return resolve(state, mined.state_gap, hunks, order, True, max_edits)


def resolve(
    initial: Array,
    initial_gap: npt.NDArray[np.int8],
    hunks: Sequence[Sequence[RawEdit]],
    order: Sequence[int],
    complete: bool,
    max_edits: int,
) -> Sample | None:
    """Edits of the hunks in the given order, as far as they fit: names, indices, and what is right at each time.

    Both arrays are (N,). Raises ValueError for an edit that does not fit its text.
    """
    keep: list[int] = []
    total = 0
    for number in order:
        if total + len(hunks[number]) <= max_edits:
            keep.append(number)
            total += len(hunks[number])
    if not keep:
        return None
    n0 = len(initial)
    place = np.full((total + 1, n0 + total), -1, dtype=np.int16)
    place[0, :n0] = np.arange(n0)
    root = list(range(n0)) + [0] * total
    sequence: list[Edit] = []
    following: list[tuple[int, ...]] = []
    hunk_of: list[int] = []
    chosen: list[RawEdit] = []
    for turn, number in enumerate(keep):
        base = len(sequence)
        coming = tuple({hunks[other][0][0] for other in keep[turn:]})
        for step, (anchor, content, gap) in enumerate(hunks[number]):
            time = len(sequence)
            name = anchor if anchor >= 0 else n0 + base + ~anchor
            at = int(place[time, name])
            if at < 0:
                raise ValueError(f"edit {time} stands at a token that is not alive")
            before, after = place[time], place[time + 1]
            if content < 0:
                np.subtract(before, before > at, out=after)
                after[name] = -1
            else:
                np.add(before, before > at, out=after)
                after[n0 + time] = at + 1
                root[n0 + time] = root[name]
            following.append(coming if step == 0 else (name,))
            sequence.append(Edit(name, None if content < 0 else EditToken("", gap), at, root[name], step == 0))
            chosen.append((anchor, content, gap))
            hunk_of.append(turn)
    following.append(())
    return Sample(
        initial, initial_gap.astype(np.int64), np.asarray([content for _, content, _ in chosen]),
        tuple(sequence), np.asarray([gap for _, _, gap in chosen]), np.asarray(hunk_of), tuple(following), place,
        complete and len(keep) == len(order),
    )  # fmt: skip
