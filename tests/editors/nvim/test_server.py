"""When the server is not there, ends by itself or cannot start: said once, in one line, and told by the status."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from editor import Editor
from shared import FAKE, config, lua_list

TEXT = "value = 1\n\n"
Begin = Callable[[str], Editor]


@pytest.fixture
def begin(binary: Path, tmp_path: Path) -> Iterator[Begin]:
    """A Neovim with a screen of 80 columns, set up with this configuration of the server, and a Python file open."""
    editors: list[Editor] = []

    def start(server: str) -> Editor:
        editor = Editor(binary, tmp_path)
        editors.append(editor)
        editor.nvim.ui_attach(80, 24, rgb=True)
        editor.nvim.command("set shortmess+=F")  # the name of a test's file alone is longer than a line
        editor.lua(f"require('editahead').setup({{ server = {server} }})")
        editor.open("a.py", TEXT)
        return editor

    yield start
    for editor in editors:
        editor.close()


def messages(editor: Editor) -> str:
    return str(editor.nvim.funcs.execute("messages"))


def status(editor: Editor) -> str:
    return str(editor.lua("return require('editahead').status()"))


def client(editor: Editor) -> int:
    """The number of the client that serves, or 0."""
    ask = """local c = vim.lsp.get_clients({ name = 'editahead', bufnr = 0 })[1]
        return c and c.initialized and c.id or 0"""
    return int(editor.lua(ask))


def kill(editor: Editor) -> None:
    before = client(editor)
    (pid,) = editor.lua("return vim.api.nvim_get_proc_children(vim.fn.getpid())")
    os.kill(pid, signal.SIGKILL)
    editor.until(lambda: client(editor) != before, "the client notices")


def asks_for_no_key(editor: Editor) -> None:
    """The text of Neovim's own report would fill several lines and wait for Enter: then it answers nothing."""
    for _ in range(20):
        assert not editor.nvim.api.get_mode()["blocking"], messages(editor)
        time.sleep(0.01)
    assert "quit with exit code" not in messages(editor)


def test_a_killed_server_is_started_again_three_times(begin: Begin) -> None:
    editor = begin(config(FAKE))
    editor.ready()
    for _ in range(3):
        before = client(editor)
        kill(editor)
        editor.until(lambda before=before: client(editor) > before, "another client")  # type: ignore[misc]
        asks_for_no_key(editor)
        editor.ready()
    assert messages(editor).count("the server ended (signal 9) and was started again") == 3
    editor.keys("Goval")
    editor.until(editor.ghost, "ghost text from the server that was started again")
    editor.keys("<Esc>")
    editor.until(lambda: editor.mode() == "n", "normal mode")
    kill(editor)
    editor.until(lambda: status(editor) == "editahead: the server keeps ending (signal 9)", "the status says so")
    asks_for_no_key(editor)
    editor.nvim.command("Editahead restart")
    editor.ready()


def test_restart_starts_where_no_server_runs(begin: Begin) -> None:
    editor = begin(config(FAKE))
    editor.ready()
    editor.lua("vim.lsp.get_clients()[1]:stop()")
    editor.until(lambda: client(editor) == 0, "no client")
    editor.nvim.command("Editahead restart")
    editor.ready()
    assert "no server is running" not in messages(editor)
    assert "started again" not in messages(editor)  # it was told to stop


def test_a_server_that_is_not_there_is_named_once(begin: Begin) -> None:
    editor = begin("{ cmd = { 'nowhere', '--stdio' } }")
    said = "nowhere cannot be found (:checkhealth editahead)"
    editor.until(lambda: said in messages(editor), "a message")
    editor.open("b.py", TEXT)
    asks_for_no_key(editor)
    assert messages(editor).count(said) == 1
    assert status(editor) == "editahead: no server (nowhere cannot be found)"
    editor.nvim.command("Editahead status")
    editor.nvim.command("Editahead restart")
    assert messages(editor).count(said) == 2  # asked for by hand, it is said again
    editor.open("a.txt", "text")
    assert status(editor) == ""


def test_a_server_that_cannot_start_is_not_tried_again(begin: Begin) -> None:
    command = lua_list([sys.executable, "-c", "import sys; sys.stdin.readline(); sys.exit(3)"])
    editor = begin(f"{{ cmd = {command} }}")
    editor.until(lambda: "the server does not start (exit 3)" in status(editor), "the status says so")
    asks_for_no_key(editor)
    assert client(editor) == 0


def test_a_language_that_is_switched_off_is_not_ready(begin: Begin) -> None:
    editor = begin(config(FAKE))
    editor.ready()
    editor.nvim.command("Editahead toggle python")
    editor.until(lambda: status(editor) == "editahead: python is switched off", "the status says so")
    editor.nvim.command("Editahead toggle python")
    editor.ready()
    editor.lua("require('editahead.client').settings(vim.lsp.get_clients()[1]).languages = { ['*'] = false }")
    assert status(editor) == "editahead: python is switched off"
