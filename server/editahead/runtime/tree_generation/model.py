"""Inference with the model of function bodies: the most probable bodies for a description, with probabilities.

The bundle has two graphs. `encode` reads the description once: `word` (L,), `letter` (L,10) -> `memory`. `step` reads
what every hypothesis did last and scores what it may do next; its `cache` holds the steps before. The scores are raw:
here they are masked to what the open node accepts, as in training. Source: Sun et al., AAAI 2020, section 2.4.

R hypotheses, C classes, L words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.encode.tree_generation.steps import (
    PAD,
    Description,
    Vocabulary,
    children_table,
    vocabulary_from_json,
    word_features,
)
from editahead.grammar.python_build import emit
from editahead.grammar.tree import Node
from editahead.runtime.bundle import Bundle, BundleError
from editahead.runtime.ort import Array, Cancel, Selection
from editahead.runtime.selftest import open_model
from editahead.runtime.tree_generation.search import Floats, StepQueries, TreeSearchOptions, search_all

GRAPHS = ("encode", "step")
STEP = ("logits", "gate", "copy", "cache_next")
MIN_LOG_PROBABILITY = math.log(0.005)  # a body below is never shown, so it is not searched for
SERVED = TreeSearchOptions(beam=5, power=0.0, budget=80, least=MIN_LOG_PROBABILITY)
FEATURES = ("bias", "ln_p", "ln_others", "ln_steps", "rank")
_NEVER = -1e9  # the log of no probability
_MIN_SHARE = 1e-6

Step = Callable[[Mapping[str, Array]], Sequence[Array]]


class GeneratedBody(NamedTuple):
    """A generated body: its statements as a tree, and as text without indentation or a final line end.

    With it come ln of their probability and the number of rules and terminals.
    """

    tree: Node
    text: str
    logp: float
    steps: int


def program_features(bodies: Sequence[GeneratedBody], rank: int) -> tuple[float, ...]:
    """Return the features of body number `rank`, in the order of FEATURES."""
    share = math.exp(bodies[rank].logp)
    others = sum(math.exp(body.logp) for body in bodies) - share
    logs = (math.log(max(_MIN_SHARE, value)) for value in (share, others, float(bodies[rank].steps)))
    return (1.0, *logs, float(rank))


class ProgramModel:
    """The graphs of a bundle of this family. Not thread-safe. Raises BundleError when it does not work."""

    def __init__(self, bundle: Bundle, selection: Selection) -> None:
        self.bundle = bundle
        try:
            self.vocabulary = vocabulary_from_json(bundle.vocab())
        except (ValueError, KeyError, TypeError) as error:
            raise BundleError(bundle.path / "vocab.json", "a vocabulary of programs", str(error)) from error
        sessions = open_model(bundle, selection, GRAPHS, arena=("step",))
        self._encode, self._step = sessions["encode"], sessions["step"]
        self._table = np.asarray(children_table(self.vocabulary), dtype=np.int64)
        limits = bundle.manifest.limits
        self.longest = int(limits.get("words", 200))
        self.how = replace(SERVED, beam=int(limits.get("beam", SERVED.beam)), budget=int(limits.get("steps", 80)))

    def write(
        self, description: Description, cancel: Cancel | None = None, how: TreeSearchOptions | None = None
    ) -> tuple[GeneratedBody, ...]:
        """Return the most probable different bodies, best first; words past `longest` are ignored. Raises Cancelled."""
        cut = Description(description.words[: self.longest], description.copies[: self.longest])
        if not cut.words:
            return ()
        programs = search_all(self.scorer(cut, cancel), self.vocabulary, [cut], how or self.how, cancel)[0]
        return self.print_bodies([(program.tree, program.logp, program.steps) for program in programs])

    def scorer(self, description: Description, cancel: Cancel | None = None) -> CachedScorer:
        """Encode a description and return the scorer of its derivation steps."""
        word, letter = word_features(self.vocabulary, description)
        feeds = {"word": np.asarray(word, dtype=np.int64), "letter": np.asarray(letter, dtype=np.int64)}
        memory = self._encode.run(("memory",), feeds, cancel)[0]

        def step(more: Mapping[str, Array]) -> Sequence[Array]:
            return self._step.run(STEP, {**more, "memory": memory}, cancel)

        return CachedScorer(self.vocabulary, self._table, step, int(self._step.inputs["cache"][-1]))

    def print_bodies(self, programs: Sequence[tuple[Node, float, int]]) -> tuple[GeneratedBody, ...]:
        """Print programs as text, merging equal texts and dropping texts that do not parse back."""
        bodies: dict[str, GeneratedBody] = {}
        for tree, logp, steps in programs:
            statements = tree.children[0]
            text = self._text(statements) if isinstance(statements, tuple) else None
            if text:
                existing = bodies.get(text)
                total = logp if existing is None else float(np.logaddexp(existing.logp, logp))
                bodies[text] = GeneratedBody(tree, text, min(0.0, total), existing.steps if existing else steps)
        return tuple(sorted(bodies.values(), key=lambda body: -body.logp))

    def _text(self, statements: Sequence[Node]) -> str | None:
        try:
            return emit(self.vocabulary.grammar, statements)
        except (AttributeError, KeyError, TypeError):  # a class that the running Python does not have
            return None


class CachedScorer:
    """A `Scorer` for a description that caches earlier steps; `step` runs the graph.

    The `table` of children is (R, C).
    """

    def __init__(self, vocabulary: Vocabulary, table: npt.NDArray[np.int64], step: Step, kept: int) -> None:
        self._vocabulary, self._table, self._run = vocabulary, table, step
        self._cache: Array = np.zeros((1, 0, kept), dtype=np.float32)
        self._parents = np.zeros((1, 0), dtype=np.int64)  # of every step of every hypothesis
        self._allowed: dict[int, npt.NDArray[np.int64]] = {}

    def step(self, queries: StepQueries) -> tuple[Floats, Floats]:
        """Return the log masses of every hypothesis's next step: classes (R, C) and copies (R, L)."""
        came_from = np.asarray(queries.came_from, dtype=np.int64)
        done, left, copied, depth, parent = (np.asarray(row, dtype=np.int64) for row in zip(*queries.done, strict=True))
        self._parents = np.concatenate([self._parents[came_from], parent[:, None]], 1)
        children = self._table[done]
        children[copied != PAD, 0] = copied[copied != PAD]  # the only child of a copy is its text
        logits, gate, copy, self._cache = self._run(
            {
                "came_from": came_from,
                "cache": self._cache,
                "done": done,
                "children": children,
                "left": left,
                "depth": depth,
                "parent": parent,
                "grandparent": np.take_along_axis(self._parents, parent[:, None], 1)[:, 0],
                "path": np.asarray(queries.paths, dtype=np.int64),
                "nth": np.asarray([nth for _, nth in queries.tags], dtype=np.int64),
            }
        )
        class_RC, copy_RL = np.full_like(logits, _NEVER), np.full_like(copy, _NEVER)
        for number, (tag, _) in enumerate(queries.tags):
            self._mask(tag, logits[number], float(gate[number]), copy[number], class_RC[number], copy_RL[number])
        return class_RC, copy_RL

    def _mask(self, tag: int, logits_C: Floats, gate: float, copy_L: Floats, class_C: Floats, copied_L: Floats) -> None:
        """Fill in the log masses of a hypothesis: classes that its open node accepts, copies for a text."""
        terminal = self._vocabulary.grammar.kinds[tag] is not None
        fit = self._fit(tag)
        listed_mass, copied_mass = -float(np.logaddexp(0.0, -gate)), -float(np.logaddexp(0.0, gate))
        if not terminal:
            listed_mass = 0.0
        elif not len(fit):  # no listed terminal has this kind
            copied_mass = 0.0
        if len(fit):
            class_C[fit] = listed_mass + _log_softmax(logits_C[fit])
        if terminal:
            copied_L[:] = copied_mass + _log_softmax(copy_L)

    def _fit(self, tag: int) -> npt.NDArray[np.int64]:
        if tag not in self._allowed:
            grammar = self._vocabulary.grammar
            kind = grammar.kinds[tag]
            fit = list(grammar.productions[tag]) if kind is None else self._vocabulary.terminal_classes(kind)
            self._allowed[tag] = np.asarray(fit, dtype=np.int64)
        return self._allowed[tag]


def _log_softmax(scores: Floats) -> Floats:
    shifted = np.asarray(scores, dtype=np.float64) - float(scores.max())
    return np.asarray(shifted - math.log(float(np.exp(shifted).sum())))
