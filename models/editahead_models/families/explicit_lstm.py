"""E: a hierarchical LSTM over explicit states.

A first LSTM reads every state in full, each token beside the token at the same index of the state before; a second one
reads the last hidden state of each state. Its output names the content and points at a token of the newest state.
Cost O(T (N + T) D^2): the reason why it does not scale.
Legend: B instances, T edits, L tokens of a state, D width, C content classes.
Source: Zhao et al. 2019, section 4.1 (explicit baseline).
"""

from __future__ import annotations

from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from editahead_models.data.synthetic.batches import EditBatch
from editahead_models.families.edit_model import IMPOSSIBLE, EditModel, EditModelConfig, EditScores


class ExplicitLstm(EditModel):
    """Content and position are independent given the state of the second LSTM, as published."""

    explicit: ClassVar[bool] = True

    def __init__(self, config: EditModelConfig) -> None:
        super().__init__(config)
        dim = config.hidden
        self.embed = nn.Embedding(config.size, dim)
        self.tokens = nn.LSTM(2 * dim, dim, batch_first=True)
        self.states = nn.LSTM(dim, dim, batch_first=True)
        self.content_out = nn.Linear(dim, config.classes, bias=False)

    def forward(self, batch: EditBatch) -> EditScores:
        """Scores of every edit of a batch."""
        state_BTL, length_BT = batch.state_BTL, batch.state_length_BT
        assert state_BTL is not None, "the batch was made without states"
        assert length_BT is not None
        read_BTLD = self.read(state_BTL)
        last_BT1D = (length_BT - 1)[..., None, None].expand(-1, -1, 1, read_BTLD.shape[-1])
        last_BTD = read_BTLD.gather(2, last_BT1D).squeeze(2)
        past_BTD, _ = self.states(last_BTD)
        pointer_BTL = torch.einsum("btd,btld->btl", past_BTD, read_BTLD)
        real_BTL = torch.arange(state_BTL.shape[2], device=state_BTL.device) < length_BT.unsqueeze(-1)
        return EditScores(
            F.log_softmax(pointer_BTL.masked_fill(~real_BTL, IMPOSSIBLE), -1),
            F.log_softmax(self.content_out(past_BTD), -1),
        )

    def read(self, state_BTL: Tensor) -> Tensor:
        """Hidden states [B, T, L, D] of the first LSTM, which begins anew at each state."""
        padding = torch.full_like(state_BTL[:, :1], self.config.size - 1)
        before_BTL = torch.cat([padding, state_BTL[:, :-1]], 1)
        pairs = torch.cat([self.embed(before_BTL), self.embed(state_BTL)], -1)
        rows: Tensor = self.tokens(pairs.flatten(0, 1))[0]
        return rows.view(*state_BTL.shape, -1)
