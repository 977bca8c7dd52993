"""Beam search over derivations: a rule that the grammar does not allow is never a candidate (section 2.5 of the paper).

Every hypothesis keeps to a budget of steps, so that its tree closes; scores are sums of logs, divided by `n ** power`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from editahead.grammar.derivation import Step
from editahead.grammar.terminals import base_kind, valid
from editahead.grammar.tree import Node, Terminal, read
from torch import Tensor

from editahead_models.treegen.batches import (
    done_features,
    pad_rules,
    pad_words,
    query_features,
    start_features,
    word_features,
)
from editahead_models.treegen.examples import MOST_STEPS, Description, Trace, Vocabulary, begin_trace
from editahead_models.treegen.model import TreeGen, causal


@dataclass(frozen=True)
class Search:
    """`power` 0.6 is that of the published code, 0 the plain sum of logs; `beam` 1 is greedy."""

    beam: int = 5
    power: float = 0.6
    budget: int = MOST_STEPS


class Found(NamedTuple):
    """A finished program: its tree, the sum of its logs, its score and its number of steps."""

    tree: Node
    logp: float
    score: float
    steps: int


class _Ray(NamedTuple):
    which: int  # of the descriptions
    trace: Trace
    steps: tuple[Step, ...]
    done: tuple[tuple[int, int, int, int, int], ...]
    logp: float

    def score(self, power: float) -> float:
        return self.logp / float(max(1, len(self.steps)) ** power)


def search(model: TreeGen, vocabulary: Vocabulary, description: Description, how: Search | None = None) -> list[Found]:
    """Programs for a description, best first, at most `beam`; fewer when rays die at places that nothing can fill."""
    return search_all(model, vocabulary, [description], how)[0]


@torch.no_grad()
def search_all(
    model: TreeGen, vocabulary: Vocabulary, descriptions: Sequence[Description], how: Search | None = None
) -> list[list[Found]]:
    """The same for several descriptions, whose rays are computed together."""
    how = how or Search()
    model.eval()
    words = pad_words([word_features(vocabulary, description) for description in descriptions])
    y_ELD = model.read_words(words)
    first = begin_trace(vocabulary.grammar, how.budget)
    rays = [_Ray(e, first, (), (start_features(vocabulary),), 0.0) for e in range(len(descriptions))]
    ended: list[list[_Ray]] = [[] for _ in descriptions]
    while rays:
        masses = _masses(model, vocabulary, rays, y_ELD, words.real_BL)
        candidates: list[list[tuple[float, int, int | Terminal, float]]] = [[] for _ in descriptions]
        for number, (ray, (class_C, copy_L)) in enumerate(zip(rays, masses, strict=True)):
            description = descriptions[ray.which]
            for action, mass in _actions(vocabulary, description, ray.trace, class_C, copy_L, how.beam):
                logp = ray.logp + mass
                score = logp / (len(ray.steps) + 1) ** how.power
                candidates[ray.which].append((score, number, action, logp))
        rays = [
            ray
            for e, row in enumerate(candidates)
            for ray in _step(vocabulary, rays, sorted(row, key=lambda c: -c[0])[: how.beam], ended[e], how.beam)
        ]
    found = [[_finish(vocabulary, ray, how.power) for ray in row] for row in ended]
    return [sorted(row, key=lambda one: -one.score)[: how.beam] for row in found]


def _step(
    vocabulary: Vocabulary,
    rays: Sequence[_Ray],
    best: Sequence[tuple[float, int, int | Terminal, float]],
    ended: list[_Ray],
    most: int,
) -> list[_Ray]:
    """The rays of one description after a step; what is complete goes to `ended`. None when enough have ended."""
    after: list[_Ray] = []
    for _, number, action, logp in best:
        ray = _extend(vocabulary, rays[number], action, logp)
        (ended if ray.trace.state.place is None else after).append(ray)
    return after if len(ended) < most else []


def _masses(
    model: TreeGen, vocabulary: Vocabulary, rays: Sequence[_Ray], y_ELD: Tensor, real_EL: Tensor
) -> list[tuple[Tensor, Tensor]]:
    """Log masses of every ray's next step: of classes and of copies. All rays have made equally many steps."""
    queries = [query_features(vocabulary, ray.trace, ray.steps) for ray in rays]
    rules = pad_rules([(list(ray.done), [path], [tag]) for ray, (path, tag) in zip(rays, queries, strict=True)])
    which = torch.tensor([ray.which for ray in rays])
    y_BLD, real_BL = y_ELD[which], real_EL[which]
    z_BTD = model.read_rules(rules, y_BLD, real_BL)
    seen = causal(z_BTD.shape[1])[:, :, -1:]
    h_B1D = model.decode(model.queries(rules.path_BTP[:, :1], rules.nth_BT[:, :1]), z_BTD, y_BLD, real_BL, seen)
    masses = model.masses(h_B1D[:, 0], y_BLD, real_BL, rules.tag_BT[:, 0])
    return list(zip(masses.class_NC, masses.copy_NL, strict=True))


def _actions(
    vocabulary: Vocabulary, description: Description, trace: Trace, class_C: Tensor, copy_L: Tensor, most: int
) -> list[tuple[int | Terminal, float]]:
    """The likeliest actions that the place takes. The parts of a text are added up: the list's, and every copy's."""
    place = trace.state.place
    assert place is not None
    kind = vocabulary.grammar.kinds[place.tag]
    if kind is None:
        rules = trace.state.rules()
        masses = class_C[rules]
        order = torch.argsort(masses, descending=True)[:most].tolist()
        return [(rules[i], float(masses[i])) for i in order]
    parts: dict[str, list[float]] = defaultdict(list)
    listed, copied = vocabulary.choices(kind), copy_L.tolist()
    for number, value in zip(listed, class_C[listed].tolist(), strict=True):
        parts[vocabulary.terminals[number - len(vocabulary.grammar.rules)][1]].append(value)
    for value, copies in zip(copied, description.copies, strict=False):  # words of others are longer
        text = copies.get(base_kind(kind))
        if text is not None and valid(kind, text):
            parts[text].append(value)
    total = {text: _add(logs) for text, logs in parts.items()}
    order_ = sorted(total, key=lambda text: -total[text])[:most]
    return [(Terminal(kind, text), total[text]) for text in order_]


def _add(logs: list[float]) -> float:
    """The log of the sum of what has these logs."""
    highest = max(logs)
    return highest + math.log(sum(math.exp(log - highest) for log in logs))


def _extend(vocabulary: Vocabulary, ray: _Ray, action: int | Terminal, logp: float) -> _Ray:
    place = ray.trace.state.place
    assert place is not None
    step = Step(action, place)
    features = done_features(vocabulary, len(ray.steps), step)
    trace = ray.trace.after(action, ray.steps)
    return _Ray(ray.which, trace, (*ray.steps, step), (*ray.done, features), logp)


def _finish(vocabulary: Vocabulary, ray: _Ray, power: float) -> Found:
    tree = read(vocabulary.grammar, [step.action for step in ray.steps])
    return Found(tree, ray.logp, ray.score(power), len(ray.steps))
