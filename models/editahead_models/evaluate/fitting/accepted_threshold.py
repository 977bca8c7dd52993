"""Thresholds that keep a precision on projects that no fit has seen: accepted from strict to lax while a bound holds.

Learn then test (Angelopoulos et al., 2021): candidates for a threshold come in a fixed order, and the first whose
precision cannot be shown to reach the target ends the search. Suggestions of one project are alike, so the bound
treats projects, not suggestions, as the sample.

Shapes: T thresholds from strict to lax, G projects.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.stats import t as student

Floats = npt.NDArray[np.float64]

CONFIDENCE = 0.9
"""One-sided, of the bound."""
LEAST_SHOWN = 100
"""Suggestions without which nothing is known of a threshold."""


def precision_bound(shown_G: Floats, right_G: Floats, confidence: float = CONFIDENCE) -> float:
    """The precision that other projects of this kind reach at least, by the pooled ratio less its bound.

    The error of the ratio is that of a sample of projects (Cochran, Sampling Techniques, 1977, chapter 6), and at least
    that of independent suggestions. 0 where nothing is shown.
    """
    shown, groups = float(shown_G.sum()), int(np.count_nonzero(shown_G))
    if not shown:
        return 0.0
    ratio = float(right_G.sum()) / shown
    independent = math.sqrt(ratio * (1 - ratio) / shown)
    if groups < 2:
        return ratio - float(student.ppf(confidence, max(1.0, shown - 1))) * independent
    spread = float(np.square(right_G - ratio * shown_G).sum()) * groups / (groups - 1)
    error = max(independent, math.sqrt(spread) / shown)
    return ratio - float(student.ppf(confidence, groups - 1)) * error


def accepted_threshold(
    thresholds_T: Floats, shown_TG: Floats, right_TG: Floats, target: float, confidence: float = CONFIDENCE
) -> float | None:
    """The laxest threshold up to which every stricter one keeps `target`; None where none does.

    Those that show too little to be tested are passed over at the strict end.
    """
    accepted: float | None = None
    for threshold, shown_G, right_G in zip(thresholds_T.tolist(), shown_TG, right_TG, strict=True):
        if shown_G.sum() < LEAST_SHOWN:
            continue
        if precision_bound(shown_G, right_G, confidence) < target:
            if accepted is not None:
                break
            continue
        accepted = threshold
    return accepted
