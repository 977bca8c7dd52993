"""Measure a neural editor: edits made again from their own vectors, and vectors carried to other edits of their kind.

Panthaplackel et al. 2021, section 4.1. Their kinds are the fixers of a C# tool; here a kind is a pattern that several
held-out edits share.
"""

from __future__ import annotations

import difflib
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from editahead.encode.span_copying.tokens import SpanVocabulary
from editahead.runtime.span_copying.tree import SpanLimits
from torch import Tensor

from editahead_models.copyspan.evaluate.metrics import KEYWORDS
from editahead_models.copyspan.network.batches import Pair, Tokens
from editahead_models.copyspan.network.decode import beam_of
from editahead_models.copyspan.network.edit_encoder import NeuralEditor, edit_rows
from editahead_models.subnormals import without_subnormals

Pattern = tuple[tuple[str, Tokens, Tokens], ...]
SAMPLES = 100
"""Edits of a kind that are looked at: the first ones, as in the paper."""


def pattern_of(pair: Pair) -> Pattern:
    """What an edit does, whatever the names.

    For each changed block its deleted and inserted tokens, where a name of the input is the number of its first use in
    the edit; new names stay.
    """
    given = {token.lstrip(" ") for token in pair.source}
    numbers: dict[str, int] = {}

    def normal(token: str) -> str:
        name = token.lstrip(" ")
        if name in given and name.isidentifier() and name not in KEYWORDS:
            return f"{token[: -len(name)]}#{numbers.setdefault(name, len(numbers))}"
        return token

    codes = difflib.SequenceMatcher(None, pair.source, pair.target, autojunk=False).get_opcodes()
    return tuple(
        (tag, tuple(map(normal, pair.source[a0:a1])), tuple(map(normal, pair.target[b0:b1])))
        for tag, a0, a1, b0, b1 in codes
        if tag != "equal"
    )


def kinds_of(edits: Sequence[Pair], least: int = 2) -> dict[Pattern, list[Pair]]:
    """Edits by pattern, those that at least `least` different inputs share, the largest kind first."""
    found: dict[Pattern, dict[Tokens, Pair]] = defaultdict(dict)
    for edit in edits:
        found[pattern_of(edit)].setdefault(edit.source, edit)
    kinds = {pattern: list(some.values())[:SAMPLES] for pattern, some in found.items() if len(some) >= least}
    return dict(sorted(kinds.items(), key=lambda kind: -len(kind[1])))


def reachable(edit: Pair, vocabulary: SpanVocabulary) -> bool:
    """Whether every token of the target can be written or copied."""
    given = set(edit.source)
    return all(token in given or vocabulary.output_id(token) > 1 for token in edit.target)


def transfers(kinds: Sequence[Sequence[Pair]], most: int, seed: int = 1) -> Iterator[tuple[Pair, Pair]]:
    """Pairs of one edit and another one of its kind that its vector is applied to; at most so many, drawn."""
    found = [(one, two) for kind in kinds for one in kind for two in kind if one is not two]
    yield from random.Random(seed).sample(found, min(most, len(found)))


@torch.no_grad()
def vector_of(model: NeuralEditor, vocabulary: SpanVocabulary, edit: Pair) -> Tensor:
    """z (1, Z) of one edit."""
    return model.edit_vectors(edit_rows([edit], vocabulary))


def first_outputs(
    model: NeuralEditor, vocabulary: SpanVocabulary, source: Tokens, z_1Z: Tensor, limits: SpanLimits
) -> list[Tokens]:
    """The beam's outputs for an input with the vector of some edit."""
    return [output.texts for output in beam_of(model.editor, vocabulary, source, limits, z_1Z).outputs]


@without_subnormals()
def measure_editor(
    model: NeuralEditor,
    vocabulary: SpanVocabulary,
    edits: Sequence[Pair],
    *,
    most: int,
    limits: SpanLimits,
    seed: int = 1,
) -> dict[str, Any]:
    """Exact match of the first output, in shares, for three edit vectors.

    The edit's own vector, the vector of another edit of its kind, and, as a floor, the vector of a drawn edit. Raises
    ValueError where there is no edit.
    """
    if not edits:
        raise ValueError("no edits to measure")
    model.eval()
    rng = random.Random(seed)
    own = [edits[at] for at in sorted(rng.sample(range(len(edits)), min(most, len(edits))))]
    kinds = kinds_of(edits)
    moved = list(transfers(list(kinds.values()), most, seed))

    def share(cases: Sequence[tuple[Pair, Pair]]) -> tuple[float, float]:
        top = found = 0
        for one, two in cases:
            beam = first_outputs(model, vocabulary, two.source, vector_of(model, vocabulary, one), limits)
            top += beam[:1] == [two.target]
            found += two.target in beam[:5]
        return (top / len(cases), found / len(cases)) if cases else (0.0, 0.0)

    gold, gold_five = share([(edit, edit) for edit in own])
    transfer, transfer_five = share(moved)
    drawn, _ = share([(rng.choice(edits), two) for _, two in moved])
    can = sum(reachable(edit, vocabulary) for edit in own)
    return {
        "edits": len(own), "of": len(edits), "reachable": can / len(own), "gold": gold, "gold@5": gold_five,
        "kinds": len(kinds), "transfers": len(moved), "transfer": transfer, "transfer@5": transfer_five,
        "transfer_reachable": sum(reachable(two, vocabulary) for _, two in moved) / max(len(moved), 1),
        "other": drawn,
    }  # fmt: skip
