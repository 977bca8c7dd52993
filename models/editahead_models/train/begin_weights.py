"""A run of the edit model that begins with the weights of an earlier network instead of random ones.

A folder of weights holds `weights.npz` (parameters by name) and `vocab.json`. What the new network has and the earlier
one had not (rows of further tokens and identities, a gate, a layer) begins at random, as in any other run.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

WEIGHTS, VOCAB = "weights.npz", "vocab.json"
_BY_TOKEN = ("embed.token.weight", "content_bias")
_BY_NUMBER = ("embed.identity.weight",)


def read_tokens(folder: Path) -> list[str]:
    """The vocabulary of a folder of weights. ValueError, one line, where there is none."""
    try:
        return list(json.loads((folder / VOCAB).read_text(encoding="utf-8"))["tokens"])
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(f"{folder}: no weights to begin with ({error})") from None


def write_weights(folder: Path, weights: dict[str, Tensor], tokens: Sequence[str]) -> None:
    """Write a folder of weights, in half precision."""
    folder.mkdir(parents=True, exist_ok=True)
    halves: dict[str, npt.NDArray[np.float16]] = {
        name: value.detach().half().numpy() for name, value in weights.items()
    }
    np.savez(folder / WEIGHTS, **halves)  # type: ignore[arg-type]  # numpy types further keywords as allow_pickle
    (folder / VOCAB).write_text(json.dumps({"tokens": list(tokens)}, ensure_ascii=False), encoding="utf-8")


def begin_with(model: nn.Module, tokens: Sequence[str], folder: Path) -> list[str]:
    """Copy the weights of `folder` into a network over `tokens`; returns the parameters that stay random.

    Rows of tokens are found by text, rows of identities by number. ValueError where another parameter has another
    shape, or nothing fits.
    """
    earlier = {token: row for row, token in enumerate(read_tokens(folder))}
    kept = [(row, earlier[token]) for row, token in enumerate(tokens) if token in earlier]
    to_rows, from_rows = torch.tensor([pair[0] for pair in kept]), torch.tensor([pair[1] for pair in kept])
    fresh: list[str] = []
    with np.load(folder / WEIGHTS) as held, torch.no_grad():
        for name, parameter in model.named_parameters():
            if name not in held:
                fresh.append(name)
                continue
            value = torch.from_numpy(held[name]).to(parameter.dtype)
            if name in _BY_TOKEN:
                parameter[to_rows] = value[from_rows]
            elif name in _BY_NUMBER:
                rows = min(len(parameter), len(value))
                parameter[:rows] = value[:rows]
            elif parameter.shape == value.shape:
                parameter.copy_(value)
            else:
                raise ValueError(f"{folder}: {name} has the shape {tuple(value.shape)}, not {tuple(parameter.shape)}")
    if len(fresh) == len(list(model.parameters())):
        raise ValueError(f"{folder}: no weights of this network")
    return fresh
