"""LSTM language model (Bhoopchand et al. 2016, section 3.1; Müller 2019, section 2.1).

Shapes: B files, T chunk length, V words, d embedding and hidden.

    h_t, C_t = LSTM(E w_t, h_{t-1}, C_{t-1}),  y_t = softmax(h_t W_V + b_V)

`vectors` begins with embeddings learnt elsewhere, which are then tuned (Chen and Rivera 2019).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from editahead_models.families.mixture import Chunk, MixtureOutput, NeuralLanguageModel, State, generated_only
from editahead_models.layers.recurrent import single_bias_lstm, uniform_


@dataclass(frozen=True)
class LstmConfig:
    """Sizes: V, d, and the share of embedding entries dropped in training."""

    vocab: int
    hidden: int = 200
    dropout: float = 0.1


class Lstm(NeuralLanguageModel):
    """The network. State: h (B, d), C (B, d)."""

    def __init__(self, config: LstmConfig, vectors: Tensor | None = None) -> None:
        super().__init__()
        self.config = config
        d = config.hidden
        self.word = nn.Embedding(config.vocab, d)
        self.lstm = single_bias_lstm(d, d)
        self.out = nn.Linear(d, config.vocab)
        self.drop = nn.Dropout(config.dropout)
        uniform_(self, d**-0.5)
        with torch.no_grad():
            self.out.bias.zero_()
            if vectors is not None:
                self.word.weight.copy_(vectors)

    @property
    def output_layer(self) -> tuple[Tensor, Tensor]:
        """Weight [V, D] and bias [V] of the output layer."""
        return self.out.weight, self.out.bias

    def start(self, batch: int, slots: int | None = None) -> State:
        """The state before the first token of a file: h and c [B, D], zeros."""
        return (torch.zeros(batch, self.config.hidden), torch.zeros(batch, self.config.hidden))

    def read(self, word_BT: Tensor, state: State) -> tuple[Tensor, Tensor, State]:
        """x (B, T, d), h (B, T, d) and the next state."""
        h_BD, c_BD = state[:2]
        x_BTD = self.drop(self.word(word_BT))
        h_BTD, (h_1BD, c_1BD) = self.lstm(x_BTD, (h_BD.unsqueeze(0), c_BD.unsqueeze(0)))
        return x_BTD, h_BTD, (h_1BD[0], c_1BD[0])

    def forward(self, chunk: Chunk, state: State) -> tuple[MixtureOutput, State]:
        """Distributions of a chunk, and the state behind it."""
        _, h_BTD, carry = self.read(chunk.word_BT, state)
        return generated_only(h_BTD, chunk.mask_BTK), carry
