"""Layers of the implicit-attention model for one row at a time, in as few operators as that takes.

A step of the decoder asks about one row. What it costs is the number of operators in its graph, not their size: the
layers of training, written for batches, became 315 of them, most of which only moved axes about.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from editahead_models.layers.analogy import Displacement, PositionReplay
from editahead_models.layers.attention import Attention


class RowAttention(nn.Module):
    """`Attention` with one query row [1, D] over keys and values [N, D]."""

    def __init__(self, layer: Attention) -> None:
        super().__init__()
        self.layer = layer

    def memory(self, row: Tensor) -> tuple[Tensor, Tensor]:
        """The key and the value of a row, [1, D] each."""
        row = self.layer.norm_memory(row)
        return self.layer.key(row), self.layer.value(row)

    def forward(self, query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """What the query reads, joined with it: [1, D]."""
        layer = self.layer
        heads, size = layer.heads, layer.dim // layer.heads
        asked = layer.query(layer.norm_query(query)) * size**-0.5
        scores = asked.reshape(heads, 1, size) @ keys.reshape(-1, heads, size).permute(1, 2, 0)
        read = torch.softmax(scores, -1) @ values.reshape(-1, heads, size).transpose(0, 1)
        joined = layer.join(query, layer.out(read.reshape(1, layer.dim)))
        return joined if layer.feed is None else joined + layer.feed(joined)


def displaced(layer: Displacement, query: Tensor, bins: Tensor) -> Tensor:
    """`Displacement` for one query row [1, D] and the bins of the names [M]: a bias [M]."""
    return (layer.weigh(query) @ (16.0 * layer.table).t())[0][bins]


def replayed(layer: PositionReplay, query: Tensor, keys: Tensor, same: Tensor, match: Tensor) -> Tensor:
    """`PositionReplay` for one query row [1, D]: a bias [N] over the initial tokens.

    `keys` are those of the edits [J, H*S], `same` [1, J] and `match` [J, N] as in the layer.
    """
    asked = layer.query(query).reshape(layer.heads, 1, layer.size) * layer.size**-0.5
    scores = asked @ keys.reshape(-1, layer.heads, layer.size).permute(1, 2, 0)
    weights = torch.softmax(scores + layer.same(same).permute(2, 0, 1), -1)
    return (layer.match.weight @ weights[:, 0]).t().gather(1, match).sum(0)
