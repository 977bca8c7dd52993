"""Begin a training with the weights of a network that was trained before, on another vocabulary."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from editahead_models.families.mixture import NeuralLanguageModel

BY_SYMBOL = ("word.weight", "bias")  # parameters with a row for each symbol


@torch.no_grad()
def begin_with(
    model: NeuralLanguageModel,
    symbols: Sequence[str],
    earlier: NeuralLanguageModel,
    earlier_symbols: Sequence[str],
) -> int:
    """Copy the weights of `earlier` into `model`, and of its symbols those that both know; how many these are.

    Rows of new symbols stay as they are. Both have the same settings but for the vocabulary: else ValueError.
    """
    numbers = {symbol: number for number, symbol in enumerate(earlier_symbols)}
    shared = [(number, numbers[symbol]) for number, symbol in enumerate(symbols) if symbol in numbers]
    rows, earlier_rows = (torch.tensor([pair[side] for pair in shared], dtype=torch.long) for side in (0, 1))
    weights, before = dict(model.named_parameters()), dict(earlier.named_parameters())
    if {name: _shape(name, p) for name, p in weights.items()} != {name: _shape(name, p) for name, p in before.items()}:
        raise ValueError("the network to begin with has other settings than the recipe")
    for name, weight in weights.items():
        if name in BY_SYMBOL:
            weight[rows] = before[name][earlier_rows].to(weight)
        else:
            weight.copy_(before[name])
    return len(shared)


def _shape(name: str, parameter: torch.Tensor) -> tuple[int, ...]:
    return tuple(parameter.shape[1:] if name in BY_SYMBOL else parameter.shape)
