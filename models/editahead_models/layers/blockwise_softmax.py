"""ln softmax of chosen columns without ever holding the (N, V) matrix: rows in blocks that fit the cache.

Shapes: N rows, C columns (all of the vocabulary, or a weighted sample of it), e features. With many columns the
backward pass computes each block's logits again: a product is cheaper than a trip to memory. Products are bfloat16
where that is faster on this machine (`precision`); sums are always float32.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from editahead_models.layers.precision import product_type

_ROWS = 512
_KEPT_COLUMNS = 4096  # up to here the exponentials of a step (rows x columns) stay in memory


class _PickedLogSoftmax(torch.autograd.Function):
    """Few columns keep their exponentials for the backward pass; many compute them again, block by block."""

    @staticmethod
    def forward(ctx: Any, x_NE: Tensor, weight_CE: Tensor, bias_C: Tensor, column_N: Tensor) -> Tensor:
        kind = product_type(x_NE.device.type)
        xp, wp = x_NE.detach().to(kind), weight_CE.detach().to(kind)
        n, keep = len(x_NE), len(bias_C) <= _KEPT_COLUMNS
        wt = wp.t().contiguous()
        picked_N, log_z_N = x_NE.new_empty(n, dtype=torch.float32), x_NE.new_empty(n, dtype=torch.float32)
        kept_NC = x_NE.new_empty((n, len(bias_C)) if keep else (0, 0), dtype=torch.float32)
        for a in range(0, n, _ROWS):
            rows = slice(a, a + _ROWS)
            logits = torch.mm(xp[rows], wt, out=kept_NC[rows] if keep and kind == torch.float32 else None).float()
            logits.add_(bias_C)
            picked = logits.gather(1, column_N[rows, None]).squeeze(1)
            top = logits.amax(1)
            exponentials = logits.sub_(top[:, None]).exp_()
            if keep and kind != torch.float32:
                kept_NC[rows] = exponentials
            total = exponentials.sum(1)
            log_z_N[rows] = top + total.log()
            picked_N[rows] = picked - log_z_N[rows]
            if keep:
                kept_NC[rows].mul_(total.reciprocal_()[:, None])
        ctx.save_for_backward(xp, wp, bias_C, column_N, log_z_N, kept_NC)
        return picked_N

    @staticmethod
    def backward(ctx: Any, grad_N: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        xp, wp, bias_C, column_N, log_z_N, kept_NC = ctx.saved_tensors
        dx_NE = torch.empty_like(xp, dtype=torch.float32)
        dw_CE = torch.zeros_like(wp, dtype=torch.float32)
        db_C = torch.zeros_like(bias_C)
        wt = wp.t().contiguous() if not len(kept_NC) else None
        for a in range(0, len(xp), _ROWS):
            rows = slice(a, a + _ROWS)
            g = grad_N[rows]
            if wt is None:
                d = kept_NC[rows].mul_(-g[:, None])
            else:
                d = (xp[rows] @ wt).float().add_(bias_C).sub_(log_z_N[rows, None]).exp_().mul_(-g[:, None])
            d.scatter_add_(1, column_N[rows, None], g[:, None])
            db_C += d.sum(0)
            dp = d.to(xp.dtype)
            dx_NE[rows] = (dp @ wp).float()
            dw_CE += (dp.t() @ xp[rows]).float()
        return dx_NE, dw_CE, db_C, None


def picked_log_softmax(x_NE: Tensor, weight_CE: Tensor, bias_C: Tensor, column_N: Tensor) -> Tensor:
    """ln softmax(x W^T + b) at one column a row: (N,)."""
    return _PickedLogSoftmax.apply(x_NE, weight_CE, bias_C, column_N)


def sample_columns(target_N: Tensor, vocab: int, always: int, extra: int) -> tuple[Tensor, Tensor, Tensor]:
    """(columns (C,), ln weight (C,), column of each target (N,)): a softmax over part of the vocabulary.

    The first `always` ids (vocabularies are sorted by frequency) and the batch's own targets count once; `extra`
    ids drawn uniformly from the rest stand for all of the rest, so that the partition function stays unbiased.
    """
    chosen = torch.zeros(vocab, dtype=torch.bool, device=target_N.device)
    chosen[:always] = True
    chosen[target_N] = True
    rest = (~chosen).nonzero().squeeze(1)
    take = rest[torch.randperm(len(rest))[:extra].to(rest.device)]
    log_weight = torch.zeros(vocab, device=target_N.device)
    if len(take):
        log_weight[take] = math.log(len(rest) / len(take))
        chosen[take] = True
    columns = chosen.nonzero().squeeze(1)
    place = torch.zeros(vocab, dtype=torch.long, device=target_N.device)
    place[columns] = torch.arange(len(columns), device=target_N.device)
    return columns, log_weight[columns], place[target_N]
