"""Biases that let an edit model repeat what was done before, at places that look like where it was done.

They read identities of tokens (equal text, equal number) and earlier edits only, so that they stay causal in time.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from editahead.encode.edit_model.sequences import DISPLACEMENT_BINS
from torch import Tensor, nn

OFFSETS = (-2, -1, 0, 1, 2)
MATCHES = 2 ** len(OFFSETS)


def shifted(rows: Tensor, offset: int) -> Tensor:
    """Row m becomes row m + offset of [B, N, D], zeros outside."""
    if offset == 0:
        return rows
    size = rows.shape[1]
    return (
        F.pad(rows, (0, 0, 0, offset))[:, offset : offset + size]
        if offset > 0
        else F.pad(rows, (0, 0, -offset, 0))[:, :size]
    )


def neighbours(lid: Tensor) -> Tensor:
    """Identities of each token and its neighbours [B, N, 5]."""
    return torch.cat([shifted(lid.unsqueeze(-1), offset) for offset in OFFSETS], -1)


def match_codes(around_edit: Tensor, around: Tensor) -> Tensor:
    """Which of five neighbours agree, as a number below MATCHES: [B, T, 5] against [B, N, 5] gives [B, T, N]."""
    same = (around_edit.unsqueeze(2) == around.unsqueeze(1)) & (around_edit.unsqueeze(2) > 0)
    powers = torch.tensor([1 << bit for bit in range(len(OFFSETS))], device=around.device)
    return (same.long() * powers).sum(-1)


def context_match(lid: Tensor, root: Tensor) -> Tensor:
    """For each edit's root token and each initial token, how their neighbourhoods agree [B, T, N]."""
    around = neighbours(lid)
    return match_codes(around.gather(1, root.unsqueeze(-1).expand(-1, -1, around.shape[-1])), around)


class Displacement(nn.Module):
    """Pointer bias by the distance from the last edit: a mixture of tables, weighted by the query."""

    def __init__(self, dim: int, tables: int = 4) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.zeros(DISPLACEMENT_BINS, tables))
        self.weigh = nn.Linear(dim, tables)
        nn.init.ones_(self.weigh.bias)

    def forward(self, query: Tensor, bins: Tensor) -> Tensor:
        """query [B, T, D], bins [B, T, M] -> [B, T, M]."""
        weights = self.weigh(query).float()
        by_bin = (weights.unsqueeze(-2) * (16.0 * self.table)).sum(-1)  # [B, T, bins]: few, beside the names
        return by_bin.gather(-1, bins.long())


class PositionReplay(nn.Module):
    """Pointer bias over initial tokens.

    Attend to an earlier edit, then favour tokens whose neighbourhood agrees with its.
    """

    def __init__(self, dim: int, heads: int = 4, size: int = 32) -> None:
        super().__init__()
        self.heads, self.size = heads, size
        self.query = nn.Linear(dim, heads * size)
        self.key = nn.Linear(dim, heads * size, bias=False)
        self.same = nn.Embedding(4, heads)
        self.match = nn.Embedding(MATCHES, heads)
        nn.init.zeros_(self.same.weight)
        ramp = torch.tensor([code.bit_count() * 0.3 for code in range(MATCHES)])
        with torch.no_grad():
            self.match.weight.copy_(ramp.unsqueeze(-1) + 0.02 * torch.randn(MATCHES, heads))

    def weights(self, query: Tensor, keys: Tensor, same: Tensor, allowed: Tensor) -> Tensor:
        """Attention over earlier edits [B, H, T, J]; rows with nothing allowed are zero."""
        asked = self.query(query).unflatten(-1, (self.heads, self.size))
        scores = torch.einsum("bths,bjhs->bhtj", asked, keys.unflatten(-1, (self.heads, self.size))).float()
        scores = scores * self.size**-0.5 + self.same(same).permute(0, 3, 1, 2).float()
        return F.softmax(scores.masked_fill(~allowed.unsqueeze(1), -1e9), -1) * allowed.unsqueeze(1)

    def forward(self, query: Tensor, edits: Tensor, match: Tensor, same: Tensor, batch: dict[str, Tensor]) -> Tensor:
        """query [B, T+1, D], edits [B, T, D], match [B, T, N], same [B, T+1, T] -> [B, T+1, N]."""
        times, count = query.shape[1], edits.shape[1]
        before = torch.ones(times, count, dtype=torch.bool, device=query.device).tril(-1)
        allowed = before.unsqueeze(0) & batch["edit_mask"].unsqueeze(1)
        weights = self.weights(query, self.key(edits), same, allowed)
        return torch.einsum("bhtj,bjnh->btn", weights, self.match(match).float())


class ContentReplay(nn.Module):
    """Copy bias over earlier edits: same contents before, and a root whose neighbourhood agrees."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(4 * MATCHES, 1)
        nn.init.zeros_(self.table.weight)

    def forward(self, match: Tensor, same: Tensor, root: Tensor) -> Tensor:
        """match [B, J, N], same [B, T, J], root [B, T] -> [B, T, J]."""
        count = match.shape[1]
        code = match.gather(2, root.unsqueeze(1).expand(-1, count, -1)).transpose(1, 2)
        return self.table(code + MATCHES * same).squeeze(-1)
