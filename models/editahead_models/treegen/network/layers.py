"""The parts of TreeGen's blocks (Sun et al., AAAI 2020, sections 2.1 to 2.3).

B batch, T steps (rules or words), S steps that are looked at, D width, H heads, K = D / H, M letters of a word.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def positions(length: int, width: int, block: int, device: torch.device | None = None) -> Tensor:
    """`p_b[i, 2j] = sin((i + b) / 10000^(2j/D))`, odd components the cosine; (T, D)."""
    where = torch.arange(length, dtype=torch.float32, device=device)[:, None] + block
    rate = torch.pow(10_000.0, -torch.arange(0, width, 2, dtype=torch.float32, device=device) / width)
    table = torch.empty(length, width, device=device)
    table[:, 0::2] = torch.sin(where * rate)
    table[:, 1::2] = torch.cos(where * rate[: width // 2])
    return table


def split_heads(x_BTD: Tensor, heads: int) -> Tensor:
    """(B, T, D) to (B, H, T, K)."""
    batch, length, width = x_BTD.shape
    return x_BTD.view(batch, length, heads, width // heads).transpose(1, 2)


def join_heads(x_BHTK: Tensor) -> Tensor:
    """(B, H, T, K) to (B, T, D)."""
    batch, _, length, _ = x_BHTK.shape
    return x_BHTK.transpose(1, 2).reshape(batch, length, -1)


class Attention(nn.Module):
    """Scaled dot-product attention with H heads and no biases."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.value = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, x_BTD: Tensor, y_BSD: Tensor, allowed: Tensor) -> Tensor:
        """`allowed` is (B, 1, 1, S) or (1, 1, T, S): what may be looked at."""
        q = split_heads(self.query(x_BTD), self.heads)
        k, v = split_heads(self.key(y_BSD), self.heads), split_heads(self.value(y_BSD), self.heads)
        out: Tensor = self.out(join_heads(F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)))
        return out


class Gating(nn.Module):
    """A mixture of a step with what belongs to it: letters for a word, the definition for a rule.

    By head `[a_y, a_c] = softmax([q k_y, q k_c] / sqrt(K))`, `h = a_y v_y + a_c v_c`; the published code has the scale.
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width, bias=False)
        self.own = nn.Linear(width, 2 * width, bias=False)
        self.other = nn.Linear(width, 2 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def weights(self, q: Tensor, k_y: Tensor, k_c: Tensor) -> Tensor:
        """(B, H, T, 2), summing to one."""
        scores = torch.stack([(q * k_y).sum(-1), (q * k_c).sum(-1)], -1)
        return torch.softmax(scores / q.shape[-1] ** 0.5, -1)

    def forward(self, y_BTD: Tensor, c_BTD: Tensor) -> Tensor:
        """y (B, T, D) with what its letters c (B, T, D) say, weighed by a gate."""
        q = split_heads(self.query(y_BTD), self.heads)
        k_y, v_y = (split_heads(part, self.heads) for part in self.own(y_BTD).chunk(2, -1))
        k_c, v_c = (split_heads(part, self.heads) for part in self.other(c_BTD).chunk(2, -1))
        a = self.weights(q, k_y, k_c)
        out: Tensor = self.out(join_heads(a[..., :1] * v_y + a[..., 1:] * v_c))
        return out


class WordConvolution(nn.Module):
    """Two separable convolutions over words, window 3, GELU between them; padding is zero before each."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.depth = nn.ModuleList(nn.Conv1d(width, width, 3, padding=1, groups=width, bias=False) for _ in range(2))
        self.point = nn.ModuleList(nn.Linear(width, width) for _ in range(2))

    def forward(self, x_BTD: Tensor, real_BT: Tensor) -> Tensor:
        """x (B, T, D) after two convolutions; only real places are read."""
        for number in range(2):
            x_BDT = (x_BTD * real_BT[..., None]).transpose(1, 2)
            x_BTD = self.point[number](self.depth[number](x_BDT).transpose(1, 2))
            if number == 0:
                x_BTD = F.gelu(x_BTD)
        return x_BTD


def parents(f_BTD: Tensor, parent_BT: Tensor) -> Tensor:
    """`f_par[j] = f[parent(j)]`: the product with M where M_ij = 1 iff i is the parent of j. Shape (B, T, D)."""
    return torch.gather(f_BTD, 1, parent_BT[..., None].expand_as(f_BTD))


class TreeConvolution(nn.Module):
    """Two layers `f(W [Y; Y M; Y M^2])`: a rule, its parent, its grandparent; GELU between, dropout, LN, no residual.

    `dense` leaves the tree out (ablation 7): the same two layers see the rule alone.
    """

    def __init__(self, width: int, dropout: float, dense: bool = False) -> None:
        super().__init__()
        self.dense = dense
        self.layers = nn.ModuleList(nn.Linear(width if dense else 3 * width, width) for _ in range(2))
        self.drop = nn.Dropout(dropout)
        self.norm = nn.LayerNorm(width)

    def forward(self, y_BTD: Tensor, parent_BT: Tensor) -> Tensor:
        """y (B, T, D) after convolutions along the path to the root."""
        for number, layer in enumerate(self.layers):
            if not self.dense:
                above = parents(y_BTD, parent_BT)
                y_BTD = torch.cat([y_BTD, above, parents(above, parent_BT)], -1)
            y_BTD = layer(y_BTD)
            if number == 0:
                y_BTD = F.gelu(y_BTD)
        out: Tensor = self.norm(self.drop(y_BTD))
        return out


class FeedForward(nn.Module):
    """`D -> inner` GELU `-> D`."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x_BTD: Tensor) -> Tensor:
        """Rows of the shape of x (B, T, D)."""
        out: Tensor = self.down(F.gelu(self.up(x_BTD)))
        return out


class Residual(nn.Module):
    """`LN(x + dropout(f(x)))`, where the caller says what f(x) is."""

    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.drop, self.norm = nn.Dropout(dropout), nn.LayerNorm(width)

    def forward(self, x_BTD: Tensor, change_BTD: Tensor) -> Tensor:
        """Rows of the shape of x (B, T, D)."""
        out: Tensor = self.norm(x_BTD + self.drop(change_BTD))
        return out
