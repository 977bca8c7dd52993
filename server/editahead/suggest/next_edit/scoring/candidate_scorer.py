"""The scorer of candidates for the next edit: calibrated probabilities for all sources, and thresholds.

A network with a hidden layer rates every candidate. A linear layer over its log odds and the same features, fitted on
the likeliest candidates of each source only, decides between the top candidates. `scorer.json` holds the weights and
the calibration; `editahead-models calibrate candidates` writes that file from replayed commits of the fit projects. A
probability is the frequency with which such a candidate is exactly an edit of the rest of the commit. The threshold of
a target precision is the probability from which on that share of the shown candidates was correct while the commit was
incomplete, and few enough were shown after it was complete (docs/adr/0017).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.runtime.calibration import Calibration
from editahead.suggest.gate import threshold_for
from editahead.suggest.next_edit.scoring.candidate_features import FEATURES, FeatureRows

FILE = Path(__file__).with_name("scorer.json")
CLIP, MAX_ODDS = 5.0, 8.0  # limits of standardised features, and of the network's log odds
Floats = npt.NDArray[np.float64]


class DecisionLayer(NamedTuple):
    """Standardisation [F] and weights [F] of the features, the weight of the network's log odds, and a bias."""

    mean: Floats
    scale: Floats
    weights: Floats
    trust: float
    bias: float

    def odds(self, rows: Floats, network: Floats) -> Floats:
        """Log odds [N] of features [N, F] and the network's log odds [N]."""
        z = np.clip((rows - self.mean) / self.scale, -MAX_ODDS, MAX_ODDS)
        odds = z @ self.weights + self.trust * np.clip(network, -MAX_ODDS, MAX_ODDS) + self.bias
        return np.asarray(odds, dtype=np.float64)

    def to_json(self) -> dict[str, Any]:
        """The JSON value of the layer in the file."""
        arrays = {name: np.round(getattr(self, name), 5).tolist() for name in _DECISION_ARRAYS}
        return {**arrays, "trust": round(self.trust, 5), "bias": round(self.bias, 5)}


@dataclass(frozen=True, eq=False)
class CandidateScorer:
    """Standardisation [F], hidden layer [F, H] with its bias [H], output [H] with its bias; and the calibration.

    Without a `decision` the network alone rates the candidates.
    """

    mean: Floats
    scale: Floats
    hidden: Floats
    hidden_bias: Floats
    output: Floats
    output_bias: float
    calibration: Calibration
    decision: DecisionLayer | None = None

    def network_odds(self, rows: Floats) -> Floats:
        """The log odds [N] that the network alone gives to features [N, F]."""
        z = np.clip((rows - self.mean) / self.scale, -CLIP, CLIP)
        odds = np.tanh(z @ self.hidden + self.hidden_bias) @ self.output + self.output_bias
        return np.asarray(odds, dtype=np.float64)

    def raw(self, rows: Floats) -> Floats:
        """The uncalibrated probabilities [N] of features [N, F]."""
        odds = self.network_odds(rows)
        if self.decision is not None:
            odds = self.decision.odds(rows, odds)
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0))), dtype=np.float64)

    def probabilities(self, rows: Sequence[tuple[float, ...]]) -> list[float]:
        """The calibrated probability of each row of features, the same for all edits of a rename."""
        if not rows:
            return []
        probabilities: list[float] = self.calibration.apply_many(self.raw(np.asarray(rows, dtype=np.float64))).tolist()
        if isinstance(rows, FeatureRows):
            for group, numbers in rows.renames.items():
                shared = (min if group in rows.doubtful else max)(probabilities[number] for number in numbers)
                for number in numbers:
                    probabilities[number] = shared
        return probabilities

    def threshold(self, precision: float) -> float:
        """The probability from which on a candidate is shown at a target precision."""
        return threshold_for(self.calibration, precision)

    def to_json(self) -> dict[str, Any]:
        """The JSON value of the file."""
        arrays = {name: np.round(getattr(self, name), 5).tolist() for name in _ARRAYS}
        bias = round(self.output_bias, 5)
        return {
            "features": list(FEATURES),
            **arrays,
            "output_bias": bias,
            "decision": self.decision.to_json() if self.decision is not None else None,
            "calibration": json.loads(json.dumps(self.calibration.to_manifest()), parse_float=_rounded),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CandidateScorer:
        """The scorer of a file. Raises ValueError for other features or sizes."""
        if tuple(data["features"]) != FEATURES:
            raise ValueError(f"{FILE.name} is for other features: run `editahead-models calibrate candidates`")
        mean, scale, hidden, bias, output = (np.asarray(data[name], dtype=np.float64) for name in _ARRAYS)
        if hidden.shape != (len(FEATURES), len(output)) or len(bias) != len(output):
            raise ValueError(f"{FILE.name}: layers of other sizes")
        decision = data.get("decision")
        return cls(
            mean,
            scale,
            hidden,
            bias,
            output,
            float(data["output_bias"]),
            Calibration.from_manifest(data["calibration"]),
            _decision_layer(decision) if decision is not None else None,
        )


def _decision_layer(data: Mapping[str, Any]) -> DecisionLayer:
    mean, scale, weights = (np.asarray(data[name], dtype=np.float64) for name in _DECISION_ARRAYS)
    if {len(mean), len(scale), len(weights)} != {len(FEATURES)}:
        raise ValueError(f"{FILE.name}: a decision over other features")
    return DecisionLayer(mean, scale, weights, float(data["trust"]), float(data["bias"]))


def _rounded(number: str) -> float:
    return round(float(number), 6)


_DECISION_ARRAYS = ("mean", "scale", "weights")
_ARRAYS = ("mean", "scale", "hidden", "hidden_bias", "output")


@cache
def shipped_scorer() -> CandidateScorer:
    """The scorer of this version."""
    return CandidateScorer.from_json(json.loads(FILE.read_text(encoding="utf-8")))
