"""Real plugins beside the server, where EDITAHEAD_CLIENTS names a folder with them: nothing is installed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from editor import PLUGIN, Editor
from shared import PYTHON, SERVER, config
from test_merge import WORDS, beside
from test_stock import attached, recipe

AREA = """def area(size):
    half = size / 2
    return size * half
"""
RENAMED = AREA.replace("size", "width")
CLIENTS = Path(os.environ.get("EDITAHEAD_CLIENTS", ""))
Stock = Callable[[str], Editor]


def with_plugin(name: str, setup: str) -> str:
    """The documented client, and a plugin that asks it; the test is skipped where the plugin is not there."""
    folder = CLIENTS / name
    if not os.environ.get("EDITAHEAD_CLIENTS") or not folder.is_dir():
        pytest.skip(f"EDITAHEAD_CLIENTS has no {name}")
    return f"vim.opt.runtimepath:prepend({str(folder)!r})\n{recipe('copilot', [*SERVER, '--copilot'])}\n{setup}"


def rename(editor: Editor) -> None:
    editor.open("area.py", AREA)
    attached(editor, "copilot")
    editor.go("size")
    editor.keys("cwwidth<Esc>")
    editor.until(lambda: editor.lines()[0] == "def area(width):" and editor.mode() == "n", "the new name")


def test_sidekick_shows_and_applies_the_uses_of_a_name(stock: Stock) -> None:
    editor = stock(with_plugin("sidekick.nvim", "require('sidekick').setup({ cli = { watch = false } })"))
    if not editor.lua("return vim.fn.has('nvim-0.12') == 1"):
        pytest.skip("sidekick.nvim tells answers by `request_id`, which Neovim hands to handlers since 0.12")
    rename(editor)
    for _ in range(2):
        editor.until(lambda: editor.lua("return require('sidekick.nes').have()"), "a next edit")
        editor.lua("require('sidekick.nes').jump() require('sidekick.nes').apply()")
        editor.until(lambda: not editor.lua("return require('sidekick.nes').have()"), "the edit applied")
        editor.lua("require('sidekick.nes').update()")
    editor.until(lambda: "\n".join(editor.lines()) + "\n" == RENAMED, "all uses")


def test_copilot_lsp_shows_and_applies_the_uses_of_a_name(stock: Stock) -> None:
    editor = stock(with_plugin("copilot-lsp", ""))
    rename(editor)
    for _ in range(2):
        editor.lua("require('copilot-lsp.nes').request_nes('copilot')")
        editor.until(lambda: editor.lua("return vim.b.nes_state ~= nil"), "a next edit")
        editor.lua("require('copilot-lsp.nes').apply_pending_nes()")
        editor.until(lambda: editor.lua("return vim.b.nes_state == nil"), "the edit applied")
    editor.until(lambda: "\n".join(editor.lines()) + "\n" == RENAMED, "all uses")


CMP = """vim.cmd('runtime plugin/cmp.lua')
require('cmp_nvim_lsp').setup()
local cmp = require('cmp')
local sorts = require('cmp.config.compare')
cmp.setup({
  sources = { { name = 'nvim_lsp' } },
  sorting = { comparators = { sorts.exact, sorts.sort_text, sorts.order } },
  mapping = { ['<C-y>'] = cmp.mapping.confirm({ select = true }) },
})
vim.api.nvim_create_autocmd('LspAttach', { callback = function() require('cmp_nvim_lsp')._on_insert_enter() end })
function _G.menu()
  return cmp.visible() and vim.tbl_map(function(entry)
    return { entry:get_completion_item().label, entry.source.source.client.name }
  end, cmp.get_entries()) or {}
end"""
BLINK = """local blink = require('blink.cmp')
blink.setup({
  fuzzy = { implementation = 'lua' },  -- the other one is compiled
  sources = { default = { 'lsp' } },
  completion = { menu = { auto_show_delay_ms = 0 } },
})
vim.cmd('runtime plugin/blink-cmp.lua')
function _G.menu()
  return blink.is_menu_visible() and vim.tbl_map(function(item)
    return { item.label, item.client_name }
  end, blink.get_items()) or {}
