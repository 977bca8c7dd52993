"""The ranker without a language model: the places it learns on, and figures on what it has not seen."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
import torch
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.ranking.features import CANDIDATE_FEATURES, PLACE_FEATURES
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead_models.evaluate.completions.own_weights_fit import Ranked, crossed, figures, ranked
from editahead_models.evaluate.completions.without_model_fit import fit_words, without_language
from editahead_models.evaluate.places.product import Sample, language_of
from editahead_models.evaluate.places.ranker_data import RankedPlace
from editahead_models.evaluate.places.without_model_places import (
    KEYWORD,
    NAME,
    SHORT_NAME,
    drawn_words,
    kind_of,
    place_of,
)

torch.set_num_threads(1)
LUA = b"""local function area(width, height)
  -- width is known
  local size = width * height
  return size
end
"""
VISIBLE, MEMBER = (CANDIDATE_FEATURES.index(name) for name in ("visible", "member"))


def places(count: int, seed: int, project: str, column: int = VISIBLE) -> list[RankedPlace]:
    """Places where one feature tells what came."""
    random_ = np.random.default_rng(seed)
    made = []
    for number in range(count):
        n = int(random_.integers(3, 9))
        candidates = np.zeros((n, len(CANDIDATE_FEATURES)), np.float32)
        candidates[:, 0] = -np.sort(random_.random(n)) / 10
        right = int(random_.integers(n))
        candidates[right, column] = 1
        place = random_.random(len(PLACE_FEATURES)).astype(np.float32)
        made.append(RankedPlace(project, number % 4, True, NAME, candidates, place, right, False, ()))
    return made


def test_words_of_the_code_are_drawn_and_none_of_comments() -> None:
    language = language_of("lua")
    drawn = list(drawn_words(language, "p", [("a.lua", LUA), ("spec/test_a.lua", LUA)], 100, random.Random(1)))
    assert {sample.path for sample, _, _ in drawn} == {"a.lua"}
    texts = [LUA[sample.start : sample.end].decode() for sample, _, _ in drawn]
    assert texts.count("width") == 2
    assert {"local", "function", "return", "end", "area", "height", "size"} <= set(texts)
    assert "is" not in texts


def test_a_place_lacks_the_word_and_has_its_letters() -> None:
    language = language_of("lua")
    start = LUA.index(b"size\nend")
    sample = Sample("p", LUA, start, start + 4, True, "a.lua")
    snapshot = SyntaxSnapshot.open(Buffer(LUA), language)
    for letters in (0, 1, 3):
        for whole in (False, True):
            place = place_of(DocumentCaches(words_of), sample, snapshot, None, letters, whole=whole)
            assert place is not None
            assert (place.typed, place.whole, place.slot) == (letters, whole, NAME)
            assert place.texts[place.right] == "size"
            assert all(text.startswith("size"[:letters]) for text in place.texts)
    assert place_of(DocumentCaches(words_of), sample, snapshot, None, 4, whole=True) is None
    behind = replace(sample, start=LUA.index(b"width is"), end=LUA.index(b"width is") + 5)
    assert place_of(DocumentCaches(words_of), behind, snapshot, None, 1, whole=True) is None  # in a comment


def test_kinds_of_words() -> None:
    language = language_of("python")
    kinds = {word: kind_of(word, language, is_name=True) for word in ("size", "n", "self", "return", "len")}
    assert kinds == {"size": NAME, "n": SHORT_NAME, "self": KEYWORD, "return": KEYWORD, "len": KEYWORD}
    assert kind_of("size", language, is_name=False) == KEYWORD


@pytest.mark.slow
def test_it_learns_from_the_other_languages_alone() -> None:
    by = {"a": places(1500, 1, "x"), "b": places(1500, 2, "y"), "c": places(1500, 3, "z", MEMBER)}
    tested = [place for place in places(300, 4, "t", MEMBER) if place.typed == 0]
    unseen = figures(ranked(without_language(by, "c"), tested))
    seen = figures(ranked(fit_words([one for some in by.values() for one in some]), tested))
    assert seen["nothing typed/first"] > 0.9
    assert unseen["nothing typed/first"] < 0.5


@pytest.mark.slow
def test_crossed_by_project_counts_each_place_once_and_knows_none_of_its_project() -> None:
    told, other = places(1500, 5, "a"), places(1500, 6, "b", MEMBER)
    rows = list(crossed([*told, *other], fit_words))
    assert len(rows) == 3000
    assert np.mean([row.rank == 0 for row in rows]) < 0.5


def test_figures_are_shares_and_the_error_is_that_of_the_first() -> None:
    one = places(1, 7, "p")[0]._replace(typed=0, right=3)
    rows = [Ranked(one, 0, 0.5), Ranked(one, 4, 0.5), Ranked(one, -1, 0.5)]
    rows += [Ranked(one._replace(typed=typed), 0, 1.0) for typed in (1, 2)]
    found = figures(rows)
    assert found["nothing typed/n"] == 3
    assert found["nothing typed/first"] == pytest.approx(1 / 3)
    assert found["nothing typed/first five"] == pytest.approx(2 / 3)
    assert found["nothing typed/calibration error"] == pytest.approx(0.5 - 1 / 3)
    assert (found["typed/first"], found["typed/calibration error"]) == (1.0, 0.0)
