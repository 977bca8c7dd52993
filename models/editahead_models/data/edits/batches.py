"""Padded training arrays of edit sequences.

Legend: B sequences, N initial tokens, T edits; columns of positions are the N initial names, the T names of edits, then
stop.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from editahead.encode.edit_model.sequences import DISPLACEMENT_BINS, distance_bins
from editahead.encode.edit_model.tokens import DELETE_ID, PARTS, EditVocab

from editahead_models.data.edits.crop import TextKinds
from editahead_models.data.edits.samples import Sample

FIRST_HUNK_WEIGHT = 0.4

Arrays = dict[str, npt.NDArray[np.generic]]


class TextFeatures:
    """Class and part numbers of every text of a table, once."""

    def __init__(self, table: Iterable[str], vocab: EditVocab) -> None:
        texts = list(table)
        self.ids, self.parts = vocab.features(texts)
        self.kinds = TextKinds(texts)


def collate(samples: Sequence[Sample], features: TextFeatures, rng: np.random.Generator, identities: int) -> Arrays:
    """Arrays of a batch: tokens [B, N], edits [B, T]."""
    rows = len(samples)
    n_max, t_max = max(len(sample.state) for sample in samples), max(len(sample.edits) for sample in samples)
    columns = n_max + t_max + 1

    def zeros(*size: int, dtype: type = np.int64) -> npt.NDArray[np.generic]:
        return np.zeros((rows, *size), dtype=dtype)

    out = {
        **{key: zeros(n_max) for key in ("tok", "lid", "gap")},
        "sub": zeros(n_max, PARTS), "state_mask": zeros(n_max, dtype=np.bool_),
        **{key: zeros(t_max) for key in ("c_tok", "c_lid", "c_gap", "name", "root", "index", "start", "hunk")},
        "c_sub": zeros(t_max, PARTS), "edit_mask": zeros(t_max, dtype=np.bool_),
        **{key: zeros(t_max + 1, columns, dtype=np.bool_) for key in ("live", "target")},
        "bins": np.full((rows, t_max + 1, columns - 1), DISPLACEMENT_BINS - 1, dtype=np.int32),
        "position_weight": zeros(t_max + 1, dtype=np.float32),
        "content_weight": zeros(t_max, dtype=np.float32),
    }  # fmt: skip
    for row, sample in enumerate(samples):
        _sequence(out, row, sample, features, _window(out, row, sample, features, rng, identities), n_max)
    return out


def _window(
    out: Arrays, row: int, sample: Sample, features: TextFeatures, rng: np.random.Generator, identities: int
) -> npt.NDArray[np.int64]:
    """Fill in the tokens of a sequence's window; returns the identities of its contents."""
    size = len(sample.state)
    distinct, inverse = np.unique(np.concatenate([sample.state, sample.content]), return_inverse=True)
    codes = np.full(len(distinct), identities - 1)
    drawn = rng.permutation(identities - 1)[: len(distinct)] + 1
    codes[: len(drawn)] = drawn
    lids = codes[inverse]
    out["tok"][row, :size] = features.ids[sample.state]
    out["sub"][row, :size] = features.parts[sample.state]
    out["lid"][row, :size] = lids[:size]
    out["gap"][row, :size] = sample.state_gap
    out["state_mask"][row, :size] = True
    return lids[size:]


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
