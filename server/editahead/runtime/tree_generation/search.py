"""Beam search over derivations; only rules that the grammar allows are candidates (section 2.5 of the paper).

Every hypothesis keeps to a budget of steps, so that its tree closes; scores are sums of logs, divided by `n ** power`.
The model has the interface `Scorer`, so that training and serving share the search. Source: Sun et al., AAAI 2020.

R hypotheses, C classes, L words.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from editahead.encode.tree_generation.steps import (
    MAX_STEPS,
    Description,
    Done,
    Trace,
    Vocabulary,
    begin_trace,
    done_features,
    query_features,
    start_features,
)
from editahead.grammar.tree import DerivationStep, Node, Terminal, base_kind, is_valid_text, read
from editahead.runtime.ort import Cancel

Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True)
class TreeSearchOptions:
    """The parameters of a search. `power` is 0.6 in the published code, 0 the plain sum of logs; `beam` 1 is greedy.

    Hypotheses with a sum of logs below `least` are dropped, as are unfinished ones after `calls` of the network (not
    after a time, so that the answer does not depend on the machine).
    """

    beam: int = 5
    power: float = 0.6
    budget: int = MAX_STEPS
    least: float = -math.inf
    calls: int = MAX_STEPS


class RankedProgram(NamedTuple):
    """A finished program: its tree, the sum of its logs, its score and its number of steps."""

    tree: Node
    logp: float
    score: float
    steps: int


class StepQueries(NamedTuple):
    """The model's input for the next step of every hypothesis.

    The row of the step before that it continues (0 at first), its description, what was done last, the path of its open
    node, and (tag, how many elements of its list came before).
    """

    came_from: list[int]
    which: list[int]
    done: list[Done]
    paths: list[list[int]]
    tags: list[tuple[int, int]]


class Scorer(Protocol):
    """The interface of a model with encoded descriptions; each step scores all hypotheses together."""

    def step(self, queries: StepQueries) -> tuple[Floats, Floats]:
        """Return the log masses of every hypothesis's next step: of classes (R, C) and of copies (R, L)."""
        ...


class _Hypothesis(NamedTuple):
    which: int  # of the descriptions
    trace: Trace
    steps: tuple[DerivationStep, ...]
    done: Done
    logp: float
    row: int  # among the hypotheses of the step before

    def score(self, power: float) -> float:
        return self.logp / float(max(1, len(self.steps)) ** power)


_Candidate = tuple[float, int, int | Terminal, float]  # score, hypothesis, action, sum of logs


def search_all(
    scorer: Scorer,
    vocabulary: Vocabulary,
    descriptions: Sequence[Description],
    how: TreeSearchOptions | None = None,
    cancel: Cancel | None = None,
) -> list[list[RankedProgram]]:
    """Return at most `beam` programs for each description, best first; fewer where a node cannot be expanded.

    Raises Cancelled between two steps.
    """
    how = how or TreeSearchOptions()
    first, begun = begin_trace(vocabulary.grammar, how.budget), start_features(vocabulary)
    hypotheses = [_Hypothesis(e, first, (), begun, 0.0, 0) for e in range(len(descriptions))]
    ended: list[list[_Hypothesis]] = [[] for _ in descriptions]
    for _ in range(how.calls):
        if not hypotheses:
            break
        if cancel is not None:
            cancel.check()
        class_RC, copy_RL = scorer.step(_step_queries(vocabulary, hypotheses))
        candidates: list[list[_Candidate]] = [[] for _ in descriptions]
        for number, hypothesis in enumerate(hypotheses):
            words = descriptions[hypothesis.which]
            for action, mass in _actions(
                vocabulary, words, hypothesis.trace, class_RC[number], copy_RL[number], how.beam
            ):
                logp = hypothesis.logp + mass
                if logp >= how.least:
                    score = logp / (len(hypothesis.steps) + 1) ** how.power
                    candidates[hypothesis.which].append((score, number, action, logp))
        hypotheses = [
            hypothesis
            for e, row in enumerate(candidates)
            for hypothesis in _step(vocabulary, hypotheses, sorted(row, key=lambda c: -c[0])[: how.beam], ended[e], how)
        ]
    programs = [[_finish(vocabulary, hypothesis, how.power) for hypothesis in row] for row in ended]
    return [sorted(row, key=lambda program: -program.score)[: how.beam] for row in programs]


