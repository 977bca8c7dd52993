"""Weights of the mixture: shares are probabilities, letters make a proper model, broken limits are named."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from editahead.runtime.bundle import BundleError, find_bundles, load_bundle
from editahead.runtime.language_model.mixture import (
    GATE_FEATURES,
    NAME_FEATURES,
    NONE_FEATURES,
    CacheGate,
    MatchGate,
    NameChoice,
    PrefixModel,
)
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import BUCKETS
from editahead.runtime.ort import select_providers
from hypothesis import given
from hypothesis import strategies as st

FILE = Path("manifest.json")

numbers = st.floats(-50, 50)
NO_FEATURES = [0.0] * len(GATE_FEATURES)
FEATURES = st.lists(numbers, min_size=len(GATE_FEATURES), max_size=len(GATE_FEATURES))


@given(st.dictionaries(st.sampled_from(GATE_FEATURES), numbers), FEATURES)
def test_a_gate_is_a_share(weights: dict[str, float], features: list[float]) -> None:
    assert 0 <= CacheGate(weights).share(features, 1) <= 1


def test_without_weights_the_ngrams_have_no_share() -> None:
    assert CacheGate.from_limits({}, FILE).share(NO_FEATURES, 3) == 0


def test_an_earlier_bundle_has_one_share_for_each_amount_of_evidence() -> None:
    shares = [0.0, 0.3, *[0.5] * (BUCKETS - 2)]
    gate = CacheGate.from_limits({"cache_weights": shares}, FILE)
    assert gate.share(NO_FEATURES, 0) == 0
    assert gate.share(NO_FEATURES, 1) == pytest.approx(0.3)
    # Letters that the n-grams alone expect: twice the mass doubles the odds.
    typed = [math.log(2.0) if name == "prefix_odds" else 0.0 for name in GATE_FEATURES]
    assert gate.share(typed, 2) == pytest.approx(2 / 3)


@given(
    st.dictionaries(st.sampled_from((*NAME_FEATURES, *NONE_FEATURES)), st.floats(-5, 5)),
    st.integers(0, 5),
    st.integers(0, 1000),
)
def test_shares_of_names_leave_a_rest_for_none_of_them(weights: dict[str, float], count: int, seed: int) -> None:
    rows = np.random.default_rng(seed).normal(size=(count, len(NAME_FEATURES)))
    shares = NameChoice(weights).shares(rows, [1.0] * len(NONE_FEATURES))
    assert shares.shape == (count,)
    assert (shares >= 0).all()
    assert shares.sum() <= 1 + 1e-12


def test_shares_follow_their_weights() -> None:
    rows = np.zeros((2, len(NAME_FEATURES)))
    rows[0, NAME_FEATURES.index("project")] = 1.0
    shares = NameChoice({"project": math.log(3.0)}).shares(rows, [0.0] * len(NONE_FEATURES))
    assert shares == pytest.approx([3 / 5, 1 / 5])  # and one fifth for none of them


@given(st.lists(st.text("abcd_", min_size=1, max_size=5), max_size=30), st.text("abcd_", max_size=4))
def test_beginnings_are_probabilities_that_fall_with_each_letter(names: list[str], letters: str) -> None:
    beginnings = PrefixModel(names)
    assert beginnings.probability("") == 1
    for end in range(len(letters)):
        assert 0 < beginnings.probability(letters[: end + 1]) <= beginnings.probability(letters[:end]) <= 1
    after = sum(beginnings.probability(letters + character) for character in set("".join(names)))
    assert after <= beginnings.probability(letters) + 1e-12


def test_beginnings_tell_frequent_letters_from_rare_ones() -> None:
    beginnings = PrefixModel(["get_a", "get_b", "get_c", "set_a"])
    assert beginnings.probability("g") > beginnings.probability("s") > beginnings.probability("q") > 0
    assert beginnings.probability("ge") / beginnings.probability("g") > 0.4


@pytest.mark.parametrize(
    ("limits", "names"),
    [
        ({"cache_gate": [1.0]}, "cache_gate as a JSON object"),
        ({"cache_gate": {"magic": 1.0}}, "magic"),
        ({"cache_gate": {"bias": "much"}}, "cache_gate.bias"),
        ({"cache_gate": {"bias": True}}, "cache_gate.bias"),
        ({"match_gate": {"magic": 1.0}}, "magic"),
        ({"match_gate": 1.0}, "match_gate as a JSON object"),
        ({"elsewhere": {"open": 1e400}}, "elsewhere.open"),
        ({"elsewhere": {"bias": 1.0}}, "bias"),
        ({"elsewhere": 3}, "elsewhere as a JSON object"),
        ({"cache_weights": [0.1]}, "cache_weights"),
        ({"cache_weights": [1.5] * BUCKETS}, "cache_weights"),
    ],
)
def test_broken_limits_are_named(limits: dict[str, object], names: str) -> None:
    def read() -> None:
        CacheGate.from_limits(limits, FILE)
        MatchGate.from_limits(limits, FILE)
        NameChoice.from_limits(limits, FILE)

    with pytest.raises(BundleError, match=names) as caught:
        read()
    assert "\n" not in str(caught.value)


def copied(folder: Path, limits: dict[str, object]) -> Path:
    """The shipped Python bundle with other limits."""
    shipped = next(path for path in find_bundles() if path.name.startswith("spn-python-"))
    target = folder / shipped.name
    shutil.copytree(shipped, target)
    manifest = json.loads((target / "manifest.json").read_text())
    old = {key: value for key, value in manifest["limits"].items() if key in ("slots", "hidden", "embedding", "typed")}
    (target / "manifest.json").write_text(json.dumps({**manifest, "limits": {**old, **limits}}))
    return target


def test_a_bundle_with_broken_limits_is_refused_in_one_line(tmp_path: Path) -> None:
    bundle = load_bundle(copied(tmp_path, {"cache_gate": {"bias": None}}))
    with pytest.raises(BundleError, match=r"cache_gate\.bias as a finite number, found None") as caught:
        LanguageModel(bundle, select_providers("cpu"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("limits", [{}, {"cache_weights": [0.0, *[0.4] * (BUCKETS - 1)]}])
def test_a_bundle_of_before_still_loads(tmp_path: Path, limits: dict[str, object]) -> None:
    model = LanguageModel(load_bundle(copied(tmp_path, limits)), select_providers("cpu"))
    assert model.gate.shares == tuple(limits.get("cache_weights", ()))  # type: ignore[arg-type]
    assert model.gate.weights == {}
    assert model.names == NameChoice()
