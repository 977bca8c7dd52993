"""How often what a change left behind tells of a missed edit, by kind; and thresholds by the commits that they disturb.

A threshold is accepted from strict to lax while enough finished commits of the fit projects stay without any report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from editahead_models.evaluate.check.cases import CheckCase, HunkCase
from editahead_models.evaluate.fitting.accepted_threshold import accepted_threshold

Floats = npt.NDArray[np.float64]
SHARE = 0.5
"""Of the changes that are checked, how many missed an edit: an assumption."""
DISTURBED = {0.5: 0.12, 0.6: 0.09, 0.7: 0.07, 0.8: 0.05, 0.9: 0.02}
"""By target precision the share of finished commits that may get a report."""
PRIOR_WEIGHT = 4.0
"""Reports that the rate of all kinds counts as."""


def left_rates(cases: Sequence[HunkCase]) -> dict[str, dict[str, float]]:
    """Probability by kind, with what it rests on: hunks left out that it tells of, and whole commits that it is in."""
    hunks = [case for case in cases if case.hunk]
    whole = [case for case in cases if not case.hunk]
    told, disturbed = (Counter(kind for case in rows for kind in case.kinds) for rows in (hunks, whole))
    scale = SHARE / (1.0 - SHARE) * len(whole) / max(1, len(hunks))
    right, wrong = scale * sum(told.values()), float(sum(disturbed.values()))
    overall = right / (right + wrong) if right + wrong else 0.0
    return {
        kind: {
            "probability": round(
                (scale * told[kind] + PRIOR_WEIGHT * overall) / (scale * told[kind] + disturbed[kind] + PRIOR_WEIGHT),
                3,
            ),
            "found": told[kind],
            "hunks": len(hunks),
            "disturbed": disturbed[kind],
            "commits": len(whole),
        }
        for kind in sorted(told | disturbed)
    }


def is_told(kinds: Sequence[str], rates: Mapping[str, float], target: float) -> bool:
    """Whether one of some kinds is reported at a target precision."""
    return any(rates.get(kind, 0.0) >= target for kind in kinds)


def thresholds_by_disturbance(
    cases: Sequence[CheckCase], values: Sequence[Floats], hunks: Sequence[HunkCase], rates: Mapping[str, float]
) -> tuple[tuple[float, float | None], ...]:
    """For each target precision the laxest probability at which few enough whole commits get any report.

    `values` are the probabilities of each case (P,), from weights that did not see its project; `hunks` name all
    commits. A commit that a leftover disturbs is disturbed at every threshold.
    """
    found: list[tuple[float, float | None]] = []
    whole = [(case, row) for case, row in zip(cases, values, strict=True) if not case.forgotten]
    projects = sorted({case.project for case in hunks})
    for target, share in DISTURBED.items():
        most = {(one.project, one.commit): 2.0 * is_told(one.kinds, rates, target) for one in hunks if not one.hunk}
        for case, row in whole:
            key = (case.project, case.commit)
            most[key] = max(most.get(key, 0.0), float(row.max(initial=0.0)))
        thresholds = np.unique(np.concatenate([np.zeros(0), *(row for _, row in whole)]))[::-1]
        steps = np.nextafter(np.minimum(thresholds, 0.99), 1.0)  # above a place that is not to be shown
        tops = [np.asarray([top for key, top in most.items() if key[0] == name]) for name in projects]
        silent_TG = np.asarray([[(row < step).sum() for row in tops] for step in steps], dtype=np.float64)
        commits_TG = np.tile(np.asarray([len(row) for row in tops], dtype=np.float64), (len(steps), 1))
        found.append((target, accepted_threshold(steps, commits_TG, silent_TG, 1.0 - share)))
    return tuple(found)
