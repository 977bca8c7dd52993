"""The LSTM of all language models here, and their initial weights.

[f, i, o] = sigma([h, x] W + b),  g = tanh([h, x] W_g + b_g),  C <- f C + i g,  h = o tanh(C)
"""

from __future__ import annotations

import torch
from torch import nn


def single_bias_lstm(inputs: int, hidden: int) -> nn.LSTM:
    """One layer, batch first. The library keeps two biases that are only ever added: the second stays at zero."""
    lstm = nn.LSTM(inputs, hidden, batch_first=True)
    lstm.bias_hh_l0.requires_grad_(False)
    return lstm


@torch.no_grad()
def uniform_(model: nn.Module, bound: float) -> None:
    """U(-bound, bound) for every weight; LSTM biases zero, but one for the forget gate."""
    for parameter in model.parameters():
        nn.init.uniform_(parameter, -bound, bound)
    for module in model.modules():
        if isinstance(module, nn.LSTM):
            biases = dict(module.named_parameters())
            biases["bias_ih_l0"].zero_()
            biases["bias_hh_l0"].zero_()
            biases["bias_ih_l0"][module.hidden_size : 2 * module.hidden_size] = 1.0


def parameters(model: nn.Module) -> int:
    """Weights that are learnt."""
    return sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)


def gru_weights(gru: nn.GRU) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Input weight and bias, state weight and bias of a GRU of one layer. Weights are (3H, D) and (3H, H)."""
    named = dict(gru.named_parameters())
    return named["weight_ih_l0"], named["bias_ih_l0"], named["weight_hh_l0"], named["bias_hh_l0"]
