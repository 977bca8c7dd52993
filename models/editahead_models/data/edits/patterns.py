"""Repeated edits made up over real windows: one pattern, changed in the same way wherever it occurs.

Commits seldom finish what they repeat, and renamings are rare in them; these instances teach that a repeated edit
goes on. What is inserted comes from the commits of the same project.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.int64]
RawEdit = tuple[int, int, int]
"""(anchor as in HunkEdit, text number or -1, gap)."""

MIN_PLACES, MAX_PLACES = 3, 12
_LEAST = 5  # tokens of a state: the first one is never part of a pattern, which has up to three


def find_pattern(state: Array, boring: npt.NDArray[np.bool_], rng: np.random.Generator) -> tuple[Array, int] | None:
    """(positions, length) of a run of 1 to 3 tokens that occurs 3 to 9 times; its first or last token is not boring.

    None where none was found. Arrays (N,); positions (P,).
    """
    if len(state) < _LEAST:
        return None
    for _ in range(8):
        length = int(rng.choice([1, 1, 2, 2, 3]))
        at = int(rng.integers(1, len(state) - length))
        if boring[at] and boring[at + length - 1]:
            continue
        hit = np.ones(len(state) - length + 1, dtype=bool)
        for offset in range(length):
            hit &= state[offset : len(state) - length + 1 + offset] == state[at + offset]
        places = np.flatnonzero(hit)
        places = places[np.concatenate([[True], np.diff(places) > length])]  # a live token between any two
        if MIN_PLACES <= len(places) <= MAX_PLACES:
            return places, length
    return None


def repeated_edit(
    state: Array,
    newline: npt.NDArray[np.bool_],
    boring: npt.NDArray[np.bool_],
    runs: Sequence[Sequence[tuple[int, int]]],
    state_gap: Array,
    rng: np.random.Generator,
) -> list[list[RawEdit]] | None:
    """Hunks (one a line, left to right) of one made-up repeated edit, or None when the window offers no pattern.

    `runs` are insertions of real commits as (text, gap); `newline` and `boring` are per state token. Arrays are (N,).
    """
    found = find_pattern(state, boring, rng)
    if found is None:
        return None
    places, length = found
    if newline[places[0] : places[0] + length].any():
        return None
    inserted = [(text, gap) for text, gap in runs[int(rng.integers(len(runs)))]][:5]
    kind = rng.choice(["rename", "replace", "append", "prepend", "delete"], p=[0.45, 0.12, 0.22, 0.11, 0.1])
    if kind == "rename":
        inserted = inserted[:1]
    copied = (
        int(rng.choice([-2, -1, length, length + 1])) if kind in ("append", "prepend") and rng.random() < 0.3 else 0
    )
    spot = int(rng.integers(len(inserted) + 1))
    line = np.cumsum(newline)
    hunks: list[list[RawEdit]] = []
    last_line = -1
    for place in places.tolist():
        if place + length + 2 >= len(state) or place < 3:
            continue
        if line[place] != last_line:
            hunks.append([])
            last_line = int(line[place])
        new = list(inserted)
        if copied and not boring[place + copied]:
            new.insert(spot, (int(state[place + copied]), int(state_gap[place + copied])))
        if new and kind in ("rename", "replace"):
            new[0] = (new[0][0], int(state_gap[place]))
        _append(hunks[-1], place, length, [] if kind == "delete" else new, str(kind))
    hunks = [hunk for hunk in hunks if hunk]
    return hunks if len(hunks) >= 2 else None


def _append(hunk: list[RawEdit], place: int, length: int, new: Sequence[tuple[int, int]], kind: str) -> None:
    if kind in ("rename", "replace", "delete"):
        gone = 1 if kind == "rename" else length
        hunk.extend((place + step, -1, 0) for step in range(gone))
    anchor = place + length - 1 if kind == "append" else place - 1
    for text, gap in new:
        hunk.append((anchor, text, gap))
        anchor = ~(len(hunk) - 1)