end"""
MENUS = [
    pytest.param(("nvim-cmp", "cmp-nvim-lsp"), CMP, id="nvim-cmp"),
    pytest.param(("blink.cmp",), BLINK, id="blink.cmp"),
]


def with_menu(stock: Stock, folders: tuple[str, ...], setup: str, options: str) -> Editor:
    """Neovim with this plugin and with a completion plugin, ready in a Python file; `folders` are the latter's."""
    if not os.environ.get("EDITAHEAD_CLIENTS") or not all((CLIENTS / name).is_dir() for name in folders):
        pytest.skip(f"EDITAHEAD_CLIENTS has no {' and '.join(folders)}")
    paths = "".join(
        f"vim.opt.runtimepath:prepend({str(folder)!r})\n" for folder in (*map(CLIENTS.joinpath, folders), PLUGIN)
    )
    ours = f"""vim.cmd('runtime plugin/editahead.lua')
        require('editahead.merge').timeout = 60000
        require('editahead').setup({{ server = {config(SERVER)}, {options} }})"""
    editor = stock(f"{paths}{setup}\n{ours}")
    editor.open("inventory.py", PYTHON)
    editor.ready()
    editor.go("pass")
    return editor


def write(editor: Editor, text: str) -> None:
    """Replace the line by what is typed letter by letter: nvim-cmp sees nothing of keys that come with the `c`."""
    editor.keys("<Esc>")
    editor.until(lambda: editor.mode() == "n", "normal mode")
    editor.keys("cc")
    for number, letter in enumerate(text, 1):
        editor.until(lambda: editor.mode() == "i", "insert mode")
        editor.keys(letter)
        typed = text[:number]
        editor.until(lambda: editor.lines()[-1].strip() == typed, f"{typed} typed")  # noqa: B023 - called at once


def menu(editor: Editor, label: str, server: str = "editahead") -> list[str]:
    """The labels in the plugin's menu, once it holds that item of that server."""
    ask = "return _G.menu()"
    found = editor.until(lambda: [label, server] in (items := editor.lua(ask)) and items, f"{label} of {server}")
    return [label for label, _ in found]


@pytest.mark.parametrize(("folders", "setup"), MENUS)
def test_a_completion_plugin_lists_each_name_once_and_no_ghost_text_beside_it(
    stock: Stock, folders: tuple[str, ...], setup: str
) -> None:
    editor = with_menu(stock, folders, setup, "")
    write(editor, "self.quan")
    labels = menu(editor, "quantities")
    assert len(labels) == len(set(labels))
    editor.until(lambda: editor.ghost() == "", "no ghost text beside the menu")
    assert "editahead" not in editor.mapped("i", "<Tab>")
    editor.keys("<C-y>")
    editor.until(lambda: editor.lines()[-1] == "        self.quantities", "the item taken")
    assert "Error" not in editor.messages()


@pytest.mark.parametrize(("folders", "setup"), MENUS)
def test_a_completion_plugin_merges_the_lists_of_two_servers(
    stock: Stock, folders: tuple[str, ...], setup: str
) -> None:
    """Sorted by probability, each name once, as the item of the other server; `class` is only in the other's list."""
    editor = with_menu(stock, folders, setup, "merge = true")
    beside(editor, WORDS, "words")
    write(editor, "self.")
    labels = menu(editor, "quantities", "words")
    assert set(labels[:3]) == {"quantities", "location", "add"}, "the members of the object stand first"
    write(editor, "pri")
    assert menu(editor, "print")[0] == "print", "offered by this server alone"
    write(editor, "self.c")
    menu(editor, "class", "words")
    write(editor, "qu")
    labels = menu(editor, "quantities", "words")
    assert len(labels) == len(set(labels))
    editor.keys("a")
    editor.until(lambda: editor.lua("return _G.menu()") == [["quantities", "words"]], "the list narrowed")
    editor.keys("<C-y>")
    editor.until(lambda: editor.lines()[-1] == "        quantities", "the item taken")
    assert "Error" not in editor.messages()
