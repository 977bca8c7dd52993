"""Calibration: maps are monotone and in range, the error is what it says, thresholds keep their word."""

from __future__ import annotations

import math

import numpy as np
import pytest
from editahead.runtime.calibration import PRECISIONS, Calibration, expected_calibration_error
from editahead_models.evaluate.fitting.calibration_fit import (
    fit_isotonic,
    precision_thresholds,
)
from hypothesis import given
from hypothesis import strategies as st

pairs = st.lists(st.tuples(st.floats(0, 1, allow_nan=False), st.booleans()), min_size=1, max_size=200)


def columns(data: list[tuple[float, bool]]) -> tuple[list[float], list[bool]]:
    return [p for p, _ in data], [right for _, right in data]


@given(pairs, st.integers(1, 30), st.integers(1, 30))
def test_isotonic_is_monotone_in_range_and_small(
    data: list[tuple[float, bool]], max_knots: int, min_block: int
) -> None:
    fitted = fit_isotonic(*columns(data), max_knots=max_knots, min_block=min_block)
    assert len(fitted.knots) <= max_knots
    grid = np.linspace(0, 1, 101)
    out = fitted.apply_many(grid)
    assert (np.diff(out) >= -1e-12).all()
    assert out.min() >= 0
    assert out.max() <= 1
    assert [fitted.apply(float(p)) for p in grid] == pytest.approx(out.tolist(), abs=1e-12)


@given(pairs)
def test_isotonic_keeps_the_overall_rate(data: list[tuple[float, bool]]) -> None:
    # Pooling keeps the mean, so one knot is exactly the share of right answers.
    p, right = columns(data)
    (knot,) = fit_isotonic(p, right, max_knots=1).knots
    assert knot[1] == pytest.approx(sum(right) / len(right))


@given(pairs)
def test_manifest_round_trip(data: list[tuple[float, bool]]) -> None:
    fitted = fit_isotonic(*columns(data))
    assert Calibration.from_manifest(fitted.to_manifest()) == fitted


@given(pairs, st.randoms())
def test_error_is_in_range_and_blind_to_order(data: list[tuple[float, bool]], random: object) -> None:
    error = expected_calibration_error(*columns(data))
    assert 0 <= error <= 1
    shuffled = list(data)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert expected_calibration_error(*columns(shuffled)) == pytest.approx(error)


def test_error_of_known_cases() -> None:
    assert expected_calibration_error([1.0, 1.0, 0.0], [True, True, False]) == 0
    assert expected_calibration_error([0.9] * 10, [True] * 5 + [False] * 5) == pytest.approx(0.4)
    # Two bins of equal mass: gaps 0.2 - 0 and 1 - 0.8.
    assert expected_calibration_error([0.2, 0.2, 0.8, 0.8], [False, False, True, True], bins=2) == pytest.approx(0.2)


def test_fits_remove_a_known_distortion() -> None:
    rng = np.random.default_rng(7)
    truth = rng.random(20_000)
    right = rng.random(20_000) < truth
    odds = np.log(truth / (1 - truth))
    claimed = 1 / (1 + np.exp(-odds * 2.5))  # overconfident by a temperature of 2.5
    isotonic = fit_isotonic(claimed, right)
    assert isotonic.ece < 0.02 < isotonic.ece_raw
    assert isotonic.n == 20_000
    held_out = rng.random(20_000) < truth
    assert expected_calibration_error(isotonic.apply_many(claimed), held_out) < 0.02


@given(pairs, st.integers(1, 20))
def test_threshold_is_the_smallest_that_keeps_the_precision(data: list[tuple[float, bool]], min_shown: int) -> None:
    p, right = columns(data)
    for target, threshold in precision_thresholds(p, right, min_shown=min_shown):
        reached = {
            cut: np.mean([r for q, r in data if q >= cut])
            for cut in set(p)
            if sum(q >= cut for q in p) >= min(min_shown, len(p))
        }
        good = [cut for cut, precision in reached.items() if precision >= target - 1e-12]
        assert threshold == (min(good) if good else None)


def test_threshold_lookup() -> None:
    fitted = Calibration(thresholds=((0.5, 0.3), (0.8, 0.7), (0.9, None)))
    assert fitted.threshold(0.5) == 0.3
    assert fitted.threshold(0.2) == 0.2
    assert fitted.threshold(0.6) == 0.7  # the stricter neighbour
    assert fitted.threshold(0.8) == 0.7
    assert fitted.threshold(0.85) == math.inf
    assert fitted.threshold(0.99) == math.inf
    assert fitted.threshold(0.0) == 0.0
    assert Calibration().threshold(0.8) == 0.8
    assert Calibration(thresholds=((0.95, 0.6),)).threshold(0.99) == 0.99


@pytest.mark.parametrize("method", ["identity", "temperature", "isotonic"])
def test_nan_is_never_shown(method: str) -> None:
    fitted = Calibration(method=method, temperature=2.0, knots=((0.0, 0.4), (1.0, 0.9)))
    assert fitted.apply(math.nan) == 0.0
    assert fitted.apply_many([math.nan, 2.0, -1.0]).tolist() == pytest.approx(
        [0.0, fitted.apply(1.0), fitted.apply(0.0)]
    )


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"method": "platt"}, "platt"),
        ({"method": "temperature", "temperature": 0}, "temperature"),
        ({"method": "temperature", "temperature": math.nan}, "temperature"),
        ({"method": "temperature", "temperature": "2"}, "temperature"),
        ({"knots": []}, "knot"),
        ({"knots": [[0.1, 0.2], [0.1, 0.3]]}, "rise"),
        ({"knots": [[0.1, 0.4], [0.2, 0.3]]}, "rise"),
        ({"knots": [[0.1, 1.4]]}, "1.4"),
        ({"knots": [[0.1]]}, r"knots\[0\]: expected a list of length 2"),
        ({"thresholds": {"high": 0.4}}, "high"),
        ({"thresholds": {"0.8": math.inf}}, "0.8"),
        ({"thresholds": [0.8]}, "thresholds"),
        ({"ece": -1}, "ece"),
        ({"n": 1.5}, "n: expected a whole number, found 1.5"),
        ({"n": True}, "True"),
    ],
)
def test_a_broken_manifest_entry_is_named(change: dict[str, object], names: str) -> None:
    good = {
        "method": "isotonic",
        "knots": [[0.0, 0.0], [1.0, 1.0]],
        "ece": 0.1,
        "n": 5,
        "thresholds": {"0.8": 0.7},
    }
    assert Calibration.from_manifest(good).apply(0.5) == 0.5
    with pytest.raises(ValueError, match=names):
        Calibration.from_manifest({**good, **change})


@pytest.mark.parametrize(
    ("p", "right"), [([], []), ([0.5], [True, False]), ([1.5], [True]), ([math.nan], [True]), ([0.5], [2.0])]
)
def test_bad_fitting_data_is_refused(p: list[float], right: list[float]) -> None:
    with pytest.raises(ValueError, match="probabilities"):
        fit_isotonic(p, right)


def test_precisions_are_the_documented_table() -> None:
    assert PRECISIONS == (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
