"""One repair as the model makes it: its actions, and what the attention of copying looks at before each.

M target positions, N input positions (sentinels included).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from editahead.encode.span_copying.vocabulary import SpanVocabulary

from editahead_models.copyspan.evaluate.provenance import provenance
from editahead_models.copyspan.network.batches import Pair, Tokens, make_batch
from editahead_models.copyspan.network.model import CopySpan

MOST_TOKENS, LEAST_ACTIONS = 32, 4
"""A picture holds so many tokens, and is worth a look from so many actions on."""


def example_of(
    model: CopySpan, vocabulary: SpanVocabulary, pairs: Sequence[Pair], found: Sequence[Tokens]
) -> dict[str, Any] | None:
    """The first pair whose answer is its target, short enough and made of enough actions; None where there is none.

    `rows`: each action's tokens, where a copy begins in the input (None: written), its probability, and the weights of
    the attention over the input before it.
    """
    for pair, answer in zip(pairs, found, strict=True):
        if answer != pair.target or len(pair.source) > MOST_TOKENS:
            continue
        parts = provenance(model, vocabulary, pair)
        if len(parts) >= LEAST_ACTIONS:
            weights = attention(model, vocabulary, pair)
            rows, at = [], 0
            for part in parts:
                shown = [round(float(weight), 4) for weight in weights[at]]
                probability = round(float(torch.tensor(part.logq).exp()), 4)
                rows.append({"tokens": part.tokens, "start": part.start, "p": probability, "attention": shown})
                at += len(part.tokens)
            return {"source": pair.source, "target": pair.target, "rows": rows}
    return None


@torch.no_grad()
def attention(model: CopySpan, vocabulary: SpanVocabulary, pair: Pair) -> torch.Tensor:
    """The weights of the attention of copying before each token of the target; the start is left out, (M, N - 1)."""
    model.eval()
    batch = make_batch([pair], vocabulary)
    encoded = model.encode(batch.source_BN, batch.source_lengths_B)
    h_MD = model.run(batch.shifted_BM, encoded.state_BD)[0]
    return torch.softmax(h_MD @ encoded.copy_keys_BND[0].t(), -1)[:, 1:]
