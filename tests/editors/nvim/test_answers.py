"""Ghost text for answers that the test gives, by a server inside Neovim: several lines, text in between, late ones."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from editor import Editor

SERVER = """
local item = ...
_G.heard = {}
vim.lsp.config('editahead', { cmd = function(dispatchers)
  local gone, id = false, 0
  local capabilities = { inlineCompletionProvider = {}, positionEncoding = 'utf-16', textDocumentSync = 2,
    executeCommandProvider = { commands = { 'editahead.accept' } } }
  return {
    request = function(method, params, callback, replied)
      id = id + 1
      local mine = id
      local answer = vim.NIL
      if method == 'initialize' then answer = { capabilities = capabilities } end
      if method == 'textDocument/inlineCompletion' then
        local there = params.position.character == item.column
        if not there and item.silent then return true, mine end
        answer = { items = there and { item.item } or {} }
      end
      if method == 'workspace/executeCommand' then table.insert(_G.heard, params.arguments[1]) end
      vim.schedule(function()
        if replied then replied(mine) end
        callback(nil, answer)
      end)
      return true, mine
    end,
    notify = function(method, params)
      if method == 'textDocument/didPartiallyAcceptCompletion' then
        table.insert(_G.heard, params.acceptedLength)
      end
      if method == 'exit' then gone = true dispatchers.on_exit(0, 0) end
      return true
    end,
    is_closing = function() return gone end,
    terminate = function() gone = true end,
  }
end, filetypes = { 'python' } })
require('editahead').setup({ ghost = { backend = item.backend } })
"""


@pytest.fixture(params=["own", "builtin"])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def editor(bare: Editor) -> Iterator[Editor]:
    yield bare
    bare.keys("<C-\\><C-n>")
    bare.lua("require('editahead').disable() vim.cmd('silent! %bwipeout!')")
    bare.until(lambda: bare.lua("return #vim.lsp.get_clients()") == 0, "the server is gone")


def typed(editor: Editor, backend: str, keys: str, insert: str, first: int, last: int, *, silent: bool = False) -> None:
    """Type into an empty file; the server offers `insert` for those columns of the first line once the keys are in.

    Elsewhere it has nothing to offer; a `silent` one does not even say so.
    """
    edges: list[dict[str, Any]] = [{"line": 0, "character": column} for column in (first, last)]
    item = {
        "insertText": insert,
        "range": {"start": edges[0], "end": edges[1]},
        "command": {"title": "Accept", "command": "editahead.accept", "arguments": ["inline-1"]},
    }
    editor.lua(SERVER, {"item": item, "column": first, "backend": backend, "silent": silent})
    editor.open("a.py", "")
    served = "return #vim.api.nvim_get_autocmds({ group = 'editahead', buffer = vim.api.nvim_get_current_buf() })"
    editor.until(lambda: editor.lua(served) > 0, "the buffer is served")
    time.sleep(0.2)  # Neovim takes up its own part a turn after the client has attached, and tells nobody
    editor.keys("i" + keys)
    editor.until(lambda: "editahead" in editor.mapped("i", "<Tab>"), "ghost text and its keys")


def test_several_lines(editor: Editor, backend: str) -> None:
    typed(editor, backend, "if naïve:", "\n    return 1\n", 9, 9)
    assert editor.ghost() == "\n    return 1\n"
    editor.keys("<Tab>x")
    editor.until(lambda: editor.lines() == ["if naïve:", "    return 1", "x"], "three lines")
    assert editor.lua("return _G.heard") == ["inline-1"]


def test_several_lines_word_by_word(editor: Editor, backend: str) -> None:
    typed(editor, backend, "if x:", "\n    return 1", 5, 5)
    editor.keys("<C-Right>")
    editor.until(lambda: editor.lines() == ["if x:", "    "], "the line end with its indentation")
    assert editor.lua("return _G.heard") == [5]
    assert editor.cursor() == (1, 4)


def test_what_stands_behind_is_kept_in_its_place(editor: Editor, backend: str) -> None:
    typed(editor, backend, "f()<Left>", "a) + g(b)", 2, 3)
    if backend == "own":  # drawn around the bracket that is there
        pieces = [mark["virt_text"][0][0] for _, _, mark in editor.marks("editahead.ghost")]
        assert pieces in (["a", " + g(b)"], [])  # Neovim's own drawing lies over it
    editor.keys("<Tab>!")
    editor.until(lambda: editor.lines() == ["f(a) + g(b)!"], "taken around the bracket")


def test_after_other_typing_an_old_answer_is_not_inserted(editor: Editor, backend: str) -> None:
    typed(editor, backend, "val", "ue = 1", 3, 3)
    editor.keys("x<Tab>")
    editor.until(lambda: editor.lines()[0].startswith("valx"), "typed on")
    assert "ue" not in editor.lines()[0]


def test_the_first_letter_that_differs_takes_it_away(editor: Editor, backend: str) -> None:
    """Without a word of the server: Neovim's own drawing would stand until the next answer, less and less in place."""
    typed(editor, backend, "val", "ue = 1", 3, 3, silent=True)
    editor.keys("u")
    editor.until(lambda: editor.lines() == ["valu"] and editor.ghost() == "e = 1", "the rest of it")
    editor.keys("x")
    editor.until(lambda: editor.lines() == ["valux"] and editor.ghost() == "", "nothing after another letter")
    editor.until(lambda: "editahead" not in editor.mapped("i", "<Tab>"), "the key is given back")


def test_auto_is_the_plugins_own(editor: Editor) -> None:
    """Neovim's own waits 200 ms after each key, so somebody who types sees next to nothing of it."""
    typed(editor, "auto", "val", "ue = 1", 3, 3)
    assert editor.marks("editahead.ghost")
    assert not editor.marks("nvim.lsp.inline_completion")
