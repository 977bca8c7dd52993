"""The model of places: boosted trees over the features of a line, and the calibration of the likeliest line.

`places.json` holds both; `editahead-models calibrate places` writes that file from replayed commits of the
fit projects.
All nodes of a level of a tree test the same feature, so that a tree is evaluated by looking up its leaf.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from editahead.runtime.calibration import Calibration
from editahead.suggest.gate import threshold_for
from editahead.suggest.next_edit.places.changed_words import KINDS

SOURCES = ("consequence", "repeat", "lines", "network")
RULES = ("unbound", "parameter", "undeclared")
EVIDENCE = (
    *(f"text_{source}" for source in SOURCES), "text_here", "text_near", "texts",
    *(f"rule_{name}" for name in RULES), "rule_other",
)  # fmt: skip
WORDS = (
    *(f"{kind}_rare" for kind in KINDS), *(f"{kind}_share" for kind in KINDS), "call", "call_head", "import_wanted",
    "gone_near",
)  # fmt: skip
LIKENESS = (
    "shape_any", "shape_was", "shape_count", "words_last", "words_most", "indent_off",
)  # fmt: skip
POSITION = (
    "elsewhere", "from_last", "below", "from_any", "between", "below_all", "above_all", "from_cursor", "same_unit",
    "unit_edits", "touched", "top", "trend",
)  # fmt: skip
KIND = ("indent", "comment", "imports", "declares", "length", "call_count")
REQUEST = (
    "changes", "files", "inserts", "deletes", "is_word", "last_lines", "last_head", "last_imports", "last_comment",
    "gone_left", "come_fresh", "texts_best", "rules_best", "lines_count", "pending", "shapes_left", "spread", "units",
    "since_same_unit", "broken",
)  # fmt: skip
POOLED = (
    "text_here", "gone_last_rare", "gone_rare", "come_last_rare", "come_rare", "around_last_rare", "around_rare",
    "called_rare", "sub_rare", "shape_any", "shape_was", "words_last", "words_most",
)  # fmt: skip
"""Features of which a line also has the largest of the lines beside it."""
COMPARED = ("gone_rare", "come_rare", "sub_rare", "words_most", "density", "text_here")
"""Features of which a line also has the distance to the largest of the request."""
FEATURES = (
    *EVIDENCE, *WORDS, *LIKENESS, *POSITION, *KIND, *REQUEST, "density", *(f"beside_{name}" for name in POOLED),
    *(f"lead_{name}" for name in COMPARED),
)  # fmt: skip
COLUMN = {name: number for number, name in enumerate(FEATURES)}

FILE = Path(__file__).with_name("places.json")
_MAX_ODDS = 30.0
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PlaceModel:
    """T trees of depth D: the feature [T, D] and the cut [T, D] of each level, and the leaves [T, 2**D].

    A value above the cut goes to the right; the first level is the highest bit of the number of the leaf.
    """

    tested: Ints
    cuts: Floats
    leaves: Floats
    bias: float
    calibration: Calibration

    def odds(self, rows: Floats) -> Floats:
        """The log odds [N], not calibrated, of features [N, F]."""
        trees, depth = self.tested.shape
        right = rows[:, self.tested.ravel()] > self.cuts.ravel()
        numbers = right.reshape(len(rows), trees, depth) @ (1 << np.arange(depth)[::-1])
        odds = self.leaves[np.arange(trees), numbers].sum(1) + self.bias
        return np.asarray(np.clip(odds, -_MAX_ODDS, _MAX_ODDS), dtype=np.float64)

    def probabilities(self, rows: Floats) -> Floats:
        """The probability [N] of features [N, F], calibrated for the likeliest line of a request."""
        return self.calibration.apply_many(1.0 / (1.0 + np.exp(-self.odds(rows))))

    def threshold(self, precision: float) -> float:
        """The probability from which on a line is shown at a target precision."""
        return threshold_for(self.calibration, precision)

    def to_json(self) -> dict[str, Any]:
        """The JSON value of the file."""
        return {
            "features": list(FEATURES),
            "tested": self.tested.tolist(),
            "cuts": np.round(self.cuts, 5).tolist(),
            "leaves": np.round(self.leaves, 5).tolist(),
            "bias": round(self.bias, 5),
            "calibration": self.calibration.to_manifest(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PlaceModel:
        """The model of a file. Raises ValueError for other features or sizes."""
        if tuple(data["features"]) != FEATURES:
            raise ValueError(f"{FILE.name} is for other features: run `editahead-models calibrate places`")
        tested = np.asarray(data["tested"], dtype=np.int64)
        cuts, leaves = (np.asarray(data[name], dtype=np.float64) for name in ("cuts", "leaves"))
        if cuts.shape != tested.shape or leaves.shape != (len(tested), 1 << tested.shape[1]):
            raise ValueError(f"{FILE.name}: trees of other sizes")
        return cls(tested, cuts, leaves, float(data["bias"]), Calibration.from_manifest(data["calibration"]))


@cache
def shipped_places() -> PlaceModel:
    """The model of this version."""
    return PlaceModel.from_json(json.loads(FILE.read_text(encoding="utf-8")))
