"""Several language models as one (Chen and Rivera 2019, section 2.6): the arithmetic and the geometric mean.

Averaging raw outputs, as the published listing does, is the geometric mean after its softmax: a legitimate model,
but not the mixture that "average of the predictions" suggests. Shapes: M members, ... any, V words.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def arithmetic(members: Sequence[Tensor], weights: Sequence[float] | None = None) -> Tensor:
    """ln of the weighted mean of the members' probabilities; `members` are log distributions (..., V).

    Also right for ln p of single tokens (...,): the mixture of a token needs no other token. Raises ValueError
    for weights that do not fit.
    """
    log_w = _weights(members, weights).log()
    return torch.logsumexp(torch.stack([m.double() + w for m, w in zip(members, log_w, strict=True)]), 0)


def geometric(members: Sequence[Tensor], weights: Sequence[float] | None = None) -> Tensor:
    """The weighted mean of log distributions (..., V), normalised again. Needs whole distributions.

    Raises ValueError for weights that do not fit.
    """
    shares = _weights(members, weights)
    mean = torch.stack([m.double() * w for m, w in zip(members, shares, strict=True) if w > 0]).sum(0)
    return torch.log_softmax(mean, -1)


def _weights(members: Sequence[Tensor], weights: Sequence[float] | None) -> Tensor:
    """Shares (M,) that sum to 1; equal ones by default."""
    if not members:
        raise ValueError("an ensemble needs at least one member")
    shares = torch.ones(len(members)) if weights is None else torch.tensor(list(weights))
    if len(shares) != len(members) or bool((shares < 0).any()) or float(shares.sum()) <= 0:
        raise ValueError(f"an ensemble of {len(members)} needs as many non-negative weights, found {weights}")
    return shares.double() / shares.double().sum()
