"""The logistic function stands in one place, and never overflows."""

from __future__ import annotations

import re
from pathlib import Path

import editahead
import pytest
from editahead.runtime.logistic import logistic, weighted

SERVER = Path(editahead.__file__).parent


def test_it_is_kept_within_bounds() -> None:
    assert logistic(0.0) == 0.5
    assert logistic(2.0) + logistic(-2.0) == pytest.approx(1.0)
    assert 0.0 < logistic(-1e9) < logistic(-1e9, 30.0) < 1e-12
    assert logistic(float("inf")) == 1.0


def test_a_feature_without_a_weight_counts_nothing() -> None:
    assert weighted({"a": 2.0}, ("a", "b"), (3.0, 5.0)) == 6.0
    with pytest.raises(ValueError, match="zip"):
        weighted({}, ("a",), ())


def test_nobody_else_writes_it() -> None:
    own = re.compile(r"1(\.0)? / \(1(\.0)? \+ math\.exp\(")
    writers = {path.name for path in SERVER.rglob("*.py") if own.search(path.read_text("utf-8"))}
    assert writers == {"logistic.py"}
