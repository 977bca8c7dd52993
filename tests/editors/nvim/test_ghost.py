"""Ghost text in a real Neovim, with an engine whose answers are known: the rest of a line that stands above."""

from __future__ import annotations

import pytest
from editor import Editor
from shared import Start

TEXT = "def total(first, second):\n    value = first + second  # naïve 🎉\n    return value\n\n\n"
REST = " = first + second  # naïve 🎉"


def at_work(editor: Editor, text: str = TEXT) -> Editor:
    editor.open("a.py", text)
    editor.ready()
    return editor


def shown(editor: Editor, ghost: str) -> None:
    editor.until(lambda: editor.ghost() == ghost, f"ghost text {ghost!r}, not {editor.ghost()!r}")


def mapped(editor: Editor, lhs: str, yes: bool = True) -> None:
    editor.until(lambda: ("editahead" in editor.mapped("i", lhs)) == yes, f"{lhs} mapped: {yes}")


def test_tab_takes_it_and_the_file_is_right(start: Start) -> None:
    editor = at_work(start())
    assert "editahead" not in editor.mapped("i", "<Tab>")
    known = editor.counts("inline")["accepted"]
    editor.keys("Goval")
    shown(editor, "ue" + REST)
    mapped(editor, "<Tab>")
    editor.keys("<Tab>")
    editor.until(lambda: editor.lines()[-1] == "value" + REST, "the text taken")
    mapped(editor, "<Tab>", False)
    assert editor.ghost() == ""
    editor.keys("!<Esc>")
    editor.until(lambda: editor.mode() == "n", "normal mode")
    assert editor.save() == TEXT + "value" + REST + "!\n"
    editor.until(lambda: editor.counts("inline")["accepted"] == known + 1, "the server hears of it")
    editor.keys("u")
    editor.until(lambda: editor.lines()[-1] in ("val", ""), "what was taken is undone")


def test_a_word_is_taken_and_the_rest_stays(start: Start) -> None:
    editor = at_work(start())
    known = editor.counts("inline")["partly accepted"]
    editor.keys("Goval")
    shown(editor, "ue" + REST)
    mapped(editor, "<C-Right>")
    for taken in ("value", "value =", "value = first"):
        editor.keys("<C-Right>")
        editor.until(lambda taken=taken: editor.lines()[-1] == taken, f"{taken!r} taken")  # type: ignore[misc]
        shown(editor, ("value" + REST)[len(taken) :])
        mapped(editor, "<C-Right>")
    assert editor.counts("inline")["partly accepted"] == known + 3
    editor.keys("<Tab>")
    editor.until(lambda: editor.lines()[-1] == "value" + REST, "the rest taken")


def test_what_was_turned_down_does_not_come_back(start: Start) -> None:
    editor = at_work(start(), "unwanted = here\n\n")
    known = editor.counts("inline")
    editor.keys("Gounwan")
    shown(editor, "ted = here")
    mapped(editor, "<C-]>")
    editor.keys("<C-]>")
    shown(editor, "")
    editor.until(lambda: editor.counts("inline")["rejected"] == known["rejected"] + 1, "the server hears of it")
    editor.keys("x<BS>")
    editor.until(lambda: editor.counts("inline")["quiet"] > known["quiet"], "asked again, and quiet")
    assert editor.ghost() == ""
    mapped(editor, "<C-]>", False)


def test_typing_what_it_says_goes_on_with_it(start: Start) -> None:
    editor = at_work(start("ghost = { backend = 'own' }"))
    editor.keys("Goval")
    shown(editor, "ue" + REST)
    editor.keys("ue =")
    shown(editor, REST[2:])
    editor.keys("x")
    shown(editor, "")


def test_before_other_text_it_stands_between(start: Start) -> None:
    """The text behind the cursor stays; what is taken goes before it (the fake engine knows nothing of brackets)."""
    editor = at_work(start(), "call(one, two)\n\n")
    editor.keys("Gocall()<Left>")
    editor.until(editor.ghost, "ghost text inside the brackets")
    assert editor.ghost().startswith("one, two")
    mapped(editor, "<Tab>")
    editor.keys("<Tab>")
    editor.until(lambda: editor.lines()[-1].startswith("call(one, two"), "taken between the brackets")
    editor.keys("<Esc>")
    assert editor.save() == "call(one, two)\n\ncall(one, two))\n"


ALTERNATIVES = "valley = 9\n" + TEXT  # two lines go on from `val`


def number(editor: Editor) -> str:
    """The number of the alternative, as it is drawn behind the line."""
    return str(
        editor.lua("""local drawn = vim.api.nvim_get_namespaces()['editahead.ghost.number']
        local mark = vim.api.nvim_buf_get_extmarks(0, drawn, 0, -1, { details = true })[1]
        return mark and vim.trim(mark[4].virt_text[1][1]) or ''""")
    )


