"""The queue as the surfaces ask it: order, probabilities, what breaks syntax, what is computed again."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from editahead.runtime.bundle import Bundle
from editahead.runtime.ort import Cancel, Cancelled
from editahead.settings import Settings
from editahead.suggest.next_edit.repeats import group_sites as repeat_memory
from editahead.suggest.next_edit.repeats import pattern_queue as repeats
from editahead.suggest.next_edit.repeats.pattern_queue import PatternQueue
from editahead.suggest.types import Document, Rejection
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History
from editahead_models.export.bundle_writer import write_bundle

Make = Callable[..., PatternQueue]


@pytest.fixture
def queue(tmp_path: Path) -> Make:
    """A queue whose probability is the logistic function of chosen weights (bias 1 where nothing is said)."""

    def make(**weights: float) -> PatternQueue:
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
        return PatternQueue(made)

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
        change = ByteEdit(at, at + len(old.encode()), new.encode()).trim(buffer.data)
        history.push(change, buffer)
        buffer = buffer.apply(change)
        clock[0] += 10.0
        history.settle(clock[0])
    syntax = SyntaxSnapshot.open(buffer, language)
    return Document(uri, None, "python", 1, syntax, history.view(), Settings(precision=precision), now=clock[0])


FOUR = "a = f(1)\nb = f(2)\nc = f(3)\nd = f(4)\n"
TWICE = (("f(1)", "g(1)"), ("f(2)", "g(2)"))


def test_places_know_how_likely_they_are_and_what_they_repeat(queue: Make) -> None:
    first, second = queue(distance=-1.0).candidates(document(FOUR, *TWICE))
    assert first.score > 0.7 > second.score > 0.0
    assert (first.examples, first.like, first.group) == (2, 1, second.group)
    (one, _, _) = queue().candidates(document(FOUR, TWICE[0]))
    assert one.score == pytest.approx(0.119, abs=1e-3)


def test_after_the_last_place_it_is_known_that_an_edit_was_repeated(queue: Make) -> None:
    made = queue()
    assert made.candidates(document("a = f(1)\nb = f(2)\n", *TWICE)) == []
    assert made.has_repetition
    assert made.candidates(document(FOUR)) == []
    assert not made.has_repetition


def test_what_would_break_the_syntax_is_left_out(queue: Make) -> None:
    text = "x(a)\ny(b)\nif x(c):\n    pass\nx(d)\n"
    asked = document(text, ("x(a)", "x(a) = 1"), ("y(b)", "y(b) = 1"))
    broken = document("f(x)\nf(y)\nfor f in z: pass\nf(w)\n", ("f(x)", "f()(x)"), ("f(y)", "f()(y)"))
    assert [item.line for item in queue().candidates(asked)] == []
    assert [item.line for item in queue().candidates(broken)] == [3]


HALF_TYPED = (("f(0)", "f(0) = = x"), ("f(1)", "f(1) = = x"))


def test_a_half_typed_edit_costs_a_few_parses_however_many_places_and_files_there_are(
    queue: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0
    real = repeat_memory.PatternCache.errors

    def counted(*arguments: Any) -> int:
        nonlocal asked
        asked += 1
        return real(*arguments)

    monkeypatch.setattr(repeat_memory.PatternCache, "errors", counted)
    text = "".join(f"value_{number} = f({number})\n" for number in range(60))
    others = tuple(document(text, *HALF_TYPED, uri=f"file:///{number}") for number in range(6))
    assert queue().candidates(replace(document(text, *HALF_TYPED), others=others)) == []
    assert asked <= 8 + 2 * len(others)


def test_a_half_typed_edit_takes_no_place_from_another_one(queue: Make) -> None:
    text = "".join(f"value_{number} = f({number})\nh({number})\n" for number in range(60))
    changes = (*HALF_TYPED, ("h(0)", "k(0)"), ("h(1)", "k(1)"))
    found = queue().candidates(document(text, *changes))
    assert {item.line % 2 for item in found} == {1}
    assert len(found) == 58


def test_the_same_question_is_answered_from_memory(queue: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    real = repeats.repeated_sites

    def counted(*arguments: Any) -> Any:
        nonlocal asked
        asked += 1
        return real(*arguments)

    monkeypatch.setattr(repeats, "repeated_sites", counted)
    made = queue()
    here = document(FOUR, *TWICE)
    first = made.candidates(here)
    assert made.candidates(replace(here)) == first
    assert asked == 1
    made.candidates(replace(here, rejections=(Rejection("x", 0.0),)))
    made.candidates(document(FOUR + "e = f(5)\n", *TWICE))
    assert asked == 3


def test_without_the_entry_the_queue_is_empty(tmp_path: Path) -> None:
    files: dict[str, Path | bytes] = {"vocab.json": b"{}"}
    plain = write_bundle(
        tmp_path / "toy-any-2", family="toy", language="any", files=files, manifest={"version": "2", "graphs": {}}
    )
    made = PatternQueue(plain)
    assert made.candidates(document(FOUR, *TWICE)) == []


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
    places = queue().candidates(asked, free)
    assert len(places) > 100
    assert 1_000_000 - free.left > 2 * len(places)  # once a line and once a place
    for looks in (0, 1, 50, 200, 400):
        with pytest.raises(Cancelled):
            queue().candidates(asked, Countdown(looks))


def test_a_question_that_was_ended_is_answered_in_full_the_next_time(queue: Make) -> None:
    asked = document(MANY, *TWICE)
    wanted = queue().candidates(asked)
    ended = queue()
    for looks in range(0, 700, 60):
        with contextlib.suppress(Cancelled):
            ended.candidates(asked, Countdown(looks))
    assert ended.candidates(asked, Cancel()) == wanted


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
    queue().candidates(asked, free)
    finished.clear()
    made = queue()
    with pytest.raises(Cancelled):
        made.candidates(asked, Countdown(1_000_000 - free.left - 100))
    assert finished
    with pytest.raises(Cancelled):
        made.candidates(asked, Countdown(0))
    made.candidates(asked, Cancel())
    assert len(finished) == len(set(finished))
