"""How far the probability of the first completion is from the share that is right, behind every key of a word."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from editahead.runtime.calibration import expected_calibration_error

from editahead_models.evaluate.fitting.calibration_fit import reliability
from editahead_models.publishing.intervals import SEED
from editahead_models.publishing.keystrokes.key_kinds import KEYWORD, NAME, NEW_NAME
from editahead_models.publishing.keystrokes.users import CODE
from editahead_models.replay.measured_rows import Row

DRAWS = 400
Key = Mapping[str, Any]
GROUPS: Mapping[str, Callable[[Key], bool]] = {
    "all": lambda key: True,
    "nothing typed": lambda key: key["letters"] == 0,
    "letters typed": lambda key: key["letters"] > 0,
    "names": lambda key: key["kind"] in (NAME, NEW_NAME),
    "keywords": lambda key: key["kind"] == KEYWORD,
}


def calibration(rows: Sequence[tuple[str, Row]]) -> dict[str, Any]:
    """Expected calibration errors, by GROUPS, at keys in code where a completion is shown and letters are to come.

    Rows are (unit, row); the 95 % interval is over the units, and lies around the figure as the errors of the drawn
    samples lie around their mean, since few places show an error even where every probability is true (`by chance`).
    The groups of names and keywords tell where an error comes from: they know what came, which no probability does.
    """
    keys = [(unit, key) for unit, row in rows for key in row["keys"] if key["region"] == CODE and key["first"]]
    return {
        name: _error([(unit, *key["first"]) for unit, key in keys if wanted(key)]) for name, wanted in GROUPS.items()
    }


def _error(cases: Sequence[tuple[str, float, bool]]) -> dict[str, Any]:
    """The error of cases (unit, probability, whether right) as JSON; zero without an interval where there are none."""
    units = sorted({unit for unit, *_ in cases})
    if not cases:
        return {"share": 0.0, "interval": [None, None], "n": 0, "by chance": 0.0, "expected": 0.0, "right": 0.0}
    found = reliability([(p, right) for _, p, right in cases])
    bounds: list[float | None] = [None, None]
    if len(units) > 1:
        errors_D = _drawn(cases, units)
        shift = found["ECE"] - float(errors_D.mean())
        bounds = [round(max(0.0, float(bound) + shift), 4) for bound in np.quantile(errors_D, (0.025, 0.975))]
    return {
        "share": round(found["ECE"], 4),
        "interval": bounds,
        "n": len(cases),
        "by chance": round(found["ECE by chance"], 4),
        "expected": round(float(np.mean([p for _, p, _ in cases])), 4),
        "right": round(float(np.mean([right for *_, right in cases])), 4),
    }


def _drawn(cases: Sequence[tuple[str, float, bool]], units: Sequence[str]) -> npt.NDArray[np.float64]:
    """The errors of DRAWS samples of the units (D,)."""
    of_unit = {unit: np.array([case[1:] for case in cases if case[0] == unit], np.float64) for unit in units}
    random = np.random.default_rng(SEED)
    errors = []
    for _ in range(DRAWS):
        drawn_N2 = np.concatenate([of_unit[units[number]] for number in random.integers(0, len(units), len(units))])
        errors.append(expected_calibration_error(drawn_N2[:, 0], drawn_N2[:, 1]))
    return np.array(errors, np.float64)
