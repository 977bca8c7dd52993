"""The logistic function stands in one place, and never overflows."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import editahead
import pytest
from editahead.runtime.logistic import LogisticModel, logistic, read_weights
from editahead.runtime.manifest import BundleError

SERVER = Path(editahead.__file__).parent


def test_it_is_kept_within_bounds() -> None:
    assert logistic(0.0) == 0.5
    assert logistic(2.0) + logistic(-2.0) == pytest.approx(1.0)
    assert 0.0 < logistic(-1e9) < logistic(-1e9, 30.0) < 1e-12
    assert logistic(float("inf")) == 1.0


def test_a_feature_without_a_weight_counts_nothing() -> None:
    model = LogisticModel(("a", "b"), {"a": 2.0})
    assert model.log_odds((3.0, 5.0)) == 6.0
    assert model.probability((3.0, 5.0)) == logistic(6.0)
    with pytest.raises(ValueError, match="1 values for 2 features"):
        model.probability((1.0,))


def test_the_bound_holds_for_every_value_between_the_limits() -> None:
    model = LogisticModel(("a", "b", "c"), {"a": 2.0, "b": -1.0, "c": 0.5})
    limit = model.at_most({"a": 0.5}, {"b": (-1.0, 2.0), "c": (0.0, 3.0)})
    assert limit == pytest.approx(model.probability((0.5, -1.0, 3.0)), abs=1e-6)
    for b, c in itertools.product((-1.0, 0.0, 2.0), (0.0, 1.0, 3.0)):
        assert model.probability((0.5, b, c)) <= limit


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (None, "scorer as a JSON object, found nothing"),
        ([1.0], "scorer as a JSON object, found list"),
        ({"luck": 1.0}, "scorer with features of this version, found 'luck'"),
        ({"a": "1"}, "scorer.a as a finite number, found '1'"),
        ({"a": True}, "scorer.a as a finite number, found True"),
        ({"a": float("nan")}, "scorer.a as a finite number, found nan"),
    ],
)
def test_broken_weights_name_the_file_and_the_field(entry: object, fault: str) -> None:
    with pytest.raises(BundleError) as caught:
        read_weights(entry, "scorer", ("a", "b"), Path("x/manifest.json"))
    assert str(caught.value) == f"{Path('x/manifest.json')}: expected {fault}"


def test_nobody_else_writes_it() -> None:
    own = re.compile(r"1(\.0)? / \(1(\.0)? \+ math\.exp\(")
    writers = {path.name for path in SERVER.rglob("*.py") if own.search(path.read_text("utf-8"))}
    assert writers == {"logistic.py"}
