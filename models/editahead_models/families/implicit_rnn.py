"""IR: an LSTM reads the first state, another one the edits; positions are rows of a learned table.

There is no attention and no pointer, so that a position which was never trained cannot be predicted: a baseline.
Legend: B instances, N initial tokens, T edits, P positions, D width, C content classes.
Source: Zhao et al. 2019, section 4.2 (implicit recurrent baseline).
"""

from __future__ import annotations

from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

from editahead_models.data.synthetic.batches import EditBatch
from editahead_models.families.edit_model import IMPOSSIBLE, EditModel, EditModelConfig, EditScores
from editahead_models.families.implicit_attention import delayed


class ImplicitRnn(EditModel):
    """Rows of its tables: initial tokens, then edits from row `config.initial` on, in every batch the same."""

    learns_positions: ClassVar[bool] = True

    def __init__(self, config: EditModelConfig) -> None:
        super().__init__(config)
        dim = config.hidden
        self.embed = nn.Embedding(config.size, dim)
        self.position_in = nn.Embedding(config.initial + config.edits, dim)
        self.position_out = nn.Linear(dim, config.initial + config.edits, bias=False)
        self.reader = nn.LSTM(dim, dim, batch_first=True)
        self.writer = nn.LSTM(2 * dim, dim, batch_first=True)
        self.content_out = nn.Linear(2 * dim, config.classes, bias=False)

    def forward(self, batch: EditBatch) -> EditScores:
        """Raises ValueError when a state or an edit sequence is longer than the tables."""
        n, t = batch.token_BN.shape[1], batch.name_BT.shape[1]
        if n > self.config.initial or t > self.config.edits:
            raise ValueError(
                f"this model has places for {self.config.initial} initial tokens and {self.config.edits} edits, "
                f"found {n} and {t}"
            )
        packed = pack_padded_sequence(
            self.embed(batch.token_BN), batch.length_B.cpu(), batch_first=True, enforce_sorted=False
        )
        _, start = self.reader(packed)
        row_BT = torch.where(batch.name_BT >= n, batch.name_BT - n + self.config.initial, batch.name_BT)
        here_BTD = self.position_in(row_BT)
        done_BTD = torch.cat([here_BTD, self.embed(batch.content_BT)], -1)
        past_BTD, _ = self.writer(delayed(done_BTD, 1), start)
        logits = self.position_out(past_BTD)
        logits = torch.cat([logits[..., :n], logits[..., self.config.initial : self.config.initial + t]], -1)
        return EditScores(
            F.log_softmax(logits.masked_fill(~batch.allowed_BTP, IMPOSSIBLE), -1),
            F.log_softmax(self.content_out(torch.cat([past_BTD, here_BTD], -1)), -1),
        )
