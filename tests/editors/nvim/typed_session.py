"""An hour of typing in miniature: beside a Neovim without the plugin, the same keys make the same text.

Only a Tab that takes what is shown makes a difference; what it takes is what was shown, and the other one gets it too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from editor import Editor
from shared import SERVER, lua_list

PACE = 0.02  # seconds from key to key: time for the server to show something
LOOK = 0.2  # seconds behind a word in which something may come to be shown
# Defaults but for the time that a busy machine may take.
SETUP = """require('editahead').setup({{ server = {{ cmd = {command}, settings = {{ editahead = {{
    completionDeadlineMs = 60000, inlineDeadlineMs = 60000, nextEditDeadlineMs = 60000 }} }} }}, {options} }})"""
TEXT = """import json


class Warehouse:
    def __init__(self, location):
        self.location = location
        self.quantities = {}
        self.failed = []

    def restock(self, name, count):
        self.quantities[name] = self.quantities.get(name, 0) + count
"""
# What a person types: letters, then the key that ends the line or the word. Each piece ends with a look at the screen.
# No word of `indentkeys` is typed out: while any menu is open, Neovim does not indent its line anew.
KEYS = """
Go|<CR>|def remove(self, name, count):|<CR>|held = self.quantities.get(name, 0)|<CR>|if held < cuont
<BS><BS><BS><BS>|ount:|<CR>|self.failed.append(name)|<CR>|return False|<CR>
self.quantities[name] = held - count|<CR>|return True|<CR>|<CR>|<C-d>|def report(self):|<CR>
for name, count in sorted(self.quantities.items()):|<CR>|print(name, count)|<Esc>|u|<C-r>|A|  # as a table
<Esc>|u|o|print(f"{self.location}: {nam|<BS>|me}")|<Esc>|kdd|p|u|<C-r>|u|o|if self.failed:|<CR>
return self.failed|<CR>|eles|<BS><BS><BS><BS>|return []|<Esc>|gg|/quantities<CR>|ciwstock|<Esc>|n.|u|<C-r>|n
cwstock|<Esc>|u|Go|def save(self, path):|<CR>|with open(path, "w") as stream:|<CR>
json.dump(self.quantities, stream)|<Left><Left><Left>|<Right><Right><Right>|<Up><End>|<Down><End>|<CR>|<CR>
return pa|<BS>|ath|<Esc>|V>|u|yyp|u|gg|O|# stock|<Esc>|j|dw|u|Go|def main():|<CR>
warehouse = Warehouse("here")|<CR>|warehouse.restock("bolts", 3)|<CR>|warehouse.restock("nuts", 4)|<CR>
warehouse.re|move("nuts", 5)|<CR>|for name in warehouse.failed:|<CR>|print(name)|<Esc>|gg=G|u|G|Vkkd|u
"""


def pieces() -> Iterator[str]:
    """The keys in the order in which they are pressed."""
    for line in KEYS.strip().split("\n"):
        yield from line.split("|")


@pytest.fixture
def pair(binary: Path, tmp_path: Path) -> Iterator[Callable[[str], tuple[Editor, Editor]]]:
    """Two Neovims with the same file: one with the plugin as `options` want it, one without."""
    editors: list[Editor] = []

    def begin(options: str) -> tuple[Editor, Editor]:
        for name, init in (("ours", SETUP.format(command=lua_list(SERVER), options=options)), ("plain", "")):
            folder = tmp_path / name
            folder.mkdir()
            editor = Editor(binary, folder, plugin=bool(init), init=init)
            editors.append(editor)
            editor.open("warehouse.py", TEXT)
        return editors[0], editors[1]

    yield begin
    for editor in editors:
        editor.close()


def state(editor: Editor) -> tuple[list[str], tuple[int, int], str]:
    return editor.lines(), editor.cursor(), editor.mode()[:1]


def same(ours: Editor, plain: Editor, keys: str) -> None:
    """Both have used up their keys and show the same text, cursor and mode."""
    ours.settled()
    plain.settled()
    end = time.monotonic() + 5
    while state(ours) != state(plain) and time.monotonic() < end:
        time.sleep(0.02)
    assert state(ours) == state(plain), f"after {keys!r}"


def shown(editor: Editor) -> str:
    """The ghost text that is shown within a moment."""
    end = time.monotonic() + LOOK
    while not (ghost := editor.ghost()) and time.monotonic() < end:
        time.sleep(0.02)
    return ghost


PUT = """local row, column, text = ...
vim.cmd('let &g:undolevels = &g:undolevels') -- what is taken is a step of undo of its own
local lines = vim.split(text, '\\n', { plain = true })
vim.api.nvim_buf_set_text(0, row, column, row, column, lines)
vim.api.nvim_win_set_cursor(0, { row + #lines, (#lines == 1 and column or 0) + #lines[#lines] })"""


def take(ours: Editor, plain: Editor, ghost: str) -> None:
    """Tab takes the ghost text as it was shown; the plain Neovim gets the same text."""
    plain.lua(PUT, *ours.cursor(), ghost)
    ours.keys("<Tab>")
    same(ours, plain, f"Tab for {ghost!r}")


def type_in(pair: Callable[[str], tuple[Editor, Editor]], options: str) -> None:
    """Press all keys in both editors and compare what they show, piece by piece."""
    ours, plain = pair(options)
    ours.ready()
    seen = taken = menus = 0
    for piece in pieces():
        special = piece.startswith("<") or ours.mode() == "n"
        for keys in [piece] if special else piece:
            for editor in (ours, plain):
                editor.keys(keys.replace("<", "<lt>") if not special else keys)
            time.sleep(PACE)
            seen += keys in " .(," and bool(shown(ours))
        same(ours, plain, piece)
        ghost = shown(ours)
        same(ours, plain, f"{piece} and a moment")
        menu = bool(ours.lua("return vim.fn.pumvisible()"))
        menus += menu
        if ours.mode() == "i" and ghost and not menu:
            take(ours, plain, ghost)
            taken += 1
    assert seen >= 8, "where nothing is shown nothing is proven"
    assert menus >= 3 or not options
    assert taken >= 1
    assert ours.counts("inline")["accepted"] == taken
