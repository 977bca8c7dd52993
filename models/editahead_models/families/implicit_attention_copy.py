"""IA-ag with a thing that the paper has not: contents may be copied from the first state, from earlier edits, or both.

    P(c) = g_0 softmax(W_c A)_c + g_1 sum_{n: s_n = c} a_n + g_2 sum_{j < t: c_j = c} b_j,   g = softmax(W_g A)

a and b are attention weights of A over the rows of the first state and of the edits before; the likelihood is that of
the mixture. A deletion comes from the table alone.
Legend: B instances, N initial tokens, T edits, D width, C content classes.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from editahead_models.data.synthetic.batches import EditBatch
from editahead_models.families.edit_model import IMPOSSIBLE, EditModelConfig, EditScores
from editahead_models.families.implicit_attention_paper import ImplicitAttentionPaper, tensors
from editahead_models.layers.attention import causal_mask

COPYING: dict[str, tuple[bool, bool]] = {
    "IA-ag+state": (True, False),
    "IA-ag+edits": (False, True),
    "IA-ag+copy": (True, True),
}
"""Whether a variant copies from the first state and from earlier edits."""


class ImplicitAttentionCopy(ImplicitAttentionPaper):
    """The published model with a mixture in place of its content softmax."""

    def __init__(self, config: EditModelConfig) -> None:
        super().__init__(config)
        self.sources = COPYING[config.family]
        dim = config.hidden
        self.queries = nn.ModuleList(nn.Linear(dim, dim) for _ in self.sources)
        self.keys = nn.ModuleList(nn.Linear(dim, dim, bias=False) for _ in self.sources)
        self.mix = nn.Linear(dim, 3)

    def forward(self, batch: EditBatch) -> EditScores:
        """Scores of every edit of a batch."""
        out = self.body(tensors(batch))
        state_BTD, n = out["state"], batch.token_BN.shape[1]
        steps = state_BTD.shape[1]
        real_BN = batch.token_BN < self.config.classes  # no sentinel, no padding
        from_state = real_BN.unsqueeze(1).expand(-1, steps, -1)
        inserted_BT = batch.edit_BT & (batch.content_BT != self.config.classes - 1)
        from_edits = causal_mask(steps, state_BTD.device).tril(-1).unsqueeze(0) & inserted_BT.unsqueeze(1)
        places = ((from_state, out["rows"][:, :n], batch.token_BN), (from_edits, out["rows"][:, n:], batch.content_BT))
        allowed = [torch.ones_like(batch.edit_BT), *(self.sources[k] & places[k][0].any(-1) for k in (0, 1))]
        weight_BT3 = F.log_softmax(self.mix(state_BTD).masked_fill(~torch.stack(allowed, -1), IMPOSSIBLE), -1)
        content_BTC = weight_BT3[..., :1].exp() * F.softmax(out["content_logits"][..., : self.config.classes], -1)
        for k, (mask, rows, token) in enumerate(places):
            if self.sources[k]:
                share = self._attend(k, state_BTD, rows, mask) * weight_BT3[..., k + 1 : k + 2].exp()
                index = token.clamp(max=self.config.classes - 1).unsqueeze(1).expand(-1, steps, -1)
                content_BTC = content_BTC.scatter_add(-1, index, share)
        return EditScores(out["position"], (content_BTC + 1e-12).log())

    def _attend(self, k: int, state_BTD: Tensor, rows: Tensor, mask: Tensor) -> Tensor:
        """Attention weights [B, T, N or T] of source k, zero where nothing may be copied."""
        scores = torch.bmm(self.queries[k](state_BTD), self.keys[k](rows).transpose(1, 2)) * rows.shape[-1] ** -0.5
        return F.softmax(scores.masked_fill(~mask, IMPOSSIBLE), -1) * mask
