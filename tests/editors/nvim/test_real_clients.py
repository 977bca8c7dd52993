"""Real clients of Copilot's protocol, where EDITAHEAD_CLIENTS names a folder with them: nothing is installed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from editor import Editor
from shared import SERVER
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
