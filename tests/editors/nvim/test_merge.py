"""One menu of two servers, sorted by our probabilities: beside a scripted server, and beside a real one where it is."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from editor import ROOT, Editor
from shared import PYTHON, Start, lua_list
from test_completion import visible, words

WORDS = [sys.executable, str(ROOT / "tests" / "bench_command" / "words_server.py"), "words"]
OPTIONS = "completion = true, ghost = { enabled = false }"
# Silence because a busy machine was late is no fault here.
BEFORE = "vim.cmd('set completeopt&') require('editahead.merge').timeout = 60000"


def beside(editor: Editor, command: list[str], name: str) -> None:
    """Another server for the current buffer, with its menu in Neovim."""
    editor.lua(
        f"""vim.lsp.start({{ name = '{name}', cmd = {lua_list(command)}, root_dir = vim.fn.getcwd() }},
        {{ bufnr = 0 }})"""
    )
    ask = f"local c = vim.lsp.get_clients({{ name = '{name}', bufnr = 0 }})[1] return c and c.initialized or false"
    editor.until(lambda: editor.lua(ask), f"{name} is there")


def sources(editor: Editor) -> dict[str, str]:
    """The server of each word in the menu, by name."""
    code = """local found = {}
    for _, item in ipairs(vim.fn.complete_info({ 'items' }).items) do
      local id = item.user_data.nvim.lsp.client_id
      found[item.word] = (found[item.word] and found[item.word] .. ' ' or '') .. vim.lsp.get_client_by_id(id).name
    end
    return found"""
    return dict(editor.lua(code))


def menu(editor: Editor, typed: str, wanted: str) -> list[str]:
    """The words of the menu after some letters, once it holds a word."""
    editor.go("pass")
    editor.keys(f"C{typed}")
    editor.until(lambda: visible(editor) and wanted in words(editor), f"a menu with {wanted}")
    return words(editor)


def end(editor: Editor) -> None:
    editor.lua("for _, c in ipairs(vim.lsp.get_clients()) do if c.name ~= 'editahead' then c:stop(true) end end")
    editor.keys("<C-e><Esc>u")
    editor.until(lambda: editor.mode() == "n", "normal mode")


def test_the_items_of_both_servers_stand_by_probability(start: Start) -> None:
    """A name of both stands there once, as the item of the other server."""
    editor = start(f"{OPTIONS}, merge = true", real=True, before=BEFORE)
    editor.open("inventory.py", PYTHON)
    editor.ready()
    beside(editor, WORDS, "words")
    found = menu(editor, "self.", "quantities")
    assert "class" in found, "what only the other server offers stays"
    assert len(found) == len(set(found))
    assert set(found[:3]) == {"quantities", "location", "add"}, "the members of the object stand first"
    assert found.index("class") > 3
    assert sources(editor)["quantities"] == "words"
    end(editor)


def test_what_one_server_alone_offers_is_there_and_a_server_that_ends_holds_nothing_up(start: Start) -> None:
    editor = start(f"{OPTIONS}, merge = true", real=True, before=BEFORE)
    editor.open("inventory.py", PYTHON)
    editor.ready()
    beside(editor, WORDS, "words")
    menu(editor, "pri", "print")
    assert sources(editor)["print"] == "editahead"
    end(editor)
    editor.until(lambda: editor.lua("return #vim.lsp.get_clients({ bufnr = 0 }) == 1"), "the other server has ended")
    menu(editor, "pri", "print")
    end(editor)


def test_without_the_option_each_server_keeps_its_list(start: Start) -> None:
    editor = start(OPTIONS, real=True, before=BEFORE)
    editor.open("inventory.py", PYTHON)
    editor.ready()
    beside(editor, WORDS, "words")
    menu(editor, "self.", "quantities")
    assert set(sources(editor).values()) == {"editahead"}
    end(editor)


def test_a_completely_typed_name_comes_first_and_is_accepted(start: Start) -> None:
    editor = start(f"{OPTIONS}, merge = true", real=True, before=BEFORE)
    editor.open("inventory.py", PYTHON)
    editor.ready()
    beside(editor, WORDS, "words")
    found = menu(editor, "count", "count")
    assert found[0] == "count"
    editor.keys("<C-n><C-y><Esc>")
    editor.until(lambda: editor.mode() == "n", "normal mode")
    assert editor.lines()[-1] == "        count"
    end(editor)


def test_the_option_is_undone(start: Start) -> None:
    editor = start(f"{OPTIONS}, merge = true", real=True, before=BEFORE)
    editor.open("inventory.py", PYTHON)
    editor.ready()
    beside(editor, WORDS, "words")
    own = "for _, c in ipairs(vim.lsp.get_clients()) do if rawget(c, 'request') then return true end end return false"
    assert editor.lua(own)
    editor.lua("require('editahead.attach').unwatch()")
    assert not editor.lua(own)
    end(editor)


@pytest.fixture
def jedi() -> str:
    """jedi-language-server beside this interpreter, or on the path."""
    beside_us = Path(sys.executable).with_name("jedi-language-server")
    found = str(beside_us) if beside_us.exists() else shutil.which("jedi-language-server")
    if found is None:
        reason = "no jedi-language-server: pip install -e '.[e2e]'"
        if os.environ.get("EDITAHEAD_NEED_EDITORS"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def test_a_server_that_knows_types_keeps_its_items_and_takes_our_order(jedi: str, start: Start) -> None:
    editor = start(f"{OPTIONS}, merge = true", real=True, before=BEFORE)
    editor.open("inventory.py", PYTHON.replace("pass", "text = str(count)\n        pass"))
    editor.ready()
    beside(editor, [jedi], "jedi")
    found = menu(editor, "self.", "quantities")
    assert set(found[:3]) == {"quantities", "location", "add"}, "the members of the object stand first"
    assert found.index("__reduce_ex__") > 2
    assert sources(editor)["quantities"] == "jedi"
    end(editor)
