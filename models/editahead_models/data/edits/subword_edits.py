"""Chains of token hunks to edits of one sub-word each, with positions in both forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from editahead.encode.edit_model.sequences import EditState, hunk_edits
from editahead.encode.edit_model.tokens import EditToken

from editahead_models.data.subwords import Subwords
from editahead_models.data.synthetic.instances import Instance, from_implicit
from editahead_models.data.synthetic.representation import ImplicitEdits, PlacedEdit, with_sentinels


@dataclass(frozen=True, slots=True)
class SubwordLimits:
    """Sub-words of any state, and edits of an instance."""

    tokens: int = 1000
    edits: int = 100


def instance_of(chain: Mapping[str, Any], subwords: Subwords, limits: SubwordLimits, task: str) -> Instance | None:
    """A chain's instance, cut after `limits.edits` edits; None when a state is too long.

    `replacements` are the edits of each hunk, `matched` the sub-words that it replaces; `task` names the project.
    """
    tokens = [subwords.split(token) for token in chain["initial"]]
    initial = with_sentinels([piece for token in tokens for piece in token])
    if len(initial) > limits.tokens:
        return None
    live = EditState(len(initial))
    edits: list[PlacedEdit] = []
    sizes: list[int] = []
    matched: list[str] = []
    for start, end, new in chain["hunks"]:
        begin = 1 + sum(map(len, tokens[:start]))
        gone = [piece for token in tokens[start:end] for piece in token]
        come = [subwords.split(token) for token in new]
        tokens[start:end] = come
        names, base = live.names[begin - 1 : begin + len(gone)], live.steps  # names[0]: what stands before the hunk
        steps = hunk_edits(
            [EditToken(piece, 0) for piece in gone], [EditToken(p, 0) for token in come for p in token], 1
        )
        steps = steps[: limits.edits - len(edits)]
        for anchor, key in steps:
            name = names[anchor] if anchor >= 0 else live.n0 + base + ~anchor
            live.apply(name, key)
            edits.append(PlacedEdit(name, None if key is None else key.text))
        if steps:
            sizes.append(len(steps))
            matched.append("".join(gone))
        if len(live.names) > limits.tokens:
            return None
        if len(edits) == limits.edits:
            break
    if not edits:
        return None
    made = from_implicit(ImplicitEdits(initial, tuple(edits)))
    return made._replace(matched=tuple(matched), replacements=tuple(sizes), task=task)
