"""Maximum likelihood for the weights of `editahead.runtime.language_model.mixture`, on places whose answer is known.

Features are scaled to one standard deviation while a fit runs, and a small ridge keeps rare ones sane; what is stored
are weights of the features as they are. P places, N names at a place, F features.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from editahead.runtime.language_model.mixture import (
    GATE_FEATURES,
    MIN_PROBABILITY,
    NAME_FEATURES,
    NONE_FEATURES,
    Floats,
)
from scipy.optimize import minimize

_RIDGE = 1e-3  # a place, on the squares of scaled weights
Objective = Callable[[Floats], tuple[float, Floats]]


@dataclass(frozen=True, slots=True)
class Choice:
    """One unknown name: the names within reach, the features of "none of them", and which it was (None: none)."""

    names_NF: Floats
    none: tuple[float, ...]
    right: int | None


def fit_gate(
    features_PF: Floats, model_P: Floats, other_P: Floats, names: Sequence[str] = GATE_FEATURES
) -> dict[str, float]:
    """The weights of a gate over features `names` from the probability that either side gives to what came.

    Minimises the mean of -ln((1 - g) p_model + g p_other), g = sigmoid(w . x).
    """
    scale_F = _scales(features_PF)
    scaled_PF = features_PF / scale_F
    model_P = np.maximum(model_P, MIN_PROBABILITY)
    gain_P = other_P - model_P

    def objective(weights_F: Floats) -> tuple[float, Floats]:
        gate_P = 1 / (1 + np.exp(-np.clip(scaled_PF @ weights_F, -30, 30)))
        mixed_P = model_P + gate_P * gain_P
        slope_P = -gain_P * gate_P * (1 - gate_P) / mixed_P
        value = -float(np.log(mixed_P).mean()) + _RIDGE * float(weights_F @ weights_F)
        return value, scaled_PF.T @ slope_P / len(slope_P) + 2 * _RIDGE * weights_F

    weights_F = _least(objective, features_PF.shape[1]) / scale_F
    return _named(names, weights_F)


def fit_names(choices: Sequence[Choice]) -> dict[str, float]:
    """The weights of the conditional logit: minimises the mean of -ln P(the name that came, or none of them)."""
    names, nones = len(NAME_FEATURES), len(NONE_FEATURES)
    sizes = np.array([len(choice.names_NF) + 1 for choice in choices])
    ends = np.cumsum(sizes)
    starts = ends - sizes
    rows_RF = np.zeros((int(ends[-1]), names + nones))  # R rows: the names of a place, then none of them
    came_R = np.zeros(len(rows_RF), np.bool_)
    for choice, start, end in zip(choices, starts.tolist(), ends.tolist(), strict=True):
        rows_RF[start : end - 1, :names] = choice.names_NF
        rows_RF[end - 1, names:] = choice.none
        came_R[end - 1 if choice.right is None else start + choice.right] = True
    scale_F = _scales(rows_RF)
    rows_RF /= scale_F
    place_R = np.repeat(np.arange(len(choices)), sizes)

    def objective(weights_F: Floats) -> tuple[float, Floats]:
        logit_R = rows_RF @ weights_F
        logit_R -= np.maximum.reduceat(logit_R, starts)[place_R]
        mass_R = np.exp(logit_R)
        total_P = np.add.reduceat(mass_R, starts)
        value = float((np.log(total_P) - logit_R[came_R]).mean()) + _RIDGE * float(weights_F @ weights_F)
        miss_R = mass_R / total_P[place_R] - came_R
        return value, rows_RF.T @ miss_R / len(choices) + 2 * _RIDGE * weights_F

    weights_F = _least(objective, names + nones) / scale_F
    return _named((*NAME_FEATURES, *NONE_FEATURES), weights_F)


def _least(objective: Objective, count: int) -> Floats:
    """Weights (F,), so many, where an objective, which gives value and gradient (F,), is least."""
    options = {"maxiter": 300, "gtol": 1e-7, "ftol": 0.0}
    found = minimize(objective, np.zeros(count), jac=True, method="L-BFGS-B", options=options)
    return np.asarray(found.x, np.float64)


def _scales(rows_RF: Floats) -> Floats:
    """The standard deviation of each feature, 1 for one that never changes."""
    scale_F = rows_RF.std(axis=0)
    return np.where(scale_F > 0, scale_F, 1.0)


def _named(names: Sequence[str], weights_F: Floats) -> dict[str, float]:
    return {name: round(float(weight), 4) for name, weight in zip(names, weights_F, strict=True)}
