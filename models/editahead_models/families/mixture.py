"""What every neural language model here has in common: one chunk in, the parts of a mixture and the state to carry out.

Shapes: B files, T chunk length, K memory slots, V words, e width of the joint vector, d hidden.

    p_t(v) = lambda_t[0] softmax(n_t W_V + b)_v + lambda_t[1] sum_j alpha_t[j] [m_t[j] = v]

A model without a pointer answers lambda = (1, 0). Source: Bhoopchand et al. 2016, section 3.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from editahead_models.layers.blockwise_softmax import picked_log_softmax, sample_columns

NEG = -1e9

State = tuple[Tensor, ...]  # what is carried from chunk to chunk, each (B, ...); zeros at the start of a file


class Chunk(NamedTuple):
    """One chunk of B files. `slot_BTK` points into [carried memory, this chunk]; `next_BK` likewise, for carrying."""

    word_BT: Tensor
    kind_BT: Tensor
    parts_BTP: Tensor
    slot_BTK: Tensor
    mask_BTK: Tensor
    echo_BTKR: Tensor
    next_BK: Tensor


class MixtureOutput(NamedTuple):
    """Parts of the mixture at every position; `joint` (n) becomes logits in the model's output layer."""

    joint_BTE: Tensor
    alpha_BTK: Tensor
    log_lambda_BT2: Tensor


class NeuralLanguageModel(nn.Module):
    """Base of the families. A subclass gives `start`, `forward` and its output layer."""

    @abstractmethod
    def start(self, batch: int, slots: int | None = None) -> State:
        """The state at the start of a file; `slots` may differ from the memory length of training."""

    @abstractmethod
    def forward(self, chunk: Chunk, state: State) -> tuple[MixtureOutput, State]:
        """One chunk; feed the returned state (detached) to the next."""

    @property
    @abstractmethod
    def output_layer(self) -> tuple[Tensor, Tensor]:
        """W_V transposed (V, e) and b (V)."""

    def logits(self, joint_BTE: Tensor) -> Tensor:
        """Logits (B, T, V)."""
        return F.linear(joint_BTE, *self.output_layer)

    def log_generate(self, output: MixtureOutput, target_BT: Tensor, *, always: int = 0, extra: int = 0) -> Tensor:
        """ln y (B, T) of the targets, blockwise; with `extra` over a weighted sample of the vocabulary."""
        weight_VE, bias_V = self.output_layer
        column_N = target_BT.clamp_min(0).reshape(-1)
        x_NE = output.joint_BTE.reshape(-1, weight_VE.shape[1])
        if not extra:
            return picked_log_softmax(x_NE, weight_VE, bias_V, column_N).view_as(target_BT)
        columns, log_weight, place = sample_columns(column_N, len(bias_V), always, extra)
        return picked_log_softmax(x_NE, weight_VE[columns], bias_V[columns] + log_weight, place).view_as(target_BT)


def generated_only(joint_BTE: Tensor, mask_BTK: Tensor) -> MixtureOutput:
    """The output of a model that copies nothing."""
    alpha_BTK = torch.zeros(mask_BTK.shape, device=mask_BTK.device)
    log_lambda_BT2 = torch.tensor([0.0, NEG], device=mask_BTK.device).expand(*mask_BTK.shape[:2], 2)
    return MixtureOutput(joint_BTE, alpha_BTK, log_lambda_BT2)


def single_precision(output: MixtureOutput) -> MixtureOutput:
    """The same parts in single precision: sums of probabilities lose too much in bfloat16."""
    return MixtureOutput(*(part.float() for part in output))


def detached(state: State) -> State:
    """The same numbers without history: truncated back-propagation."""
    return tuple(part.detach() for part in state)


def reset(state: State, fresh_B: Tensor) -> State:
    """Zero the state of the lanes that begin a new file."""
    return tuple(part * (~fresh_B).to(part.dtype).view(-1, *[1] * (part.ndim - 1)) for part in state)


