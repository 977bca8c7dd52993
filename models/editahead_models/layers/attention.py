"""Multi-head attention with a gated or a plain aggregation, and the sinusoidal position table.

Source: Vaswani et al. 2017 for the attention and the sinusoids; Zhao et al. 2019 for the aggregation with the query.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def sinusoids(length: int, dim: int) -> Tensor:
    """Position table [length, dim]: sin on even, cos on odd dimensions."""
    position = torch.arange(length, dtype=torch.float32).unsqueeze(1)
    rate = torch.exp(torch.arange(0, dim, 2, dtype=torch.float32) * (-math.log(10000.0) / dim))
    table = torch.zeros(length, dim)
    table[:, 0::2] = torch.sin(position * rate)
    table[:, 1::2] = torch.cos(position * rate[: dim // 2])
    return table


def causal_mask(length: int, device: torch.device | None = None) -> Tensor:
    """Boolean [length, length]: row t may look at columns 0..t."""
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


class Aggregation(nn.Module):
    """How what was read joins the query: `gru` is GRUCell(input=read, hidden=query), `sum` is query + read.

    Raises ValueError for another kind. Rows are (B, T, D).
    """

    def __init__(self, kind: str, dim: int) -> None:
        super().__init__()
        if kind not in ("gru", "sum"):
            raise ValueError(f"unknown aggregation {kind!r}")
        self.kind = kind
        if kind == "gru":
            self.read = nn.Linear(dim, 3 * dim)
            self.hold = nn.Linear(dim, 3 * dim)
            nn.init.zeros_(self.read.bias)
            nn.init.zeros_(self.hold.bias)

    def forward(self, query: Tensor, read: Tensor) -> Tensor:
        """The query joined with what was read, of the query's shape."""
        if self.kind == "sum":
            return query + read
        r_in, z_in, n_in = self.read(read).chunk(3, -1)
        r_hid, z_hid, n_hid = self.hold(query).chunk(3, -1)
        reset, update = torch.sigmoid(r_in + r_hid), torch.sigmoid(z_in + z_hid)
        return (1 - update) * torch.tanh(n_in + reset * n_hid) + update * query


def _plain_attention(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Tensor:
    """Matrix products and one softmax, all in the inputs' type.

    That is twice as fast as the fused kernel in bfloat16 on a CPU.
    """
    with torch.autocast("cpu", enabled=False):
        scores = torch.matmul(query * query.shape[-1] ** -0.5, keys.transpose(-1, -2))
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        return torch.matmul(torch.softmax(scores, -1), values)


class Attention(nn.Module):
    """Attention of query rows over key rows, joined to the query; optional normalisation and feed-forward part.

    Queries are (B, T, D), the memory (B, N, D), the mask (B, T, N).
    """

    def __init__(self, dim: int, heads: int, aggregation: str, *, norm: bool = False, feed_forward: int = 0) -> None:
        super().__init__()
        self.dim, self.heads = dim, heads
        self.query = nn.Linear(dim, dim, bias=False)
        self.key = nn.Linear(dim, dim, bias=False)
        self.value = nn.Linear(dim, dim, bias=False)
        self.out = nn.Linear(dim, dim, bias=False)
        self.join = Aggregation(aggregation, dim)
        self.norm_query = nn.LayerNorm(dim) if norm else nn.Identity()
        self.norm_memory = nn.LayerNorm(dim) if norm else nn.Identity()
        self.feed: nn.Module | None = None
        if feed_forward:
            self.feed = nn.Sequential(
                nn.LayerNorm(dim), nn.Linear(dim, feed_forward), nn.GELU(), nn.Linear(feed_forward, dim)
            )

    def memory(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of rows [B, N, D]: what a cache holds."""
        rows = self.norm_memory(rows)
        return self.key(rows), self.value(rows)

    def read(self, query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Tensor:
        """Attend query rows [B, T, D] over cached keys and values; boolean mask [B or 1, T, N], True where allowed."""
        heads, size = self.heads, self.dim // self.heads

        def split(rows: Tensor) -> Tensor:
            return rows.reshape(rows.shape[0], rows.shape[1], heads, size).transpose(1, 2)

        asked, keys, values = split(self.query(self.norm_query(query))), split(keys), split(values)
        allowed = None if mask is None else mask.unsqueeze(1)
        if asked.dtype == torch.bfloat16:
            read = _plain_attention(asked, keys, values, allowed)
        else:
            read = F.scaled_dot_product_attention(asked, keys, values, attn_mask=allowed)
        joined = self.join(query, self.out(read.transpose(1, 2).reshape(query.shape)))
        return joined if self.feed is None else joined + self.feed(joined)

    def forward(self, query: Tensor, memory: Tensor, mask: Tensor | None) -> Tensor:
        """What each query reads from the memory, of the query's shape."""
        return self.read(query, *self.memory(memory), mask)
