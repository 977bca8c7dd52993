"""Inference with the span-copying model: the most probable rewrites of a region of code, with their probabilities.

The bundle has two graphs. `encode` reads the wrapped input: `tokens` [n] -> the memory tensors, which `step` takes
under the same names, and `state` [1, D]. `step`: `token` [R], `state` [R, D] and the memory -> `gen` [R, V], `left` and
`right` [R, n] (raw scores) and `state_next` [R, D]. R hypotheses, n input tokens, V words of the vocabulary, D width.
The search has actions that generate a token or copy a span. The decoder's state depends on the tokens so far, not on
the actions that emitted them, so outputs form a tree: a node is computed once, whichever hypothesis gets there first,
and merging is adding up probabilities at a node.
Source: Panthaplackel, Allamanis and Brockschmidt 2021, "Copy that! Editing sequences by copying spans", section 2 and
Algorithm 1.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.encode.span_copying.tokens import END, PAD, SPECIAL, START, UNK, SpanVocabulary
from editahead.runtime.bundle import Bundle, BundleError
from editahead.runtime.ort import Array, Cancel, GraphSession, Selection
from editahead.runtime.selftest import open_model
from editahead.runtime.span_copying.tree import (
    DEFAULT_LIMITS,
    ActionScores,
    Floats,
    OutputNode,
    OutputTree,
    SearchInput,
    SpanDecoder,
    SpanLimits,
)

GRAPHS = ("encode", "step")
STATE = "state"
SERVED = SpanLimits(beam=5, actions=20, longer=30, least=-5.0)  # below 0.7 % the search stops


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


@dataclass(frozen=True)
class Rewritings:
    """Different outputs, most probable first, with their probabilities; that of the unchanged input apart."""

    outputs: tuple[tuple[tuple[str, ...], float], ...]
    unchanged: float


class SpanModel:
    """The graphs of a span-copying bundle. Not thread-safe. Raises BundleError when it does not work."""

    def __init__(self, bundle: Bundle, selection: Selection) -> None:
        self.bundle = bundle
        try:
            self.vocabulary = SpanVocabulary.from_json(bundle.vocab())
        except ValueError as error:
            raise BundleError(bundle.path / "vocab.json", "a vocabulary of spans", str(error)) from error
        sessions = open_model(bundle, selection, GRAPHS, arena=("step",))
        self._encode, self._step = sessions["encode"], sessions["step"]
        self.longest = int(bundle.manifest.limits.get("tokens", 120))
        self.encoder_runs = 0

    def rewrite(self, tokens: Sequence[str], cancel: Cancel | None = None, limits: SpanLimits = SERVED) -> Rewritings:
        """Return the most probable outputs for a region. Raises ValueError past `longest` tokens, and Cancelled."""
        if len(tokens) > self.longest:
            raise ValueError(f"{len(tokens)} tokens of at most {self.longest}")
        result = self.search(tokens, limits, cancel)
        shares = [(output.texts, float(np.exp(output.logp))) for output in result.outputs]
        original = tuple(tokens)
        unchanged = sum(share for texts, share in shares if texts == original)
        others = tuple((texts, share) for texts, share in shares if texts != original)
        return Rewritings(others, unchanged)

    def search(self, tokens: Sequence[str], limits: SpanLimits, cancel: Cancel | None = None) -> SpanSearchResult:
        """Return the raw search result of `rewrite`, with the input among its outputs."""
        ids = self.vocabulary.wrap(tokens)
        names = self._encode.output_names
        values = self._encode.run(names, {"tokens": ids}, cancel)
        self.encoder_runs += 1
        decoder = _Decoder(self._step, dict(zip(names, values, strict=True)), cancel)
        task = SearchInput(
            texts=(SPECIAL[START], *tokens, SPECIAL[END]),
            ids=ids.tolist(),
            words=self.vocabulary.tokens,
            end=SPECIAL[END],
            start_id=START,
            forbidden=frozenset({PAD, UNK, START}),
        )
        return search(decoder, task, limits)


class _Decoder:
    """A decoder over an encoded input, with the interface that `span_search` uses."""

    def __init__(self, session: GraphSession, encoded: dict[str, Array], cancel: Cancel | None) -> None:
        self._session, self._cancel = session, cancel
        self._begin = encoded[STATE]
        self._memory = {name: value for name, value in encoded.items() if name != STATE}

    def begin(self) -> Floats:
        return np.asarray(self._begin, dtype=np.float32)

    def step(self, tokens: npt.NDArray[np.int64], states: Floats) -> ActionScores:
        feeds: dict[str, Array] = {"token": tokens, STATE: np.asarray(states, dtype=np.float32), **self._memory}
        gen, left, right, after = self._session.run(("gen", "left", "right", "state_next"), feeds, self._cancel)
        return ActionScores(gen, left, right, after)