def carried(bank_BND: Tensor, next_BK: Tensor) -> Tensor:
    """The states (B, K, d) that the next chunk finds in its memory."""
    return bank_BND.gather(1, next_BK.unsqueeze(-1).expand(-1, -1, bank_BND.shape[-1]))


def at_slots(values_BNA: Tensor, slot_BTK: Tensor) -> Tensor:
    """The rows (B, T, K, A) of a bank that the slots point to."""
    B, N, A = values_BNA.shape
    flat = (slot_BTK + torch.arange(B, device=slot_BTK.device).view(B, 1, 1) * N).reshape(-1)
    return F.embedding(flat, values_BNA.reshape(B * N, A)).view(*slot_BTK.shape, A)


def weighted_sum(alpha_BTK: Tensor, slot_BTK: Tensor, bank_BND: Tensor) -> Tensor:
    """c (B, T, d): the bank's states weighted by alpha. Weights are added up in single precision."""
    alpha_BTK = alpha_BTK.float()
    weights_BTN = alpha_BTK.new_zeros(*slot_BTK.shape[:2], bank_BND.shape[1]).scatter_add(2, slot_BTK, alpha_BTK)
    return torch.bmm(weights_BTN, bank_BND)


def masked_softmax(scores_BTK: Tensor, mask_BTK: Tensor) -> Tensor:
    """Softmax over the filled slots, zero where none is filled. Shape (B, T, K)."""
    if not scores_BTK.shape[-1]:
        return scores_BTK
    return torch.softmax(scores_BTK.masked_fill(~mask_BTK, NEG), -1) * mask_BTK


def mixture_log_likelihood(output: MixtureOutput, log_y_BT: Tensor, target_BT: Tensor, match_BTK: Tensor) -> Tensor:
    """ln p (B, T) of the targets: the true mixture. `target` -1: no symbol, only a copy can produce it.

    `log_y` is the softmax's ln probability of the target; `match` marks the slots that hold the target's name.
    Positions with neither give a very small number: mask them.
    """
    generate_BT, copy_BT = _parts(output, log_y_BT, target_BT, match_BTK)
    return torch.logaddexp(generate_BT, copy_BT)


def masked_copy_log_likelihood(
    output: MixtureOutput, log_y_BT: Tensor, target_BT: Tensor, match_BTK: Tensor, rho: float
) -> Tensor:
    """The same with the generating part weighted by `rho` where the target can be copied (Müller 2019, section 3.3).

    rho = 1 is the mixture; rho = 0 forces a copy wherever one is possible. Shape (B, T).
    """
    generate_BT, copy_BT = _parts(output, log_y_BT, target_BT, match_BTK)
    copyable = (output.alpha_BTK * match_BTK).sum(-1) > 0
    fading = torch.log(torch.tensor(max(rho, 1e-30)))
    return torch.logaddexp(torch.where(copyable, generate_BT + fading, generate_BT), copy_BT)


def weighted_cross_entropy(output: MixtureOutput, log_y_BT: Tensor, match_BTK: Tensor) -> Tensor:
    """The published objective (negated, to be comparable): each part's own log-likelihood weighted by lambda.

    Shape (B, T).
    """
    log_i_BT = torch.log((output.alpha_BTK * match_BTK).sum(-1) + 1e-10)
    return output.log_lambda_BT2[..., 0].exp() * log_y_BT + output.log_lambda_BT2[..., 1].exp() * log_i_BT


def _parts(output: MixtureOutput, log_y_BT: Tensor, target_BT: Tensor, match_BTK: Tensor) -> tuple[Tensor, Tensor]:
    """ln of lambda_0 y and of lambda_1 i (B, T); very small where a part cannot give the target."""
    generate_BT = (output.log_lambda_BT2[..., 0] + log_y_BT).masked_fill(target_BT < 0, NEG)
    copied_BT = (output.alpha_BTK * match_BTK).sum(-1)
    copy_BT = output.log_lambda_BT2[..., 1] + torch.log(copied_BT.clamp_min(1e-12))
    return generate_BT, copy_BT.masked_fill(copied_BT <= 0, NEG)
