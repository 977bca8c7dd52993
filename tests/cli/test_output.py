"""What is printed: carets under the right cell, bars in proportion, diffs that apply."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.cli.errors import printable
from editahead.cli.printing import output
from editahead.suggest.types import (
    Completion,
    Completions,
    GhostToken,
    InlineSuggestion,
    NextEdit,
    Reason,
    Shown,
    Suppressed,
)
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console, RenderableType

from .conftest import FakeEngine, Result


def printed(value: RenderableType, colour: bool = False) -> str:
    out = io.StringIO()
    Console(
        file=out, width=200, highlight=False, force_terminal=colour, color_system="truecolor" if colour else None
    ).print(value)
    return out.getvalue()


@given(st.text("ab\té漢😀[/b]", max_size=12), st.integers(0, 12))
def test_the_caret_stands_under_its_character(line: str, column: int) -> None:
    column = min(column, len(line))
    buffer = Buffer.from_text(f"x\n{line}\ny")
    byte = 2 + len(line[:column].encode())
    shown, marks = printed(output.caret(buffer, byte)).rstrip("\n").split("\n")
    assert shown.startswith("    2 │ ")
    head = shown[: 8 + len(line[:column].expandtabs(4))]
    assert marks == " " * cell_len(head) + "^"


def test_what_a_terminal_would_act_upon_is_not_printed() -> None:
    line = "x = '\x1b]0;title\x07\x9b31m\u202e'; y"
    shown, marks = printed(output.caret(Buffer.from_text(line), len(line.encode()))).rstrip("\n").split("\n")
    assert shown == "    1 │ x = '\ufffd]0;title\ufffd\ufffd31m\ufffd'; y"
    assert marks.index("^") == len(shown)
    assert printable("a\tb 👩\u200d💻 e\u0301\udce9") == "a   b 👩\u200d💻 e\u0301\udce9"


def test_ghost_text_is_dim_and_in_its_place() -> None:
    buffer = Buffer.from_text("total = (x)\n")
    text = output.caret(buffer, 9, "a + b,\n    c")
    assert printed(text) == "    1 │ total = (a + b,x)\n      │     c\n"
    styled = {text.plain[span.start : span.end]: span.style for span in text.spans}
    assert "dim" in str(styled["a + b,"])
    assert "dim" not in str(styled.get("x)", ""))


@given(st.text("ab漢", max_size=300), st.integers(0, 300), st.integers(40, 120))
def test_a_long_line_shows_what_is_around_the_caret(line: str, column: int, width: int) -> None:
    column = min(column, len(line))
    text = output.caret(Buffer.from_text(line), len(line[:column].encode()), width=width)
    shown, marks = text.plain.split("\n")
    assert cell_len(shown) <= width
    assert cell_len(marks) <= width
    before = shown[8:]
    while cell_len(shown[: len(shown) - len(before)]) < len(marks) - 1:
        before = before[1:]
    assert line[column : column + 3].startswith(before[:3].rstrip("…"))
    assert shown.removesuffix(before).endswith(line[max(0, column - 3) : column])


@pytest.mark.parametrize(
    ("p", "shown"), [(0.0, "0 %"), (0.004, "<1 %"), (0.01, "1 %"), (0.625, "62 %"), (0.999, ">99 %"), (1.0, "100 %")]
)
def test_percent(p: float, shown: str) -> None:
    assert output.percent(p) == shown


@given(st.floats(0, 1), st.floats(0, 1))
def test_bars_grow_with_the_probability(p: float, q: float) -> None:
    low, high = sorted((p, q))
    assert len(output.bar(p)) == output.BAR_CELLS
    assert output.bar(low).count("█") <= output.bar(high).count("█")
    assert output.bar(1.0) == "█" * output.BAR_CELLS
    assert output.bar(0.0).strip() == ""


def test_a_diff_is_coloured_for_a_terminal_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    output.print_diff(b"a\nb\nc\n", b"a\nB\nc\n", "f.py", context=1)
    assert capsys.readouterr().out == "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    output.print_diff(b"a\nb\nc\n", b"a\nB\nc\n", "f.py", context=1)
    assert "\x1b[32m+B" in capsys.readouterr().out


def test_a_diff_on_a_terminal_has_nothing_that_it_acts_upon(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = b"a = '\x1b[31m'\r\nb = 1\r\n", b"a = '\x1b[31m'\r\nb = 2\r\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    output.print_diff(before, after, "a.py")
    assert capsys.readouterr().out == "@@ -1,2 +1,2 @@\n a = '\ufffd[31m'\n-b = 1\n+b = 2\n"


def test_a_diff_that_a_program_reads_is_never_wrapped(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    before = "\tone = 1\n\ttwo = 'a\x0cb'\r\n" + "word " * 60 + "\n"
    after = before.replace("one", "1" * 200)
    output.print_diff(before.encode(), after.encode(), "f.py")
    rows = capsys.readouterr().out.split("\n")
    assert rows == [
        "@@ -1,3 +1,3 @@", "-\tone = 1", f"+\t{'1' * 200} = 1", " \ttwo = 'a\x0cb'\r", " " + "word " * 60, "",
    ]  # fmt: skip


def test_the_typed_completion_is_marked() -> None:
    items = (Completion("one", 0.6, "name", "pointer", 3), Completion("two", 0.2, "name", "vocabulary"))
    table = output.completions_table(Completions(items, 0, 0, True), "two")
    rows = printed(table, colour=True).splitlines()
    (one,) = (row for row in rows if "one" in row)
    (two,) = (row for row in rows if "two" in row)
    assert "\x1b[1;32m" in two
    assert "\x1b[1;32m" not in one


@pytest.mark.parametrize("width", [40, 55, 70, 100])
def test_a_narrow_terminal_shows_ranks_and_probabilities(
    cli: Callable[..., Result],
    engine: FakeEngine,
    source: Path,
    width: int,
) -> None:
    items = tuple(Completion("a_long_name" * 2, 0.5 + n / 100, "parameter", "pointer", 10) for n in range(12))
    engine.completions = Shown(Completions(items, 0, 0, True), 0.5)
    result = cli("complete", f"{source}:1:1", columns=width)
    assert all(cell_len(row) <= width for row in result.out.splitlines())
    rows = result.out.splitlines()[-len(items) :]
    for number, row in enumerate(rows):
        assert row.split()[0] == str(number + 1)
        assert f"{50 + number} %" in row
        assert "a_long" in row
        assert ("parameter" in row) == (width >= 55)
        assert ("copied" in row) == (width >= 70)


def test_every_surface_becomes_json() -> None:
    buffer = Buffer.from_text("é = 1\nb\n")
    edit = NextEdit(ByteEdit(7, 8, b"c"), "k", (("swap", 0.5),), source="repeat")
    ghost = InlineSuggestion("x", 3, 3, (GhostToken("x", 0.9),))
    silent = Suppressed(Reason.EMPTY)
    assert output.decision_json(Shown(edit, 0.9), buffer) == {
        "shown": True, "probability": 0.9, "gates": [], "newText": "c", "key": "k", "source": "repeat",
        "range": {"start": {"line": 2, "column": 1}, "end": {"line": 2, "column": 2}},
        "steps": [{"step": "swap", "probability": 0.5}],
    }  # fmt: skip
    assert output.decision_json(Shown(ghost, 0.9), buffer)["range"]["start"] == {"line": 1, "column": 3}
    assert output.decision_json(silent, buffer) == {"shown": False, "reason": "empty", "detail": "", "gates": []}
    latin = Buffer.from_bytes(b"caf\xe9 = 1\n")
    for replacement in (ByteEdit(0, 6, b"tea"), ByteEdit(0, 3, "th\ufffd".encode())):
        answer = output.decision_json(Shown(NextEdit(replacement, "k", ()), 0.9), latin)
        assert (answer["newText"], "not UTF-8" in answer["note"]) == (None, True)
    with pytest.raises(TypeError):
        output.decision_json(Shown("what", 0.9), buffer)
