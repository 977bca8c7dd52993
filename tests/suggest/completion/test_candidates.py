"""Mixing candidates: probabilities in range that sum to at most 1, equal names merged, the typed letters obeyed."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from editahead.encode.language_model.vocabulary import INDENT_OF, SPECIALS, Vocab
from editahead.runtime.language_model.context_matches import ContextMatch
from editahead.runtime.language_model.mixture import (
    GATE_FEATURES,
    MATCH_FEATURES,
    NAME_FEATURES,
    NONE_FEATURES,
    CacheGate,
    MatchGate,
    NameChoice,
    PrefixModel,
)
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import LINE_END, CacheScores, NgramCache
from editahead.runtime.language_model.prediction import ExpectedToken, Prediction
from editahead.suggest.completion.candidates import (
    Candidate,
    match_features,
    parts_of,
    rank_mixture,
    with_edited_names,
)
from editahead.suggest.completion.extra_names import ExtraNames, NameSource
from hypothesis import given
from hypothesis import strategies as st

LISTED = ("path", "parse", "self", "(", ")", "=", "return")
NAMES = ("path", "pack", "parser", "self", "size", "=")


def model(gate: dict[str, float], names: dict[str, float]) -> LanguageModel:
    """A language model as far as candidates look at it."""
    vocab = Vocab((*SPECIALS, *LISTED))
    made = SimpleNamespace(
        vocab=vocab,
        with_prefix=lambda prefix: [vocab.ids[text] for text in LISTED if text.startswith(prefix)],
        gate=CacheGate(gate),
        names=NameChoice(names),
        match_gate=MatchGate({"bias": 0.0, "length": 1.0}),
        beginnings=PrefixModel(["path", "parse", "self"]),
        unknown_ids=np.array([n for n, s in enumerate(SPECIALS) if s == "<name>" or s.startswith("<new:")]),
    )
    return cast(LanguageModel, made)


def prediction(of: LanguageModel, weights: list[float], copies: dict[str, float], copied: float) -> Prediction:
    """A proper mixture from any weights: the words share 1 - copied, the copies what is copied."""
    words = np.array([weights[n % len(weights)] + 1e-9 for n in range(len(of.vocab.symbols))])
    total = sum(copies.values())
    copies = {name: copied * weight / total for name, weight in copies.items()} if total > 0 else {}
    words = (words / words.sum() * (1 - (copied if copies else 0.0))).astype(np.float32)
    return Prediction(words, copies, dict.fromkeys(copies, 0), float(words[of.unknown_ids].sum()))


def outside(origins: dict[str, NameSource]) -> ExtraNames:
    rows = np.ones((len(origins), len(NAME_FEATURES)))
    return ExtraNames(origins, rows, (1.0,) * len(NONE_FEATURES))


numbers = st.floats(-3, 3)
situations = st.fixed_dictionaries(
    {
        "gate": st.dictionaries(st.sampled_from(GATE_FEATURES), numbers),
        "names": st.dictionaries(st.sampled_from((*NAME_FEATURES, *NONE_FEATURES)), numbers),
        "weights": st.lists(st.floats(0, 1), min_size=5, max_size=40),
        "copies": st.dictionaries(st.sampled_from(NAMES[:-1]), st.floats(0.01, 1), max_size=4),
        "copied": st.floats(0, 1),
        "lines": st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4), max_size=4),
        "context": st.lists(st.sampled_from(NAMES), max_size=2),
        "outside": st.sets(st.sampled_from(("packet", "parts", "sizes", "quux"))),
        "prefix": st.sampled_from(("", "p", "pa", "s", "zz")),
        "expected": st.none() | st.sampled_from(("path", "packet", "(", *sorted(INDENT_OF)[:1])),
    }
)


def asked(case: dict[str, Any]) -> tuple[LanguageModel, Prediction, CacheScores, ExtraNames]:
    made = model(case["gate"], case["names"])
    cache = NgramCache()
    for line in case["lines"]:
        cache.learn([*line, LINE_END])
    origins = {n: NameSource("project", 3, "a.py") for n in sorted(case["outside"]) if n.startswith(case["prefix"])}
    said = prediction(made, case["weights"], case["copies"], case["copied"])
    if case["expected"] is not None:
        said = replace(said, expected=expected(case["expected"]))
    return (
        made,
        said,
        cache.predict(case["context"]),
        outside(origins),
    )


def expected(text: str, length: int = 9) -> ExpectedToken:
    return ExpectedToken(text, text.isidentifier(), ContextMatch(0, length, 1, {-1: -2}, False, 0))


@given(situations)
def test_candidates_are_a_distribution_over_what_goes_on_as_typed(case: dict[str, Any]) -> None:
    made, said, cache, reach = asked(case)
    found = rank_mixture(made, said, case["prefix"], cache, reach)
    chances = [candidate.probability for candidate in found]
    assert all(0 < chance <= 1 + 1e-9 for chance in chances)
    assert sum(chances) <= 1 + 1e-6
    assert chances == sorted(chances, reverse=True)
    assert len({candidate.text for candidate in found}) == len(found)
    assert all(candidate.text.startswith(case["prefix"]) for candidate in found)


@given(situations)
def test_both_sides_of_the_mixture_are_distributions(case: dict[str, Any]) -> None:
    made, said, cache, reach = asked(case)
    parts = parts_of(made, said, case["prefix"], cache, reach)
    assert sum(parts.model.values()) <= 1 + 1e-6
    assert not parts.ngrams or sum(parts.ngrams.values()) == pytest.approx(1, abs=1e-6) or not case["prefix"]
    assert sum(parts.ngrams.values()) <= 1 + 1e-6
    assert not parts.ngrams or (len(parts.features) == len(GATE_FEATURES) and all(map(math.isfinite, parts.features)))


def plain(**more: Any) -> dict[str, Any]:
    case = {"gate": {}, "names": {}, "weights": [0.5], "copies": {}, "copied": 0.0, "lines": [], "context": []}
    return {**case, "outside": (), "prefix": "", "expected": None, **more}


def by_text(found: list[Candidate]) -> dict[str, Candidate]:
    return {candidate.text: candidate for candidate in found}


def test_a_name_that_is_listed_and_copied_stands_once_with_both_chances() -> None:
    made, said, _, _ = asked(plain(copies={"path": 1.0}, copied=0.5))
    found = by_text(rank_mixture(made, said))
    listed = float(said.words[made.vocab.ids["path"]])
    assert found["path"].probability == pytest.approx(0.5 + listed)
    assert found["path"].source == "pointer"
    assert found["path"].step == 0


def test_an_open_gate_leaves_all_to_the_ngrams() -> None:
    case = plain(gate={"bias": 30.0}, lines=[["size"], ["size"], ["path"]])
    made, said, cache, _ = asked(case)
    found = by_text(rank_mixture(made, said, "", cache))
    assert found["size"].probability == pytest.approx(2 / 6, abs=1e-6)  # of six words, three line ends among them
    assert found["size"].source == "cache"
    assert sum(found[s].probability for s in INDENT_OF if s in found) == pytest.approx(3 / 6, abs=1e-6)


def test_a_shut_gate_leaves_all_to_the_model() -> None:
    made, said, cache, _ = asked(plain(gate={"bias": -30.0}, lines=[["size"]]))
    assert by_text(rank_mixture(made, said, "", cache)).get("size", Candidate("", 0, "")).probability < 1e-9


def test_without_ngrams_the_gate_is_not_asked() -> None:
    made, said, _, _ = asked(plain(gate={"bias": 30.0}))
    for cache in (None, CacheScores({}, 0, 0)):
        assert sum(c.probability for c in rank_mixture(made, said, "", cache)) > 0.3


def test_a_name_elsewhere_takes_from_the_unknown_mass_and_says_where_it_stands() -> None:
    made, said, _, reach = asked(plain(outside=("quux",)))
    found = by_text(rank_mixture(made, said, "", None, reach))["quux"]
    assert found.probability == pytest.approx(said.unknown / 2)  # as likely as none of them: all weights are 0
    assert (found.source, found.line, found.where) == ("project", 3, "a.py")


def test_letters_shrink_the_unknown_mass_by_the_chance_that_a_name_begins_so() -> None:
    case = plain(outside=("quux", "parts"))
    made, said, _, _ = asked(case)
    common = by_text(rank_mixture(made, said, "p", None, outside({"parts": NameSource("project", 1, "a.py")})))["parts"]
    listed = sum(float(said.words[made.vocab.ids[text]]) for text in ("path", "parse"))
    unknown = said.unknown * made.beginnings.probability("p")
    assert common.probability == pytest.approx(unknown / 2 / (listed + unknown), rel=1e-5)


def test_a_name_of_this_file_is_said_to_stand_here() -> None:
    made, said, _, _ = asked(plain())
    reach = outside({"quux": NameSource("cache", 7)})
    found = by_text(rank_mixture(made, said, "", None, reach))["quux"]
    assert (found.source, found.line, found.where) == ("cache", 7, None)


def test_an_expected_token_gets_its_share_and_the_others_the_rest() -> None:
    made, said, _, _ = asked(plain())
    before = by_text(rank_mixture(made, said))
    after = by_text(rank_mixture(made, replace(said, expected=expected("packed"))))
    assert after["packed"].probability == pytest.approx(0.9)  # 1 / (1 + exp(-ln 9))
    assert after["packed"].source == "cache"
    assert after["path"].probability == pytest.approx(0.1 * before["path"].probability)
    assert after["path"].source == before["path"].source


@given(situations, st.sets(st.sampled_from(NAMES), max_size=2), st.integers(1, 4))
def test_the_best_candidates_are_those_of_the_whole_list_with_edited_names_raised(
    case: dict[str, Any], edited: set[str], most: int
) -> None:
    made, said, cache, reach = asked(case)
    whole = rank_mixture(made, said, case["prefix"], cache, reach)
    weights = with_edited_names({candidate.text: candidate.probability for candidate in whole}, edited)
    best = rank_mixture(made, said, case["prefix"], cache, reach, most=most, edited=edited)
    assert [candidate.text for candidate in best] == sorted(weights, key=lambda text: (-weights[text], text))[:most]
    sources = {candidate.text: candidate.source for candidate in whole}
    for candidate in best:
        assert candidate.probability == pytest.approx(weights[candidate.text])
        assert candidate.source == sources[candidate.text]


@pytest.mark.parametrize(("text", "prefix"), [("packed", "s"), (min(INDENT_OF), "p")])
def test_a_token_that_does_not_go_on_as_typed_is_not_expected(text: str, prefix: str) -> None:
    made, said, _, _ = asked(plain())
    assert match_features(replace(said, expected=expected(text)), {}, prefix) == ()
    assert rank_mixture(made, replace(said, expected=expected(text)), prefix) == rank_mixture(made, said, prefix)


def test_the_features_of_a_match_are_finite_and_complete() -> None:
    _, said, _, _ = asked(plain())
    for text, mass in (("path", {}), ("path", {"path": 0.0}), ("size", {"path": 0.7, "size": 0.3})):
        features = match_features(replace(said, expected=expected(text, 64)), mass, "")
        assert len(features) == len(MATCH_FEATURES)
        assert all(map(math.isfinite, features))
