"""Neovim without the plugin, configured as docs/editors/neovim.md says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from editor import ROOT, Editor
from shared import CALLS, PYTHON, SERVER, config

PAGE = ROOT / "docs" / "editors" / "neovim.md"
Stock = Callable[[str], Editor]


def recipe(name: str, server: list[str]) -> str:
    """The Lua block that configures a client, as it stands in the page; only the command is put in its full form."""
    blocks: list[str] = re.findall(r"```lua\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    block = next(block for block in blocks if f"vim.lsp.config('{name}'" in block)
    return f"{block}\nvim.lsp.config('{name}', {config(server)})"


def attached(editor: Editor, name: str) -> None:
    """The client is there, and its server has loaded the models."""
    ask = "local c = vim.lsp.get_clients({ name = ... })[1] return c and c.initialized or false"
    editor.until(lambda: editor.lua(ask, name), "the client")
    loaded = """local c = vim.lsp.get_clients({ name = ... })[1]
        local answer = c:request_sync('editahead/explain', { position = { line = 0, character = 0 },
          textDocument = vim.lsp.util.make_text_document_params(0) }, 60000, 0)
        return answer and answer.result and next(answer.result.surfaces) ~= nil"""
    editor.until(lambda: editor.lua(loaded, name), "the models")


def test_completion_and_ghost_text_without_the_plugin(stock: Stock) -> None:
    editor = stock(recipe("editahead", SERVER))
    editor.open("inventory.py", PYTHON)
    attached(editor, "editahead")
    editor.go("pass")
    editor.keys("Cself.quant<C-x><C-o>")
    editor.until(lambda: editor.lines()[-1] == "        self.quantities" or editor.nvim.funcs.pumvisible(), "the menu")
    words = editor.lua("return vim.tbl_map(function(i) return i.word end, vim.fn.complete_info({ 'items' }).items)")
    assert "quantities" in words
    editor.keys("<C-e>")
    if editor.lua("return vim.lsp.inline_completion ~= nil"):
        editor.keys("<Esc>ccself.quant")
        editor.until(lambda: editor.ghost().startswith("ities"), "ghost text")
        editor.keys("<C-l>")
        editor.until(lambda: editor.lines()[-1].strip().startswith("self.quantities"), "ghost text taken")


def rename_twice(editor: Editor) -> None:
    for piece in ("check(a)", "check(b)"):
        editor.go(piece)
        editor.keys("cwverify<Esc>")
        editor.until(lambda: editor.mode() == "n", "normal mode")
    editor.until(lambda: editor.lines()[2] == "    second = verify(b)", "two changes by hand")


def test_a_copilot_client_gets_next_edits(stock: Stock) -> None:
    """What a plugin for Copilot's server sends, by a client of that name; Neovim's own functions apply the answer."""
    editor = stock(recipe("copilot", [*SERVER, "--copilot"]))
    editor.open("calls.py", CALLS)
    attached(editor, "copilot")
    rename_twice(editor)
    ask = """local c = vim.lsp.get_clients({ name = 'copilot' })[1]
        local p = vim.lsp.util.make_position_params(0, c.offset_encoding)
        local buf = vim.api.nvim_get_current_buf()
        p.textDocument.version = vim.lsp.util.buf_versions[buf]
        local answer = c:request_sync('textDocument/copilotInlineEdit', p, 60000, buf)
        return { answer.result.edits, p.textDocument.version, c.offset_encoding }"""
    edits: list[dict[str, Any]]
    edits, version, encoding = editor.lua(ask)
    assert encoding == "utf-16"
    assert len(edits) == 1
    assert edits[0]["textDocument"]["version"] == version
    assert edits[0]["command"]["command"] == "github.copilot.didAcceptCompletionItem"
    editor.lua(
        """local edit = ...
        local c = vim.lsp.get_clients({ name = 'copilot' })[1]
        vim.lsp.util.apply_text_edits({ { range = edit.range, newText = edit.text } },
          vim.api.nvim_get_current_buf(), c.offset_encoding)
        c:exec_cmd(edit.command)""",
        edits[0],
    )
    assert editor.save() == CALLS.replace("check", "verify")


AREA = """def area(size):
    half = size / 2
    return size * half
"""


def test_a_copilot_client_gets_the_uses_of_a_name_while_the_cursor_is_still_on_it(stock: Stock) -> None:
    """As sidekick.nvim asks: with the version and `triggerKind`, and without a word of whether the user is idle."""
    editor = stock(recipe("copilot", [*SERVER, "--copilot"]))
    editor.open("area.py", AREA)
    attached(editor, "copilot")
    editor.go("size")
    editor.keys("cwwidth")
    editor.until(lambda: editor.lines()[0] == "def area(width):", "the new name")
    ask = """local c = vim.lsp.get_clients({ name = 'copilot' })[1]
        local buf = vim.api.nvim_get_current_buf()
        local p = vim.lsp.util.make_position_params(0, c.offset_encoding)
        p.textDocument.version = vim.lsp.util.buf_versions[buf]
        p.context = { triggerKind = 2 }
        local answer = c:request_sync('textDocument/copilotInlineEdit', p, 60000, buf)
        return vim.tbl_map(function(edit) return edit.text end, answer.result.edits)"""
    assert editor.lua(ask) == ["    half = width / 2\n"]
    assert editor.mode() == "i"


def test_the_code_action_goes_on_with_a_repeated_edit(stock: Stock) -> None:
    editor = stock(recipe("editahead", SERVER))
    editor.open("calls.py", CALLS)
    attached(editor, "editahead")
    rename_twice(editor)
    editor.lua("""vim.lsp.buf.code_action({ apply = true, filter = function(action)
        return action.title == 'Apply the same change to 1 more place'
      end })""")
    editor.until(lambda: editor.lines()[4] == "        return verify(c)", "the code action applied")
    assert editor.save() == CALLS.replace("check", "verify")