def test_alternatives_are_shown_one_after_the_other(start: Start) -> None:
    editor = at_work(start(), ALTERNATIVES)
    known = editor.counts("inline")["accepted"]
    editor.keys("Goval")
    shown(editor, "ue" + REST)
    mapped(editor, "<M-]>")
    assert number(editor) == ""
    editor.keys("<M-]>")
    shown(editor, "ley = 9")
    assert number(editor) == "2/2"
    editor.keys("<M-]>")
    shown(editor, "ue" + REST)
    assert number(editor) == "1/2"
    editor.keys("<M-[>")
    shown(editor, "ley = 9")
    mapped(editor, "<C-Right>")
    editor.keys("<C-Right>")
    editor.until(lambda: editor.lines()[-1] == "valley", "a word of the alternative taken")
    assert number(editor) == ""
    editor.keys("<Tab>")
    editor.until(lambda: editor.lines()[-1] == "valley = 9", "the alternative taken")
    editor.until(lambda: editor.counts("inline")["accepted"] == known + 1, "the server hears of it")
    mapped(editor, "<M-]>", False)


PRECISION = """local client_of = require('editahead.client')
    local client = client_of.get(0)
    client_of.settings(client).precision = ...
    client_of.send_settings(client)"""


def test_ghost_text_that_is_not_sure_comes_on_request(start: Start) -> None:
    editor = at_work(start(), ALTERNATIVES)
    editor.lua(PRECISION, 0.9)
    try:
        editor.keys("Goval")
        ask = "return vim.lsp.get_clients()[1]:request_sync('editahead/stats', vim.empty_dict(), 60000, 0).result"
        low = lambda: editor.lua(ask)["surfaces"]["inline"].get("quiet", {}).get("low-probability", 0)  # noqa: E731
        editor.until(low, "asked, and quiet")
        assert editor.ghost() == ""
        assert editor.lua("return require('editahead').cycle_ghost()")
        shown(editor, "ue" + REST)
        assert number(editor) == "1/2"
        editor.keys("x")
        shown(editor, "")
        assert number(editor) == ""
    finally:
        editor.lua(PRECISION, 0.5)


def test_a_menu_goes_before_ghost_text(start: Start) -> None:
    editor = at_work(start(), "valuable = 1\n" + TEXT)
    editor.keys("Goval")
    shown(editor, "ue" + REST)
    editor.keys("<C-n>")
    editor.until(editor.nvim.funcs.pumvisible, "the menu")
    shown(editor, "")
    mapped(editor, "<Tab>", False)
    editor.keys("<C-y>")
    editor.until(lambda: editor.lines()[-1] in ("value", "valuable"), "the menu's word")


def test_a_snippet_keeps_its_tab(start: Start) -> None:
    editor = at_work(start())
    editor.keys("Goval")
    shown(editor, "ue" + REST)
    editor.keys("<Esc>cc")
    editor.until(lambda: editor.mode() == "i", "insert mode")
    editor.lua("vim.snippet.expand('$1|$2')")
    editor.keys("val")
    shown(editor, "ue" + REST) if editor.ghost() else None
    editor.keys("<Tab>x")
    editor.until(lambda: editor.lines()[-1] == "val|x", "Tab goes to the next place of the snippet")


def test_own_mappings_of_tab_work_before_and_after(start: Start) -> None:
    editor = at_work(start(before="vim.keymap.set('i', '<Tab>', '>>')"))
    editor.keys("Go<Tab>")
    editor.until(lambda: editor.lines()[-1] == ">>", "the user's mapping")
    editor.keys("<C-u>val")
    shown(editor, "ue" + REST)
    mapped(editor, "<Tab>")
    editor.keys("<Tab><Tab>")
    editor.until(lambda: editor.lines()[-1] == "value" + REST + ">>", "ours, then theirs")


@pytest.mark.parametrize("options", ["ghost = { enabled = false }", "ghost = { keys = { accept = false } }"])
def test_what_is_switched_off_takes_no_key(start: Start, options: str) -> None:
    editor = at_work(start(options))
    editor.keys("Goval")
    if "enabled" not in options:
        shown(editor, "ue" + REST)
        mapped(editor, "<C-Right>")
    assert "editahead" not in editor.mapped("i", "<Tab>")
    editor.keys("<Tab>")
    editor.until(lambda: editor.lines()[-1].startswith("val") and editor.lines()[-1] != "val", "a plain Tab")
    assert editor.lines()[-1].strip() == "val"


def test_leaving_insert_mode_takes_it_away(start: Start) -> None:
    editor = at_work(start())
    editor.keys("Goval")
    shown(editor, "ue" + REST)
    mapped(editor, "<Tab>")
    editor.keys("<Esc>")
    shown(editor, "")
    mapped(editor, "<Tab>", False)
    assert editor.save() == TEXT + "val\n"
