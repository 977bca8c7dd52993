"""Sequences of token edits: conversion of line hunks, explicit and implicit positions, and the edited state.

An edit inserts a token after an anchor, or deletes the anchor. Implicit positions are names that never change: the
initial
tokens are 0..n0-1, and the token that edit number t (from zero) inserts is n0 + t; a deletion uses up its number.
Source: Zhao, Bieber, Swersky, Tarlow, "Neural networks for modeling source code edits" (2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.encode.edit_model.tokens import EditToken

IntArray = npt.NDArray[np.int64]


class HunkEdit(NamedTuple):
    """A token edit of a hunk. anchor >= 0: an initial token; anchor < 0: `~i`, the token of edit i of the hunk.

    `key` is None for a deletion of the anchor.
    """

    anchor: int
    key: EditToken | None


class Edit(NamedTuple):
    """A token edit of a sequence: implicit position `name`, explicit index `at` at its time, initial token `root`.

    `start` is true for the first edit of a hunk. `key` is None for a deletion.
    """

    name: int
    key: EditToken | None
    at: int
    root: int
    start: bool


def hunk_edits(old: Sequence[EditToken], new: Sequence[EditToken], first: int) -> list[HunkEdit]:
    """Return the left-to-right token edits that turn `old` (names first, first+1, ..) into `new`.

    Old tokens are deleted before new ones are inserted.

    Raises ValueError when the hunk starts before name 1, since an insertion needs an anchor before it.
    """
    if first < 1:
        raise ValueError("a hunk needs a token before it")
    edits: list[HunkEdit] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        edits.extend(HunkEdit(first + i, None) for i in range(i1, i2))
        anchor = first + i1 - 1  # an equal block, or the token before the hunk: always initial and alive
        for key in new[j1:j2]:
            edits.append(HunkEdit(anchor, key))
            anchor = ~(len(edits) - 1)
    return edits


class EditState:
    """The live tokens of a state by name, in text order, which `apply` edits."""

    __slots__ = ("_root", "keys", "n0", "names", "steps")

    def __init__(self, n0: int) -> None:
        self.n0 = n0
        self.names: list[int] = list(range(n0))
        self.steps = 0
        self.keys: dict[int, EditToken] = {}
        self._root: dict[int, int] = {}

    def copy(self) -> EditState:
        """Return an independent copy, for roll-outs."""
        twin = EditState(0)
        twin.n0, twin.names, twin.steps = self.n0, list(self.names), self.steps
        twin.keys, twin._root = dict(self.keys), dict(self._root)
        return twin

    def root(self, name: int) -> int:
        """Return the initial token from which a name descends."""
        return name if name < self.n0 else self._root[name]

    def apply(self, name: int, key: EditToken | None, *, start: bool = False) -> Edit:
        """Insert `key` after the token `name`, or delete that token (key None).

        Raises ValueError when it is not live.
        """
        index = self.names.index(name)
        root = self.root(name)
        if key is None:
            del self.names[index]
        else:
            new = self.n0 + self.steps
            self.names.insert(index + 1, new)
            self.keys[new] = key
            self._root[new] = root
        self.steps += 1
        return Edit(name, key, index, root, start)


DISPLACEMENT_LINEAR = 16
DISPLACEMENT_LOG = 6
DISPLACEMENT_SIDE = DISPLACEMENT_LINEAR + DISPLACEMENT_LOG
DISPLACEMENT_BINS = 2 * (2 * DISPLACEMENT_SIDE + 1) + 1
"""Distances from the last edit, exact up to 16 and logarithmic beyond, apart for a last insertion and a last deletion;
the last bin means that there is no distance (no edit yet, or the name is not live)."""


@dataclass(frozen=True, slots=True)
class _Bins:
    limit: int
    table: IntArray


def _displacement_table(limit: int = 4096) -> _Bins:
    distance = np.arange(-limit, limit + 1)
    size = np.abs(distance)
    far = DISPLACEMENT_LINEAR + np.ceil(np.log2(np.maximum(size, 1) / DISPLACEMENT_LINEAR)).astype(np.int64)
    near = np.where(size <= DISPLACEMENT_LINEAR, size, np.minimum(far, DISPLACEMENT_SIDE))
    return _Bins(limit, np.sign(distance) * near + DISPLACEMENT_SIDE)


_BINS = _displacement_table()


def displacement_bins(names: IntArray, size: int, last: Edit | None) -> IntArray:
    """Return for each of `size` names the bin of its displacement: its index minus that of the last edit.

    `names` (N,) are in text order; the bins are (S,), S the `size`.
    """
    bins = np.full(size, DISPLACEMENT_BINS - 1, dtype=np.int64)
    if last is None or not len(names):
        return bins
    at = last.at if last.key is None else last.at + 1
    first = _BINS.limit - at
    if first >= 0 and first + len(names) <= len(_BINS.table):  # a contiguous part of the table
        bins[names] = _BINS.table[first : first + len(names)] + _side(last.key is None)
    else:
        bins[names] = distance_bins(np.arange(len(names)) - at, last.key is None)
    return bins


def _side(deleted: bool) -> int:
    """Where the bins of distances begin."""
    return 0 if deleted else 2 * DISPLACEMENT_SIDE + 1


def distance_bins(distance: IntArray, deleted: npt.NDArray[np.bool_] | bool) -> IntArray:
    """Return the bins of distances from the last edit; `deleted`: it was a deletion.

    Distances have any shape (...), and so have the bins; `deleted` is broadcast to it.
    """
    side = np.where(deleted, _side(True), _side(False))
    bins: IntArray = _BINS.table[np.clip(distance, -_BINS.limit, _BINS.limit) + _BINS.limit] + side
    return bins
