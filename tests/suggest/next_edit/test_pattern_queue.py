"""The queue as the surfaces ask it: order, probabilities, what breaks syntax, what is computed again."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from editahead.runtime.bundle import Bundle
from editahead.runtime.calibration import Calibration
from editahead.runtime.ort import Cancel, Cancelled
from editahead.settings import Settings
from editahead.suggest.next_edit import pattern_cache as repeat_memory
from editahead.suggest.next_edit import pattern_queue as repeats
from editahead.suggest.next_edit.pattern_queue import RepeatQueue
from editahead.suggest.types import Document, NextEdits, QueuedEdit
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History
from editahead_models.export.bundle_writer import write_bundle

Make = Callable[..., RepeatQueue]


@pytest.fixture
def queue(tmp_path: Path) -> Make:
    """A queue whose probability is the logistic function of chosen weights (bias 1 where nothing is said)."""

    def make(**weights: float) -> RepeatQueue:
        chosen = {"bias": 1.0, **weights}
        identity = {"method": "identity"}
        manifest: dict[str, Any] = {
            "version": "1",
            "graphs": {},
            "repeat": {"one": {"bias": -2.0}, "many": chosen},
            "calibration": {"repeat_one": identity, "repeat_many": identity},
        }
        files: dict[str, Path | bytes] = {"vocab.json": b"{}"}
        made: Bundle = write_bundle(
            tmp_path / "toy-any-1", family="toy", language="any", files=files, manifest=manifest
        )
        return RepeatQueue(made)

    return make


def document(text: str, *changes: tuple[str, str], uri: str = "file:///a", precision: float = 0.7) -> Document:
    """A Python file after changes by hand."""
    clock = [0.0]
    language = by_id("python")
    assert language is not None
    buffer = Buffer.from_text(text)
    history = History(buffer, lambda: clock[0])
    for old, new in changes:
        at = buffer.data.index(old.encode())
        change = ByteEdit(at, at + len(old.encode()), new.encode()).trimmed(buffer.data)
        history.push(change, buffer)
        buffer = buffer.apply(change)
        clock[0] += 10.0
        history.settle(clock[0])
    syntax = SyntaxSnapshot.open(buffer, language)
    return Document(uri, None, "python", 1, syntax, history.view(), Settings(precision=precision), now=clock[0])


def lines(found: list[QueuedEdit]) -> list[tuple[str, int]]:
    return [(item.uri[-1], item.line) for item in found]


FOUR = "a = f(1)\nb = f(2)\nc = f(3)\nd = f(4)\n"
TWICE = (("f(1)", "g(1)"), ("f(2)", "g(2)"))


def test_likeliest_first_then_this_document_then_what_is_near(queue: Make) -> None:
    here = document(FOUR, *TWICE)
    beside = document("x = f(9)\n", uri="file:///b")
    asked = replace(here, others=(beside,))
    assert lines(queue().places(asked, 0)) == [("a", 2), ("a", 3), ("b", 0)]
    end = len(here.syntax.buffer.data)
    assert lines(queue().places(asked, end)) == [("a", 3), ("a", 2), ("b", 0)]
    assert lines(queue(elsewhere=2.0).places(asked, end)) == [("b", 0), ("a", 3), ("a", 2)]


def test_places_know_whether_they_are_sure_and_what_they_repeat(queue: Make) -> None:
    first, second = queue(distance=-1.0).places(document(FOUR, *TWICE), 0)
    assert (first.sure, second.sure) == (True, False)
    assert first.probability > 0.7 > second.probability > 0.0
    assert (first.examples, first.like, first.group) == (2, 1, second.group)
    (one, _, _) = queue().places(document(FOUR, TWICE[0]), 0)
    assert one.probability == pytest.approx(0.119, abs=1e-3)
    assert not one.sure


def test_the_best_place_is_one_of_the_document_itself(queue: Make) -> None:
    here = document("a = f(1)\nb = f(2)\n", *TWICE)
    beside = document("x = f(9)\n", uri="file:///b")
    assert queue().best(replace(here, others=(beside,)), 0) is None
    shown = queue().best(replace(beside, others=(here,)), 0)
    assert shown is not None
    assert shown.value.edit == ByteEdit(4, 5, b"g")
    assert shown.value.group.startswith("repeat-")
    assert shown.value.steps[0][0] == "the change of line 2 once more"
    assert all(gate.passed for gate in shown.gates)
    strict = replace(beside, others=(here,), settings=Settings(precision=0.9))
    assert queue().best(strict, 0) is None


def test_the_best_place_need_only_be_sure_by_its_own_bar(queue: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made = queue()
    here = document(FOUR, *TWICE)
    model = made.model
    assert model is not None
    lenient = Calibration(thresholds=((0.7, 0.6),))
    made.model = replace(model, calibrations=(Calibration(), lenient))
    many = made.places(here, 0)[0]
    likelier = replace(many, probability=0.69, examples=1, key="x", pattern="x")
    surer = replace(many, probability=0.62)
    monkeypatch.setattr(RepeatQueue, "places", lambda self, document, byte, cancel, resolved: [likelier, surer])
    shown = made.best(here, 0)
    assert shown is not None
    assert (shown.probability, shown.value.key) == (0.62, many.pattern)


def test_the_last_place_is_as_sure_in_the_queue_as_it_is_as_the_next_edit(queue: Make) -> None:
    made = queue()
    model = made.model
    assert model is not None
    better = Calibration(method="isotonic", knots=((0.0, 0.4), (1.0, 1.0)), thresholds=((0.7, 0.8),))
    made.model = replace(model, first=(None, better))
    raw = 1 / (1 + math.exp(-1.0))
    (only,) = made.places(document("a = f(1)\nb = f(2)\nc = f(3)\n", *TWICE), 0)
    assert only.probability == pytest.approx(0.4 + 0.6 * raw)
    assert only.sure
    shown = made.best(document("a = f(1)\nb = f(2)\nc = f(3)\n", *TWICE), 0)
    assert shown is not None
    assert shown.probability == only.probability
    several = made.places(document(FOUR, *TWICE), 0)
    assert [item.probability for item in several] == pytest.approx([raw, raw])
    first = made.best(document(FOUR, *TWICE), 0)
    assert first is not None
    assert first.probability == several[0].probability  # one place, one percentage
    assert first.value.steps[0][1] == first.probability


def test_the_surest_place_of_another_open_file_is_led_to_where_it_is_sure(queue: Make) -> None:
    here = document("a = f(1)\nb = f(2)\n", *TWICE)
    beside = document("x = f(9)\n", uri="file:///b")
    made = queue()
    item = made.elsewhere(replace(here, others=(beside,)), 0)
    assert item is not None
    assert (item.uri, item.edit) == ("file:///b", ByteEdit(4, 5, b"g"))
    assert made.elsewhere(replace(beside, others=(here,)), 0) is None  # it is in the document itself
    assert made.elsewhere(replace(here, others=(beside,), settings=Settings(precision=0.9)), 0) is None


def test_how_many_places_remain_is_told_in_words(queue: Make) -> None:
    (first, second) = queue().places(document(FOUR, *TWICE), 0)
    sure, unsure = replace(first, sure=True), replace(second, sure=False)
    told = [NextEdits(items).summary for items in ((sure, sure, sure), (sure, unsure), (unsure,))]
    assert told == ["3 more", "2 more, 1 of them less sure", "1 more, less sure"]


def test_after_the_last_place_it_is_known_that_an_edit_was_repeated(queue: Make) -> None:
    made = queue()
    assert made.places(document("a = f(1)\nb = f(2)\n", *TWICE), 0) == []
    assert made.repeated
    assert made.places(document(FOUR), 0) == []
    assert not made.repeated


def test_what_would_break_the_syntax_is_left_out(queue: Make) -> None:
    text = "x(a)\ny(b)\nif x(c):\n    pass\nx(d)\n"
    asked = document(text, ("x(a)", "x(a) = 1"), ("y(b)", "y(b) = 1"))
    broken = document("f(x)\nf(y)\nfor f in z: pass\nf(w)\n", ("f(x)", "f()(x)"), ("f(y)", "f()(y)"))
    assert [item.line for item in queue().places(asked, 0)] == []
    assert [item.line for item in queue().places(broken, 0)] == [3]


def test_the_same_question_is_answered_from_memory(queue: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    real = repeats.places_of

    def counted(*arguments: Any) -> Any:
        nonlocal asked
        asked += 1
        return real(*arguments)

    monkeypatch.setattr(repeats, "places_of", counted)
    made = queue()
    here = document(FOUR, *TWICE)
    first = made.places(here, 0)
    assert made.places(replace(here), 30) == sorted(first, key=lambda item: -item.line)
    assert asked == 1
    made.places(replace(here, settings=Settings(precision=0.1)), 0)
    made.places(document(FOUR + "e = f(5)\n", *TWICE), 0)
    assert asked == 3


def test_without_the_entry_the_queue_is_empty(tmp_path: Path) -> None:
    files: dict[str, Path | bytes] = {"vocab.json": b"{}"}
    plain = write_bundle(
        tmp_path / "toy-any-2", family="toy", language="any", files=files, manifest={"version": "2", "graphs": {}}
    )
    made = RepeatQueue(plain)
    assert made.places(document(FOUR, *TWICE), 0) == []
    assert made.best(document(FOUR, *TWICE), 0) is None


class Countdown(Cancel):
    """Cancelled at the n-th time that somebody looks."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.left = looks

    def check(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Cancelled


MANY = "".join(f"value_{number} = f({number})\n" for number in range(300))


def test_a_question_that_nobody_waits_for_ends_between_any_two_places(queue: Make) -> None:
    """A completion waits for it: the whole of it takes a tenth of a second in a long file."""
    asked = document(MANY, *TWICE)
    free = Countdown(1_000_000)
    places = queue().places(asked, 0, free)
    assert len(places) > 100
    assert 1_000_000 - free.left > 2 * len(places)  # once a line and once a place
    for looks in (0, 1, 50, 200, 400):
        with pytest.raises(Cancelled):
            queue().places(asked, 0, Countdown(looks))


def test_a_question_that_was_ended_is_answered_in_full_the_next_time(queue: Make) -> None:
    asked = document(MANY, *TWICE)
    wanted = queue().places(asked, 0)
    ended = queue()
    for looks in range(0, 700, 60):
        with contextlib.suppress(Cancelled):
            ended.places(asked, 0, Countdown(looks))
    assert ended.places(asked, 0, Cancel()) == wanted


def test_what_was_found_before_an_end_is_not_sought_again(queue: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [document(MANY, *TWICE), *(document(MANY, uri=f"file:///{number}") for number in range(3))]
    asked = replace(texts[0], others=tuple(texts[1:]))
    finished: list[tuple[int, str]] = []
    real = repeat_memory.find_matches

    def counted(pattern: Any, buffer: Buffer, *more: Any, **named: Any) -> Any:
        found = real(pattern, buffer, *more, **named)
        finished.append((id(buffer), pattern.signature()))
        return found

    monkeypatch.setattr(repeat_memory, "find_matches", counted)
    free = Countdown(1_000_000)
    queue().places(asked, 0, free)
    finished.clear()
    made = queue()
    with pytest.raises(Cancelled):
        made.places(asked, 0, Countdown(1_000_000 - free.left - 100))
    assert finished
    with pytest.raises(Cancelled):
        made.places(asked, 0, Countdown(0))
    made.places(asked, 0, Cancel())
    assert len(finished) == len(set(finished))
