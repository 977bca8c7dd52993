"""Next edits in a real Neovim, with an engine whose answers are known: the last replacement, at the next such place."""

from __future__ import annotations

import re

import pytest
from editor import Editor
from shared import Start

FILLER = "".join(f"line_{i} = {i}\n" for i in range(60))
TEXT = "one = old(1)\ntwo = 2\nthree = old(3)\nfour = old(4)\n"
DONE = TEXT.replace("old", "new")


def at_work(editor: Editor, text: str = TEXT) -> Editor:
    editor.open("a.py", text)
    editor.ready()
    return editor


def rename(editor: Editor, piece: str = "old(1)", new: str = "new") -> None:
    editor.go(piece)
    editor.keys(f"cw{new}<Esc>")


def test_jump_apply_and_save(start: Start) -> None:
    editor = at_work(start())
    assert "editahead" not in editor.mapped("n", "<Tab>")
    known = editor.counts("next_edit")["accepted"]
    rename(editor)
    seen = editor.until(editor.preview, "the next edit")
    assert seen == {"rows": [2, 2], "old": ["old"], "new": ["new"], "sign": 2}
    assert "line 3" in editor.lua("return require('editahead').status()")
    editor.keys("<Tab>")
    editor.until(lambda: editor.cursor() == (2, 8), "the jump")
    assert editor.text() == TEXT.replace("old(1)", "new(1)")
    editor.keys("<Tab>")
    editor.until(lambda: editor.lines()[2] == "three = new(3)", "the edit applied")
    editor.until(lambda: editor.preview().get("sign") == 3, "the one after it")
    editor.keys("<Tab>")
    editor.until(lambda: editor.cursor() == (3, 7), "the second jump")
    editor.keys("<Tab>")
    editor.until(lambda: editor.lines()[3] == "four = new(4)", "the second edit applied")
    editor.until(lambda: editor.hint() == "no more places", "what the next Tab would do")
    assert editor.preview() == {}
    assert editor.save() == DONE
    assert editor.counts("next_edit")["accepted"] == known + 2
    editor.keys("u")
    editor.until(lambda: "editahead" not in editor.mapped("n", "<Tab>"), "the keys given back")
    editor.until(lambda: editor.text() == DONE.replace("new(4)", "old(4)"), "one step undone")
    editor.keys("<C-o>")
    editor.until(lambda: editor.cursor()[0] != 3, "the jump list goes back")


def test_escape_turns_it_down_for_good(start: Start) -> None:
    text = TEXT.replace("old", "unwanted")
    editor = at_work(start(), text)
    known = editor.counts("next_edit")
    rename(editor, "unwanted(1)", "wanted")
    editor.until(editor.preview, "the next edit")
    editor.keys("<Esc>")
    editor.until(lambda: editor.preview() == {}, "gone")
    assert "editahead" not in editor.mapped("n", "<Esc>")
    editor.until(lambda: editor.counts("next_edit")["rejected"] == known["rejected"] + 1, "the server hears of it")
    rename(editor, "unwanted(3)", "wanted")
    editor.until(lambda: editor.counts("next_edit")["quiet"] > known["quiet"], "asked, and quiet")
    assert editor.preview() == {}
    assert editor.save() == text.replace("unwanted(1)", "wanted(1)").replace("unwanted(3)", "wanted(3)")


def test_off_screen_it_says_where(start: Start) -> None:
    editor = at_work(start(), "one = old(1)\n" + FILLER + "last = old(9)\n")
    rename(editor)
    editor.until(editor.preview, "the next edit")
    hints = [mark["virt_text"][0][0].strip() for _, _, mark in editor.marks("editahead.hint")]
    assert hints == ["↓ next edit: line 62"]
    assert editor.lua("return require('editahead').status()") == "editahead: next edit ↓ line 62 (90 %)"
    editor.keys("<Tab>")
    editor.until(lambda: editor.cursor() == (61, 7), "the jump")
    assert editor.marks("editahead.hint") == []
    editor.keys("<Tab>")
    editor.until(lambda: editor.lines()[61] == "last = new(9)", "applied")


SHOWN_AGAIN = "one = dusk(1)\ntwo = 2\n\nthree = dusk(3)\n"


