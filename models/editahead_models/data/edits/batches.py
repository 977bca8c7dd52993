"""Padded training arrays of edit sequences: several sequences over one window share its tokens.

Legend: S windows, N their tokens, E sequences, T their edits; columns of positions are the N initial names, the T names
of edits, then stop.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from editahead.encode.edit_model.sequences import DISPLACEMENT_BINS, distance_bins
from editahead.encode.edit_model.vocabulary import DELETE_ID, PARTS, EditVocab

from editahead_models.data.edits.crop import TextKinds
from editahead_models.data.edits.samples import Sample

FIRST_HUNK_WEIGHT = 0.4
"""What is right at a time: nothing to say, an edit at another place, or going on here (or nothing more)."""

Arrays = dict[str, npt.NDArray[np.generic]]


class TextFeatures:
    """Class and part numbers of every text of a table, once."""

    def __init__(self, table: Iterable[str], vocab: EditVocab) -> None:
        texts = list(table)
        self.ids, self.parts = vocab.features(texts)
        self.kinds = TextKinds(texts)


@dataclass(frozen=True, slots=True)
class WindowSamples:
    """Sequences over the same window."""

    samples: tuple[Sample, ...]

    @property
    def size(self) -> int:
        """The number of initial tokens."""
        return len(self.samples[0].state)

    @property
    def edits(self) -> int:
        """The edits of the longest sequence."""
        return max(len(sample.edits) for sample in self.samples)


def collate(
    windows: Sequence[WindowSamples], features: TextFeatures, rng: np.random.Generator, identities: int
) -> Arrays:
    """Arrays of a batch: tokens [S, N], edits [E, T], and the window of each sequence, `owner` [E]."""
    n_max, t_max = max(window.size for window in windows), max(window.edits for window in windows)
    rows = sum(len(window.samples) for window in windows)
    columns = n_max + t_max + 1

    def zeros(count: int, *size: int, dtype: type = np.int64) -> npt.NDArray[np.generic]:
        return np.zeros((count, *size), dtype=dtype)

    out = {
        **{key: zeros(len(windows), n_max) for key in ("tok", "lid", "gap")},
        "sub": zeros(len(windows), n_max, PARTS), "state_mask": zeros(len(windows), n_max, dtype=np.bool_),
        "owner": zeros(rows),
        **{key: zeros(rows, t_max) for key in ("c_tok", "c_lid", "c_gap", "name", "root", "index", "start", "hunk")},
        "c_sub": zeros(rows, t_max, PARTS), "edit_mask": zeros(rows, t_max, dtype=np.bool_),
        **{key: zeros(rows, t_max + 1, columns, dtype=np.bool_) for key in ("live", "target")},
        "bins": np.full((rows, t_max + 1, columns - 1), DISPLACEMENT_BINS - 1, dtype=np.int32),
        "position_weight": zeros(rows, t_max + 1, dtype=np.float32),
        "content_weight": zeros(rows, t_max, dtype=np.float32),
    }  # fmt: skip
    row = 0
    for number, window in enumerate(windows):
        lids = _window(out, number, window, features, rng, identities)
        for sample, own in zip(window.samples, lids, strict=True):
            out["owner"][row] = number
            _sequence(out, row, sample, features, own, n_max)
            row += 1
    return out


def _window(
    out: Arrays,
    number: int,
    window: WindowSamples,
    features: TextFeatures,
    rng: np.random.Generator,
    identities: int,
) -> list[npt.NDArray[np.int64]]:
    """Fill in a window's tokens; returns the identities of the contents of each of its sequences."""
    state, size = window.samples[0].state, window.size
    texts = np.concatenate([state, *(sample.content for sample in window.samples)])
    distinct, inverse = np.unique(texts, return_inverse=True)
    codes = np.full(len(distinct), identities - 1)
    drawn = rng.permutation(identities - 1)[: len(distinct)] + 1
    codes[: len(drawn)] = drawn
    lids = codes[inverse]
    out["tok"][number, :size] = features.ids[state]
    out["sub"][number, :size] = features.parts[state]
    out["lid"][number, :size] = lids[:size]
    out["gap"][number, :size] = window.samples[0].state_gap
    out["state_mask"][number, :size] = True
    ends = np.cumsum([size, *(len(sample.content) for sample in window.samples)])
    return [lids[low:high] for low, high in pairwise(ends.tolist())]


def _sequence(
    out: Arrays, row: int, sample: Sample, features: TextFeatures, lids: npt.NDArray[np.int64], n_max: int
) -> None:
    n0, t0 = len(sample.state), len(sample.edits)
    shift = n_max - n0
    deleted = sample.content < 0
    out["c_tok"][row, :t0] = np.where(deleted, DELETE_ID, features.ids[sample.content])
    out["c_sub"][row, :t0] = np.where(deleted[:, None], 0, features.parts[sample.content])
    out["c_lid"][row, :t0] = np.where(deleted, 0, lids)
    out["c_gap"][row, :t0] = sample.gap
    out["edit_mask"][row, :t0] = True
    out["hunk"][row, :t0] = sample.hunk
    name = np.asarray([edit.name for edit in sample.edits])
    at = np.asarray([edit.at for edit in sample.edits])
    start = np.asarray([edit.start for edit in sample.edits])
    out["name"][row, :t0] = np.where(name >= n0, name + shift, name)
    out["root"][row, :t0] = [edit.root for edit in sample.edits]
    out["index"][row, :t0] = at
    out["start"][row, :t0] = start
    place = sample.place
    live, bins = out["live"][row], out["bins"][row]
    live[: t0 + 1, :n0] = place[:, :n0] >= 0
    live[: t0 + 1, n_max : n_max + t0] = place[:, n0:] >= 0
    live[:, n0 - 1] = False  # nothing happens at <E>
    live[:, -1] = True
    last = np.where(deleted, at, at + 1)[:, None]
    found = np.where(
        place[1:] >= 0, distance_bins(place[1:].astype(np.int64) - last, deleted[:, None]), DISPLACEMENT_BINS - 1
    )
    bins[1 : t0 + 1, :n0] = found[:, :n0]
    bins[1 : t0 + 1, n_max : n_max + t0] = found[:, n0:]
    for time, names in enumerate(sample.following):
        for right in names:
            out["target"][row, time, right + (shift if right >= n0 else 0)] = True
    out["target"][row, t0, -1] = True
    weight = np.where(sample.hunk == 0, FIRST_HUNK_WEIGHT, 1.0)
    out["content_weight"][row, :t0] = weight
    out["position_weight"][row, :t0] = weight
    out["position_weight"][row, 0] = 0.0
    if sample.stop:
        out["position_weight"][row, t0] = 1.0
