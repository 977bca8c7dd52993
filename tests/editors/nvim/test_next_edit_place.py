"""Places whose text the user has to write, with the fake engine: between the brackets of the next `lacks()`."""

from __future__ import annotations

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
