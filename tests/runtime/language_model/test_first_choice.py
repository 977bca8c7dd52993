"""What a bundle says of the probability that the first of a list of completions is what comes."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from editahead.runtime.language_model.first_choice import FEATURES, first_choice_features, first_choice_model
from editahead.runtime.manifest import BundleError
from hypothesis import given
from hypothesis import strategies as st

FILE = Path("manifest.json")


def test_every_sign_has_its_feature() -> None:
    features = dict(zip(FEATURES, first_choice_features(0.9, 0.1, 2, keyword=True), strict=True))
    odds = math.log(9)
    assert features["odds"] == features["odds_keyword"] == features["odds_two_letters"] == pytest.approx(odds)
    assert features["second"] == pytest.approx(-odds)
    assert [features[name] for name in ("keyword", "one_letter", "two_letters", "more_letters")] == [1, 0, 1, 0]
    fresh = dict(zip(FEATURES, first_choice_features(0.9, 0.0, 0, keyword=False), strict=True))
    assert {name for name, value in fresh.items() if value} == {"bias", "odds", "second"}
    assert first_choice_features(0.9, 0.1, 3, keyword=False) == first_choice_features(0.9, 0.1, 30, keyword=False)


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 5), st.booleans())
def test_a_likelier_first_choice_is_surer(one: float, other: float, letters: int, keyword: bool) -> None:
    model = first_choice_model({"odds": 0.7, "odds_keyword": -0.4, "odds_more_letters": -0.2, "bias": -1.0}, FILE)
    assert model is not None
    less, more = (
        model.probability(first_choice_features(p, 0.0, letters, keyword=keyword)) for p in sorted((one, other))
    )
    assert 0 <= less <= more <= 1


def test_a_bundle_without_weights_has_no_regression() -> None:
    assert first_choice_model(None, FILE) is None


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ([1.0], "first_choice as a JSON object"),
        ({"unknown": 1.0}, "first_choice with features of this version"),
        ({"odds": math.nan}, "first_choice.odds as a finite number"),
        ({"odds": 0.5, "odds_keyword": -0.3, "odds_one_letter": -0.3}, "first_choice.odds of at least 0 everywhere"),
    ],
)
def test_bad_weights_are_one_clear_line(entry: object, message: str) -> None:
    with pytest.raises(BundleError, match=message):
        first_choice_model(entry, FILE)
