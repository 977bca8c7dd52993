"""Two forms of one edit sequence, and the way between them.

Explicit: every state in full, and each edit's index in the state before it. Implicit: the first state, and each edit's
position as a name that never changes: initial tokens are 0..M, what edit number t (from 1) inserts is M + t; a deletion
uses up its number. An edit inserts its content after the token at its position, or deletes that token.
Source: Zhao et al. 2019, section 3 and Figure 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from editahead.encode.edit_model.sequences import EditState, hunk_edits
from editahead.encode.edit_model.tokens import EditToken

START, END, DELETE = "<S>", "<E>", "DELETE"

State = tuple[str, ...]


class PlacedEdit(NamedTuple):
    """An edit at a `position` (an index or a name, as the form says); content None deletes."""

    position: int
    content: str | None


class ExplicitEdits(NamedTuple):
    """States s(0)..s(T) and edits 1..T; the position of edit t is an index into s(t-1)."""

    states: tuple[State, ...]
    edits: tuple[PlacedEdit, ...]


class ImplicitEdits(NamedTuple):
    """The state s(0) and edits 1..T; positions are names."""

    initial: State
    edits: tuple[PlacedEdit, ...]


def apply_edit(state: State, edit: PlacedEdit) -> State:
    """The state after an explicit edit. ValueError when its position is outside the state."""
    position, content = edit
    if not 0 <= position < len(state):
        raise ValueError(f"position {position} is outside a state of {len(state)} tokens")
    if content is None:
        return (*state[:position], *state[position + 1 :])
    return (*state[: position + 1], content, *state[position + 1 :])


def explicit_edits(initial: State, edits: Sequence[PlacedEdit]) -> ExplicitEdits:
    """The explicit form from a first state and explicit edits. ValueError when an edit cannot be applied."""
    return ExplicitEdits(tuple(accumulate(edits, apply_edit, initial=initial)), tuple(edits))


def to_implicit(explicit: ExplicitEdits) -> ImplicitEdits:
    """The implicit form. ValueError when the states are not what the edits make of the first one."""
    states, edits = explicit
    if explicit_edits(states[0], edits).states != states:
        raise ValueError("the states are not the result of the edits")
    live = EditState(len(states[0]))
    named: list[PlacedEdit] = []
    for position, content in edits:
        name = live.names[position]
        live.apply(name, _key(content))
        named.append(PlacedEdit(name, content))
    return ImplicitEdits(states[0], tuple(named))


def to_explicit(implicit: ImplicitEdits) -> ExplicitEdits:
    """The explicit form. ValueError when a position names no token that is alive."""
    live = EditState(len(implicit.initial))
    placed = []
    for name, content in implicit.edits:
        if name not in live.names:
            raise ValueError(f"position {name} names no token at that time")
        placed.append(PlacedEdit(live.apply(name, _key(content)).at, content))
    return explicit_edits(implicit.initial, placed)


def from_snapshots(snapshots: Sequence[State]) -> tuple[ImplicitEdits, tuple[int, ...]]:
    """Edits, one token each and left to right, that lead through successive snapshots, and how many each step took.

    Snapshots begin with `<S>` and end with `<E>`. Within a changed block the old tokens go first, then the new ones
    come, each after the one before.
    """
    live = EditState(len(snapshots[0]))
    edits: list[PlacedEdit] = []
    sizes: list[int] = []
    for before, after in pairwise(snapshots):
        names, base = list(live.names), live.steps  # names[i]: token i of the snapshot
        for anchor, key in hunk_edits(
            [EditToken(token, 0) for token in before[1:-1]], [EditToken(t, 0) for t in after[1:-1]], 1
        ):
            name = names[anchor] if anchor >= 0 else live.n0 + base + ~anchor
            live.apply(name, key)
            edits.append(PlacedEdit(name, None if key is None else key.text))
        sizes.append(live.steps - base)
    return ImplicitEdits(snapshots[0], tuple(edits)), tuple(sizes)


def with_sentinels(tokens: Sequence[str]) -> State:
    """A state: the tokens between `<S>` and `<E>`."""
    return (START, *tokens, END)


def _key(content: str | None) -> EditToken | None:
    return None if content is None else EditToken(content, 0)
