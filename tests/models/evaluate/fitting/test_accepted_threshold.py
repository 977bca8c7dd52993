"""Thresholds that are accepted on projects: what a bound knows, where the search ends, whether the precision holds."""

from __future__ import annotations

import numpy as np
import pytest
from editahead_models.evaluate.fitting.accepted_threshold import LEAST_SHOWN, accepted_threshold, precision_bound


def counts(*rows: tuple[float, ...]) -> np.ndarray:
    return np.array(rows, np.float64)


def test_projects_that_differ_say_less_than_projects_that_agree() -> None:
    shown_G = np.full(10, 100.0)
    alike = precision_bound(shown_G, np.full(10, 85.0))
    apart = precision_bound(shown_G, np.array([65.0, 100.0] * 3 + [90.0, 80.0] * 2))
    assert 0.8 < alike < 0.85, "a thousand suggestions leave little doubt"
    assert apart < 0.8
    assert precision_bound(np.zeros(10), np.zeros(10)) == 0.0
    assert precision_bound(counts((100.0,))[0], counts((85.0,))[0]) < 0.85


def test_the_search_ends_at_the_first_threshold_that_cannot_be_shown_to_keep_the_precision() -> None:
    thresholds = np.array([0.9, 0.8, 0.7, 0.6])
    shown = counts((200, 200), (300, 300), (400, 400), (900, 900))
    right = counts((190, 190), (270, 270), (310, 310), (830, 830))  # 95, 90, 78 and 92 %
    assert accepted_threshold(thresholds, shown, right, 0.85) == 0.8
    assert accepted_threshold(thresholds, shown, right, 0.91) == 0.9
    assert accepted_threshold(thresholds, shown, right, 0.99) is None


def test_a_threshold_that_shows_next_to_nothing_neither_passes_nor_ends_the_search() -> None:
    few = LEAST_SHOWN / 2 - 1
    shown = counts((few, few), (300, 300))
    assert accepted_threshold(np.array([0.9, 0.8]), shown, counts((0, 0), (285, 285)), 0.85) == 0.8
    assert accepted_threshold(np.array([0.9]), counts((few, few)), counts((few, few)), 0.5) is None


@pytest.mark.slow
@pytest.mark.parametrize("target", [0.65, 0.8])
def test_the_precision_holds_on_other_projects_of_the_same_kind(target: float) -> None:
    rng = np.random.default_rng(5)
    thresholds = np.round(np.arange(0.99, 0.3, -0.02), 2)

    def drawn(projects: int, places: int) -> tuple[np.ndarray, np.ndarray]:
        """Shown and right counts (T, G) of projects whose precision lies up to 15 points beside the probability."""
        shown, right = np.zeros((2, len(thresholds), projects))
        for project in range(projects):
            p = rng.random(places)
            hit = rng.random(places) < np.clip(p + rng.normal(0, 0.08), 0, 1)
            for number, least in enumerate(thresholds):
                shown[number, project], right[number, project] = (p >= least).sum(), (hit & (p >= least)).sum()
        return shown, right

    kept, silent, others = 0, 0, drawn(400, 100)
    for _ in range(60):
        found = accepted_threshold(thresholds, *drawn(12, 100), target)
        if found is None:  # nothing is promised, and the probability itself decides
            silent += 1
            continue
        number = int(np.flatnonzero(thresholds == found)[0])
        kept += others[1][number].sum() >= target * others[0][number].sum()
    assert silent <= 6
    assert kept >= 0.85 * (60 - silent), "the least threshold that fits its own projects keeps it in half of the draws"
