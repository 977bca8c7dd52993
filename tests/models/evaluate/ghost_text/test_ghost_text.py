"""Ghost text measured and fitted: what counts as right, and that what is fitted keeps its promise."""

from __future__ import annotations

import random

import numpy as np
import pytest
from editahead.runtime.calibration import Calibration
from editahead.runtime.language_model.token_confidence import FEATURES, token_model
from editahead.suggest.ghost_text.ghost_text import SURFACE, TYPED_SURFACE
from editahead.suggest.ghost_text.length import Length, by_value, cost_of_wrong
from editahead_models.evaluate.ghost_text.fit import Table, crossed, figures, fit, fit_trust
from editahead_models.evaluate.ghost_text.shown import SITUATIONS, GhostMoment, Place, place, places
from editahead_models.evaluate.places.product import Sample
from hypothesis import given, settings
from hypothesis import strategies as st

SOURCE = b"def f(a):\n    x = g(a, b)\n    y = x\n    return y\n\n\nz = 1\n"
AT = SOURCE.index(b"a, b")
SAMPLE = Sample("p", SOURCE, AT, AT + 1, True)


def made(situation: str, typed: int = 0, sample: Sample = SAMPLE, seed: int = 1) -> Place:
    return place(sample, situation, typed, random.Random(seed))


def test_a_cut_file_ends_at_the_cursor() -> None:
    found = made("cut")
    assert found.content == SOURCE[:AT]
    assert found.missing.startswith("a, b)\n    y = x\n")
    assert [found.right(text) for text in ("a", "a,", "a, b)", "a, b)\n    y = x")] == [True] * 4
    assert [found.right(text) for text in ("b", "a, b)\n  ", "a, b)\n    y = x\n    return y\n\n\nz = 1\n\n")] == [
        False
    ] * 3


def test_a_name_counts_as_a_whole() -> None:
    whole = made("cut", 0, Sample("p", b"x = name_of\n", 4, 11, True))
    assert not whole.right("name")
    assert whole.right("name_of")
    typed = made("cut", 7, Sample("p", b"x = name_of\n", 4, 11, True))
    assert typed.right(""), "it is complete"
    assert not made("cut", 4, Sample("p", b"x = name_of\n", 4, 11, True)).right("")


def test_an_indentation_counts_as_a_whole() -> None:
    found = made("cut")
    assert found.right("a, b)\n    ")
    assert not found.right("a, b)\n   ")
    assert not found.right("a, b)\n")


def test_a_hole_ends_where_the_file_goes_on() -> None:
    for seed in range(8):
        found = made("hole", seed=seed)
        assert found.content.startswith(SOURCE[:AT] + b"\n")
        assert found.content[: found.at] + found.missing.encode() + found.content[found.at :] == SOURCE
        assert found.right("a, b)")
        assert not found.right(found.missing + "\n    return y" * 3)


def test_in_brackets_that_are_closed_no_other_is_closed() -> None:
    found = made("closed")
    assert found.content == SOURCE[:AT] + b")" + SOURCE[AT + 5 :]
    assert found.right("a, b")
    assert not found.right("a, b)")


def test_in_a_gap_only_the_missing_token_is_right() -> None:
    found = made("gap")
    assert found.content == SOURCE[:AT] + SOURCE[AT + 1 :]
    assert found.right("a")
    assert not found.right("a,")
    assert not found.right("")


def test_a_new_line_is_asked_about_behind_its_indentation() -> None:
    start = SOURCE.index(b"    y")
    found = made("cut", 0, Sample("p", SOURCE, start, start + 4, False))
    assert found.content == SOURCE[: start + 4]
    assert found.missing.startswith("y = x")


def test_places_come_in_every_situation_sorted_and_the_same_for_a_seed() -> None:
    samples = [Sample(f"p{n % 3}", SOURCE, AT, AT + 4, True) for n in range(40)]
    found = places(samples, 3)
    assert found == places(samples, 3)
    assert {one.situation for one in found} == set(SITUATIONS)
    assert {one.typed > 0 for one in found} == {True, False}
    assert [one.project for one in found] == sorted(one.project for one in found)


def row(odds: float, **more: float) -> tuple[float, ...]:
    return tuple({"bias": 1.0, "odds": odds, **more}.get(name, 0.0) for name in FEATURES)


def imagined(seed: int, count: int, slope: float = 0.5, projects: int = 4) -> list[GhostMoment]:
    """Places whose tokens are right with the probability sigmoid(slope * odds): the model is too sure of itself."""
    chooser = random.Random(seed)
    found: list[GhostMoment] = []
    for number in range(count):
        odds = [chooser.uniform(-1, 6) for _ in range(chooser.randint(1, 6))]
        right, so_far = [], True
        for value in odds:
            so_far = so_far and chooser.random() < 1 / (1 + np.exp(-slope * value))
            right.append(so_far)
        lengths = tuple((n + 1, "abcd" * (n + 1)) for n in range(len(odds)))
        features = tuple(row(value) for value in odds)
        found.append(GhostMoment(f"p{number % projects}", "cut", bool(number % 2), features, tuple(right), lengths))
    return found


def test_the_fit_finds_how_much_too_sure_the_model_is() -> None:
    trust = fit_trust(imagined(1, 4000))
    assert trust.weights["odds"] == pytest.approx(0.5, abs=0.07)
    assert trust.weights["bias"] == pytest.approx(0.0, abs=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("precision", [0.6, 0.8, 0.9])
def test_what_is_shown_is_right_as_often_as_asked_on_other_projects(precision: float) -> None:
    found = crossed(imagined(2, 6000), precision)
    for surface in (SURFACE, TYPED_SURFACE):
        assert found[surface]["right of shown"] == pytest.approx(precision, abs=0.04)
        assert found[surface]["shown"] > 0.15
        assert found[surface]["saved"] > 0.4


@pytest.mark.slow
def test_more_precision_shows_less_and_saves_no_more() -> None:
    asked = imagined(3, 4000)
    trust, fitted = fit(asked)
    calibration = fitted[SURFACE]
    bars = [bar for _, bar in calibration.thresholds if bar is not None]
    assert bars == sorted(bars)
    table = Table.of([one for one in asked if not one.typed], trust, calibration)
    found = [figures(table, calibration, precision) for precision in (0.5, 0.7, 0.9)]
    assert [one["shown"] for one in found] == sorted((one["shown"] for one in found), reverse=True)
    assert [one["right of shown"] for one in found] == sorted(one["right of shown"] for one in found)
    assert found[0]["saved"] > found[2]["saved"]


numbers = st.floats(0, 1)


@settings(max_examples=60)
@given(st.integers(0, 1000), numbers, numbers)
def test_the_table_chooses_as_the_product_does(seed: int, needed: float, precision: float) -> None:
    asked, trust, cost = imagined(seed, 12), token_model({"odds": 0.4}), cost_of_wrong(min(precision, 0.99))
    calibration = Calibration("isotonic", knots=((0.1, 0.05), (0.9, 0.95)))
    shown, right, saved = Table.of(asked, trust, calibration).chosen(needed, cost)
    for place_number, one in enumerate(asked):
        chance, lengths = 1.0, []
        for features, (tokens, insert) in zip(one.features, one.lengths, strict=True):
            chance *= trust.probability(features)
            lengths.append(Length(tokens, insert, calibration.apply(chance)))
        best = by_value(lengths, needed, cost)
        assert shown[place_number] == bool(best)
        if best:
            assert saved[place_number] == best[0].saved_keystrokes
            assert right[place_number] == one.right[best[0].tokens - 1]
