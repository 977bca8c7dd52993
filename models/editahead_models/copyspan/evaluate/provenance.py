"""Where an output comes from: the likeliest sequence of actions that writes it, spans of the input and new tokens.

The recursion of the marginal likelihood with the maximum in place of the sum (Viterbi).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from editahead.encode.span_copying.vocabulary import SpanVocabulary

from editahead_models.copyspan.network.batches import Pair, Tokens, make_batch
from editahead_models.copyspan.network.marginal import NEG, best_walk
from editahead_models.copyspan.network.model import CopySpan
from editahead_models.copyspan.network.objective import action_scores, batch_scores


class Part(NamedTuple):
    """Some tokens of an output.

    `start` is where they begin in the input, None where they are written anew; `logq` the logarithm of the action's
    probability. The end symbol is a token like others.
    """

    tokens: Tokens
    start: int | None
    logq: float


@torch.no_grad()
def provenance(model: CopySpan, vocabulary: SpanVocabulary, pair: Pair, end: str = "</s>") -> list[Part]:
    """The parts of a pair's target in order, its end included.

    An unknown token that the input has not is written as the unknown symbol.
    """
    batch = make_batch([pair], vocabulary, "single" if model.config.single else "all")
    values = action_scores(batch_scores(model, batch), batch).tolist()
    target = (*pair.target, end)
    M = len(target)
    W = torch.full((M, M + 1), NEG)
    chosen: dict[tuple[int, int], tuple[float, int]] = {}
    columns = (column.tolist() for column in (batch.at_P, batch.start_P, batch.length_P))
    for value, at, start, length in zip(values, *columns, strict=True):
        edge = (at, at + length)
        if edge not in chosen or value > chosen[edge][0]:
            chosen[edge] = (value, start)
            W[edge] = value
    parts = []
    for low, high in best_walk(W):
        value, start = chosen[low, high]
        parts.append(Part(target[low:high], start - 1 if start >= 0 else None, value))  # 0 is `<s>` to the model
    return parts
