"""The span-copying sequence model: scores of writing each symbol and of copying each span, in O(n) a step.

Section 2 of the paper. The score of the span [i, j) is linear in the states of its two ends,
`W [r_i; r_{j-1}] . b = first_i + last_{j-1}`, so no span is ever built: two matrix products score all of them, and the
sum over all spans needs one cumulative sum.

B sequences, N input positions (sentinels included), M target positions, V symbols, E embedding, H encoder (both
directions), D decoder, Z edit vector.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from editahead_models.copyspan.network.marginal import NEG
from editahead_models.copyspan.network.recurrent import encode_sequences, run_layer


@dataclass(frozen=True)
class CopySpanConfig:
    """Sizes; the defaults are the paper's for code repair.

    `single`: copy one token at a time, with one attention for writing and copying (CopyTok). `edit`: width of an edit
    vector z that every decoder step sees.
    """

    vocab: int
    buckets: int = 0
    embedding: int = 32
    encoder: int = 128
    layers: int = 2
    decoder: int = 128
    dropout: float = 0.2
    single: bool = False
    edit: int = 0

    def to_json(self) -> dict[str, Any]:
        """A JSON value."""
        return asdict(self)


class Encoded(NamedTuple):
    """An encoded input: states r, the keys of both attentions, the halves of the span scores' weights, start state."""

    r_BNH: Tensor
    keys_BND: Tensor
    copy_keys_BND: Tensor
    first_BND: Tensor
    last_BND: Tensor
    state_BD: Tensor
    valid_BN: Tensor


class Scores(NamedTuple):
    """Log-probabilities: ln q(write v) = gen[v], ln q(copy [i, j)) = first[i] + last[j - 1]."""

    gen_BMV: Tensor
    first_BMN: Tensor
    last_BMN: Tensor


class CopySpan(nn.Module):
    """Encoder, decoder and scores."""

    def __init__(self, config: CopySpanConfig) -> None:
        super().__init__()
        c = self.config = config
        H, D, E = 2 * c.encoder, c.decoder, c.embedding
        self.embed = nn.Embedding(c.vocab + c.buckets, E, padding_idx=0)
        nn.init.normal_(self.embed.weight, 0, 0.3)
        dropout = c.dropout if c.layers > 1 else 0.0
        self.encoder = nn.GRU(E, c.encoder, c.layers, batch_first=True, bidirectional=True, dropout=dropout)
        self.decoder = nn.GRU(E + c.edit, D, batch_first=True)
        self.start = nn.Linear(2 * c.layers * c.encoder + c.edit, D, bias=False)
        self.key = nn.Linear(H, D, bias=False)
        self.combine = nn.Linear(H + D, D, bias=False)
        self.write = nn.Linear(D, E, bias=False)
        self.bias = nn.Parameter(torch.zeros(c.vocab))
        self.first = nn.Linear(H, D, bias=False)
        if not c.single:
            self.copy_key = nn.Linear(H, D, bias=False)
            self.copy_combine = nn.Linear(H + D, D, bias=False)
            self.last = nn.Linear(H, D, bias=False)
        self.drop = nn.Dropout(c.dropout)

    def encode(self, source_BN: Tensor, lengths_B: Tensor, z_BZ: Tensor | None = None) -> Encoded:
        """Read inputs of the given lengths (padding after them)."""
        x_BNE = self.drop(self.embed(source_BN))
        r_BNH, final_LBh = encode_sequences(self.encoder, x_BNE, lengths_B)
        valid_BN = torch.arange(source_BN.shape[1], device=source_BN.device)[None, :] < lengths_B[:, None]
        return self.prepared(r_BNH, final_LBh, valid_BN, z_BZ)

    def prepared(self, r_BNH: Tensor, final_LBh: Tensor, valid_BN: Tensor, z_BZ: Tensor | None) -> Encoded:
        """All that a decoder step needs of an input, from the encoder's states and its final states (L, B, h)."""
        final_BF = final_LBh.transpose(0, 1).flatten(1)
        if z_BZ is not None:
            final_BF = torch.cat([final_BF, z_BZ], -1)
        keys = self.key(r_BNH)
        return Encoded(
            r_BNH,
            keys,
            keys if self.config.single else self.copy_key(r_BNH),
            self.first(r_BNH),
            torch.zeros_like(keys) if self.config.single else self.last(r_BNH),
            self.start(final_BF),
            valid_BN,
        )

    def run(self, tokens_BM: Tensor, state_BD: Tensor, z_BZ: Tensor | None = None) -> Tensor:
        """Decoder states (B, M, D) behind each of the tokens written so far, `<s>` first."""
        x_BME = self.drop(self.embed(tokens_BM))
        if z_BZ is not None:
            x_BME = torch.cat([x_BME, z_BZ[:, None, :].expand(-1, tokens_BM.shape[1], -1)], -1)
        return run_layer(self.decoder, 0, x_BME, state_BD[None], None)[0]

    def scores(self, h_BMD: Tensor, encoded: Encoded) -> Scores:
        """Normalised scores of all actions at each decoder state."""
        a_BMD = torch.tanh(self.combine(self._attended(h_BMD, encoded.keys_BND, encoded)))
        a_BMD = self.drop(a_BMD)
        logits_BMV = self.write(a_BMD) @ self.embed.weight[: self.config.vocab].t() + self.bias
        if self.config.single:
            b_BMD = a_BMD
        else:
            b_BMD = self.drop(torch.tanh(self.copy_combine(self._attended(h_BMD, encoded.copy_keys_BND, encoded))))
        outside = (~encoded.valid_BN)[:, None, :]
        first_BMN = (b_BMD @ encoded.first_BND.transpose(1, 2)).masked_fill(outside, NEG)
        last_BMN = (b_BMD @ encoded.last_BND.transpose(1, 2)).masked_fill(outside, NEG)
        spans_BM = (
            torch.logsumexp(first_BMN + last_BMN, -1) if self.config.single else log_sum_spans(first_BMN, last_BMN)
        )
        log_z_BM1 = torch.logaddexp(torch.logsumexp(logits_BMV, -1), spans_BM)[..., None]
        return Scores(logits_BMV - log_z_BM1, first_BMN - log_z_BM1, last_BMN)

    def _attended(self, h_BMD: Tensor, keys_BND: Tensor, encoded: Encoded) -> Tensor:
        """[attention over the input; h]: Luong's score `r W h`."""
        scores_BMN = h_BMD @ keys_BND.transpose(1, 2)
        weights = torch.softmax(scores_BMN.masked_fill((~encoded.valid_BN)[:, None, :], NEG), -1)
        return torch.cat([weights @ encoded.r_BNH, h_BMD], -1)


_TINY = 1e-37


def log_sum_spans(first: Tensor, last: Tensor) -> Tensor:
    """ln of the sum over all 0 <= i <= e < N of exp(first_i + last_e), over the last axis: exact, in O(N).

    Values of `last` more than 80 below the row's largest count as if they were 80 below it, in the suffixes that hold
    nothing better.
    """
    top = last.detach().amax(-1, keepdim=True)
    suffix = (last - top).exp().flip(-1).cumsum(-1).flip(-1)
    return torch.logsumexp(first + top + suffix.clamp_min(_TINY).log(), -1)
