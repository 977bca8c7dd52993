"""New names: asked for only where they can matter, and told apart from what is typed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from editahead.encode.language_model.vocabulary import SPECIALS, Vocab
from editahead.runtime.language_model.model import LanguageModel, LmContext
from editahead.runtime.language_model.prediction import Prediction
from editahead.runtime.language_model.speller import SpelledNames
from editahead.runtime.ort import Cancel
from editahead.suggest.completion.spelled_names import spelled_names

VOCAB = Vocab((*SPECIALS, "path", "parse", "self"))
FOUND = SpelledNames({"parser": 0.1, "pack": 0.05, "pa": 0.05}, 0.25)


def model(least: float = 0.1, speller: bool = True) -> LanguageModel:
    made = SimpleNamespace(
        vocab=VOCAB,
        with_prefix=lambda prefix: [VOCAB.ids[text] for text in ("path", "parse", "self") if text.startswith(prefix)],
        speller=SimpleNamespace(least=least) if speller else None,
    )
    return cast(LanguageModel, made)


def context(asked: list[str]) -> LmContext:
    def spelled(prefix: str, cancel: Cancel | None) -> SpelledNames:
        asked.append(prefix)
        return FOUND

    return cast(LmContext, SimpleNamespace(spell=spelled))


def prediction(unknown: float, path: float, copies: dict[str, float]) -> Prediction:
    words = np.zeros(len(VOCAB), np.float32)
    words[VOCAB.ids["path"]] = path
    return Prediction(words, copies, {}, unknown)


@pytest.mark.parametrize(
    ("unknown", "path", "copies", "prefix", "expected"),
    [
        (0.5, 0.2, {}, "", True),
        (0.05, 0.2, {}, "", False),  # too unlikely that a new name comes
        (0.05, 0.9, {}, "pa", False),  # something listed begins so
        (0.05, 0.9, {}, "pq", True),  # nothing else does
        (0.05, 0.1, {"paddle": 0.8}, "pa", False),
        (0.05, 0.1, {"saddle": 0.8}, "pa", True),
    ],
)
def test_it_is_asked_where_a_new_name_can_matter(
    unknown: float, path: float, copies: dict[str, float], prefix: str, expected: bool
) -> None:
    asked: list[str] = []
    found = spelled_names(model(), context(asked), prediction(unknown, path, copies), prefix)
    assert asked == ([prefix] if expected else [])
    assert bool(found) is expected


def test_what_is_typed_is_no_completion_of_itself_and_the_rest_is_given_the_letters() -> None:
    found = spelled_names(model(), context([]), prediction(0.5, 0.1, {}), "pa")
    assert found == pytest.approx({"parser": 0.4, "pack": 0.2})
    assert spelled_names(model(speller=False), context([]), prediction(0.5, 0.1, {}), "pa") == {}
