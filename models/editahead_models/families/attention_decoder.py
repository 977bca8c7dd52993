"""LSTM with multi-head attention over what it has read (the attention model of Chen and Rivera 2019).

Shapes: B files, T chunk length, K memory slots, N = K + T, d embedding and hidden, P projections.

    Att(Q) = softmax(Q Q^T / sqrt(d) + M) Q            queries, keys and values are the same
    J = [H, Att(H), Att(H W_1), .., Att(H W_P)],  y = softmax(drop(J) W_o + b_o)

The report attends within 32 words; here to the last K before each word, wherever the chunks are cut. `own` lets a
word attend to itself too, as the published listing does.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from editahead_models.families.lstm import Lstm, LstmConfig
from editahead_models.families.mixture import Chunk, MixtureOutput, State, carried, generated_only, masked_softmax
from editahead_models.layers.recurrent import uniform_


@dataclass(frozen=True)
class AttentionDecoderConfig(LstmConfig):
    """K in training, the number of projected heads, and whether a word sees itself."""

    slots: int = 32
    memory: str = "last_tokens"
    heads: int = 3
    own: bool = False


class AttentionDecoder(Lstm):
    """The network. State: h (B, d), C (B, d), memory (B, K, d)."""

    config: AttentionDecoderConfig

    def __init__(self, config: AttentionDecoderConfig) -> None:
        super().__init__(config)
        d = config.hidden
        self.heads = nn.ModuleList(nn.Linear(d, d, bias=False) for _ in range(config.heads))
        self.out = nn.Linear((2 + config.heads) * d, config.vocab)
        for layer in (*self.heads, self.out):
            uniform_(layer, d**-0.5)
        with torch.no_grad():
            self.out.bias.zero_()

    def start(self, batch: int, slots: int | None = None) -> State:
        """The state before the first token of a file: that of the LSTM and the memory [B, K, D]."""
        memory = torch.zeros(batch, slots or self.config.slots, self.config.hidden)
        return (*super().start(batch), memory)

    def forward(self, chunk: Chunk, state: State) -> tuple[MixtureOutput, State]:
        """Distributions of a chunk, and the state behind it."""
        _, h_BTD, carry = self.read(chunk.word_BT, state)
        bank_BND = torch.cat([state[2], h_BTD], 1)
        slot_BTK, mask_BTK = chunk.slot_BTK, chunk.mask_BTK
        if self.config.own:
            B, T, K = slot_BTK.shape
            self_BT1 = (torch.arange(T, device=slot_BTK.device) + K).view(1, T, 1).expand(B, T, 1)
            slot_BTK = torch.cat([slot_BTK, self_BT1], -1)
            mask_BTK = torch.cat([mask_BTK, torch.ones_like(mask_BTK[..., :1])], -1)
        seen = [self._attend(bank_BND, slot_BTK, mask_BTK)]
        seen += [self._attend(head(bank_BND), slot_BTK, mask_BTK) for head in self.heads]
        joint_BTJ = self.drop(torch.cat([h_BTD, *seen], -1))
        return generated_only(joint_BTJ, chunk.mask_BTK), (*carry, carried(bank_BND, chunk.next_BK))

    def _attend(self, bank_BND: Tensor, slot_BTK: Tensor, mask_BTK: Tensor) -> Tensor:
        """Att (B, T, d) of the chunk's positions over their slots."""
        T = slot_BTK.shape[1]
        scores_BTN = torch.bmm(bank_BND[:, -T:], bank_BND.transpose(1, 2)) * bank_BND.shape[-1] ** -0.5
        alpha_BTK = masked_softmax(scores_BTN.gather(2, slot_BTK), mask_BTK)
        weights_BTN = torch.zeros_like(scores_BTN).scatter_add(2, slot_BTK, alpha_BTK)
        return torch.bmm(weights_BTN, bank_BND)
