"""A mined window cut down to fewer tokens: the lines around the first hunk, and those that share words with it.

Windows are mined at their largest; the same order of lines as in `editahead.encode.edit_model.window` chooses a smaller
one, so that a network is measured with windows of the size that is served.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from editahead.encode.edit_model.window import (
    CHANGED_WEIGHT,
    CONTEXT_WEIGHT,
    CUT,
    NEAR_DECAY,
    NEAR_LINES,
    NEAR_SCORE,
    NEIGHBOUR_SHARE,
)

from editahead_models.data.edits.patterns import RawEdit

Array = npt.NDArray[np.int64]


class MinedEdits(NamedTuple):
    """A window of old text, its tokens as text numbers and gaps [N], and the hunks that change it in file order.

    `first` is the hunk that the window was chosen around; `complete`: no hunk of the change is outside.
    """

    state: Array
    state_gap: npt.NDArray[np.int8]
    hunks: list[list[RawEdit]]
    first: int
    complete: bool


class TextKinds:
    """Of every text of a table, (V,): whether it begins a line, whether it is no word; the sentinel between ranges."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.newline = np.asarray([text.startswith("\n") for text in texts], dtype=bool)
        self.boring = np.asarray([not (text[0].isalnum() or text[0] == "_") for text in texts], dtype=bool)
        self.cut = texts.index(CUT.text) if CUT.text in texts else -2  # -2: no window has a gap


def cropped(mined: MinedEdits, limit: int, kinds: TextKinds) -> MinedEdits:
    """The same edits in a window of at most `limit` tokens; as it is where the first hunk does not fit into that."""
    state, newline, boring, cut = mined.state, kinds.newline, kinds.boring, kinds.cut
    if len(state) <= limit:
        return mined
    begins = np.flatnonzero(newline[state])
    ends = np.append(begins[1:], len(state) - 1)
    ends = ends - (state[ends - 1] == cut)
    line_of = np.searchsorted(begins, np.arange(len(state)), side="right") - 1
    spans = [_lines_of(hunk, line_of) for hunk in mined.hunks]
    low, high = spans[mined.first]
    if low < 0:
        return mined
    weights = _words(state[begins[low] : ends[high]], mined.hunks[mined.first], state, boring)
    chosen = _choose(state, begins, ends, (low, high), weights, limit)
    if not chosen[low : high + 1].all():
        return mined
    return _built(mined, spans, chosen, begins, ends, cut)


def _lines_of(hunk: Sequence[RawEdit], line_of: Array) -> tuple[int, int]:
    """The first and the last line that a hunk's edits stand at; -1 at the very top."""
    lines = [int(line_of[anchor]) for anchor, _, _ in hunk if anchor >= 0]
    return min(lines), max(lines)


def _words(lines: Array, hunk: Sequence[RawEdit], state: Array, boring: npt.NDArray[np.bool_]) -> dict[int, float]:
    """The words of a hunk's old lines and of what it inserts, with weights; those that come or go count double."""
    inserted = {content for _, content, _ in hunk if content >= 0}
    deleted = {int(state[anchor]) for anchor, content, _ in hunk if content < 0 and anchor >= 0}
    words = (set(lines.tolist()) | inserted) - {-1}
    return {
        word: CHANGED_WEIGHT if word in inserted ^ deleted else CONTEXT_WEIGHT for word in words if not boring[word]
    }


def _choose(
    state: Array, begins: Array, ends: Array, span: tuple[int, int], weights: dict[int, float], limit: int
) -> npt.NDArray[np.bool_]:
    """Which lines stay, (L,): those beside the hunk, then the best ones as far as they fit."""
    lines = len(begins)
    shared = np.flatnonzero(np.isin(state, list(weights)))
    line = np.searchsorted(begins, shared, side="right") - 1
    pairs = np.unique(np.stack([line, state[shared]], 1), axis=0)
    raw = np.zeros(lines + 2)
    if len(pairs):
        words, word, count = np.unique(pairs[:, 1], return_inverse=True, return_counts=True)
        rarity = np.log((lines + 2) / (count + 1)) * [weights[number] for number in words.tolist()]
        np.add.at(raw, pairs[:, 0] + 1, rarity[word])
    every = np.arange(lines)
    distance = np.maximum(np.maximum(span[0] - every, every - span[1]), 0)
    beside = np.maximum(raw[:-2], raw[2:])
    score = np.maximum(raw[1:-1], NEIGHBOUR_SHARE * beside) + NEAR_SCORE * np.exp(-distance / NEAR_DECAY)
    score[distance <= NEAR_LINES] = math.inf
    chosen = np.zeros(lines, dtype=np.bool_)
    room = limit - 3
    for line in np.argsort(-score, kind="stable").tolist():
        cost = int(ends[line] - begins[line]) + 1
        if cost > room:
            if room < 8:
                break
            continue
        chosen[line] = True
        room -= cost
    return chosen


def _built(
    mined: MinedEdits, spans: Sequence[tuple[int, int]], chosen: npt.NDArray[np.bool_], begins: Array, ends: Array,
    cut: int,
) -> MinedEdits:  # fmt: skip
    """The chosen lines with sentinels where others are missing, and the hunks that are wholly inside."""
    state, last = mined.state, len(mined.state) - 1
    name = np.full(len(state), -1)
    name[0] = 0
    kept, before = [0], -1  # token numbers, -1 for a new sentinel
    for line in np.flatnonzero(chosen).tolist():
        if line != before + 1 or state[begins[line] - 1] == cut:
            kept.append(-1)
        for token in range(int(begins[line]), int(ends[line])):
            name[token] = len(kept)
            kept.append(token)
        before = line
    if before + 1 != len(begins) or state[last - 1] == cut:
        kept.append(-1)
    kept.append(last)
    source = np.asarray(kept)
    inside = [number for number, (low, high) in enumerate(spans) if low >= 0 and chosen[low : high + 1].all()]
    hunks = [
        [(int(name[anchor]) if anchor >= 0 else anchor, content, gap) for anchor, content, gap in mined.hunks[number]]
        for number in inside
    ]
    return MinedEdits(
        np.where(source < 0, cut, state[source]),
        np.where(source < 0, 0, mined.state_gap[source]).astype(np.int8),
        hunks,
        inside.index(mined.first),
        mined.complete and len(inside) == len(spans),
    )
