"""Places whose text the user has to write, with the fake engine: between the brackets of the next `lacks()`."""

from __future__ import annotations

import time

from editor import Editor
from shared import Start

TEXT = "one = 1\ntwo = lacks()\nthree = lacks()\n"


def at_work(editor: Editor) -> Editor:
    editor.open("a.py", TEXT)
    editor.ready()
    editor.go("1")
    editor.keys("r9")
    editor.until(editor.preview, "the place")
    return editor


def test_the_key_leads_from_place_to_place_and_writes_nothing(start: Start) -> None:
    editor = at_work(start())
    known = editor.counts("next_edit")["accepted"]
    assert editor.preview() == {"rows": [1], "old": [], "new": ["  `lacks` takes `x`"], "sign": 1}
    editor.keys("<Tab>")
    editor.until(lambda: editor.cursor() == (1, 12), "the jump")
    editor.until(lambda: editor.preview().get("sign") == 2, "the place after it")
    assert editor.counts("next_edit")["accepted"] == known + 1
    editor.keys("<Tab>")
    editor.until(lambda: editor.cursor() == (2, 14), "the second jump")
    editor.until(lambda: editor.preview() == {}, "no place behind it")
    assert editor.save() == TEXT.replace("1", "9")


def test_writing_goes_on_to_the_next_place(start: Start) -> None:
    editor = at_work(start())
    editor.keys("<Tab>")
    editor.until(lambda: editor.cursor() == (1, 12), "the jump")
    editor.keys("ix<Esc>")
    editor.until(lambda: editor.lines()[1] == "two = lacks(x)", "what was written")
    editor.until(lambda: editor.preview().get("sign") == 2, "the place after it")


def test_escape_rejects_it(start: Start) -> None:
    editor = at_work(start())
    known = editor.counts("next_edit")
    editor.keys("<Esc>")
    editor.until(lambda: editor.preview() == {}, "gone")
    editor.until(lambda: editor.counts("next_edit")["rejected"] == known["rejected"] + 1, "the server hears of it")
    assert editor.cursor() == (0, 6)


EXPECTED = "one = 1\ntwo = 2\nthree = expected()\nfour = 1\n"
REST = 2.0  # seconds without a change before a place is shown that a model expects


def expecting(editor: Editor, text: str = EXPECTED) -> float:
    """The cursor's line is changed; the seconds until the place is shown that a model expects."""
    editor.open("a.py", text)
    editor.ready()
    editor.go("2")
    begun = time.monotonic()
    editor.keys("r9")
    editor.until(lambda: "is near" in editor.hint(), "the place")
    return time.monotonic() - begun


def test_a_place_of_the_model_waits_for_a_rest_and_stands_at_the_cursors_line(start: Start) -> None:
    editor = start()
    assert expecting(editor) >= REST
    assert editor.hint() == "↓ line 3: is near (84 %)"
    assert [row for row, _, mark in editor.marks("editahead.next_edit") if "sign_text" in mark] == [2]
    assert editor.preview() == {}  # nothing is drawn at the place itself
    editor.keys("<Tab>")
    editor.until(lambda: editor.cursor() == (2, 8), "the jump")
    assert editor.save() == EXPECTED.replace("2", "9")


def test_a_move_of_the_cursor_puts_it_off(start: Start) -> None:
    editor = start()
    editor.open("a.py", EXPECTED)
    editor.ready()
    editor.go("2")
    editor.keys("r9")
    editor.until(lambda: editor.text() == EXPECTED.replace("2", "9"), "the change")
    for key in "0$0$0$":
        time.sleep(REST / 4)
        assert editor.hint() == ""
        editor.keys(key)
    moved = time.monotonic()
    editor.until(lambda: "is near" in editor.hint(), "the place")
    assert time.monotonic() - moved >= REST / 2


def test_a_text_takes_the_place_of_a_place(start: Start) -> None:
    editor = start()
    expecting(editor)
    editor.go("1")
    editor.keys("r7")
    editor.until(lambda: editor.preview().get("old") == ["1"], "the text")
    assert editor.preview()["sign"] == 3
    assert "is near" not in editor.hint()


def test_escape_rests_a_place_of_the_model(start: Start) -> None:
    editor = start()
    expecting(editor)
    known = editor.counts("next_edit")
    editor.keys("<Esc>")
    editor.until(lambda: editor.hint() == "", "gone")
    editor.until(lambda: editor.counts("next_edit")["rejected"] == known["rejected"] + 1, "the server hears of it")
    editor.keys("r8")
    time.sleep(REST + 1)
    assert editor.hint() == ""


def test_the_setting_turns_places_off(start: Start) -> None:
    editor = start()
    editor.open("a.py", EXPECTED)
    editor.ready()
    editor.lua("""local of = require('editahead.client')
        of.settings(of.get()).nextEditPlaces = false
        of.send_settings(of.get())""")
    editor.go("2")
    editor.keys("r9")
    time.sleep(REST + 1)
    assert editor.hint() == ""
