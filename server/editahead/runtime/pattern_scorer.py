"""How likely a place of a repeated edit is meant: two logistic models and their calibrations, from an edit bundle.

The manifest's `repeat` holds `one` (after one example) and `many` (after two or more), each a table of weights by
feature; `calibration` holds `repeat_one` and `repeat_many`, and may hold `repeat_one_first` and `repeat_many_first`:
what the calibrated probability of the surest place is worth, since that place is right more often. `check` is another
such table, with a calibration of that name: the same for changes that are done, where a place that is left was mostly
left on purpose.
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
FIRST = ("repeat_one_first", "repeat_many_first")
_PARTS = ("one", "many")


@dataclass(frozen=True)
class RepeatModel:
    """Logistic models by number of examples (one; two or more), and what their scores are worth."""

    models: tuple[LogisticModel, LogisticModel]
    calibrations: tuple[Calibration, Calibration]
    first: tuple[Calibration | None, Calibration | None] = (None, None)

    def probability(self, features: Sequence[float], examples: int) -> float:
        """The calibrated probability that the place is meant."""
        return self.calibration(examples).apply(self.models[examples > 1].probability(features))

    def calibration(self, examples: int) -> Calibration:
        """The calibration after so many examples."""
        return self.calibrations[examples > 1]

    def of_surest(self, probability: float, examples: int) -> tuple[float, Calibration]:
        """The probability of the surest place of all, given its probability as one of many.

        With it comes the calibration that gives its threshold.
        """
        calibration = self.first[examples > 1]
        if calibration is None:
            return probability, self.calibration(examples)
        return calibration.apply(probability), calibration

    @classmethod
    def of_bundle(cls, bundle: Bundle, names: Sequence[str]) -> RepeatModel | None:
        """The model in a bundle's manifest, None when it has none; `names` are the features that can be computed.

        Raises BundleError for weights that are no numbers, for other features, and when a calibration is missing.
        """
        entry = bundle.manifest.get(ENTRY)
        if entry is None:
            return None
        file = bundle.path / MANIFEST
        if not isinstance(entry, Mapping):
            raise BundleError(file, f"{ENTRY} as a JSON object", type(entry).__name__)
        one, many = (LogisticModel.from_json(entry.get(part), f"{ENTRY}.{part}", names, file) for part in _PARTS)
        for surface in SURFACES:
            if surface not in bundle.manifest.calibrations:
                raise BundleError(file, f"calibration.{surface}", "nothing")
        known = bundle.manifest.calibrations
        every = [bundle.calibration(surface) for surface in SURFACES]
        first = [bundle.calibration(surface) if surface in known else None for surface in FIRST]
        return cls((one, many), (every[0], every[1]), (first[0], first[1]))

    @classmethod
    def of_check(cls, bundle: Bundle, names: Sequence[str]) -> RepeatModel | None:
        """The model of what a finished change leaves, which is mostly meant to stay; None when the bundle has none.

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
