"""ln softmax of chosen columns without ever holding the (N, V) matrix: rows in blocks that fit the cache.

Shapes: N rows, C columns (all of the vocabulary, or a weighted sample of it), e features. The backward pass
computes each block's logits again: on today's CPUs a bf16 product is cheaper than a trip to memory.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

_ROWS = 512
_FEW_ROWS = 128  # with many columns a row, a smaller block stays in the cache


class _PickedLogSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x_NE: Tensor, weight_CE: Tensor, bias_C: Tensor, column_N: Tensor) -> Tensor:
        x16, w16 = x_NE.bfloat16(), weight_CE.bfloat16()
        wt16 = w16.t().contiguous()
        out_N = torch.empty(x_NE.shape[0])
        log_z_N = torch.empty(x_NE.shape[0])
        for a in range(0, x_NE.shape[0], _ROWS):
            logits = (x16[a : a + _ROWS] @ wt16).float().add_(bias_C)
            picked = logits.gather(1, column_N[a : a + _ROWS, None]).squeeze(1)
            top = logits.amax(1)
            log_z = logits.sub_(top[:, None]).exp_().sum(1).log_().add_(top)
            out_N[a : a + _ROWS] = picked - log_z
            log_z_N[a : a + _ROWS] = log_z
        ctx.save_for_backward(x16, w16, wt16, bias_C, column_N, log_z_N)
        return out_N

    @staticmethod
    def backward(ctx: Any, grad_N: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:  # type: ignore[override]
        x16, w16, wt16, bias_C, column_N, log_z_N = ctx.saved_tensors
        dx_NE = torch.empty(x16.shape)
        dw_CE = torch.zeros(w16.shape)
        db_C = torch.zeros(bias_C.shape)
        for a in range(0, x16.shape[0], _ROWS):
            rows = slice(a, a + _ROWS)
            g = grad_N[rows]
            d = (x16[rows] @ wt16).float().add_(bias_C).sub_(log_z_N[rows, None]).exp_().mul_(-g[:, None])
            d.scatter_add_(1, column_N[rows, None], g[:, None])
            db_C += d.sum(0)
            d16 = d.bfloat16()
            dx_NE[rows] = (d16 @ w16).float()
            dw_CE += (d16.t() @ x16[rows]).float()
        return dx_NE, dw_CE, db_C, None


def picked_log_softmax(x_NE: Tensor, weight_CE: Tensor, bias_C: Tensor, column_N: Tensor) -> Tensor:
    """ln softmax(x W^T + b) at one column a row: (N,)."""
    return _PickedLogSoftmax.apply(x_NE, weight_CE, bias_C, column_N)  # type: ignore[no-any-return]


def sample_columns(target_N: Tensor, vocab: int, always: int, extra: int) -> tuple[Tensor, Tensor, Tensor]:
    """(columns (C,), ln weight (C,), column of each target (N,)): a softmax over part of the vocabulary.

    The first `always` ids (vocabularies are sorted by frequency) and the batch's own targets count once; `extra`
    ids drawn uniformly from the rest stand for all of the rest, so that the partition function stays unbiased.
    """
    chosen = torch.zeros(vocab, dtype=torch.bool)
    chosen[:always] = True
    chosen[target_N] = True
    rest = (~chosen).nonzero().squeeze(1)
    take = rest[torch.randperm(len(rest))[:extra]]
    log_weight = torch.zeros(vocab)
    if len(take):
        log_weight[take] = torch.log(torch.tensor(len(rest) / len(take)))
        chosen[take] = True
    columns = chosen.nonzero().squeeze(1)
    place = torch.zeros(vocab, dtype=torch.long)
    place[columns] = torch.arange(len(columns))
    return columns, log_weight[columns], place[target_N]


class _ColumnsLogSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x_NE: Tensor, weight_CE: Tensor, bias_C: Tensor, column_NX: Tensor) -> Tensor:
        x16, w16 = x_NE.bfloat16(), weight_CE.bfloat16()
        wt16 = w16.t().contiguous()
        out_NX = torch.empty(column_NX.shape)
        log_z_N = torch.empty(x_NE.shape[0])
        for a in range(0, x_NE.shape[0], _FEW_ROWS):
            rows = slice(a, a + _FEW_ROWS)
            logits = (x16[rows] @ wt16).float().add_(bias_C)
            picked = logits.gather(1, column_NX[rows])
            log_z_N[rows] = torch.logsumexp(logits, 1)
            torch.sub(picked, log_z_N[rows, None], out=out_NX[rows])
        ctx.save_for_backward(x16, w16, wt16, bias_C, column_NX, log_z_N)
        return out_NX

    @staticmethod
    def backward(ctx: Any, grad_NX: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:  # type: ignore[override]
        x16, w16, wt16, bias_C, column_NX, log_z_N = ctx.saved_tensors
        dx_NE = torch.empty(x16.shape)
        dw_CE = torch.zeros(w16.shape)
        db_C = torch.zeros(bias_C.shape)
        total_N = grad_NX.sum(1)
        for a in range(0, x16.shape[0], _FEW_ROWS):
            rows = slice(a, a + _FEW_ROWS)
            d = (x16[rows] @ wt16).float().add_(bias_C).sub_(log_z_N[rows, None]).exp_().mul_(-total_N[rows, None])
            d.scatter_add_(1, column_NX[rows], grad_NX[rows])
            db_C += d.sum(0)
            d16 = d.bfloat16()
            dx_NE[rows] = (d16 @ w16).float()
            dw_CE += (d16.t() @ x16[rows]).float()
        return dx_NE, dw_CE, db_C, None


def log_softmax_columns(x_NE: Tensor, weight_CE: Tensor, bias_C: Tensor, column_NX: Tensor) -> Tensor:
    """ln softmax(x W^T + b) at X columns a row: (N, X). A column may stand in a row more than once."""
    return _ColumnsLogSoftmax.apply(x_NE, weight_CE, bias_C, column_NX)  # type: ignore[no-any-return]
