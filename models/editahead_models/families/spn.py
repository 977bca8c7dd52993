"""Sparse pointer network with attention sharing (Bhoopchand et al. 2016, section 3; Müller 2019, section 3.3).

Shapes: B files, T chunk length, K memory slots, V words, e embedding, d hidden, a attention size, N = K + T.

    x_t = E_word + E_kind + sum of E_part                     what the token is, and how it is spelled
    h_t = LSTM(x_t)
    G_t = tanh(M_t W_M + 1 (h_t W_h)),  alpha_t = softmax(G_t w + R_t (h_t W_E))   over filled slots, zero without any
    c_t = alpha_t M_t,   n_t = tanh([h_t, c_t] W_A)           attention sharing
    y_t = softmax(n_t E_word^T + b)                           tied to the input embedding
    lambda_t = softmax([h_t, x_t, c_t] W_L)                   (1, 0) without memory
    p_t(v) = lambda_t[0] y_t(v) + lambda_t[1] sum_j alpha_t[j] [m_t[j] = v]

R_t (K, 4) marks the slots whose name is the latest, second, third or fourth name read (an echo: `self.size = size`).
Where we differ from the papers, on purpose: the echo, the true mixture likelihood is trained, empty slots are
masked, copies of a name add up, the attention size is free, the softmax is tied to the embedding, and spelling is
an input.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from editahead.encode.lm import ECHOES, KINDS, PARTS
from editahead.encode.vocab import SUBWORD_BUCKETS
from torch import Tensor, nn

from editahead_models.layers.blockwise_softmax import picked_log_softmax, sample_columns

NEG = -1e9


@dataclass(frozen=True)
class SpnConfig:
    """Sizes and switches. `slots` is the memory length K of training; serving may use another."""

    vocab: int
    embedding: int = 192
    hidden: int = 256
    attention: int = 48
    slots: int = 48
    sharing: bool = True
    dropout_embedding: float = 0.1
    dropout_output: float = 0.1

    @classmethod
    def debug(cls, vocab: int) -> SpnConfig:
        """A flavour for tests: trains in seconds."""
        return cls(
            vocab=vocab, embedding=32, hidden=48, attention=16, slots=12, dropout_embedding=0.0, dropout_output=0.0
        )

    def to_json(self) -> dict[str, object]:
        """A JSON value."""
        return asdict(self)


class SpnState(NamedTuple):
    """What is carried from chunk to chunk: LSTM state (1, B, d) twice, and the states in the slots (B, K, d)."""

    h_1BD: Tensor
    c_1BD: Tensor
    memory_BKD: Tensor

    def detach(self) -> SpnState:
        """The same numbers without history: truncated back-propagation."""
        return SpnState(*(part.detach() for part in self))


class SpnChunk(NamedTuple):
    """One chunk of B files. `slot_BTK` points into [carried memory, this chunk]; `next_BK` likewise, for carrying."""

    word_BT: Tensor
    kind_BT: Tensor
    parts_BTP: Tensor
    slot_BTK: Tensor
    mask_BTK: Tensor
    echo_BTKR: Tensor
    next_BK: Tensor


class SpnOutput(NamedTuple):
    """Parts of the mixture at every position; `joint` (n) becomes logits by the tied embedding."""

    joint_BTE: Tensor
    alpha_BTK: Tensor
    log_lambda_BT2: Tensor


class Spn(nn.Module):
    """The network; `forward` runs one chunk and returns the state to carry."""

    def __init__(self, config: SpnConfig) -> None:
        super().__init__()
        self.config = config
        e, d, a = config.embedding, config.hidden, config.attention
        self.word = nn.Embedding(config.vocab, e)
        self.kind = nn.Embedding(KINDS, e, padding_idx=0)
        self.part = nn.Embedding(SUBWORD_BUCKETS, e, padding_idx=0)
        self.lstm = nn.LSTM(e, d, batch_first=True)
        self.key = nn.Linear(d, a, bias=False)  # W_M
        self.query = nn.Linear(d, a, bias=False)  # W_h
        self.score = nn.Linear(a, 1, bias=False)  # w
        self.echo = nn.Linear(d, ECHOES)  # W_E
        self.joint = nn.Linear(2 * d, e, bias=False)  # W_A
        self.alone = nn.Linear(d, e, bias=False)  # in place of W_A without sharing
        self.mix = nn.Linear(2 * d + e, 2)  # W_L
        self.bias = nn.Parameter(torch.zeros(config.vocab))
        self.drop_in = nn.Dropout(config.dropout_embedding)
        self.drop_out = nn.Dropout(config.dropout_output)
        self._initialise()

    def _initialise(self) -> None:
        bound = self.config.hidden**-0.5
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -bound, bound)
        with torch.no_grad():
            d = self.config.hidden
            for bias in (self.lstm.bias_ih_l0, self.lstm.bias_hh_l0):
                bias.zero_()
            self.lstm.bias_ih_l0[d : 2 * d] = 1.0  # forget gate
            self.bias.zero_()
            self.echo.weight.zero_()
            self.echo.bias.zero_()
            self.kind.weight[0].zero_()
            self.part.weight[0].zero_()

    def start(self, batch: int, slots: int | None = None) -> SpnState:
        """The state at the start of a file."""
        zero = torch.zeros(1, batch, self.config.hidden)
        return SpnState(zero, zero.clone(), torch.zeros(batch, slots or self.config.slots, self.config.hidden))

    def embed(self, word_BT: Tensor, kind_BT: Tensor, parts_BTP: Tensor) -> Tensor:
        """x (B, T, e)."""
        flat = parts_BTP.reshape(-1, PARTS)
        parts = F.embedding_bag(flat, self.part.weight, mode="sum", padding_idx=0)
        return self.word(word_BT) + self.kind(kind_BT) + parts.view(*word_BT.shape, -1)

    def attend(
        self, h_BTD: Tensor, bank_BND: Tensor, slot_BTK: Tensor, mask_BTK: Tensor, echo_BTKR: Tensor
    ) -> tuple[Tensor, Tensor]:
        """alpha (B, T, K) over the filled slots and c (B, T, d); both zero where no slot is filled."""
        B, T, K = slot_BTK.shape
        N = bank_BND.shape[1]
        keys_BNA = self.key(bank_BND)
        flat = (slot_BTK + torch.arange(B).view(B, 1, 1) * N).view(-1)
        keys_BTKA = F.embedding(flat, keys_BNA.reshape(B * N, -1)).view(B, T, K, -1)
        scores_BTK = self.score(torch.tanh(keys_BTKA + self.query(h_BTD).unsqueeze(2))).squeeze(-1)
        scores_BTK = scores_BTK + (echo_BTKR * self.echo(h_BTD).unsqueeze(2)).sum(-1)
        alpha_BTK = torch.softmax(scores_BTK.masked_fill(~mask_BTK, NEG), -1) * mask_BTK
        weights_BTN = torch.zeros(B, T, N).scatter_add(2, slot_BTK, alpha_BTK)
        return alpha_BTK, torch.bmm(weights_BTN, bank_BND)

    def head(self, x_BTE: Tensor, h_BTD: Tensor, c_BTD: Tensor, any_BT: Tensor) -> tuple[Tensor, Tensor]:
        """n (B, T, e) and ln lambda (B, T, 2)."""
        n = self.joint(torch.cat([h_BTD, c_BTD], -1)) if self.config.sharing else self.alone(h_BTD)
        gate = self.mix(torch.cat([h_BTD, x_BTE, c_BTD], -1))
        gate = gate + torch.stack([torch.zeros_like(gate[..., 0]), (~any_BT).to(gate.dtype) * NEG], -1)
        return self.drop_out(torch.tanh(n)), torch.log_softmax(gate, -1)

    def logits(self, joint_BTE: Tensor) -> Tensor:
        """Logits (B, T, V)."""
        return F.linear(joint_BTE, self.word.weight, self.bias)

    def log_generate(self, output: SpnOutput, target_BT: Tensor, *, always: int = 0, extra: int = 0) -> Tensor:
        """ln y (B, T) of the targets, blockwise; with `extra` over a weighted sample of the vocabulary."""
        column_N = target_BT.clamp_min(0).reshape(-1)
        x_NE = output.joint_BTE.reshape(-1, self.config.embedding)
        if not extra:
            return picked_log_softmax(x_NE, self.word.weight, self.bias, column_N).view_as(target_BT)
        columns, log_weight, place = sample_columns(column_N, self.config.vocab, always, extra)
        weight, bias = self.word.weight[columns], self.bias[columns] + log_weight
        return picked_log_softmax(x_NE, weight, bias, place).view_as(target_BT)

    def forward(self, chunk: SpnChunk, state: SpnState) -> tuple[SpnOutput, SpnState]:
        """One chunk; feed the returned state (detached) to the next."""
        x_BTE = self.drop_in(self.embed(chunk.word_BT, chunk.kind_BT, chunk.parts_BTP))
        h_BTD, (h_1BD, c_1BD) = self.lstm(x_BTE, (state.h_1BD, state.c_1BD))
        bank_BND = torch.cat([state.memory_BKD, h_BTD], 1)
        alpha_BTK, c_BTD = self.attend(h_BTD, bank_BND, chunk.slot_BTK, chunk.mask_BTK, chunk.echo_BTKR)
        joint_BTE, log_lambda_BT2 = self.head(x_BTE, h_BTD, c_BTD, chunk.mask_BTK.any(-1))
        carried = bank_BND.gather(1, chunk.next_BK.unsqueeze(-1).expand(-1, -1, self.config.hidden))
        return SpnOutput(joint_BTE, alpha_BTK, log_lambda_BT2), SpnState(h_1BD, c_1BD, carried)


def mixture_log_likelihood(output: SpnOutput, log_y_BT: Tensor, target_BT: Tensor, match_BTK: Tensor) -> Tensor:
    """ln p (B, T) of the targets: the true mixture. `target` -1: no symbol, only a copy can produce it.

    `log_y` is the softmax's ln probability of the target; `match` marks the slots that hold the target's name.
    Positions with neither give a very small number: mask them.
    """
    generate_BT = (output.log_lambda_BT2[..., 0] + log_y_BT).masked_fill(target_BT < 0, NEG)
    copied_BT = (output.alpha_BTK * match_BTK).sum(-1)
    copy_BT = output.log_lambda_BT2[..., 1] + torch.log(copied_BT.clamp_min(1e-12))
    return torch.logaddexp(generate_BT, copy_BT.masked_fill(copied_BT <= 0, NEG))


def weighted_cross_entropy(output: SpnOutput, log_y_BT: Tensor, match_BTK: Tensor) -> Tensor:
    """The published objective (negated, to be comparable): each part's own log-likelihood weighted by lambda."""
    log_i_BT = torch.log((output.alpha_BTK * match_BTK).sum(-1) + 1e-10)
    return output.log_lambda_BT2[..., 0].exp() * log_y_BT + output.log_lambda_BT2[..., 1].exp() * log_i_BT
