"""Shards of edit instances to padded training arrays: hunk order drawn anew, names resolved, targets as sets."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from editahead.encode.edit_model.sequences import DISPLACEMENT_BINS, Edit, EditState, displacement_bins
from editahead.encode.edit_model.tokens import EditToken
from editahead.encode.edit_model.vocabulary import DELETE_ID, LOCAL_IDS, PARTS, EditVocab

from editahead_models.data.edit_patterns import RawEdit, repeated_edit

Array = npt.NDArray[np.int64]
FIRST_HUNK_WEIGHT = 0.4


@dataclass(frozen=True, slots=True)
class Sample:
    """One instance ready for a batch, positions as names; T edits over n0 initial tokens."""

    state: Array  # [n0] text numbers
    state_gap: Array
    content: Array  # [T] text numbers, -1 delete
    edits: tuple[Edit, ...]
    gap: Array
    hunk: Array  # [T] place of the hunk in the chosen order
    following: tuple[tuple[int, ...], ...]  # [T+1] names that are right at each time
    live: tuple[Array, ...]  # [T+1] names alive
    bins: tuple[Array, ...]  # [T+1] displacement bin by name (n0+T)
    stop: bool


class ShardFile:
    """A mined shard in memory; texts are numbered by a table that all shards share."""

    def __init__(self, path: Path, table: dict[str, int]) -> None:
        with np.load(path) as data:
            texts: list[str] = json.loads(data["texts"].tobytes().decode())
            renumber = np.asarray([table.setdefault(text, len(table)) for text in texts] + [-1], dtype=np.int64)
            self.state = renumber[data["state"]]
            self.content = renumber[data["content"]]
            self.state_gap, self.gap = data["state_gap"], data["gap"]
            self.anchor, self.hunk, self.header = data["anchor"], data["hunk"], data["header"]
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


def count_texts(shards: Iterable[ShardFile], size: int) -> Array:
    """Occurrences of each text, contents counted four times. Counts (V,)."""
    total = np.zeros(size, dtype=np.int64)
    for shard in shards:
        total += np.bincount(shard.state, minlength=size)
        total += 4 * np.bincount(shard.content[shard.content >= 0], minlength=size)
    return total


def build_vocab(shards: Sequence[ShardFile], table: dict[str, int], size: int) -> EditVocab:
    """The vocabulary of the most frequent texts of the shards."""
    counts = count_texts(shards, len(table))
    return EditVocab.from_counts(Counter({text: int(counts[number]) for text, number in table.items()}), size)


def hunk_order(count: int, first: int, rng: np.random.Generator | None) -> list[int]:
    """The first hunk, then the others: from there on in file order (and around) or, with probability 1/2, shuffled."""
    order = [(first + step) % count for step in range(count)]
    if rng is not None and rng.random() < 0.5:
        order[1:] = list(rng.permutation(order[1:]))
    return order


def make_sample(shard: ShardFile, number: int, max_edits: int, rng: np.random.Generator | None) -> Sample | None:
    """Resolve one instance in a drawn hunk order; None when nothing fits."""
    states, edits = shard.bounds(number)
    anchors, contents, gaps = shard.anchor[edits].tolist(), shard.content[edits].tolist(), shard.gap[edits].tolist()
    _, starts = np.unique(shard.hunk[edits], return_index=True)
    rows = list(zip(anchors, contents, gaps, strict=True))
    hunks = [rows[low:high] for low, high in pairwise([*starts.tolist(), len(rows)])]
    order = hunk_order(len(hunks), int(shard.header[number][2]), rng)
    return resolve(shard.state[states], shard.state_gap[states], hunks, order, bool(shard.header[number][3]), max_edits)


def pattern_sample(
    shard: ShardFile, number: int, features: TextFeatures, max_edits: int, rng: np.random.Generator
) -> Sample | None:
    """A made-up repeated edit in the window of an instance; None when there is no pattern."""
    states, _ = shard.bounds(number)
    state = shard.state[states]
    hunks = repeated_edit(
        state,
        features.newline[state],
        features.boring[state],
        shard.runs,
        shard.state_gap[states].astype(np.int64),
        rng,
    )
    if hunks is None:
        return None
    order = hunk_order(len(hunks), int(rng.integers(len(hunks))), rng)
    return resolve(state, shard.state_gap[states], hunks, order, True, max_edits)


def resolve(
    initial: Array,
    initial_gap: npt.NDArray[np.int8],
    hunks: Sequence[Sequence[RawEdit]],
    order: Sequence[int],
    complete: bool,
    max_edits: int,
) -> Sample | None:
    """Edits of the hunks in the given order, as far as they fit: names, indices, and what is right at each time.

    Both arrays are (N,).
    """
    n0 = len(initial)
    keep: list[int] = []
    total = 0
    for place in order:
        if total + len(hunks[place]) <= max_edits:
            keep.append(place)
            total += len(hunks[place])
    if not keep:
        return None
    state = EditState(n0)
    live: list[Array] = []
    bins: list[Array] = []
    sequence: list[Edit] = []
    following: list[tuple[int, ...]] = []
    hunk_of: list[int] = []
    chosen: list[RawEdit] = []
    last: Edit | None = None
    for turn, place in enumerate(keep):
        base = len(sequence)
        for step, (anchor, content, gap) in enumerate(hunks[place]):
            name = anchor if anchor >= 0 else n0 + base + ~anchor
            following.append(tuple({hunks[other][0][0] for other in keep[turn:]}) if step == 0 else (name,))
            live.append(np.asarray(state.names))
            bins.append(displacement_bins(live[-1], n0 + total, last))
            last = state.apply(name, None if content < 0 else EditToken("", gap), start=step == 0)
            sequence.append(last)
            chosen.append((anchor, content, gap))
            hunk_of.append(turn)
    live.append(np.asarray(state.names))
    bins.append(displacement_bins(live[-1], n0 + total, last))
    following.append(())
    return Sample(
        initial, initial_gap.astype(np.int64), np.asarray([content for _, content, _ in chosen]), tuple(sequence),
        np.asarray([gap for _, _, gap in chosen]), np.asarray(hunk_of), tuple(following), tuple(live), tuple(bins),
        complete and len(keep) == len(order),
    )  # fmt: skip


class TextFeatures:
    """Class and part numbers of every text of a table, once."""

    def __init__(self, table: dict[str, int], vocab: EditVocab) -> None:
        self.ids, self.parts = vocab.features(table)
        self.vocab = vocab
        self.newline = np.asarray([text.startswith("\n") for text in table], dtype=bool)
        self.boring = np.asarray([not (text[0].isalnum() or text[0] == "_") for text in table], dtype=bool)


def collate(
    samples: Sequence[Sample], features: TextFeatures, rng: np.random.Generator
) -> dict[str, npt.NDArray[np.generic]]:
    """Padded arrays of a batch. Columns of positions: initial names, names of edits from N on, then stop."""
    batch, n_max = len(samples), max(len(sample.state) for sample in samples)
    t_max = max(len(sample.edits) for sample in samples)
    columns = n_max + t_max + 1

    def zeros(*size: int, dtype: type = np.int64) -> npt.NDArray[np.generic]:
        return np.zeros((batch, *size), dtype=dtype)

    out = {
        "tok": zeros(n_max), "sub": zeros(n_max, PARTS), "lid": zeros(n_max), "gap": zeros(n_max),
        "state_mask": zeros(n_max, dtype=np.bool_),
        "c_tok": zeros(t_max), "c_sub": zeros(t_max, PARTS), "c_lid": zeros(t_max), "c_gap": zeros(t_max),
        "name": zeros(t_max), "root": zeros(t_max), "index": zeros(t_max), "start": zeros(t_max),
        "edit_mask": zeros(t_max, dtype=np.bool_), "hunk": zeros(t_max),
        "live": zeros(t_max + 1, columns, dtype=np.bool_), "target": zeros(t_max + 1, columns, dtype=np.bool_),
        "bins": np.full((batch, t_max + 1, columns - 1), DISPLACEMENT_BINS - 1, dtype=np.int64),
        "position_weight": zeros(t_max + 1, dtype=np.float32), "content_weight": zeros(t_max, dtype=np.float32),
    }  # fmt: skip
    for row, sample in enumerate(samples):
        n0, t0 = len(sample.state), len(sample.edits)
        texts = np.concatenate([sample.state, sample.content])
        distinct, inverse = np.unique(texts, return_inverse=True)
        codes = rng.permutation(LOCAL_IDS - 1)[: len(distinct)] + 1
        lids = codes[inverse]
        out["tok"][row, :n0] = features.ids[sample.state]
        out["sub"][row, :n0] = features.parts[sample.state]
        out["lid"][row, :n0] = lids[:n0]
        out["gap"][row, :n0] = sample.state_gap
        out["state_mask"][row, :n0] = True
        deleted = sample.content < 0
        out["c_tok"][row, :t0] = np.where(deleted, DELETE_ID, features.ids[sample.content])
        out["c_sub"][row, :t0] = np.where(deleted[:, None], 0, features.parts[sample.content])
        out["c_lid"][row, :t0] = np.where(deleted, 0, lids[n0:])
        out["c_gap"][row, :t0] = sample.gap
        out["edit_mask"][row, :t0] = True
        out["hunk"][row, :t0] = sample.hunk
        shift = n_max - n0
        for time, edit in enumerate(sample.edits):
            out["name"][row, time] = edit.name + (shift if edit.name >= n0 else 0)
            out["root"][row, time] = edit.root
            out["index"][row, time] = edit.at
            out["start"][row, time] = edit.start
        for time in range(t0 + 1):
            alive = sample.live[time]
            out["live"][row, time, np.where(alive >= n0, alive + shift, alive)] = True
            out["live"][row, time, n0 - 1] = False  # nothing happens at <E>
            bins = sample.bins[time]
            out["bins"][row, time, :n0] = bins[:n0]
            out["bins"][row, time, n_max : n_max + t0] = bins[n0:]
            for name in sample.following[time]:
                out["target"][row, time, name + (shift if name >= n0 else 0)] = True
        out["live"][row, :, -1] = True
        out["target"][row, t0, -1] = True
        weight = np.where(sample.hunk == 0, FIRST_HUNK_WEIGHT, 1.0)
        out["content_weight"][row, :t0] = weight
        out["position_weight"][row, :t0] = weight
        out["position_weight"][row, 0] = 0.0
        out["position_weight"][row, t0] = float(sample.stop)
    return out


def batches(
    shards: Sequence[ShardFile],
    features: TextFeatures,
    *,
    tokens: int,
    max_edits: int,
    seed: int,
    epoch: int,
    patterns: float = 0.0,
) -> Iterator[dict[str, npt.NDArray[np.generic]]]:
    """One epoch: instances in random order, grouped by the number of edits, about `tokens` state tokens a batch.

    The share `patterns` of the windows gets a made-up repeated edit instead of its own.
    """
    rng = np.random.default_rng([seed, epoch])
    where = [(s, n) for s, shard in enumerate(shards) for n in range(len(shard))]
    order = rng.permutation(len(where))
    pool = 2048
    for low in range(0, len(order), pool):
        samples: list[Sample | None] = []
        for shard, number in (where[i] for i in order[low : low + pool]):
            made = pattern_sample(shards[shard], number, features, max_edits, rng) if rng.random() < patterns else None
            samples.append(made or make_sample(shards[shard], number, max_edits, rng))
        kept = sorted((s for s in samples if s is not None), key=lambda s: (len(s.edits), len(s.state)))
        groups: list[list[Sample]] = [[]]
        for sample in kept:
            if sum(len(s.state) for s in groups[-1]) + len(sample.state) > tokens and groups[-1]:
                groups.append([])
            groups[-1].append(sample)
        for group in rng.permutation(len(groups)):
            if groups[group]:
                yield collate(groups[group], features, rng)
