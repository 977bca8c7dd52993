"""Fits of the mixture on data with known weights: what was put in comes out."""

from __future__ import annotations

import numpy as np
import pytest
from editahead.runtime.language_model.mixture import (
    GATE_FEATURES,
    NAME_FEATURES,
    NONE_FEATURES,
    CacheGate,
    NameChoice,
)
from editahead_models.evaluate.completions.mixture import Choice, fit_gate, fit_names


def test_a_gate_that_made_the_data_is_recovered() -> None:
    rng = np.random.default_rng(3)
    places = 40_000
    features = np.zeros((places, len(GATE_FEATURES)))
    features[:, 0] = 1.0
    features[:, 1] = rng.integers(1, 5, places)
    features[:, 2] = rng.random(places) * 3
    gate = 1 / (1 + np.exp(-(-2.0 + 0.5 * features[:, 1] + 0.7 * features[:, 2])))
    of_ngrams = rng.random(places) < gate  # which side said what came: each is surer of what it says itself
    model = np.where(of_ngrams, 0.01, 0.6)
    ngrams = np.where(of_ngrams, 0.8, 0.02)
    fitted = CacheGate(fit_gate(features, model, ngrams))
    found = [fitted.share(row, 1) for row in features[:200].tolist()]
    assert found == pytest.approx(gate[:200].tolist(), abs=0.05)


def test_ngrams_that_are_never_right_get_no_share() -> None:
    features = np.tile(np.eye(1, len(GATE_FEATURES)), (500, 1))
    fitted = CacheGate(fit_gate(features, np.full(500, 0.5), np.zeros(500)))
    assert fitted.share([1.0] + [0.0] * (len(GATE_FEATURES) - 1), 1) < 0.1


def test_a_choice_of_names_that_made_the_data_is_recovered() -> None:
    rng = np.random.default_rng(4)
    truth = NameChoice({"below": 1.0, "below_lines": -0.8, "project": -0.5, "none": 0.7})
    names, nones = len(NAME_FEATURES), len(NONE_FEATURES)
    none = (1.0, *(0.0,) * (nones - 1))
    below, lines, project = (NAME_FEATURES.index(name) for name in ("below", "below_lines", "project"))
    choices = []
    for _ in range(6000):
        rows = np.zeros((4, names))
        rows[:2, below] = 1.0
        rows[:2, lines] = rng.random(2) * 4
        rows[2:, project] = 1.0
        shares = truth.shares(rows, none)
        drawn = int(rng.choice(5, p=[*shares, 1 - shares.sum()]))
        choices.append(Choice(rows, none, drawn if drawn < 4 else None))
    fitted = fit_names(choices)
    for name in ("below_lines",):
        assert fitted[name] == pytest.approx(truth.weights[name], abs=0.1)
    # Only differences of weights show: what every choice of a place has in common cancels.
    for name in ("below", "project"):
        assert fitted[name] - fitted["none"] == pytest.approx(truth.weights[name] - truth.weights["none"], abs=0.15)


def test_names_that_never_come_leave_all_to_none_of_them() -> None:
    rows = np.zeros((3, len(NAME_FEATURES)))
    rows[:, NAME_FEATURES.index("project")] = 1.0
    none = (1.0, *(0.0,) * (len(NONE_FEATURES) - 1))
    fitted = NameChoice(fit_names([Choice(rows, none, None)] * 300))
    assert fitted.shares(rows, none).sum() < 0.1


def test_places_without_names_within_reach_can_be_learnt_from() -> None:
    none = (1.0, *(0.0,) * (len(NONE_FEATURES) - 1))
    assert set(fit_names([Choice(np.zeros((0, len(NAME_FEATURES))), none, None)] * 5)) == {
        *NAME_FEATURES,
        *NONE_FEATURES,
    }
