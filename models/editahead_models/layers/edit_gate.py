"""Where, or stay: an edit model's decision between an edit at another place and going on here."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from editahead_models.layers.analogy import Displacement


class Gate(nn.Module):
    """Where, or stay: the share of edits at another place, and the pointer over these places.

    The share depends on how well the places of either pointer fit, so that a place which repeats the last edit speaks
    for a jump.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.query = nn.Linear(dim, dim)
        self.displacement = Displacement(dim)
        self.decide = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 64), nn.GELU(), nn.Linear(64, 1))

    def joined(self, query: Tensor, elsewhere: Tensor, here: Tensor) -> dict[str, Tensor]:
        """Log-probabilities of all places, and of the parts.

        Queries [B, T, D], scores of initial names [B, T, N] for a jump, of all names and stop [B, T, M+1] otherwise.
        """
        evidence = elsewhere.logsumexp(-1) - here.logsumexp(-1)
        logit = self.decide(query).squeeze(-1).float() + evidence
        jump, stay = F.logsigmoid(logit), F.logsigmoid(-logit)
        jump_to, stay_at = F.log_softmax(elsewhere, -1), F.log_softmax(here, -1)
        size = elsewhere.shape[-1]
        parts = stay.unsqueeze(-1) + stay_at
        both = torch.stack([jump.unsqueeze(-1) + jump_to, parts[..., :size]]).logsumexp(0)
        position = torch.cat([both, parts[..., size:]], -1)
        return {"position": position, "jump": jump, "stay": stay, "jump_to": jump_to, "stay_at": stay_at}
