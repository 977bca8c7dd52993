"""What an edit model reads of a token: its text, its pieces, its identity, its gap, and the tokens beside it."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from editahead.encode.edit_model.tokens import PART_BUCKETS
from torch import Tensor, nn

from editahead_models.families.implicit_config import ImplicitConfig
from editahead_models.layers.analogy import shifted

GAPS = 3


class TokenEmbedding(nn.Module):
    """Unit-variance embedding of a token; extended: plus its name parts, its identity in the instance, and its gap.

    Tokens [B, N] to rows [B, N, D].
    """

    def __init__(self, config: ImplicitConfig) -> None:
        super().__init__()
        dim = config.dim
        self.scale = dim**0.5
        self.token = nn.Embedding(config.vocab, dim)
        nn.init.normal_(self.token.weight, std=dim**-0.5)
        self.extended = config.extended
        if config.extended:
            self.part = nn.Embedding(PART_BUCKETS + 1, dim, padding_idx=0)
            self.identity = nn.Embedding(config.identities, dim, padding_idx=0)
            self.gap = nn.Embedding(GAPS, dim)
            for table in (self.part, self.identity, self.gap):
                nn.init.normal_(table.weight, std=dim**-0.5)
            with torch.no_grad():
                self.part.weight[0] = 0
                self.identity.weight[0] = 0

    def forward(self, tok: Tensor, sub: Tensor | None, lid: Tensor | None, gap: Tensor | None) -> Tensor:
        """A row for each token, from its text, its pieces and its place."""
        rows = self.token(tok)
        if self.extended:
            assert sub is not None
            assert lid is not None
            assert gap is not None
            rows = rows + self.part(sub).sum(-2) + self.identity(lid) + self.gap(gap)
        return rows * self.scale


class LocalContext(nn.Module):
    """Adds to each token a function of the five tokens around it. Rows are [B, N, D], the mask [B, N]."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.wide = nn.Linear(5 * dim, dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, rows: Tensor, mask: Tensor | None) -> Tensor:
        """The rows after one layer; masked ones are not read."""
        normed = self.norm(rows)
        if mask is not None:
            normed = normed * mask.unsqueeze(-1)
        return rows + self.out(F.gelu(self.wide(torch.cat([shifted(normed, k) for k in (-2, -1, 0, 1, 2)], -1))))
