"""What the n-grams of a file and of its project say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from editahead.index.types import NameOrigin, NgramPrediction
from editahead.runtime.language_model.ngrams import LINE_END, NgramCache
from editahead.suggest.completion.ngrams import predict_ngrams, words_of
from editahead.suggest.context import place_at

from tests.suggest.documents import document


class Project:
    """Says always the same, and keeps what it was asked."""

    reliable_context = 5
    imports = None

    def __init__(self, words: dict[str, float], hits: int = 3) -> None:
        self.answer = NgramPrediction(words, hits, 1)
        self.asked: list[str] = []

    def names(self, prefix: str) -> Mapping[str, NameOrigin]:
        return {}

    def origin(self, name: str) -> NameOrigin | None:
        return None

    def files_named(self, name: str) -> Sequence[str]:
        return ()

    def followers(self, context: Sequence[str]) -> NgramPrediction:
        self.asked = list(context)
        return self.answer


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("a = 1  # one\n\nb(‸", ["\n", "a", "=", "1", "\n", "b", "("]),
        ("one.two.three(‸", ["\n", "one", ".", "two", ".", "three", "("]),
        ("first = 1\nsecond = 2\nfour.five.six.seven = ‸", ["\n", "four", ".", "five", ".", "six", ".", "seven", "="]),
        ("x = 1\n‸", ["\n", "x", "=", "1", "\n"]),
    ],
)
def test_the_project_is_asked_over_line_ends_for_at_least_five_tokens(text: str, asked: list[str]) -> None:
    made, byte = document(text)
    project = Project({})
    predict_ngrams(NgramCache(), project, place_at(made, byte).lines)
    assert project.asked == asked


@pytest.mark.parametrize(("reliable", "asked"), [(4, ["one", ".", "two", "("]), (1, ["("]), (0, [])])
def test_a_small_project_is_asked_for_less(reliable: int, asked: list[str]) -> None:
    made, byte = document("x = one.two(‸")
    project = Project({"y": 0.5})
    project.reliable_context = reliable
    cache = NgramCache()
    assert ("y" in predict_ngrams(cache, project, place_at(made, byte).lines).words) is bool(reliable)
    assert project.asked == asked
    assert (
        "y" in predict_ngrams(cache, project, place_at(made, byte).lines, however_small=True).words
    )  # no model, nothing else


def test_a_line_end_of_the_project_is_one_of_the_file() -> None:
    made, byte = document("x = y‸")
    found = predict_ngrams(NgramCache(), Project({"\n": 0.5, "y": 0.25}), place_at(made, byte).lines)
    assert found.words == pytest.approx({LINE_END: 0.5, "y": 0.25})


def test_letters_of_a_name_ask_once_and_anything_else_asks_again() -> None:
    cache, project = NgramCache(), Project({"y": 0.5})

    def asked(text: str, of: Project = project) -> bool:
        of.asked = []
        made, byte = document(text)
        predict_ngrams(cache, of, place_at(made, byte).lines)
        return bool(of.asked)

    assert asked("x = ‸")
    assert not asked("x = v‸")
    assert not asked("x = val‸")
    assert asked("x = val.‸")
    assert asked("x = ‸")
    cache.learn(("\n", "x", LINE_END))
    assert asked("x = v‸")
    assert asked("x = v‸", Project({}))
    made, byte = document("x = v‸")
    assert predict_ngrams(cache, None, place_at(made, byte).lines) == cache.predict(("\n", "x", "="))


def test_without_a_project_the_file_speaks_alone() -> None:
    made, byte = document("x = 1\nx = ‸")
    place = place_at(made, byte)
    cache = NgramCache()
    cache.learn(words_of(place.lines[0]))
    assert predict_ngrams(cache, None, place.lines) == predict_ngrams(cache, Project({}, hits=1), place.lines)
    assert predict_ngrams(cache, None, place.lines).words["1"] > 0.8
