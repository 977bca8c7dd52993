"""Behind a jump a completion reads the nearest lines alone; the window is read while nobody waits."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel, Cancelled
from editahead.suggest import context as reading
from editahead.suggest.context import CursorWindow, place_at
from editahead.suggest.engine import Engine
from editahead.suggest.types import Completions, Document, Shown

from tests.suggest.documents import document

FUNCTION = "def name{0}(width, height):\n    total{0} = width * height\n    return total{0} + {0}\n\n\n"
FILE = "".join(FUNCTION.format(number) for number in range(120)) + "def last(box):\n    return box.wi‸\n"


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


@pytest.fixture
def jumped(engine: Engine) -> tuple[Document, int]:
    """A document of which nothing is read, in which the server may read the nearest lines first."""
    made, byte = document(FILE)
    engine.forget(made.uri)
    return replace(made, reads_nearest_first=True), byte


def answered(engine: Engine, made: Document, byte: int) -> Completions:
    decision = engine.complete(made, byte, Cancel())
    assert isinstance(decision, Shown)
    return decision.value


def steps_read(engine: Engine, made: Document) -> int:
    model = engine.language_model("python")
    assert model is not None
    context = model.context(made.uri, 4)
    return max(len(context.encoder.steps), len(context.nearest.encoder.steps))


def test_a_jump_reads_the_nearest_lines(engine: Engine, jumped: tuple[Document, int]) -> None:
    answer = answered(engine, *jumped)
    assert answer.has_unread
    assert "width" in [item.label for item in answer.items]
    assert 100 < steps_read(engine, jumped[0]) <= reading.READ_TOKENS


def test_the_window_that_is_read_afterwards_serves_the_next_request(
    engine: Engine, jumped: tuple[Document, int]
) -> None:
    answered(engine, *jumped)
    engine.read_window(*jumped, Cancel())
    after = answered(engine, *jumped)
    assert not after.has_unread
    engine.forget(jumped[0].uri)
    assert after == answered(engine, replace(jumped[0], reads_nearest_first=False), jumped[1])


def test_the_window_is_read_on_where_it_was_interrupted(engine: Engine, jumped: tuple[Document, int]) -> None:
    model = engine.language_model("python")
    assert model is not None
    cursor, context = place_at(*jumped), model.context(jumped[0].uri, 4)

    class After(Cancel):
        checks = 3

        def check(self) -> None:
            self.checks -= 1
            if self.checks < 0:
                raise Cancelled

    whole = context.count_unread(cursor.lines)
    with pytest.raises(Cancelled):
        reading.read_window(model, *jumped, After(time.monotonic() + 60))
    unread = context.count_unread(cursor.lines)
    assert reading.READ_TOKENS < unread < whole
    answered(engine, *jumped)  # does not throw away what is read
    assert context.count_unread(cursor.lines) == unread


def test_lines_below_the_cursor_that_is_read_need_no_other_window(engine: Engine, jumped: tuple[Document, int]) -> None:
    engine.read_window(*jumped, Cancel())
    made, byte = document(FILE.replace("‸", "\n    box.wi‸"))
    assert not answered(engine, replace(made, reads_nearest_first=True), byte).has_unread
    above, byte = document(FILE.replace("‸", "").replace("return total20 ", "return tot‸", 1))
    assert answered(engine, replace(above, reads_nearest_first=True), byte).has_unread


def test_names_of_far_lines_are_listed_all_the_same(engine: Engine) -> None:
    text = FILE.replace("return total5 + 5", "return faraway_name").replace("return box.wi‸", "return faraw‸")
    made, byte = document(text)
    answer = answered(engine, replace(made, uri="file:///w/far.py", reads_nearest_first=True), byte)
    assert answer.has_unread
    assert "faraway_name" in [item.label for item in answer.items]


def test_the_narrow_window_never_reaches_above_the_whole() -> None:
    assert CursorWindow.nearest(30).first == CursorWindow.around(30).first == 0
    assert CursorWindow.around(570).first < CursorWindow.nearest(570).first < 570 < CursorWindow.nearest(570).last
