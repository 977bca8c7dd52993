"""LSTM with attention over the last K hidden states (LMAtt; Bhoopchand et al. 2016, section 3.1, equations 4 to 8).

Shapes: B files, T chunk length, K memory slots, d embedding and hidden.

    G_t = tanh(M_t W_M + 1 (h_t W_h)),  alpha_t = softmax(G_t w),  c_t = alpha_t M_t
    n_t = tanh([h_t, c_t] W_A),         y_t = softmax(n_t W_V + b_V)

The generating half of a sparse pointer network with attention sharing, over a memory of all tokens. Copies nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from editahead_models.families.lstm import Lstm, LstmConfig
from editahead_models.families.mixture import (
    Chunk,
    MixtureOutput,
    State,
    at_slots,
    carried,
    generated_only,
    masked_softmax,
    weighted_sum,
)
from editahead_models.layers.recurrent import uniform_


@dataclass(frozen=True)
class LmAttConfig(LstmConfig):
    """`slots` is K in training."""

    slots: int = 30
    memory: str = "last_tokens"


class LmAtt(Lstm):
    """The network. State: h (B, d), C (B, d), memory (B, K, d)."""

    config: LmAttConfig

    def __init__(self, config: LmAttConfig) -> None:
        super().__init__(config)
        d = config.hidden
        self.key = nn.Linear(d, d, bias=False)  # W_M
        self.query = nn.Linear(d, d, bias=False)  # W_h
        self.score = nn.Linear(d, 1, bias=False)  # w
        self.joint = nn.Linear(2 * d, d, bias=False)  # W_A
        for layer in (self.key, self.query, self.score, self.joint):
            uniform_(layer, d**-0.5)

    def start(self, batch: int, slots: int | None = None) -> State:
        """The state before the first token of a file: that of the LSTM and the memory [B, K, D]."""
        memory = torch.zeros(batch, slots or self.config.slots, self.config.hidden)
        return (*super().start(batch), memory)

    def forward(self, chunk: Chunk, state: State) -> tuple[MixtureOutput, State]:
        """Distributions of a chunk, and the state behind it."""
        _, h_BTD, carry = self.read(chunk.word_BT, state)
        bank_BND = torch.cat([state[2], h_BTD], 1)
        keys_BTKD = at_slots(self.key(bank_BND), chunk.slot_BTK)
        scores_BTK = self.score(torch.tanh(keys_BTKD + self.query(h_BTD).unsqueeze(2))).squeeze(-1)
        alpha_BTK = masked_softmax(scores_BTK, chunk.mask_BTK)
        c_BTD = weighted_sum(alpha_BTK, chunk.slot_BTK, bank_BND)
        n_BTD = torch.tanh(self.joint(torch.cat([h_BTD, c_BTD], -1)))
        return generated_only(n_BTD, chunk.mask_BTK), (*carry, carried(bank_BND, chunk.next_BK))
