"""What a bundle says of how far the tokens of ghost text are to be trusted."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from editahead.runtime.language_model.token_confidence import (
    FEATURES,
    SLOPES,
    TokenFeatures,
    token_confidence,
    token_model,
)
from editahead.runtime.manifest import BundleError
from hypothesis import given
from hypothesis import strategies as st

FILE = Path("manifest.json")

SIGNS = TokenFeatures(0.9, 0.05, 0.01, "pointer", False, True, True, 3, 0.5, 4, 2, False, 3)


def test_without_weights_the_model_is_taken_at_its_word() -> None:
    for probability in (0.001, 0.3, 0.5, 0.99):
        features = replace(SIGNS, probability=probability).features()
        assert token_model().probability(features) == pytest.approx(probability)
        assert token_confidence(None, FILE).probability(features) == pytest.approx(probability)


def test_every_sign_has_its_feature() -> None:
    features = dict(zip(FEATURES, SIGNS.features(), strict=True))
    assert features["odds"] == pytest.approx(math.log(9))
    assert (features["pointer"], features["cache"]) == (1.0, 0.0)
    assert (features["contexts"], features["cached"], features["times"]) == (0.75, 0.5, math.log(5))
    assert (features["typed"], features["letters"], features["first"]) == (1.0, 3.0, 0.0)
    assert [features[name] for name in SLOPES] == [features["odds"], features["odds"], 0.0]
    ended = dict(zip(FEATURES, replace(SIGNS, line_end=True, position=0).features(), strict=True))
    assert (ended["line_end"], ended["line_end_above_code"], ended["first"]) == (1.0, 1.0, 1.0)


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_a_surer_model_is_trusted_more(one: float, other: float) -> None:
    slopes = {"odds": 0.7, "odds_name": -0.4, "odds_typed": -0.2, "odds_line_end": -0.6}
    trust = token_confidence({"bias": -0.5, "name": 0.2, **slopes}, FILE)
    low, high = sorted((one, other))
    for kind in ({}, {"letters": 0}, {"letters": 0, "name": False, "line_end": True}):
        chances = [trust.probability(replace(SIGNS, probability=p, **kind).features()) for p in (low, high)]
        assert 0.0 <= chances[0] <= chances[1] <= 1.0


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ([1.0], "ghost_text as a JSON object"),
        ({"luck": 1.0}, "features of this version, found 'luck'"),
        ({"odds": "1"}, "ghost_text.odds as a finite number, found '1'"),
        ({"odds": True}, "as a finite number"),
        ({"bias": math.nan}, "as a finite number"),
        ({"odds": -1.0}, "ghost_text.odds of at least 0 everywhere, found -1"),
        ({"odds": 0.5, "odds_name": -0.3, "odds_typed": -0.3}, "of at least 0 everywhere, found -0.1"),
        ({"odds": 0.5, "odds_line_end": -0.6}, "of at least 0 everywhere, found -0.1"),
    ],
)
def test_wrong_weights_are_named_in_one_line(entry: object, complaint: str) -> None:
    with pytest.raises(BundleError, match=complaint) as caught:
        token_confidence(entry, FILE)
    assert "\n" not in str(caught.value)
