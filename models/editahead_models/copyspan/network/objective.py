"""What is minimised: minus the log-likelihood of a target per target token, summed over its action sequences or not.

B sequences, M target positions, P actions.
"""

from __future__ import annotations

import torch
from torch import Tensor

from editahead_models.copyspan.network.batches import Batch
from editahead_models.copyspan.network.marginal import edges, log_any_action, log_marginal
from editahead_models.copyspan.network.model import CopySpan, Scores

OBJECTIVES = ("marginal", "longest", "any")


def action_scores(scores: Scores, batch: Batch) -> Tensor:
    """ln q of each correct action of a batch (P,)."""
    M, N, V = batch.written_BM.shape[1], scores.first_BMN.shape[2], scores.gen_BMV.shape[2]
    spans = int((batch.start_P >= 0).sum())  # they come first
    row, at, start = batch.row_P[:spans], batch.at_P[:spans], batch.start_P[:spans]
    place = (row * M + at) * N
    end = start + batch.length_P[:spans] - 1
    copied = scores.first_BMN.reshape(-1)[place + start] + scores.last_BMN.reshape(-1)[place + end]
    row, at = batch.row_P[spans:], batch.at_P[spans:]
    written = scores.gen_BMV.reshape(-1)[(row * M + at) * V + batch.written_BM[row, at]]
    return torch.cat([copied, written])


def batch_scores(model: CopySpan, batch: Batch, z_BZ: Tensor | None = None) -> Scores:
    """Scores at every target position, with the target's own tokens as history."""
    encoded = model.encode(batch.source_BN, batch.source_lengths_B, z_BZ)
    return model.scores(model.run(batch.shifted_BM, encoded.state_BD, z_BZ), encoded)


def log_likelihood(scores: Scores, batch: Batch, objective: str = "marginal") -> Tensor:
    """The log-likelihood of each target (B,) under an objective.

    "marginal" and "longest" sum over action sequences (the batch says which spans count), "any" looks at each position
    alone.
    """
    values_P = action_scores(scores, batch)
    M = batch.written_BM.shape[1]
    if objective == "any":
        return log_any_action(values_P, batch.row_P, batch.at_P, batch.target_lengths_B, M)
    return log_marginal(edges(values_P, batch.row_P, batch.at_P, batch.length_P, batch.target_lengths_B, M))


def loss_of(model: CopySpan, batch: Batch, objective: str = "marginal", z_BZ: Tensor | None = None) -> Tensor:
    """The mean over a batch of -ln p per target token. A scalar."""
    likelihood_B = log_likelihood(batch_scores(model, batch, z_BZ), batch, objective)
    return -(likelihood_B / batch.target_lengths_B).mean()