def left_and_back(editor: Editor) -> None:
    """Rename, then leave the file and come back: the next edit is no longer shown."""
    rename(editor, "dusk(1)", "dawn")
    editor.until(editor.preview, "the next edit")
    name = editor.nvim.funcs.expand("%")
    editor.nvim.command("enew")
    editor.nvim.command(f"buffer {name}")
    editor.until(lambda: editor.preview() == {}, "nothing shown")


@pytest.mark.parametrize("search", ["/three<CR>", "*"])
def test_after_a_jump_to_a_search_hit_it_is_requested_there(start: Start, search: str) -> None:
    editor = at_work(start(), SHOWN_AGAIN + "one\n")
    left_and_back(editor)
    editor.keys("gg" + search)
    editor.until(lambda: editor.preview().get("sign") == 3, "the next edit")


def test_after_a_jump_to_a_diagnostic_it_is_requested_there(start: Start) -> None:
    editor = at_work(start(), SHOWN_AGAIN)
    left_and_back(editor)
    editor.lua("vim.diagnostic.set(vim.api.nvim_create_namespace('t'), 0, { { lnum = 1, col = 0, message = 'x' } })")
    editor.keys("gg]d")
    editor.until(lambda: editor.preview().get("sign") == 3, "the next edit")


def test_other_moves_request_nothing(start: Start) -> None:
    editor = at_work(start(), SHOWN_AGAIN)
    left_and_back(editor)
    offered = editor.counts("next_edit")["offered"]
    editor.lua("vim.fn.setreg('/', '\\\\(')")  # an invalid pattern does no harm
    editor.keys("ggjjw")
    editor.until(lambda: editor.cursor()[0] == 3, "moved")
    editor.keys("k")
    editor.until(lambda: editor.cursor()[0] == 2, "moved back")
    assert editor.preview() == {}
    assert editor.counts("next_edit")["offered"] == offered


def test_while_typing_it_comes_with_the_pause(start: Start) -> None:
    editor = at_work(start("ghost = { enabled = false }, next_edit = { insert_debounce = 50 }"))
    editor.go("old(1)")
    editor.keys("cwnew")
    editor.until(lambda: editor.preview().get("sign") == 2, "the next edit in insert mode")
    assert editor.mode() == "i"
    editor.keys("<Tab>")
    editor.until(lambda: editor.cursor() == (2, 8), "the jump")
    assert editor.mode() == "i"
    editor.keys("<Tab>")
    editor.until(lambda: editor.lines()[2] == "three = new(3)", "applied")
    assert editor.cursor() == (2, 11)


def test_tab_in_the_indentation_indents(start: Start) -> None:
    editor = at_work(start("ghost = { enabled = false }, next_edit = { insert_debounce = 50 }"))
    rename(editor)
    editor.until(editor.preview, "the next edit")
    editor.keys("I")
    editor.until(lambda: editor.mode() == "i", "insert mode at the line's start")
    assert "editahead" in editor.mapped("i", "<Tab>")
    editor.keys("<Tab>x")
    editor.until(lambda: editor.lines()[0].endswith("xone = new(1)"), "a plain Tab")
    assert editor.lines()[0].startswith((" ", "\t"))
    assert editor.lines()[2] == "three = old(3)"


def test_typing_on_takes_it_away(start: Start) -> None:
    editor = at_work(start("next_edit = { insert_mode = false }"))
    rename(editor)
    editor.until(editor.preview, "the next edit")
    editor.keys("Ax")
    editor.until(lambda: editor.preview() == {}, "gone")
    assert "editahead" not in editor.mapped("n", "<Tab>")
    assert "editahead" not in editor.mapped("i", "<Tab>")


def test_keys_that_are_switched_off_stay_free(start: Start) -> None:
    editor = at_work(start("next_edit = { keys = { accept = false, reject = '<C-q>' } }"))
    rename(editor)
    editor.until(editor.preview, "the next edit")
    assert "editahead" not in editor.mapped("n", "<Tab>")
    assert "editahead" not in editor.mapped("n", "<Esc>")
    assert "editahead" in editor.mapped("n", "<C-q>")
    editor.nvim.command("Editahead accept")
    editor.nvim.command("Editahead accept")
    editor.until(lambda: editor.lines()[2] == "three = new(3)", "applied by the command")


