"""The shipped model of functions at work, and where it is quiet."""

from __future__ import annotations

from typing import Any

import pytest
from editahead.lsp.inference.engine_startup import prime
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Reason, Shown, Suppressed

from tests.suggest.documents import document

PROPERTY = """class Config:
    def __init__(self, path):
        self._path = path

    @property
    def path(self):
        ‸
"""


@pytest.fixture(scope="module")
def engine() -> Engine:
    made = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    describer = made.describer("python")
    assert describer is not None
    return made


def bodies(engine: Engine, text: str, **more: Any) -> Any:
    at, byte = document(text, **more)
    return engine.bodies(at, byte, Cancel())


def test_a_property_is_written_by_hand_and_not_by_itself(engine: Engine) -> None:
    found = bodies(engine, PROPERTY)
    assert isinstance(found, Shown), found
    assert found.value.items[0].key == "return self._path"
    assert 0.5 < found.probability < 0.95
    assert engine.models_for("python")[-1].startswith("treegen-python-")
    assert engine.report().failures == ()
    describer = engine.describer("python")
    assert describer is not None
    at, byte = document(PROPERTY)
    quiet = describer.inline(at, byte, Cancel())  # bodies were never right at the default precision
    assert isinstance(quiet, Suppressed)
    assert quiet.reason is Reason.LOW_PROBABILITY


def test_at_a_precision_that_was_reached_it_comes_as_ghost_text(engine: Engine) -> None:
    at, byte = document(PROPERTY, settings=Settings(precision=0.5))
    describer = engine.describer("python")
    assert describer is not None
    found = describer.inline(at, byte, Cancel())
    assert isinstance(found, Shown), found
    assert found.value.insert == "return self._path"


@pytest.mark.parametrize(
    "text",
    [
        "def process(data):\n    ‸\n",
        "def f():\n    ‸\n",
        "class Config:\n    ‸\n",
        "def total(items):\n    return sum(items)‸\n",
        "‸",
    ],
)
def test_it_is_quiet_where_nobody_can_know(engine: Engine, text: str) -> None:
    assert isinstance(bodies(engine, text), Suppressed)


def test_the_same_place_gets_the_same_answer_and_java_has_none(engine: Engine) -> None:
    assert bodies(engine, PROPERTY) == bodies(engine, PROPERTY)
    assert bodies(engine, "class A { void f() { ‸ } }", language_id="java").reason is Reason.NO_MODEL


def test_opening_a_document_does_not_open_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most people never hear of it: it would cost each of them 20 MB."""
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    asked: list[str] = []
    monkeypatch.setattr(engine, "describer", asked.append)
    prime(engine, document(PROPERTY)[0], Cancel())
    assert asked == []


def test_ghost_text_opens_the_model_only_where_a_body_may_come(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    asked: list[str] = []
    monkeypatch.setattr(engine, "describer", asked.append)
    between = "def total(items):\n    found = 0\n    ‸\n    return found\n"
    places = ((PROPERTY, 0.8, False), (PROPERTY, 0.5, True), ("total = ‸", 0.5, False), (between, 0.5, False))
    for text, precision, may in places:
        at, byte = document(text, settings=Settings(precision=precision))
        engine.inline(at, byte, Cancel())
        assert bool(asked) is may
        asked.clear()


def test_the_bodies_of_a_description_are_searched_once_while_its_line_is_typed(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    describer = engine.describer("python")
    assert describer is not None
    searched = list[object]()
    write = describer.model.write

    def counted(*given: Any) -> Any:
        searched.append(given[0])
        return write(*given)

    monkeypatch.setattr(describer.model, "write", counted)
    describer.forget()
    texts = (PROPERTY, PROPERTY.replace("        ‸", "    ‸"), PROPERTY)
    answers = [bodies(engine, text) for text in texts]
    assert len(searched) == 1
    assert len({answer.value.items[0].key for answer in answers if isinstance(answer, Shown)}) == 1
    bodies(engine, PROPERTY.replace("path(self)", "place(self)"))
    assert len(searched) == 2
    engine.forget("file:///x")  # nothing stays of a closed document
    bodies(engine, PROPERTY.replace("path(self)", "place(self)"))
    assert len(searched) == 3


@pytest.mark.slow
def test_the_model_is_opened_ahead_only_where_ghost_text_may_use_it() -> None:
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)

    def is_open() -> bool:
        return any(name.startswith("treegen-") for name in engine.report().opened)

    for settings in (Settings(), Settings(precision=0.5, write_bodies=False)):
        prime(engine, document(PROPERTY, settings=settings)[0], Cancel())
        assert not is_open()
    prime(engine, document(PROPERTY, settings=Settings(precision=0.5))[0], Cancel())
    assert is_open()
