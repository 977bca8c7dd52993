"""Each gate alone, and the order in which they speak."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from editahead.runtime.calibration import Calibration
from editahead.settings import Settings
from editahead.suggest.gate import (
    cheap_gates,
    first_failure,
    language_on,
    meets_threshold,
    no_reversal,
    not_rejected,
    parses_no_worse,
    threshold_for,
)
from editahead.suggest.types import Reason, Rejection
from editahead.text.buffer import MAX_LINE_BYTES, Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

from .documents import document


@pytest.mark.parametrize(
    ("text", "changes", "reason"),
    [
        ("x = ‸", {"settings": Settings(enabled=False)}, Reason.DISABLED),
        ("x = ‸", {"settings": Settings(languages=(("python", False),))}, Reason.LANGUAGE),
        ("x = ‸", {"path": Path("/project/.env.py")}, Reason.EXCLUDED),
        ("x = ‸", {"settings": Settings(exclude=("x.py",)), "root": Path("/project")}, Reason.EXCLUDED),
        ("x = ‸" + " " * 1000, {"settings": Settings(max_file_bytes=1000)}, Reason.TOO_LARGE),
        ("x = 1  # not‸e", {}, Reason.COMMENT_OR_STRING),
        ("x = 'not‸e'", {}, Reason.COMMENT_OR_STRING),
    ],
)
def test_the_first_gate_that_fails_gives_the_reason(text: str, changes: dict[str, object], reason: Reason) -> None:
    made, byte = document(text, **changes)
    readings = cheap_gates(made, byte)
    failure = first_failure(readings)
    assert failure is not None
    assert failure.reason is reason
    assert failure.detail == readings[-1].value
    assert all(reading.passed for reading in readings[:-1])


def test_code_passes_every_cheap_gate() -> None:
    made, byte = document("x = ‸")
    readings = cheap_gates(made, byte)
    assert first_failure(readings) is None
    assert [reading.reason for reading in readings] == [
        Reason.DISABLED,
        Reason.LANGUAGE,
        Reason.EXCLUDED,
        Reason.TOO_LARGE,
        Reason.TOO_LARGE,  # the line
        Reason.COMMENT_OR_STRING,
    ]


def test_only_the_line_of_the_cursor_must_be_short() -> None:
    data = "DATA = [" + "1, " * (MAX_LINE_BYTES // 3) + "]"
    made, byte = document(f"{data}\nx = ‸")
    assert first_failure(cheap_gates(made, byte)) is None
    failure = first_failure(cheap_gates(made, len(data)))
    assert failure is not None
    assert (failure.reason, failure.detail) == (
        Reason.TOO_LARGE, f"a line of {len(data)} of at most {MAX_LINE_BYTES} bytes"
    )  # fmt: skip


def test_comments_and_strings_open_by_setting() -> None:
    for text, name in (("x = 1  # not‸e", "in_comments"), ("x = 'not‸e'", "in_strings")):
        made, byte = document(text, settings=Settings(**{name: True}))
        assert first_failure(cheap_gates(made, byte)) is None


def test_a_rejection_is_remembered_for_a_while_and_no_longer() -> None:
    made, _ = document("x = ‸")
    made = replace(made, rejections=(Rejection("k", 100.0),), now=100.0 + 59 * 60)
    assert not not_rejected(made, "k").passed
    assert not_rejected(made, "other").passed
    assert not_rejected(replace(made, now=100.0 + 61 * 60), "k").passed


def test_the_bar_comes_from_the_bundle_even_where_it_passes_the_precision_asked() -> None:
    fitted = Calibration(thresholds=((0.7, 0.6), (0.8, 0.86), (0.9, None)))
    assert threshold_for(fitted, 0.7) == 0.6
    assert threshold_for(fitted, 0.8) == 0.86, "what is surer than 0.8 by its calibration was right less often"


def test_where_no_bar_is_known_the_probability_is_the_bar_and_never_below_that_of_a_lower_precision() -> None:
    fitted = Calibration(thresholds=((0.8, 0.93), (0.9, None)))
    assert threshold_for(fitted, 0.9) == 0.93
    assert threshold_for(fitted, 0.95) == 0.95
    assert threshold_for(Calibration(), 0.8) == 0.8


def test_precision_and_syntax_gates_at_their_borders() -> None:
    assert meets_threshold(0.8, 0.8).passed
    assert not meets_threshold(0.7999, 0.8).passed
    assert meets_threshold(0.9, 0.8).passed
    assert parses_no_worse(2, 2).passed
    assert parses_no_worse(2, 1).passed
    assert not parses_no_worse(2, 3).passed


@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize(
    ("edit", "byte", "insert", "passed"),
    [
        (ByteEdit(4, 7, b""), 4, "foo", False),
        (ByteEdit(4, 7, b""), 4, "fo", False),
        (ByteEdit(4, 7, b""), 4, "foot", True),
        (ByteEdit(4, 7, b""), 4, "bar", True),
        (ByteEdit(4, 7, b""), 3, "foo", True),
        (ByteEdit(4, 7, b""), 5, "foo", True),
        (ByteEdit(4, 7, b"b"), 4, "foo", True),
        (ByteEdit(7, 7, b"t"), 7, "foo", True),
        (None, 4, "foo", True),
    ],
)
def test_what_was_just_deleted_is_not_offered_again(
    edit: ByteEdit | None, byte: int, insert: str, passed: bool, settled: bool
) -> None:
    before = Buffer(b"x = foo\n" + bytes(range(97, 110)) * 20)
    history = History(before, lambda: 0.0)
    if edit is not None:
        history.push(edit, before)
    if settled:
        history.settle()
    made, _ = document("x = ", history=history.view())
    reading = no_reversal(made, byte, insert)
    assert (reading.reason, reading.passed) == (Reason.REVERSAL, passed)
    assert reading.value == ("restores no deleted text" if passed else "would restore deleted text")


def test_gates_say_what_they_saw() -> None:
    made, byte = document("x = 'a'\nyes = ‸")
    off = replace(made, settings=Settings(languages=(("python", False),)))
    assert [language_on(each).value for each in (made, off)] == ["python is on", "python is switched off"]
    line = [reading.value for reading in cheap_gates(made, byte)][4]
    assert line == f"a line of 6 of at most {MAX_LINE_BYTES} bytes"
    rejected = replace(made, rejections=(Rejection("k", 0.0),))
    assert [not_rejected(rejected, key).value for key in "ko"] == ["rejected recently", "not rejected"]
    assert parses_no_worse(1, 2).value == "1 syntax errors before, 2 after"


def test_only_the_last_deletion_counts() -> None:
    texts = [Buffer(b"x = foo\n" + b" " * 300 + b"bar\n")]
    history = History(texts[0], lambda: 0.0)
    for edit in (ByteEdit(4, 7, b""), ByteEdit(305, 308, b"")):
        history.push(edit, texts[-1])
        history.settle()
        texts.append(texts[-1].apply(edit))
    made, _ = document("x = ", history=history.view())
    assert not no_reversal(made, int("305"), "bar").passed  # not the same object: offsets are compared by value
    assert no_reversal(made, 4, "foo").passed


def test_the_disk_is_asked_about_a_document_unless_its_session_has(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path | None] = []
    monkeypatch.setattr("editahead.suggest.gate.exclusion", lambda settings, path, root: asked.append(path))
    made, byte = document("x = ‸")
    cheap_gates(made, byte)
    assert asked == [made.path]
    assert all(reading.passed for reading in cheap_gates(replace(made, admitted=True), byte))
    assert len(asked) == 1
