"""Measure a span-copying model on pairs: likelihood, merged beam, beams merged at the end, greedy."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from editahead.encode.span_copying.tokens import SpanVocabulary
from editahead.runtime.span_copying.tree import SpanLimits

from editahead_models.copyspan.evaluate.metrics import mean_of, of_beam, of_output, span_figures
from editahead_models.copyspan.network.batches import Pair, Tokens, batches, make_batch
from editahead_models.copyspan.network.decode import beam_of, greedy_of
from editahead_models.copyspan.network.marginal import edges, log_marginal
from editahead_models.copyspan.network.model import CopySpan
from editahead_models.copyspan.network.objective import action_scores, batch_scores
from editahead_models.subnormals import without_subnormals

SEARCHES = ("merged", "at end", "greedy")
METRICS = "metrics.json"
PAPER = SpanLimits(beam=20, actions=20)
"""The paper keeps 20 hypotheses; each tries 20 tokens and 20 spans."""


@dataclass
class Outputs:
    """What one search gave for some pairs, in their order. `beams` hold one output where it is greedy."""

    beams: list[list[Tokens]] = field(default_factory=list)
    logp: list[list[float]] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    spans: list[list[int]] = field(default_factory=list)
    too_long: int = 0


def decode(
    model: CopySpan, vocabulary: SpanVocabulary, sources: Iterable[Tokens], how: str, limits: SpanLimits
) -> Outputs:
    """Run one of SEARCHES over some inputs. Raises ValueError for another name."""
    if how not in SEARCHES:
        raise ValueError(f"search must be one of {', '.join(SEARCHES)}, found {how!r}")
    made = Outputs()
    for source in sources:
        if how == "greedy":
            output, spans = greedy_of(model, vocabulary, source, limits)
            made.beams.append([output.texts] if output is not None else [])
            made.logp.append([output.logp] if output is not None else [])
            made.actions += [output.actions] if output is not None else []
            made.spans.append(spans)
            made.too_long += output is None
            continue
        found = beam_of(model, vocabulary, source, replace(limits, merge=how))
        made.beams.append([each.texts for each in found.outputs])
        made.logp.append([each.logp for each in found.outputs])
        made.actions += [found.outputs[0].actions] if found.outputs else []
        made.steps.append(found.steps)
        made.too_long += found.too_long
    return made


def likelihood(model: CopySpan, vocabulary: SpanVocabulary, pairs: Sequence[Pair], size: int = 64) -> dict[str, float]:
    """Mean of -ln p(target) per target token over all action sequences, and the expected number of actions."""
    total, actions = 0.0, 0.0
    for group in batches(pairs, size):
        batch = make_batch([pairs[at] for at in group], vocabulary, "single" if model.config.single else "all")
        with torch.no_grad():
            values = action_scores(batch_scores(model, batch), batch)
        values.requires_grad_()
        M = batch.written_BM.shape[1]
        beta_B = log_marginal(edges(values, batch.row_P, batch.at_P, batch.length_P, batch.target_lengths_B, M))
        (share,) = torch.autograd.grad(beta_B.sum(), values)
        total -= float((beta_B.detach() / batch.target_lengths_B).sum())
        actions += float(share.sum())
    return {"loss": total / len(pairs), "expected_actions": actions / len(pairs)}


def figures(pairs: Sequence[Pair], outputs: Outputs, rays: int) -> dict[str, Any]:
    """Every metric of one search over some pairs."""
    if outputs.spans:
        rows = [of_output(pair, beam[0] if beam else None) for pair, beam in zip(pairs, outputs.beams, strict=True)]
    else:
        rows = [of_beam(pair, beam, rays) for pair, beam in zip(pairs, outputs.beams, strict=True)]
    found: dict[str, Any] = mean_of(rows)
    found["actions"] = sum(outputs.actions) / max(len(outputs.actions), 1)
    found["too_long"] = outputs.too_long
    if outputs.steps:
        found["steps"] = sum(outputs.steps) / len(outputs.steps)
    if outputs.spans:
        found["spans"] = span_figures(outputs.spans)
    return found


@without_subnormals()
def measure(
    model: CopySpan,
    vocabulary: SpanVocabulary,
    pairs: Sequence[Pair],
    searches: Sequence[str] = SEARCHES,
    limits: SpanLimits = PAPER,
) -> dict[str, Any]:
    """The figures of a model on pairs.

    Pairs that change nothing, if there are any, are counted with the others and left out of `changed`. ValueError where
    there is no pair.
    """
    if not pairs:
        raise ValueError("no pairs to measure")
    model.eval()
    changed = [pair.source != pair.target for pair in pairs]
    found: dict[str, Any] = {
        "pairs": len(pairs), "changed_pairs": sum(changed), "rays": limits.beam, "actions": limits.actions,
        "marginal": likelihood(model, vocabulary, pairs), "searches": {},
    }  # fmt: skip
    for how in searches:
        made = decode(model, vocabulary, [pair.source for pair in pairs], how, limits)
        found["searches"][how] = figures(pairs, made, limits.beam)
        if 0 < sum(changed) < len(pairs) and not made.spans:
            rows = [
                of_beam(pair, beam, limits.beam)
                for pair, beam, kept in zip(pairs, made.beams, changed, strict=True)
                if kept
            ]
            found["searches"][how]["changed"] = mean_of(rows)
    return found


def drawn(pairs: Sequence[Pair], most: int, seed: int = 1) -> list[Pair]:
    """At most so many of the pairs, drawn without repetition, in their order; all when `most` is 0."""
    if not 0 < most < len(pairs):
        return list(pairs)
    return [pairs[at] for at in sorted(random.Random(seed).sample(range(len(pairs)), most))]
