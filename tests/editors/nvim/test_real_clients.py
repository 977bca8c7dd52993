"""Real plugins beside the server, where EDITAHEAD_CLIENTS names a folder with them: nothing is installed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from editor import Editor
from shared import PYTHON, SERVER, Start
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


CMP = """vim.opt.runtimepath:prepend({!r})
vim.opt.runtimepath:prepend({!r})
vim.cmd('runtime plugin/cmp.lua')
require('cmp_nvim_lsp').setup()
local cmp = require('cmp')
cmp.setup({{
  sources = {{ {{ name = 'nvim_lsp' }} }},
  mapping = {{ ['<C-y>'] = cmp.mapping.confirm({{ select = true }}) }},
  snippet = {{ expand = function(call) vim.snippet.expand(call.body) end }},
}})"""
LABELS = (
    "return vim.tbl_map(function(entry) return entry:get_completion_item().label end, require('cmp').get_entries())"
)


def test_nvim_cmp_lists_each_name_once_and_no_ghost_text_beside_it(start: Start) -> None:
    folders = [CLIENTS / name for name in ("nvim-cmp", "cmp-nvim-lsp")]
    if not os.environ.get("EDITAHEAD_CLIENTS") or not all(folder.is_dir() for folder in folders):
        pytest.skip("EDITAHEAD_CLIENTS has no nvim-cmp and cmp-nvim-lsp")
    editor = start(real=True, before=CMP.format(*map(str, folders)))
    editor.open("inventory.py", PYTHON)
    editor.ready()
    editor.go("pass")
    editor.keys("Cself.quan")
    editor.until(lambda: editor.lines()[-1] == "        self.quan", "typed")
    editor.lua("require('cmp_nvim_lsp')._on_insert_enter() require('cmp').complete()")
    editor.until(lambda: editor.lua("return require('cmp').visible()"), "the menu of nvim-cmp")
    labels = editor.lua(LABELS)
    assert "quantities" in labels
    assert len(labels) == len(set(labels))
    editor.until(lambda: editor.ghost() == "", "no ghost text beside the menu")
    assert "editahead" not in editor.mapped("i", "<Tab>")
    editor.keys("<C-y>")
    editor.until(lambda: editor.lines()[-1] == "        self.quantities", "the item taken")
    assert "Error" not in editor.messages()
