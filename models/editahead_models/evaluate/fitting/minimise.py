"""A small minimiser for smooth functions of a few weights: L-BFGS with a backtracking line search.

Two-loop recursion of Nocedal and Wright, Numerical Optimization (2006), algorithm 7.4. F weights.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Objective = Callable[[Floats], tuple[float, Floats]]
_MEMORY = 10
_SUFFICIENT = 1e-4  # of the decrease that the slope promises
_SHORTEST = 1e-10


def minimise(objective: Objective, start_F: Floats, steps: int = 300, tolerance: float = 1e-7) -> Floats:
    """Weights (F,) where the objective, which gives value and gradient (F,), is least as far as `steps` lead.

    Stops when no component of the gradient exceeds `tolerance`, or when no shorter step descends any more.
    """
    x_F = np.array(start_F, dtype=np.float64)
    value, slope_F = objective(x_F)
    pairs: deque[tuple[Floats, Floats]] = deque(maxlen=_MEMORY)
    for _ in range(steps):
        if np.abs(slope_F).max(initial=0.0) < tolerance:
            break
        way_F = -_inverse_hessian_times(slope_F, pairs)
        descent = float(way_F @ slope_F)
        if descent >= 0:  # the curvature that was met misleads: begin anew with the gradient
            pairs.clear()
            way_F, descent = -slope_F, -float(slope_F @ slope_F)
        length = 1.0 if pairs else min(1.0, 1.0 / float(np.abs(slope_F).sum()))
        while length > _SHORTEST:
            next_F = x_F + length * way_F
            next_value, next_slope_F = objective(next_F)
            if next_value <= value + _SUFFICIENT * length * descent:
                break
            length /= 2
        else:
            break
        if float((next_F - x_F) @ (next_slope_F - slope_F)) > 1e-12:
            pairs.append((next_F - x_F, next_slope_F - slope_F))
        x_F, value, slope_F = next_F, next_value, next_slope_F
    return x_F


def _inverse_hessian_times(slope_F: Floats, pairs: deque[tuple[Floats, Floats]]) -> Floats:
    q_F = slope_F.copy()
    shares: list[float] = []
    for step_F, change_F in reversed(pairs):
        share = float(step_F @ q_F) / float(step_F @ change_F)
        shares.append(share)
        q_F -= share * change_F
    if pairs:
        step_F, change_F = pairs[-1]
        q_F *= float(step_F @ change_F) / float(change_F @ change_F)
    for (step_F, change_F), share in zip(pairs, reversed(shares), strict=True):
        q_F += step_F * (share - float(change_F @ q_F) / float(step_F @ change_F))
    return q_F
