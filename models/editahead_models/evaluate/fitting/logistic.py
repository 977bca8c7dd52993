"""Logistic regression over few named features: small enough for Newton's method, with nothing to tune but the ridge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
RIDGE, ROUNDS, TOLERANCE = 2.0, 60, 1e-7


def logistic_weights(
    x: Floats, y: Floats, weight: Floats, names: Sequence[str], ridge: float = RIDGE
) -> dict[str, float]:
    """The weight of each feature for plain (not standardised) x [P, F], outcomes y [P] and what each place counts [P].

    The first feature is the bias, 1 everywhere: it alone bears no `ridge`, which is over standardised features.
    """
    mean, scale = x.mean(0), x.std(0)
    mean[0], scale[0] = 0.0, 1.0
    scale[scale < 1e-6] = np.inf  # a feature that never varies says nothing
    z = (x - mean) / scale
    penalty = np.full(x.shape[1], ridge)
    penalty[0] = 1e-6
    w = newton(z, y, weight, penalty)
    plain = w / scale
    plain[0] = w[0] - float((w[1:] * mean[1:] / scale[1:]).sum())
    return dict(zip(names, (float(value) for value in plain), strict=True))


class Judged(Protocol):
    """What was proposed at one place: features of each proposal (P, F), and which of them were right (P,)."""

    @property
    def features(self) -> Floats:
        """The features [F] of each judged answer, [N, F]."""

    @property
    def right(self) -> Flags:
        """Which answers are right, [N]."""


def features_of(cases: Sequence[Judged]) -> Floats:
    """The features of all proposals of several places, one below the other. Shape (N, F)."""
    return np.concatenate([one.features for one in cases])


def right_of(cases: Sequence[Judged]) -> Flags:
    """Which of these were right, in the same order. Shape (N,)."""
    return np.concatenate([one.right for one in cases])


def weights_of(cases: Sequence[Judged], names: Sequence[str]) -> dict[str, float]:
    """`logistic_weights` of all proposals, each of which counts the same."""
    x = features_of(cases)
    return logistic_weights(x, right_of(cases).astype(np.float64), np.ones(len(x)), names)


def newton(x: Floats, y: Floats, weight: Floats, penalty: Floats) -> Floats:
    """The weights [F] of a logistic regression with a ridge for each feature [F], by Newton's method."""
    w = np.zeros(x.shape[1])
    for _ in range(ROUNDS):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ w, -30, 30)))
        slope = x.T @ (weight * (y - p)) - penalty * w
        curve = (x * (weight * p * (1 - p))[:, None]).T @ x + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        w += step
        if float(np.abs(step).max()) < TOLERANCE:
            break
    return w


def logistic_scores(x: Floats, weights: Mapping[str, float], names: Sequence[str]) -> Floats:
    """The probability [P] of each place by weights; features that they do not name count nothing."""
    w = np.asarray([weights.get(name, 0.0) for name in names])
    scores: Floats = 1.0 / (1.0 + np.exp(-np.clip(x @ w, -40, 40)))
    return scores
