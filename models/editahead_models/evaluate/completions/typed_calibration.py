"""Fits the probabilities that a list of completions shows, on lists behind every key of code that was typed again.

The first choice gets a logistic regression over the `FEATURES` of `editahead.runtime.language_model.first_choice` and,
for bundles without one, an isotonic calibration; those behind it share an isotonic calibration with letters typed and
one without.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from editahead.runtime.bundle import load_bundle
from editahead.runtime.calibration import Calibration
from editahead.runtime.language_model.first_choice import ENTRY, FEATURES, first_choice_features, least_slope
from editahead.runtime.logistic import LogisticModel

from editahead_models.evaluate.completions.completion_fit import SURFACES, Answer, fit_calibrations, folds
from editahead_models.evaluate.fitting.calibration_fit import reliability
from editahead_models.evaluate.fitting.logistic import newton
from editahead_models.evaluate.fitting.rewritten_bundle import rewritten
from editahead_models.replay.measured_rows import Row

_RIDGE = 1.0
_SLOPES = tuple(name for name in FEATURES if name.startswith("odds_"))


class TypedCalibration(NamedTuple):
    """The weights of the regression, the calibrations by surface, and figures on projects that no fit has seen."""

    weights: dict[str, float]
    calibrations: dict[str, Calibration]
    figures: dict[str, float]


def fit(rows: Sequence[Row], keywords: Container[str]) -> TypedCalibration:
    """Fit on rows of `typed_lists`, each with its project. Raises ValueError where there are none."""
    if not rows:
        raise ValueError("no list was shown at any key")
    crossed: list[tuple[float, bool]] = []
    for held in folds(sorted({row["project"] for row in rows})):
        model = first_choice([row for row in rows if row["project"] not in held], keywords)
        crossed += outcomes(model, [row for row in rows if row["project"] in held], keywords)
    answers = [Answer(row["project"], row["letters"] > 0, tuple(row["chances"]), row["right"]) for row in rows]
    figures = {f"typed/{name}": value for name, value in reliability(crossed).items()} if crossed else {}
    return TypedCalibration(dict(first_choice(rows, keywords).weights), fit_calibrations(answers), figures)


@contextmanager
def uncalibrated(bundle: Path) -> Iterator[Path]:
    """A copy of a bundle whose completions show the probabilities of the ranker as they are."""
    with tempfile.TemporaryDirectory(prefix="editahead-uncalibrated-") as folder:
        copy = Path(folder) / bundle.name
        shutil.copytree(bundle, copy)
        known = load_bundle(copy)
        dropped = {*SURFACES, *(f"{surface}_next" for surface in SURFACES)}
        left = {name: one.to_manifest() for name, one in known.manifest.calibrations.items() if name not in dropped}
        rewritten(known, calibration=left, without=(ENTRY,))
        yield copy


def first_choice(rows: Sequence[Row], keywords: Container[str]) -> LogisticModel:
    """The regression; its slopes are left out where a likelier first choice would be less sure with them."""
    x_NF = np.array([features_of(row, keywords) for row in rows], np.float64)
    y_N = np.array([row["right"] == 0 for row in rows], np.float64)
    for flat in ((), _SLOPES):
        x_NF[:, [FEATURES.index(name) for name in flat]] = 0.0
        weights = newton(x_NF, y_N, np.ones(len(x_NF)), np.full(len(FEATURES), _RIDGE))
        named = {name: round(value, 5) for name, value in zip(FEATURES, weights.tolist(), strict=True)}
        if least_slope(named) >= 0:
            break
    return LogisticModel(FEATURES, named)


def features_of(row: Row, keywords: Container[str]) -> tuple[float, ...]:
    """What the regression sees of a list."""
    first, second = (*row["chances"], 0.0)[:2]
    return first_choice_features(first, second, row["letters"], keyword=row["texts"][0] in keywords)


def outcomes(model: LogisticModel, rows: Sequence[Row], keywords: Container[str]) -> list[tuple[float, bool]]:
    """The probability of each first choice, and whether it came."""
    return [(model.probability(features_of(row, keywords)), row["right"] == 0) for row in rows]
