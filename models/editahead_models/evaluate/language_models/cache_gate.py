"""The gate between a network and a cache, fitted by maximum likelihood and measured on projects that it has not seen.

Shapes: S scored places, F features.

    p = (1 - g) p_network + g p_cache,   g = sigmoid(w . [1, features]),   features of mean 0 and deviation 1
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

Ids = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
FEATURES = ("hits", "ln p of the cache's best", "share of copies", "entropy of the network")


@dataclass(frozen=True)
class Gate:
    """Weights (1 + F,) on standardised features."""

    weights: Floats
    mean: Floats
    deviation: Floats

    @classmethod
    def fit(cls, features_SF: Floats, network_S: Floats, cache_S: Floats) -> Gate:
        """The gate under which the targets' mixed probabilities are most likely."""
        mean, deviation = features_SF.mean(0), features_SF.std(0) + 1e-9
        x = torch.from_numpy(np.column_stack([np.ones(len(features_SF)), (features_SF - mean) / deviation]))
        a, b = torch.from_numpy(network_S), torch.from_numpy(cache_S)
        w = torch.zeros(x.shape[1], dtype=torch.float64, requires_grad=True)
        optimiser = torch.optim.LBFGS([w], max_iter=200, line_search_fn="strong_wolfe", tolerance_grad=1e-9)

        def loss() -> Tensor:
            optimiser.zero_grad()
            g = torch.sigmoid(x @ w)
            # The small pull to 0 keeps weights finite where few places all agree.
            value = -torch.log(((1 - g) * a + g * b).clamp_min(1e-300)).mean() + 1e-4 * w.square().sum()
            value.backward()
            return value

        optimiser.step(loss)
        return cls(w.detach().numpy(), mean, deviation)

    def __call__(self, features_SF: Floats) -> Floats:
        """g (S,)."""
        z = self.weights[0] + ((features_SF - self.mean) / self.deviation) @ self.weights[1:]
        g: Floats = 1 / (1 + np.exp(-z))
        return g

    def described(self) -> dict[str, float]:
        """Weights by name, on features of mean 0 and deviation 1."""
        return dict(zip(("constant", *FEATURES), self.weights.tolist(), strict=True))


def halves(project: Ids) -> Ids:
    """0 or 1 for each place, whole projects together, about as many places in either half.

    Raises ValueError for a single project. Both are (N,).
    """
    numbers, counts = np.unique(project, return_counts=True)
    if len(numbers) < 2:
        raise ValueError("a gate is fitted on some projects and measured on others: two dev projects are needed")
    size = [0, 0]
    half: Ids = np.zeros(int(numbers.max()) + 1, np.int64)
    for place in np.argsort(-counts, kind="stable").tolist():
        chosen = int(size[1] < size[0])
        half[numbers[place]] = chosen
        size[chosen] += int(counts[place])
    fold: Ids = half[project]
    return fold
