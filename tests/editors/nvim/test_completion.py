"""Completions in Neovim's own menu: whatever 'completeopt' is, only a key puts an item into the text."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from editor import Editor
from shared import PYTHON, SERVER, Start
from test_stock import attached, recipe

DEFAULT = "(Neovim's default)"
OPTIONS = [DEFAULT, "", "menu", "menu,preview", "longest", "menuone,noinsert", "menu,fuzzy", "noselect"]


def visible(editor: Editor) -> bool:
    return bool(editor.lua("return vim.fn.pumvisible() == 1"))


def words(editor: Editor) -> list[str]:
    code = "return vim.tbl_map(function(i) return i.word end, vim.fn.complete_info({ 'items' }).items)"
    return [str(word) for word in editor.lua(code)]


def type_with_menu(editor: Editor) -> None:
    """A dot asks by itself; the menu that comes changes nothing, and letters go on where they were typed."""
    editor.go("pass")
    editor.keys("Cself.")
    editor.until(lambda: visible(editor), "the menu")
    assert words(editor)
    assert editor.lines()[-1] == "        self."
    editor.keys("zzz")
    editor.until(lambda: editor.lines()[-1] == "        self.zzz", "letters as typed")


@pytest.mark.parametrize("completeopt", OPTIONS)
def test_the_menu_puts_nothing_into_the_text(start: Start, completeopt: str) -> None:
    asked = "" if completeopt == DEFAULT else f"vim.o.completeopt = '{completeopt}'"
    editor = start(
        "completion = true, ghost = { enabled = false }", real=True, before=f"vim.cmd('set completeopt&')\n{asked}"
    )
    editor.open("inventory.py", PYTHON)
    editor.ready()
    type_with_menu(editor)
    editor.keys("<Esc>")
    editor.until(lambda: editor.mode() == "n", "normal mode")
    assert editor.save() == PYTHON.replace("pass", "self.zzz")


def test_letters_ask_too_and_narrow_the_list(start: Start) -> None:
    editor = start("completion = true, ghost = { enabled = false }", real=True, before="vim.cmd('set completeopt&')")
    editor.open("inventory.py", PYTHON)
    editor.ready()
    editor.go("pass")
    editor.keys("Cq")
    editor.until(lambda: visible(editor) and "quantities" in words(editor), "the menu at the first letter")
    editor.keys("ua")
    editor.until(lambda: editor.lines()[-1] == "        qua" and words(editor) == ["quantities"], "asked again")
    editor.keys("zz<Esc>")
    editor.until(lambda: editor.mode() == "n", "normal mode")
    assert editor.lines()[-1] == "        quazz"


def test_a_key_takes_an_item(start: Start) -> None:
    editor = start("completion = true, ghost = { enabled = false }", real=True, before="vim.cmd('set completeopt&')")
    editor.open("inventory.py", PYTHON)
    editor.ready()
    editor.go("pass")
    editor.keys("Cself.")
    editor.until(lambda: visible(editor), "the menu")
    first = words(editor)[0]
    editor.keys("<C-n><C-y><Esc>")
    editor.until(lambda: editor.mode() == "n", "normal mode")
    assert editor.save() == PYTHON.replace("pass", f"self.{first}")


def test_the_option_is_the_buffers_own_and_is_given_back(start: Start) -> None:
    before = "vim.cmd('set completeopt&') vim.o.completeopt = 'menu,popup'"
    editor = start("completion = true, ghost = { enabled = false }", real=True, before=before)
    editor.open("inventory.py", PYTHON)
    editor.ready()
    here = "return vim.bo.completeopt"
    assert editor.lua("return vim.go.completeopt") == "menu,popup"
    assert editor.lua(here) == "menuone,popup,noselect"
    editor.nvim.command("set completeopt=menu,longest")  # takes the buffer's own value away
    editor.until(lambda: editor.lua(here) == "menuone,noselect", "ours again")
    assert editor.lua("return vim.go.completeopt") == "menu,longest"
    editor.nvim.command("new")
    assert editor.lua("return vim.o.completeopt") == "menu,longest"
    editor.nvim.command("bwipeout")
    editor.lua("require('editahead.attach').unwatch()")
    assert editor.lua("return vim.o.completeopt") == "menu,longest"
    editor.nvim.command("set completeopt&")


Stock = Callable[[str], Editor]


def test_the_menu_without_the_plugin_puts_nothing_into_the_text(stock: Stock) -> None:
    editor = stock(recipe("editahead", SERVER))
    editor.open("inventory.py", PYTHON)
    attached(editor, "editahead")
    type_with_menu(editor)


def test_an_accepted_item_is_resolved_without_an_error(start: Start) -> None:
    editor = start("completion = true, ghost = { enabled = false }", real=True, before="vim.cmd('set completeopt&')")
    editor.open("inventory.py", PYTHON)
    editor.ready()
    editor.go("pass")
    editor.keys("Cself.quan")
    editor.until(lambda: visible(editor) and words(editor) == ["quantities"], "the menu")
    editor.keys("<C-n><C-y><Esc>")
    editor.until(lambda: editor.mode() == "n", "normal mode")
    assert editor.lines()[-1] == "        self.quantities"
    assert "Error" not in editor.messages()


ARGUMENTS = """local client_of = require('editahead.client')
    local client = client_of.get(0)
    client_of.settings(client).completionArguments = ...
    client_of.send_settings(client)"""


def test_a_call_comes_with_placeholders_that_tab_goes_through(start: Start) -> None:
    editor = start("completion = true, ghost = { enabled = false }", real=True, before="vim.cmd('set completeopt&')")
    editor.open("inventory.py", PYTHON)
    editor.ready()
    editor.lua(ARGUMENTS, True)
    try:
        editor.go("pass")
        editor.keys("Cself.ad")
        editor.until(lambda: visible(editor) and words(editor) == ["add"], "the menu")
        editor.keys("<C-n><C-y>")
        editor.until(lambda: editor.lines()[-1] == "        self.add(name, count)", "the call")
        editor.until(lambda: editor.mode() == "s", "the first placeholder selected")
        editor.keys("one<Tab>")
        editor.until(lambda: editor.mode() == "s", "the second placeholder selected")
        editor.keys("two")
        editor.until(lambda: editor.lines()[-1] == "        self.add(one, two)", "the placeholders")
        editor.keys("<Esc>")
    finally:
        editor.lua(ARGUMENTS, False)
