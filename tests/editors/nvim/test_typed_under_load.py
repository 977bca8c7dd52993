"""Typing while other programs have the processor: what is in the buffer is what was typed, whatever was offered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from editor import Editor
from shared import SERVER, Start
from test_stock import attached, recipe

LANGUAGES: dict[str, Any] = json.loads((Path(__file__).parents[1] / "typed_lines.json").read_text(encoding="utf-8"))
LINES = int(os.environ.get("EDITAHEAD_TYPED_LINES", "13"))  # of each language
PACES = (0.02, 0.03, 0.045, 0.06)  # seconds from key to key, one for each line
BUSY = 2  # processes that compute
# The editor writes nothing by itself: every difference is an item that was accepted.
PLAIN = "filetype indent off | set noautoindent nosmartindent nocindent indentexpr= formatoptions= completeopt&"


@pytest.fixture(autouse=True)
def load() -> Iterator[None]:
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    yield
    for process in busy:
        process.kill()
        process.wait()


def type_lines(editor: Editor, lines: list[str]) -> int:
    """Press the keys of some lines at their times, behind the last line; how often a menu was open meanwhile."""
    editor.keys("Go")
    editor.until(lambda: editor.mode() == "i", "insert mode")
    menus = 0
    for at, line in enumerate(lines):
        for number, key in enumerate([*line, "<CR>"] if at + 1 < len(lines) else line):
            editor.keys("<lt>" if key == "<" else key)
            time.sleep(PACES[at % len(PACES)])
            if number in (len(line) // 2, len(line) * 2 // 3):
                menus += int(editor.lua("return vim.fn.pumvisible()"))
    editor.keys("<Esc>")
    editor.until(lambda: editor.mode() == "n", "normal mode")
    return menus


def check(editor: Editor, language: str, ready: Callable[[], None]) -> None:
    pattern = LANGUAGES[language]
    editor.nvim.command(PLAIN)
    editor.open(pattern["file"], "\n".join(pattern["head"]) + "\n")
    ready()
    count = len(pattern["lines"])
    lines = [pattern["lines"][at % count].replace("{n}", str(at // count)) for at in range(LINES)]
    menus = type_lines(editor, lines)
    expected = [*pattern["head"], *lines]
    wrong = len(expected) - len([line for line, typed in zip(editor.lines(), expected, strict=False) if line == typed])
    print(f"{language}: {len(lines)} lines typed, {wrong} wrong; a menu was open at {menus} of {2 * len(lines)} keys")
    assert menus, "where nothing is shown nothing is proven"
    assert editor.lines() == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_buffer_is_what_was_typed(start: Start, language: str) -> None:
    editor = start("completion = true", real=True)
    check(editor, language, editor.ready)


def test_the_buffer_is_what_was_typed_without_the_plugin(stock: Callable[[str], Editor]) -> None:
    editor = stock(recipe("editahead", SERVER))
    check(editor, "go", lambda: attached(editor, "editahead"))
