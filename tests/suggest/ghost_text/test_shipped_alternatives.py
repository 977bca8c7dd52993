"""Alternatives to ghost text with the shipped model: different texts, each of which would pass as ghost text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel, Cancelled
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.ghost_text.alternatives import MAX_ALTERNATIVES
from editahead.suggest.types import Document, InlineSuggestion, Rejection, Shown

from tests.suggest.documents import document

SOURCE = """class Basket:
    def __init__(self, items):
        self.items = items
        self.names = {}

    def total(self):
        return sum(self.items)

    def mean(self):
        return ‸


def describe(basket):
    return basket.names
"""
INVOKED = Settings(precision=0.5)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda stage, share: None)


def all_texts(engine: Engine, made: Document, byte: int) -> tuple[str, list[Shown[InlineSuggestion]]]:
    """The shown text, and its alternatives."""
    shown = engine.inline(made, byte, Cancel())
    assert isinstance(shown, Shown)
    return shown.value.insert, list(engine.alternatives(made, byte, shown.value, Cancel()))


@pytest.mark.parametrize("typed", ["", "self.", "s", "sum("])
def test_they_differ_and_name_what_stands_in_the_file(engine: Engine, typed: str) -> None:
    made, byte = document(SOURCE.replace("‸", f"{typed}‸"), settings=INVOKED)
    shown, others = all_texts(engine, made, byte)
    texts = [other.value.insert for other in others]
    assert 1 <= len(texts) <= MAX_ALTERNATIVES
    assert len({shown, *texts}) == len(texts) + 1
    assert any("names" in text or "items" in text for text in texts)
    assert all(0 < other.probability < 1 for other in others)
    assert [text for text in texts if text.rstrip("=([{.,") in ("", shown.rstrip(")"))] == []  # not a mere sign more


def test_a_rejected_text_is_no_alternative(engine: Engine) -> None:
    made, byte = document(SOURCE.replace("‸", "self.‸"), settings=INVOKED)
    _, others = all_texts(engine, made, byte)
    gone = others[0].value.insert
    again = replace(made, rejections=(Rejection(gone, 0.0),))
    assert gone not in [other.value.insert for other in all_texts(engine, again, byte)[1]]


def test_the_floor_of_completions_holds_for_them(engine: Engine) -> None:
    made, byte = document(SOURCE.replace("‸", "self.‸"), settings=replace(INVOKED, completion_floor=0.99))
    assert all_texts(engine, made, byte)[1] == []


def test_a_text_from_another_source_has_none(engine: Engine) -> None:
    made, byte = document(SOURCE, settings=INVOKED)
    assert engine.alternatives(made, byte, InlineSuggestion("something else", byte, byte), Cancel()) == ()


def test_they_end_with_the_request(engine: Engine) -> None:
    made, byte = document(SOURCE, settings=INVOKED)
    shown = engine.inline(made, byte, Cancel())
    assert isinstance(shown, Shown)
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        engine.alternatives(made, byte, shown.value, cancel)


def test_a_late_request_goes_without_them(engine: Engine) -> None:
    made, byte = document(SOURCE, settings=INVOKED)
    shown = engine.inline(made, byte, Cancel())
    assert isinstance(shown, Shown)
    assert engine.alternatives(made, byte, shown.value, Cancel(late_at=0.0)) == ()
