"""Implicit edit sequences by their definition: what the encoder is held to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from editahead.encode.edit_model.sequences import EditState
from editahead.encode.edit_model.tokens import EditToken


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
