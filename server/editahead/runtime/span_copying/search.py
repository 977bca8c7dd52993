"""Beam search over actions that generate a token or copy a span: hypotheses with equal output are merged.

Source: Panthaplackel, Allamanis and Brockschmidt 2021, "Copy that! Editing sequences by copying spans", Algorithm 1.
The decoder's state depends on the tokens so far, not on the actions that emitted them, so outputs form a tree: a node
is computed once, whichever hypothesis gets there first, and merging is adding up probabilities at a node.

Legend: R hypotheses, n input tokens, V words of the vocabulary, D width of the decoder.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from editahead.runtime.span_copying.tree import (
    DEFAULT_LIMITS,
    OutputNode,
    OutputTree,
    SearchInput,
    SpanDecoder,
    SpanLimits,
)


@dataclass(frozen=True)
class Rewrite:
    """A finished output without its end symbol, with ln of its probability.

    Also the least number of actions that lead to it in the search.
    """

    texts: tuple[str, ...]
    logp: float
    actions: int


@dataclass(frozen=True)
class SpanSearchResult:
    """The result of a search: outputs, most probable first; number of too long hypotheses; rows decoded."""

    outputs: list[Rewrite]
    too_long: int
    steps: int


class _Hypothesis(NamedTuple):
    node: OutputNode
    logp: float
    actions: int


def search(stepper: SpanDecoder, task: SearchInput, limits: SpanLimits = DEFAULT_LIMITS) -> SpanSearchResult:
    """Return the most probable outputs; ln p is exact if `beam` and `actions` cover everything, else a lower bound."""
    tree = OutputTree(stepper, task, limits)
    most = len(task.texts) + limits.longer
    beam = [_Hypothesis(tree.root, 0.0, 0)]
    length, too_long = 1, 0
    while length <= most and any(not _is_done(hypothesis, task) for hypothesis in beam):
        due = [hypothesis for hypothesis in beam if not _is_done(hypothesis, task) and hypothesis.node.length <= length]
        tree.compute([hypothesis.node for hypothesis in due])
        arrived = [hypothesis for hypothesis in beam if _is_done(hypothesis, task) or hypothesis.node.length > length]
        for hypothesis in due:
            arrived += [
                _Hypothesis(tree.walk(hypothesis.node, texts, numbers), hypothesis.logp + logq, hypothesis.actions + 1)
                for texts, numbers, logq in tree.choices(hypothesis.node)
                if hypothesis.logp + logq >= limits.least
            ]
        together = merge(arrived) if limits.merge == "merged" else arrived
        beam = heapq.nlargest(limits.beam, together, key=lambda hypothesis: hypothesis.logp)
        if _is_settled(beam, task, limits.beam):
            break
        length += 1
    too_long = sum(not _is_done(hypothesis, task) and hypothesis.node.length > most for hypothesis in beam)
    finished = sorted(
        merge(hypothesis for hypothesis in beam if _is_done(hypothesis, task)), key=lambda hypothesis: -hypothesis.logp
    )
    outputs = [
        Rewrite(hypothesis.node.texts()[:-1], min(0.0, hypothesis.logp), hypothesis.actions) for hypothesis in finished
    ]
    return SpanSearchResult(outputs, too_long, tree.steps)


def merge(hypotheses: Iterable[_Hypothesis]) -> list[_Hypothesis]:
    """Merge hypotheses with equal output, adding up their probabilities."""
    by_node: dict[OutputNode, _Hypothesis] = {}
    for hypothesis in hypotheses:
        existing = by_node.get(hypothesis.node)
        by_node[hypothesis.node] = (
            hypothesis
            if existing is None
            else _Hypothesis(
                hypothesis.node,
                float(np.logaddexp(existing.logp, hypothesis.logp)),
                min(existing.actions, hypothesis.actions),
            )
        )
    return list(by_node.values())


def _is_done(hypothesis: _Hypothesis, task: SearchInput) -> bool:
    return hypothesis.node.parent is not None and hypothesis.node.text == task.end


def _is_settled(beam: Sequence[_Hypothesis], task: SearchInput, width: int) -> bool:
    """Whether no unfinished hypothesis can be among the best, even if all of them had the same output."""
    finished = [hypothesis.logp for hypothesis in beam if _is_done(hypothesis, task)]
    unfinished = [hypothesis.logp for hypothesis in beam if not _is_done(hypothesis, task)]
    if not unfinished or len(finished) < width:
        return not unfinished
    return min(finished) >= float(np.logaddexp.reduce(unfinished))
