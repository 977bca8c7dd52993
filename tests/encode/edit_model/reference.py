"""Implicit edit sequences by their definition: what the encoder is held to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from editahead.encode.edit_model.history import LineRegion, apply_edit
from editahead.encode.edit_model.sequences import Edit, EditState, HunkEdit
from editahead.encode.edit_model.tokens import EditToken
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit


def track(anchor: Buffer, edits: Iterable[ByteEdit]) -> tuple[list[LineRegion], Buffer]:
    """The changed regions after all edits, in text order, and the resulting text."""
    regions: list[LineRegion] = []
    buffer = anchor
    for turn, edit in enumerate(edits):
        regions, buffer = apply_edit(regions, buffer, edit, turn)
    return regions, buffer


def sequence(hunks: Iterable[Sequence[HunkEdit]], n0: int) -> list[Edit]:
    """The edits of hunks, in the given order, over a state of `n0` initial tokens."""
    state = EditState(n0)
    result: list[Edit] = []
    for hunk in hunks:
        base = len(result)
        for number, (anchor, key) in enumerate(hunk):
            name = anchor if anchor >= 0 else n0 + base + ~anchor
            result.append(state.apply(name, key, start=number == 0))
    return result


def to_explicit(edits: Iterable[tuple[int, EditToken | None]], n0: int) -> list[tuple[int, EditToken | None]]:
    """Implicit (name, key) pairs to explicit (index, key) pairs."""
    state = EditState(n0)
    return [(state.apply(name, key).at, key) for name, key in edits]


def to_implicit(edits: Iterable[tuple[int, EditToken | None]], n0: int) -> list[tuple[int, EditToken | None]]:
    """Explicit (index, key) pairs to implicit (name, key) pairs."""
    state = EditState(n0)
    result: list[tuple[int, EditToken | None]] = []
    for index, key in edits:
        name = state.names[index]
        state.apply(name, key)
        result.append((name, key))
    return result


def apply_sequence(initial: Sequence[EditToken], edits: Iterable[tuple[int, EditToken | None]]) -> list[EditToken]:
    """The tokens after implicit edits of `initial`."""
    state = EditState(len(initial))
    for name, key in edits:
        state.apply(name, key)
    return [initial[name] if name < state.n0 else state.keys[name] for name in state.names]
