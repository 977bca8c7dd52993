"""Shares with intervals over projects, and what may be claimed from them.

Places of one project are alike, so the unit of resampling is the project: projects are drawn with replacement, and
the counts of those drawn are pooled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

DRAWS = 4000
SEED = 13
TOLERANCE, PROJECT_TOLERANCE = 0.03, 0.10
"""How far a precision may lie below its target: pooled, and in one project with LEAST_SHOWN suggestions."""
LEAST_SHOWN = 50
LEAST_JUDGED = 300
"""Suggestions: of fewer it is not said whether a target precision is kept."""
LEAST_PROJECTS = 4
"""Fewer projects decide no claim: of two, every draw that is not both is one of them alone."""


class Share(NamedTuple):
    """A pooled share of `n` cases of `projects` projects; `low` and `high` are None where one project is no sample."""

    value: float
    low: float | None
    high: float | None
    n: int
    projects: int

    def as_json(self) -> dict[str, Any]:
        """As JSON, rounded to a hundredth of a percent."""
        bounds = [None if bound is None else round(bound, 4) for bound in (self.low, self.high)]
        return {"share": round(self.value, 4), "interval": bounds, "n": self.n, "projects": self.projects}


def pooled(rows: Iterable[tuple[str, float, float]]) -> Share:
    """The share of rows (project, part, whole), with a 95 % bootstrap interval over the projects."""
    kept = [pair for pair in _sums(rows) if pair[1] > 0]
    part, whole = (sum(pair[column] for pair in kept) for column in (0, 1))
    if len(kept) < 2:
        return Share(part / whole if whole else 0.0, None, None, round(whole), len(kept))
    sums_D2 = _drawn(kept)
    low, high = np.quantile(sums_D2[:, 0] / sums_D2[:, 1], (0.025, 0.975), method="inverted_cdf").tolist()
    return Share(part / whole, low, high, round(whole), len(kept))


def ratio(rows: Iterable[tuple[str, float, float]]) -> tuple[float | None, float | None, float | None]:
    """How many times the second count of rows (project, count, count) the first is, and its 95 % interval.

    Other than in `pooled`, a project without any of the second counts too. None stands for infinity, and for the bounds
    where one project is no sample.
    """
    kept = _sums(rows)
    first, second = (sum(pair[column] for pair in kept) for column in (0, 1))
    value = first / second if second else None
    if len(kept) < 2:
        return value, None, None
    sums_D2 = _drawn(kept)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios_D = np.where(sums_D2[:, 1] > 0, sums_D2[:, 0] / sums_D2[:, 1], np.inf)
    low, high = np.quantile(ratios_D, (0.025, 0.975), method="inverted_cdf").tolist()
    return value, low if np.isfinite(low) else None, high if np.isfinite(high) else None


def _sums(rows: Iterable[tuple[str, float, float]]) -> list[list[float]]:
    """The two counts of each project, in the order of their names."""
    counts: dict[str, list[float]] = {}
    for project, first, second in rows:
        known = counts.setdefault(project, [0.0, 0.0])
        known[0] += first
        known[1] += second
    return [pair for _, pair in sorted(counts.items())]


def _drawn(pairs: Sequence[Sequence[float]]) -> npt.NDArray[np.float64]:
    """The pooled counts of DRAWS samples of the projects (D, 2)."""
    table_P2 = np.asarray(pairs, np.float64)
    drawn_DP = np.random.default_rng(SEED).integers(0, len(pairs), (DRAWS, len(pairs)))
    sums_D2: npt.NDArray[np.float64] = table_P2[drawn_DP].sum(axis=1)
    return sums_D2


def verdict(share: Mapping[str, Any], aim: float, *, at_most: bool = False) -> str:
    """Whether a share (as JSON) reaches an aim: `yes`, `no`, or `undecided` where its interval contains the aim.

    It is undecided too where fewer than LEAST_PROJECTS projects have a case.
    """
    return "undecided" if share["projects"] < LEAST_PROJECTS else beside_aim(share["interval"], aim, at_most=at_most)


def beside_aim(interval: Sequence[float | None], aim: float, *, at_most: bool = False) -> str:
    """The same of an interval alone, whatever was resampled."""
    low, high = interval
    if low is None or high is None:
        return "undecided"
    if at_most:
        return "yes" if high <= aim else "no" if low > aim else "undecided"
    return "yes" if low >= aim else "no" if high < aim else "undecided"


def is_kept(row: Mapping[str, Any]) -> bool | None:
    """Whether a stored target precision is kept; None where too few suggestions were shown to say so."""
    kept: bool | None = row["kept"]
    return kept if row["precision"]["n"] >= LEAST_JUDGED else None


def keeps(target: float, by_project: Mapping[str, tuple[int, int]]) -> bool | None:
    """Whether suggestions (right, shown) by project keep a target precision; None where nothing was shown.

    Pooled they may be right at most TOLERANCE less often than the target, and in no project with LEAST_SHOWN of them
    more than PROJECT_TOLERANCE less often.
    """
    right, shown = (sum(pair[column] for pair in by_project.values()) for column in (0, 1))
    if not shown:
        return None
    margin = 1e-9  # 0.77 of 100 is 77 right, whatever 0.8 - 0.03 is in binary
    if right / shown < target - TOLERANCE - margin:
        return False
    return all(
        hits / count >= target - PROJECT_TOLERANCE - margin
        for hits, count in by_project.values()
        if count >= LEAST_SHOWN
    )
