"""Gradient boosting of trees all nodes of one level of which test the same feature, by logistic loss, with numpy alone.

Source: Friedman, Annals of Statistics 2001; such trees: Prokhorenkova et al., NeurIPS 2018 (CatBoost).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bins = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class BoostingPlan:
    """How many trees of which depth are fitted, on which share of the rows and features each."""

    trees: int = 160
    depth: int = 5
    rate: float = 0.1
    ridge: float = 20.0
    rows: float = 0.5
    features: float = 0.4
    bins: int = 32
    seed: int = 0


@dataclass(frozen=True, eq=False)
class BoostedTrees:
    """The feature [T, D] and the cut [T, D] of each level, the leaves [T, 2**D], and the bias."""

    tested: Ints
    cuts: Floats
    leaves: Floats
    bias: float


def bin_edges(x: npt.NDArray[np.floating], bins: int) -> list[Floats]:
    """The cuts of each feature of x [N, F], at most `bins` - 1, between quantiles of its values."""
    edges: list[Floats] = []
    for column in x.T:
        values = np.unique(np.quantile(column.astype(np.float64), np.linspace(0, 1, 4 * bins), method="nearest"))
        middles = (values[1:] + values[:-1]) / 2
        if len(middles) >= bins:
            middles = middles[np.linspace(0, len(middles) - 1, bins - 1).astype(int)]
        edges.append(middles)
    return edges


def binned(x: npt.NDArray[np.floating], edges: list[Floats]) -> Bins:
    """The bin of each value of x [N, F]; one feature after the other in memory. Shape [N, F]."""
    out = np.empty((x.shape[1], len(x)), dtype=np.uint8)
    for number, cuts in enumerate(edges):
        out[number] = np.searchsorted(cuts, x[:, number].astype(np.float64), side="left")
    return out.T


def boost(x: npt.NDArray[np.floating], y: Floats, weight: Floats, plan: BoostingPlan) -> BoostedTrees:
    """Trees for features x [N, F], outcomes y [N] in [0, 1] and what each row counts [N]."""
    rng = np.random.default_rng(plan.seed)
    edges = bin_edges(x, plan.bins)
    bins = binned(x, edges)
    mean = float((y * weight).sum() / weight.sum())
    bias = float(np.log(mean / (1.0 - mean)))
    odds = np.full(len(y), bias)
    usable = np.asarray([number for number, cuts in enumerate(edges) if len(cuts)])
    tested = np.zeros((plan.trees, plan.depth), dtype=np.int64)
    cuts = np.full((plan.trees, plan.depth), np.inf)
    leaves = np.zeros((plan.trees, 1 << plan.depth))
    for tree in range(plan.trees):
        p = 1.0 / (1.0 + np.exp(-odds))
        slope, curve = weight * (y - p), weight * p * (1.0 - p)
        rows = np.flatnonzero(rng.random(len(y)) < plan.rows)
        some = rng.choice(usable, max(1, int(len(usable) * plan.features)), replace=False)
        counts = {int(feature): len(edges[feature]) for feature in some}
        levels = _levels(bins, rows, slope[rows], curve[rows], counts, plan)
        leaf = np.zeros(len(y), dtype=np.int64)
        for level, (feature, cut) in enumerate(levels):
            tested[tree, level], cuts[tree, level] = feature, edges[feature][cut]
            leaf = 2 * leaf + (bins[:, feature] > cut)
        count = 1 << plan.depth
        up = np.bincount(leaf[rows], slope[rows], minlength=count)
        down = np.bincount(leaf[rows], curve[rows], minlength=count)
        leaves[tree] = plan.rate * up / (down + plan.ridge * plan.rows)
        odds += leaves[tree, leaf]
    return BoostedTrees(tested, cuts, leaves, bias)


def _levels(
    bins: Bins, rows: Ints, slope: Floats, curve: Floats, cuts: dict[int, int], plan: BoostingPlan
) -> list[tuple[int, int]]:
    """The feature and the bin of the cut of each level of a tree; `cuts` is the number of cuts of each feature."""
    leaf = np.zeros(len(rows), dtype=np.int64)
    columns = {feature: bins[:, feature][rows].astype(np.int64) for feature in cuts}
    chosen: list[tuple[int, int]] = []
    for level in range(plan.depth):
        best, pick = -np.inf, (0, 0)
        for feature, column in columns.items():
            cells, size = leaf * plan.bins + column, plan.bins << level
            up = np.bincount(cells, slope, minlength=size).reshape(-1, plan.bins)
            down = np.bincount(cells, curve, minlength=size).reshape(-1, plan.bins)
            left_up, left_down = up.cumsum(1), down.cumsum(1)
            right_up, right_down = left_up[:, -1:] - left_up, left_down[:, -1:] - left_down
            gain = left_up**2 / (left_down + plan.ridge) + right_up**2 / (right_down + plan.ridge)
            total = gain.sum(0)[: cuts[feature]]
            at = int(np.argmax(total))
            if total[at] > best:
                best, pick = float(total[at]), (feature, at)
        chosen.append(pick)
        leaf = 2 * leaf + (columns[pick[0]] > pick[1])
    return chosen
