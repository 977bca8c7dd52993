"""Sparse pointer network with attention sharing (Bhoopchand et al. 2016, section 3; Müller 2019, section 3.3).

Shapes: B files, T chunk length, K memory slots, V words, e embedding, d hidden, a attention size, N = K + T.

    x_t = E_word [+ E_kind + sum of E_part]                   what the token is, and how it is spelled
    h_t = LSTM(x_t)
    G_t = tanh(M_t W_M + 1 (h_t W_h)),  alpha_t = softmax(G_t w [+ R_t (h_t W_E)])   over filled slots, zero without any
    c_t = alpha_t M_t,   n_t = tanh([h_t, c_t] W_A)           attention sharing; without it n_t is h_t
    y_t = softmax(n_t W_V + b)
    lambda_t = softmax([h_t, x_t, c_t] W_L)                   (1, 0) without memory
    p_t(v) = lambda_t[0] y_t(v) + lambda_t[1] sum_j alpha_t[j] [m_t[j] = v]

R_t (K, 4) marks the slots whose name is the latest, second, third or fourth name read (an echo: `self.size = size`).
`SpnConfig.paper` is the published network. The defaults are ours: the echo, spelling as an input, a softmax tied to the
embedding, a free attention size. Always ours: empty slots are masked and copies of a name add up.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from editahead.encode.language_model.encoder import ECHOES, KINDS, PARTS
from editahead.encode.language_model.vocabulary import SUBWORD_BUCKETS
from torch import Tensor, nn

from editahead_models.families.mixture import (
    NEG,
    Chunk,
    MixtureOutput,
    NeuralLanguageModel,
    State,
    at_slots,
    carried,
    masked_softmax,
    weighted_sum,
)
from editahead_models.layers.recurrent import single_bias_lstm, uniform_


@dataclass(frozen=True)
class SpnConfig:
    """Sizes and switches. `slots` is the memory length K of training; serving may use another."""

    vocab: int
    embedding: int = 192
    hidden: int = 256
    attention: int = 48
    slots: int = 48
    memory: str = "last_use_per_name"
    sharing: bool = True
    spelling: bool = True
    echo: bool = True
    tied: bool = True
    mask_empty: bool = True  # False: empty slots take part, as in the published code
    dropout_embedding: float = 0.1
    dropout_output: float = 0.1

    @classmethod
    def debug(cls, vocab: int) -> SpnConfig:
        """A flavour for tests: trains in seconds."""
        return cls(
            vocab=vocab, embedding=32, hidden=48, attention=16, slots=12, dropout_embedding=0.0, dropout_output=0.0
        )

    @classmethod
    def paper(cls, vocab: int, hidden: int = 200, **changes: object) -> SpnConfig:
        """The published network: one size for all, words only, a softmax of its own."""
        base = {"embedding": hidden, "hidden": hidden, "attention": hidden, "slots": 30, "memory": "occurrences"}
        plain = {"sharing": False, "spelling": False, "echo": False, "tied": False, "dropout_output": 0.0}
        return cls(vocab=vocab, **(base | plain | changes))  # type: ignore[arg-type]

    def to_json(self) -> dict[str, object]:
        """A JSON value."""
        return asdict(self)


class Spn(NeuralLanguageModel):
    """The network; `forward` runs one chunk and returns the state (h (B, d), C (B, d), memory (B, K, d)) to carry.

    Raises ValueError for settings that do not go together.
    """

    def __init__(self, config: SpnConfig) -> None:
        super().__init__()
        if config.tied is False and config.sharing and config.embedding != config.hidden:
            raise ValueError("without a tied softmax the embedding must be as wide as the hidden state")
        self.config = config
        e, d, a = config.embedding, config.hidden, config.attention
        self.word = nn.Embedding(config.vocab, e)
        if config.spelling:
            self.kind = nn.Embedding(KINDS, e, padding_idx=0)
            self.part = nn.Embedding(SUBWORD_BUCKETS, e, padding_idx=0)
        self.lstm = single_bias_lstm(e, d)
        self.key = nn.Linear(d, a, bias=False)  # W_M
        self.query = nn.Linear(d, a, bias=False)  # W_h
        self.score = nn.Linear(a, 1, bias=False)  # w
        if config.echo:
            self.echo = nn.Linear(d, ECHOES)  # W_E
        if config.sharing:
            self.joint = nn.Linear(2 * d, e, bias=False)  # W_A
        elif config.tied:
            self.alone = nn.Linear(d, e, bias=False)  # to the width of the embedding
        if not config.tied:
            self.out = nn.Linear(d, config.vocab, bias=False)  # W_V
        self.mix = nn.Linear(2 * d + e, 2)  # W_L
        self.bias = nn.Parameter(torch.zeros(config.vocab))
        self.drop_in = nn.Dropout(config.dropout_embedding)
        self.drop_out = nn.Dropout(config.dropout_output)
        self._initialise()

    def _initialise(self) -> None:
        uniform_(self, self.config.hidden**-0.5)
        with torch.no_grad():
            self.bias.zero_()
            if self.config.echo:
                self.echo.weight.zero_()
                self.echo.bias.zero_()
            if self.config.spelling:
                self.kind.weight[0].zero_()
                self.part.weight[0].zero_()

    @property
    def output_layer(self) -> tuple[Tensor, Tensor]:
        """Weight [V, D] and bias [V] of the output layer."""
        return (self.word.weight if self.config.tied else self.out.weight), self.bias

    def start(self, batch: int, slots: int | None = None) -> State:
        """The state before the first token of a file: h and c [B, D], memory [B, K, D], zeros."""
        d = self.config.hidden
        return (torch.zeros(batch, d), torch.zeros(batch, d), torch.zeros(batch, slots or self.config.slots, d))

    def embed(self, word_BT: Tensor, kind_BT: Tensor, parts_BTP: Tensor) -> Tensor:
        """x (B, T, e)."""
        x_BTE = self.word(word_BT)
        if not self.config.spelling:
            return x_BTE
        if torch.onnx.is_in_onnx_export():  # ONNX has no bags
            parts_BTE = self.part(parts_BTP).sum(2)
        else:
            parts_NE = F.embedding_bag(parts_BTP.reshape(-1, PARTS), self.part.weight, mode="sum", padding_idx=0)
            parts_BTE = parts_NE.view(*word_BT.shape, -1)
        return x_BTE + self.kind(kind_BT) + parts_BTE

    def scores(self, keys_BNA: Tensor, query_BTA: Tensor, slot_BTK: Tensor) -> Tensor:
        """Unnormalised scores (B, T, K) of the slots."""
        return self.scores_of(at_slots(keys_BNA, slot_BTK), query_BTA.unsqueeze(2))

    def scores_of(self, keys: Tensor, query: Tensor) -> Tensor:
        """Unnormalised scores (..., K) of keys (..., K, A) for queries that broadcast over them."""
        return self.score(torch.tanh(keys + query)).squeeze(-1)

    def attend(
        self, h_BTD: Tensor, bank_BND: Tensor, slot_BTK: Tensor, mask_BTK: Tensor, echo_BTKR: Tensor
    ) -> tuple[Tensor, Tensor]:
        """alpha (B, T, K) over the filled slots and c (B, T, d); both zero where no slot is filled."""
        scores_BTK = self.scores(self.key(bank_BND), self.query(h_BTD), slot_BTK)
        if self.config.echo:
            scores_BTK = scores_BTK + (echo_BTKR * self.echo(h_BTD).unsqueeze(2)).sum(-1)
        filled_BTK = mask_BTK if self.config.mask_empty else torch.ones_like(mask_BTK)
        alpha_BTK = masked_softmax(scores_BTK, filled_BTK)
        return alpha_BTK, weighted_sum(alpha_BTK * mask_BTK, slot_BTK, bank_BND)

    def head(self, x_BTE: Tensor, h_BTD: Tensor, c_BTD: Tensor, any_BT: Tensor) -> tuple[Tensor, Tensor]:
        """n (B, T, e) and ln lambda (B, T, 2)."""
        n = self.widen(h_BTD, c_BTD)
        gate = self.mix(torch.cat([h_BTD, x_BTE, c_BTD], -1))
        if self.config.mask_empty:
            gate = gate + torch.stack([torch.zeros_like(gate[..., 0]), (~any_BT).to(gate.dtype) * NEG], -1)
        return self.drop_out(n), torch.log_softmax(gate, -1)

    def widen(self, h: Tensor, c: Tensor) -> Tensor:
        """n: what the softmax sees. Shape (B, T, E)."""
        if self.config.sharing:
            return torch.tanh(self.joint(torch.cat([h, c], -1)))
        return torch.tanh(self.alone(h)) if self.config.tied else h

    def forward(self, chunk: Chunk, state: State) -> tuple[MixtureOutput, State]:
        """Distributions of a chunk, and the state behind it."""
        h_BD, c_BD, memory_BKD = state
        x_BTE = self.drop_in(self.embed(chunk.word_BT, chunk.kind_BT, chunk.parts_BTP))
        h_BTD, (h_1BD, c_1BD) = self.lstm(x_BTE, (h_BD.unsqueeze(0), c_BD.unsqueeze(0)))
        bank_BND = torch.cat([memory_BKD, h_BTD], 1)
        alpha_BTK, c_BTD = self.attend(h_BTD, bank_BND, chunk.slot_BTK, chunk.mask_BTK, chunk.echo_BTKR)
        joint_BTE, log_lambda_BT2 = self.head(x_BTE, h_BTD, c_BTD, chunk.mask_BTK.any(-1))
        next_state = (h_1BD[0], c_1BD[0], carried(bank_BND, chunk.next_BK))
        return MixtureOutput(joint_BTE, alpha_BTK, log_lambda_BT2), next_state