def _step_queries(vocabulary: Vocabulary, hypotheses: Sequence[_Hypothesis]) -> StepQueries:
    queries = [query_features(vocabulary, hypothesis.trace, hypothesis.steps) for hypothesis in hypotheses]
    return StepQueries(
        [hypothesis.row for hypothesis in hypotheses],
        [hypothesis.which for hypothesis in hypotheses],
        [hypothesis.done for hypothesis in hypotheses],
        [path for path, _ in queries],
        [tag for _, tag in queries],
    )


def _step(
    vocabulary: Vocabulary,
    hypotheses: Sequence[_Hypothesis],
    best: Sequence[_Candidate],
    ended: list[_Hypothesis],
    how: TreeSearchOptions,
) -> list[_Hypothesis]:
    """Return the hypotheses of a description after a step, without those below a full beam of complete ones.

    Complete hypotheses go to `ended`, best first. The published code stops as soon as a beam of them has ended. Where
    lists grow element by element that is too early: unlikely short programs end long before the likely program.
    """
    after: list[_Hypothesis] = []
    for _, number, action, logp in best:
        hypothesis = _extend(vocabulary, hypotheses[number], number, action, logp)
        (ended if hypothesis.trace.state.open_node is None else after).append(hypothesis)
    ended.sort(key=lambda hypothesis: -hypothesis.score(how.power))
    del ended[how.beam :]
    if len(ended) < how.beam:
        return after
    worst = ended[-1].score(how.power)
    return [hypothesis for hypothesis in after if hypothesis.score(how.power) > worst]


def _actions(
    vocabulary: Vocabulary, description: Description, trace: Trace, class_C: Floats, copy_L: Floats, most: int
) -> list[tuple[int | Terminal, float]]:
    """Return the most probable actions at a node; the mass of a text is the sum over the list and all copies."""
    node = trace.state.open_node
    assert node is not None
    kind = vocabulary.grammar.kinds[node.tag]
    if kind is None:
        rules = trace.state.rules()
        masses = class_C[rules]
        order = np.argsort(-masses, kind="stable")[:most].tolist()
        return [(rules[i], float(masses[i])) for i in order]
    copies: dict[str, list[float]] = defaultdict(list)
    for value, copied in zip(copy_L.tolist(), description.copies, strict=False):  # words of others are longer
        text = copied.get(base_kind(kind))
        if text is not None and is_valid_text(kind, text):
            copies[text].append(value)
    listed = vocabulary.choices(kind)
    masses = class_C[listed]
    for text, logs in copies.items():
        if (listed_id := vocabulary.terminal(kind, text)) is not None:
            logs.append(float(class_C[listed_id]))
            masses[bisect_left(listed, listed_id)] = -np.inf  # counted with its copies
    total = {text: _add(logs) for text, logs in copies.items()}
    first = len(vocabulary.grammar.rules)
    for i in np.argsort(-masses, kind="stable")[:most].tolist():
        if masses[i] > -np.inf:
            total[vocabulary.terminals[listed[i] - first][1]] = float(masses[i])
    best = sorted(total, key=lambda text: -total[text])[:most]
    return [(Terminal(kind, text), total[text]) for text in best]


def _add(logs: list[float]) -> float:
    """Return the log of the sum of exponentials."""
    highest = max(logs)
    return highest + math.log(sum(math.exp(log - highest) for log in logs))


def _extend(
    vocabulary: Vocabulary, hypothesis: _Hypothesis, row: int, action: int | Terminal, logp: float
) -> _Hypothesis:
    node = hypothesis.trace.state.open_node
    assert node is not None
    step = DerivationStep(action, node)
    features = done_features(vocabulary, len(hypothesis.steps), step)
    return _Hypothesis(
        hypothesis.which,
        hypothesis.trace.after(action, hypothesis.steps),
        (*hypothesis.steps, step),
        features,
        logp,
        row,
    )


def _finish(vocabulary: Vocabulary, hypothesis: _Hypothesis, power: float) -> RankedProgram:
    tree = read(vocabulary.grammar, [step.action for step in hypothesis.steps])
    return RankedProgram(tree, hypothesis.logp, hypothesis.score(power), len(hypothesis.steps))
