"""Scoring of places of repeated edits: two logistic models and their calibrations, from an edit bundle.

The manifest's `repeat` holds `one` (after a single example) and `many` (after two or more), each a table of weights by
feature; `calibration` holds `repeat_one` and `repeat_many`. `check` is another such table, with a calibration of that
name, for finished changes, where most remaining sites were skipped on purpose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from editahead.runtime.bundle import MANIFEST, Bundle, BundleError
from editahead.runtime.calibration import Calibration
from editahead.runtime.logistic import LogisticModel

ENTRY = "repeat"
CHECK = "check"
SURFACES = ("repeat_one", "repeat_many")
_PARTS = ("one", "many")


@dataclass(frozen=True)
class PatternScorer:
    """The logistic models by number of examples (1; 2 or more), with their calibrations."""

    models: tuple[LogisticModel, LogisticModel]
    calibrations: tuple[Calibration, Calibration]

    def probability(self, features: Sequence[float], examples: int) -> float:
        """Return the calibrated probability that the edit applies to a site."""
        return self.calibration(examples).apply(self.models[examples > 1].probability(features))

    def calibration(self, examples: int) -> Calibration:
        """Return the calibration for a number of examples."""
        return self.calibrations[examples > 1]

    @classmethod
    def of_bundle(cls, bundle: Bundle, names: Sequence[str]) -> PatternScorer | None:
        """Load the model of a bundle's manifest, None if it has none; `names` are the features that can be computed.

        Raises BundleError for weights that are no numbers, for other features, and when a calibration is missing.
        """
        entry = bundle.manifest.get(ENTRY)
        if entry is None:
            return None
        file = bundle.path / MANIFEST
        if not isinstance(entry, Mapping):
            raise BundleError(file, f"{ENTRY} as a JSON object", type(entry).__name__)
        after_one, after_many = (
            LogisticModel.from_json(entry.get(part), f"{ENTRY}.{part}", names, file) for part in _PARTS
        )
        for surface in SURFACES:
            if surface not in bundle.manifest.calibrations:
                raise BundleError(file, f"calibration.{surface}", "nothing")
        calibrations = [bundle.calibration(surface) for surface in SURFACES]
        return cls((after_one, after_many), (calibrations[0], calibrations[1]))

    @classmethod
    def of_check(cls, bundle: Bundle, names: Sequence[str]) -> PatternScorer | None:
        """Load the model for the remaining places of a finished change; None when the bundle has none.

        Raises BundleError as `of_bundle` does.
        """
        entry = bundle.manifest.get(CHECK)
        if entry is None:
            return None
        file = bundle.path / MANIFEST
        model = LogisticModel.from_json(entry, CHECK, names, file)
        if CHECK not in bundle.manifest.calibrations:
            raise BundleError(file, f"calibration.{CHECK}", "nothing")
        calibration = bundle.calibration(CHECK)
        return cls((model, model), (calibration, calibration))
