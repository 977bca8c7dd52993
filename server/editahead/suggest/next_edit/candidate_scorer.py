"""The scorer of candidates for the next edit: one calibrated probability for all sources, and the threshold of a dial.

A network of one hidden layer over the features of a candidate; `scorer.json` holds its weights and its calibration.
`editahead-models calibrate candidates` writes that file from replayed commits of the fit projects. A probability says
how often such a candidate is exactly one of the edits still to come; the threshold of a dial is the probability from
which on, while anything was still to come, that share of what was shown stood where it was (docs/adr/0017).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from editahead.runtime.calibration import Calibration
from editahead.suggest.gate import threshold_for
from editahead.suggest.next_edit.candidate_features import FEATURES

FILE = Path(__file__).with_name("scorer.json")
CLIP = 5.0
"""Standardised features are kept within this."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CandidateScorer:
    """Standardisation [F], hidden layer [F, H] with its bias [H], output [H] with its bias; and the calibration."""

    mean: Floats
    scale: Floats
    hidden: Floats
    hidden_bias: Floats
    output: Floats
    output_bias: float
    calibration: Calibration

    def raw(self, rows: Floats) -> Floats:
        """The probabilities [N] of features [N, F] before they are calibrated."""
        z = np.clip((rows - self.mean) / self.scale, -CLIP, CLIP)
        odds = np.tanh(z @ self.hidden + self.hidden_bias) @ self.output + self.output_bias
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0))), dtype=np.float64)

    def probabilities(self, rows: Sequence[tuple[float, ...]]) -> list[float]:
        """The calibrated probability of each row of features."""
        if not rows:
            return []
        found: list[float] = self.calibration.apply_many(self.raw(np.asarray(rows, dtype=np.float64))).tolist()
        return found

    def threshold(self, precision: float) -> float:
        """The probability from which on a candidate is shown at a dial."""
        return threshold_for(self.calibration, precision)

    def to_json(self) -> dict[str, Any]:
        """Plain values, as in the file."""
        arrays = {name: np.round(getattr(self, name), 5).tolist() for name in _ARRAYS}
        bias = round(self.output_bias, 5)
        return {
            "features": list(FEATURES),
            **arrays,
            "output_bias": bias,
            "calibration": self.calibration.to_manifest(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CandidateScorer:
        """The scorer of a file. Raises ValueError, one line, for other features or sizes."""
        if tuple(data["features"]) != FEATURES:
            raise ValueError(f"{FILE.name} is for other features: run `editahead-models calibrate candidates`")
        mean, scale, hidden, bias, output = (np.asarray(data[name], dtype=np.float64) for name in _ARRAYS)
        if hidden.shape != (len(FEATURES), len(output)) or len(bias) != len(output):
            raise ValueError(f"{FILE.name}: layers of other sizes")
        return cls(
            mean,
            scale,
            hidden,
            bias,
            output,
            float(data["output_bias"]),
            Calibration.from_manifest(data["calibration"]),
        )


_ARRAYS = ("mean", "scale", "hidden", "hidden_bias", "output")


@cache
def shipped_scorer() -> CandidateScorer:
    """The scorer of this version."""
    return CandidateScorer.from_json(json.loads(FILE.read_text(encoding="utf-8")))
