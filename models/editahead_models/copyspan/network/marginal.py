"""The likelihood of a target summed over all action sequences that write it: a log-space dynamic program.

Section 3 of the paper (equation 2). Everything is a walk on positions 0..m of the target: an action that writes
`length` tokens at position k is an edge from k to k + length with weight ln q. Edges between the same positions are
summed first, then one recursion over positions gives the sum over all walks; its gradient is exact and costs one more
recursion, since the derivative with respect to an edge is the probability that the edge is used.

B sequences, M target positions, P actions.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

NEG = -1e9  # not -inf: a row of nothing but -inf has no gradient


def scatter_logsumexp(values_P: Tensor, index_P: Tensor, size: int) -> Tensor:
    """ln of the sums of exp(values) that share an index, as a vector of `size`; NEG where there is none.

    Shape (size,).
    """
    top = torch.full((size,), NEG, dtype=values_P.dtype, device=values_P.device)
    top = top.scatter_reduce(0, index_P, values_P.detach(), "amax")
    total = torch.zeros_like(top).index_add(0, index_P, (values_P - top[index_P]).exp())
    return torch.where(total > 0, top + total.clamp_min(torch.finfo(total.dtype).tiny).log(), top)


class _Walks(torch.autograd.Function):
    """beta[0] of W (B, M, M + 1): W[k, e] is the weight of going from k to e > k, all walks end at M."""

    @staticmethod
    def forward(ctx: Any, W_BMX: Tensor) -> Tensor:
        B, M, _ = W_BMX.shape
        beta = W_BMX.new_zeros(B, M + 1)
        for k in range(M - 1, -1, -1):
            beta[:, k] = torch.logsumexp(W_BMX[:, k, k + 1 :] + beta[:, k + 1 :], 1)
        ctx.save_for_backward(W_BMX, beta)
        return beta[:, 0].clone()

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Tensor:
        (grad_B,) = grads
        W_BMX, beta = ctx.saved_tensors
        return grad_B[:, None, None] * posteriors(W_BMX, beta)


def posteriors(W_BMX: Tensor, beta_BX: Tensor) -> Tensor:
    """The probability that each edge is used, given all backward sums beta. Shape (B, M, M + 1)."""
    M = W_BMX.shape[1]
    alpha = torch.full_like(beta_BX, NEG)
    alpha[:, 0] = 0
    for e in range(1, M + 1):
        alpha[:, e] = torch.logsumexp(alpha[:, :e] + W_BMX[:, :e, e], 1)
    return (alpha[:, :-1, None] + W_BMX + beta_BX[:, None, :] - beta_BX[:, :1, None]).exp().triu(1)


def edges(values_P: Tensor, row_P: Tensor, at_P: Tensor, length_P: Tensor, lengths_B: Tensor, M: int) -> Tensor:
    """W (B, M, M + 1) out of the log-probabilities of actions; a padded position leads on to the next one for free."""
    B = len(lengths_B)
    flat = (row_P * M + at_P) * (M + 1) + at_P + length_P
    W = scatter_logsumexp(values_P, flat, B * M * (M + 1)).view(B, M, M + 1)
    steps = torch.arange(M, device=W.device)
    padded = steps[None, :] >= lengths_B[:, None]
    free = torch.zeros_like(W)
    free[:, steps, steps + 1] = padded.to(W.dtype)
    return torch.where(padded[:, :, None], (1 - free) * NEG, W)


def log_marginal(W_BMX: Tensor) -> Tensor:
    """ln p(target | input) of each sequence (B,): beta[0]."""
    return _Walks.apply(W_BMX)


def log_any_action(values_P: Tensor, row_P: Tensor, at_P: Tensor, lengths_B: Tensor, M: int) -> Tensor:
    """The ablation without marginalisation (B,).

    It is ln of the mass of all correct actions at each position, summed over positions, whatever an action would write
    beyond its first token.
    """
    B = len(lengths_B)
    each_BM = scatter_logsumexp(values_P, row_P * M + at_P, B * M).view(B, M)
    real = torch.arange(M, device=each_BM.device)[None, :] < lengths_B[:, None]
    return (each_BM * real).sum(1)


def best_walk(W: Tensor) -> list[tuple[int, int]]:
    """The likeliest walk through W (M, M + 1) as (from, to) pairs: the same recursion with max in place of the sum."""
    M = W.shape[0]
    beta = W.new_zeros(M + 1)
    to = [0] * M
    for k in range(M - 1, -1, -1):
        best = (W[k, k + 1 :] + beta[k + 1 :]).max(0)
        beta[k], to[k] = best.values, k + 1 + int(best.indices)
    walk, k = [], 0
    while k < M:
        walk.append((k, to[k]))
        k = to[k]
    return walk
