"""Probabilities of first choices fitted on lists behind typed keys: drawn ones, and those of the real server."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import pytest
from editahead.runtime.bundle import find_bundles, load_bundle
from editahead.syntax.language import by_id
from editahead_models.evaluate.completions import typed_calibration
from editahead_models.replay.measured_rows import Row
from editahead_models.replay.places import LINE
from editahead_models.replay.simulated_user import user_of
from editahead_models.replay.stretches import Stretch, without
from editahead_models.replay.typed_lists import LOOKED_AT, SETTINGS, lists

PYTHON = by_id("python")
assert PYTHON is not None
CODE = b"import os\n\ntotal = 1\nwhile total:\n    total = count(total)\n\nlast = 1\n"
STRETCH = Stretch("a.py", PYTHON, CODE, CODE.index(b"while"), CODE.index(b"\n\nlast"), LINE)


def drawn(count: int) -> Iterator[Row]:
    """Lists whose first choices come half as often as they say, keywords as often as they say."""
    chooser = random.Random(3)
    for number in range(count):
        p, keyword = chooser.uniform(0.2, 1.0), chooser.random() < 0.5
        right = chooser.random() < (p if keyword else p / 2)
        yield {
            "project": f"p{number % 5}", "letters": number % 3, "chances": [p, 0.1],
            "texts": ["while" if keyword else "total", "x"], "right": 0 if right else None, "dot": False,
        }  # fmt: skip


@pytest.mark.slow
def test_names_and_keywords_get_probabilities_of_their_own() -> None:
    rows = list(drawn(6000))
    found = typed_calibration.fit(rows, {"while"})
    assert found.figures["typed/ECE"] < 0.03
    model = typed_calibration.first_choice(rows, {"while"})
    name, keyword = (
        model.probability(typed_calibration.features_of(row | {"chances": [0.8, 0.1]}, {"while"}))
        for row in (rows[0] | {"texts": ["total"]}, rows[0] | {"texts": ["while"]})
    )
    assert abs(name - 0.4) < 0.06
    assert abs(keyword - 0.8) < 0.06
    assert set(found.calibrations) == {"completion", "completion_next", "completion_typed", "completion_typed_next"}


def test_nothing_to_fit_on_is_told() -> None:
    with pytest.raises(ValueError, match="no list was shown"):
        typed_calibration.fit([], ())


@pytest.mark.slow
def test_the_server_shows_raw_probabilities_at_every_key_of_a_word() -> None:
    bundle = next(path for path in find_bundles() if path.name.startswith("spn-python"))
    with typed_calibration.uncalibrated(bundle) as raw:
        manifest = load_bundle(raw).manifest
        assert not {name for name in manifest.calibrations if name.startswith("completion")}
        assert "first_choice" not in manifest
        with user_of(without([("a.py", CODE, PYTHON)], [STRETCH]), [raw], SETTINGS) as user:
            rows = list(lists(user, [STRETCH]))
    assert [row["letters"] for row in rows[:5]] == [0, 1, 2, 3, 4]  # of `while`
    for row in rows:
        assert len(row["chances"]) == len(row["texts"]) <= LOOKED_AT
        assert row["chances"] == sorted(row["chances"], reverse=True)
        assert math.fsum(row["chances"]) <= 1 + 1e-6
    known = [row for row in rows if row["right"] is not None]
    assert any(row["texts"][row["right"]] == "while" for row in known)
