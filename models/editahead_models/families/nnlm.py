"""Feed-forward language model over the last k words (Bengio et al. 2003, as in Chen and Rivera 2019).

Shapes: B files, T chunk length, k words of context, d embedding and hidden.

    z_t = [E w_{t-k+1}; ..; E w_t] W_c + b_c
    h1 = tanh(z W_1 + b_1),  h2 = tanh(drop(h1) W_2 + b_2),  y = softmax(drop(h2) W_3 + b_3)

The first words of a file have zeros on their left; k - 1 embeddings are carried from chunk to chunk, so no
prediction is lost.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from editahead_models.families.mixture import Chunk, MixtureOutput, NeuralLanguageModel, State, generated_only
from editahead_models.layers.recurrent import uniform_


@dataclass(frozen=True)
class NnlmConfig:
    """V, d, and the number k of words that are read."""

    vocab: int
    hidden: int = 200
    context: int = 7
    dropout: float = 0.1


class Nnlm(NeuralLanguageModel):
    """The network. State: the last k - 1 embeddings (B, k - 1, d)."""

    def __init__(self, config: NnlmConfig) -> None:
        super().__init__()
        self.config = config
        d = config.hidden
        self.word = nn.Embedding(config.vocab, d)
        self.window = nn.Linear(config.context * d, d)  # W_c
        self.first = nn.Linear(d, d)
        self.second = nn.Linear(d, d)
        self.out = nn.Linear(d, config.vocab)
        self.drop = nn.Dropout(config.dropout)
        uniform_(self, d**-0.5)
        with torch.no_grad():
            self.out.bias.zero_()

    @property
    def output_layer(self) -> tuple[Tensor, Tensor]:
        """Weight [V, D] and bias [V] of the output layer."""
        return self.out.weight, self.out.bias

    def start(self, batch: int, slots: int | None = None) -> State:
        """The state before the first token of a file: the words of the past [B, k - 1, D], zeros."""
        return (torch.zeros(batch, self.config.context - 1, self.config.hidden),)

    def forward(self, chunk: Chunk, state: State) -> tuple[MixtureOutput, State]:
        """Distributions of a chunk, and the state behind it."""
        T, k = chunk.word_BT.shape[1], self.config.context
        x_BND = torch.cat([state[0], self.word(chunk.word_BT)], 1)  # k - 1 words of the past, then T
        z_BTD = self.window(torch.cat([x_BND[:, n : n + T] for n in range(k)], -1))
        h1 = torch.tanh(self.first(z_BTD))
        h2 = torch.tanh(self.second(self.drop(h1)))
        return generated_only(self.drop(h2), chunk.mask_BTK), (x_BND[:, T:],)
