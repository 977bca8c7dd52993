"""The tree of all outputs of a span-copying decoder, each node of which is computed once.

Positions are those of the input as the model reads it: index 0 is the start symbol, the last the end symbol.
Legend: R hypotheses, n input tokens, V words of the vocabulary, D width of the decoder.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]


class ActionScores(NamedTuple):
    """Raw scores (logits) of the next actions.

    `gen` [R, V]; a span that copies input tokens i..j (both included) has `left` [R, n] at i plus `right` [R, n] at j.
    `states` [R, D] are those that they were computed from.
    """

    gen: Floats
    left: Floats
    right: Floats
    states: Floats


class SpanDecoder(Protocol):
    """The interface of a decoder over an encoded input."""

    def begin(self) -> Floats:
        """Return the state [1, D] before the start symbol."""
        ...

    def step(self, tokens: npt.NDArray[np.int64], states: Floats) -> ActionScores:
        """Decode a token [R] for each of the states [R, D]."""
        ...


@dataclass(frozen=True)
class SearchInput:
    """The input of a search and the vocabulary.

    The input's tokens with both sentinels as texts and as numbers of the vocabulary, the words by number, and what may
    not be generated (numbers; in serving also the unknown word).
    """

    texts: Sequence[str]
    ids: Sequence[int]
    words: Sequence[str]
    end: str
    start_id: int
    forbidden: frozenset[int] = frozenset()


@dataclass(frozen=True)
class SpanLimits:
    """The limits of a search.

    `beam` hypotheses are kept (K), each tries its best `actions` tokens and as many spans (G), `longer` than the input
    may an output be; a span has at most `span` tokens. An output below `least` (ln p) is given up.
    """

    beam: int = 20
    actions: int = 50
    longer: int = 50
    span: int | None = None
    merge: str = "merged"
    least: float = -math.inf


DEFAULT_LIMITS = SpanLimits()


@dataclass(eq=False)
class OutputNode:
    """A node of the output tree: a prefix of an output. `state` and `scores` are set once it was computed."""

    text: str
    id: int
    parent: OutputNode | None
    length: int  # with the start symbol
    children: dict[str, OutputNode] = field(default_factory=dict)
    state: Floats | None = None
    scores: tuple[Floats, Floats, Floats] | None = None
    choices: list[tuple[tuple[str, ...], tuple[int, ...], float]] | None = None

    def child(self, text: str, number: int) -> OutputNode:
        """Return the node after a further token."""
        child = self.children.get(text)
        if child is None:
            child = self.children[text] = OutputNode(text, number, self, self.length + 1)
        return child

    def texts(self) -> tuple[str, ...]:
        """Return the tokens from the root to this node, without the start symbol."""
        texts: list[str] = []
        node: OutputNode | None = self
        while node is not None and node.parent is not None:
            texts.append(node.text)
            node = node.parent
        return tuple(reversed(texts))


class OutputTree:
    """The tree of all output prefixes, each computed once."""

    def __init__(self, stepper: SpanDecoder, task: SearchInput, limits: SpanLimits) -> None:
        self._stepper, self._task, self._limits = stepper, task, limits
        self.root = OutputNode("", task.start_id, None, 1)
        self.steps = 0
        n = len(task.texts)
        starts, ends = np.arange(n)[:, None], np.arange(n)[None, :]
        allowed = (ends >= starts) & (starts > 0)
        if limits.span is not None:
            allowed &= ends - starts < limits.span
        self._spans = np.where(allowed, 0.0, -np.inf)
        shown = (ends >= starts) if limits.span is None else (ends >= starts) & (ends - starts < limits.span)
        self._normalised = np.where(shown, 0.0, -np.inf)  # what is never taken keeps its share of the mass

    def walk(self, node: OutputNode, texts: Sequence[str], numbers: Sequence[int]) -> OutputNode:
        """Return the node after some more tokens."""
        for text, number in zip(texts, numbers, strict=True):
            node = node.child(text, number)
        return node

    def compute(self, nodes: Sequence[OutputNode]) -> None:
        """Compute states and scores of nodes and of their ancestors, those of the same depth in a single step."""
        missing: dict[int, dict[OutputNode, None]] = {}
        for requested in nodes:
            node: OutputNode | None = requested
            while node is not None and node.state is None:
                missing.setdefault(node.length, {})[node] = None
                node = node.parent
        for length in sorted(missing):
            row = list(missing[length])
            before = [self._stepper.begin() if node.parent is None else node.parent.state for node in row]
            scores = self._stepper.step(
                np.asarray([node.id for node in row], dtype=np.int64),
                np.concatenate([state for state in before if state is not None]),
            )
            self.steps += len(row)
            for number, node in enumerate(row):
                node.state = scores.states[number : number + 1]
                node.scores = (scores.gen[number], scores.left[number], scores.right[number])

    def choices(self, node: OutputNode) -> list[tuple[tuple[str, ...], tuple[int, ...], float]]:
        """Return the best actions at a node: the emitted tokens, as texts and as numbers, and ln p."""
        if node.choices is None:
            gen, spans = self._actions(node)
            most, n = self._limits.actions, len(self._task.texts)
            node.choices = [
                ((self._task.words[number],), (number,), float(gen[number])) for number in _largest(gen, most)
            ]
            for index in _largest(spans.ravel(), most):
                start, end = divmod(index, n)
                node.choices.append((*self._span(start, end), float(spans[start, end])))
        return node.choices

    def best(self, node: OutputNode) -> tuple[tuple[str, int, float], tuple[tuple[str, ...], tuple[int, ...], float]]:
        """Return the best token and the best span at a node, each with ln p."""
        gen, spans = self._actions(node)
        number, index = int(gen.argmax()), int(spans.argmax())
        start, end = divmod(index, len(self._task.texts))
        word = (self._task.words[number], number, float(gen[number]))
        return word, (*self._span(start, end), float(spans[start, end]))

    def _actions(self, node: OutputNode) -> tuple[Floats, Floats]:
        """Return ln p of each token [V] and of each span [n, n], -inf where it is forbidden."""
        assert node.scores is not None
        gen, left, right = node.scores
        table = left[:, None] + right[None, :]
        whole = np.logaddexp(_log_sum(gen), _log_sum(table + self._normalised))
        gen = gen - whole
        if self._task.forbidden:
            gen[list(self._task.forbidden)] = -np.inf
        return gen, table + self._spans - whole

    def _span(self, start: int, end: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
        task = self._task
        return tuple(task.texts[start : end + 1]), tuple(task.ids[start : end + 1])


def _log_sum(values: Floats) -> float:
    top = float(values.max())
    return top + math.log(float(np.exp(values - top).sum()))


def _largest(values: Floats, most: int) -> list[int]:
    """Return the indices of the largest finite values, largest first."""
    indices = np.argpartition(-values, most)[:most] if len(values) > most else np.arange(len(values))
    indices = indices[np.argsort(-values[indices], kind="stable")]
    return [int(index) for index in indices if np.isfinite(values[index])]