def test_a_macro_is_not_disturbed(start: Start) -> None:
    editor = at_work(start())
    editor.go("old(1)")
    editor.nvim.funcs.setreg("q", "cwnew\x1b")
    editor.keys("@q")
    editor.until(lambda: editor.lines()[0] == "one = new(1)", "the macro ran")
    editor.go("old(3)")
    editor.keys("@q")
    editor.until(lambda: editor.text() == DONE.replace("new(4)", "old(4)"), "the macro ran twice, key by key")


def test_another_buffer_is_left_alone(start: Start) -> None:
    editor = at_work(start())
    rename(editor)
    editor.until(editor.preview, "the next edit")
    editor.nvim.command("silent write")
    first = editor.nvim.current.buffer
    editor.open("notes.txt", "old\n")
    assert "editahead" not in editor.mapped("n", "<Tab>")
    assert editor.lua("return require('editahead').status()") == ""
    found = editor.lua(
        "return #vim.api.nvim_buf_get_extmarks(..., vim.api.nvim_get_namespaces()['editahead.next_edit'], 0, -1, {})",
        first.number,
    )
    assert found == 0


def test_it_leads_into_another_open_file(start: Start) -> None:
    editor = start()
    editor.open("b.py", "x = 2\nuse(old)\n")
    there = editor.nvim.current.buffer
    at_work(editor, "one = old(1)\n")
    here = editor.nvim.current.buffer
    rename(editor)
    editor.until(lambda: editor.hint() == "→ next edit: b.py:2", "the hint")
    assert editor.lua("return require('editahead').status()") == "editahead: next edit → b.py:2 (90 %)"
    assert editor.preview() == {}
    editor.keys("<Tab>")
    editor.until(lambda: editor.nvim.current.buffer.number == there.number, "the other file")
    assert editor.cursor() == (1, 4)
    assert (editor.text(), list(here[:])) == ("x = 2\nuse(old)\n", ["one = new(1)"])
    assert editor.preview() == {"rows": [1, 1], "old": ["old"], "new": ["new"], "sign": 1}
    editor.keys("<Tab>")
    editor.until(lambda: editor.lines()[1] == "use(new)", "the edit applied there")
    editor.keys("<C-o>")
    editor.until(lambda: editor.nvim.current.buffer.number == here.number, "the jump list goes back")


def test_escape_turns_an_edit_of_another_file_down(start: Start) -> None:
    editor = start()
    editor.open("b.py", "use(unloved)\n")
    at_work(editor, "one = unloved(1)\n")
    known = editor.counts("next_edit")["rejected"]
    rename(editor, "unloved(1)", "loved")
    editor.until(editor.hint, "the hint")
    editor.keys("<Esc>")
    editor.until(lambda: editor.hint() == "", "gone")
    editor.until(lambda: editor.counts("next_edit")["rejected"] == known + 1, "the server hears of it")


def test_after_the_last_edit_one_tab_changes_nothing(start: Start) -> None:
    editor = at_work(
        start("ghost = { enabled = false }, next_edit = { insert_debounce = 50 }"), "one = old(1)\nold(2)\n"
    )
    editor.go("old(1)")
    editor.keys("cwnew")
    editor.until(lambda: editor.preview().get("sign") == 1, "the next edit")
    editor.keys("<Tab>")
    editor.until(lambda: editor.cursor() == (1, 0), "the jump")
    editor.keys("<Tab>")
    editor.until(lambda: editor.hint() == "no more places", "what the next Tab would do")
    done = editor.text()
    assert done == "one = new(1)\nnew(2)\n"
    editor.keys("<Tab>")
    editor.until(lambda: editor.hint() == "", "the hint gone")
    assert (editor.text(), editor.mode()) == (done, "i")
    editor.keys("<Tab>x")
    editor.until(lambda: "x" in editor.text(), "a plain Tab, the second time")
    assert re.fullmatch(r"new\s+x\(2\)", editor.lines()[1])


def test_a_move_gives_tab_back_after_the_last_edit(start: Start) -> None:
    editor = at_work(start(), "one = old(1)\nold(2)\n")
    rename(editor)
    editor.until(editor.preview, "the next edit")
    editor.keys("<Tab>")
    editor.until(lambda: editor.cursor() == (1, 0), "the jump")
    editor.keys("<Tab>")
    editor.until(lambda: editor.hint() == "no more places", "what the next Tab would do")
    assert "no further edit" in editor.mapped("n", "<Tab>")
    editor.keys("k")
    editor.until(lambda: "editahead" not in editor.mapped("n", "<Tab>"), "the key given back")
    assert editor.hint() == ""
