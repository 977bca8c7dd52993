"""Draw docs/walkthrough.svg, ten seconds of a real Neovim with the plugin: `python docs/make_walkthrough.py`.

Needs pynvim (extra `dev`) and the Neovim 0.12 of `python scripts/install_neovim.py`. The screens are those of the real
session; only the times between the keys are chosen, so that people can follow.
"""

from __future__ import annotations

import html
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from animate import Frame, animated
from make_neovim_picture import (
    CELL_HEIGHT,
    CELL_WIDTH,
    HINT_SHOWN,
    PATIENT,
    SCREEN,
    SERVER,
    Editor,
    find,
    line,
    lua_list,
)

TARGET = Path(__file__).parent / "walkthrough.svg"
COLUMNS, ROWS = 62, 23
FILE = """from tables import load


def total(order):
    rows = load(order.path)
    return sum(row.price for row in rows)


def names(order):
    rows = load(order.path)
    return [row.name for row in rows]


def cheapest(order):
    rows = load(order.path)
    return min(row.price for row in rows)


"""
KEY, LOOK, READ = 0.07, 0.6, 1.1  # seconds: a letter, a step, something to read
CALL = "rows = read_rows(order.path)"
CURSOR = "return { vim.fn.screenrow() - 1, vim.fn.screencol() - 1 }"
TOP = 10  # pixels above the first row
SAYS = 15  # pixels of the caption's letters


@dataclass
class Film:
    """A session that is being recorded."""

    editor: Editor
    frames: list[Frame]
    foreground: str = "#e0e2ea"
    caption: str = ""

    def shot(self, seconds: float) -> None:
        """The screen as it is now, for so long; steps take their time, as they do when somebody works."""
        time.sleep(seconds if seconds > KEY else 0)
        rows, foreground, _ = self.editor.lua(SCREEN)
        self.foreground = f"#{foreground:06x}"
        parts = ["".join(line(cells, TOP + row * CELL_HEIGHT, self.foreground)) for row, cells in enumerate(rows)]
        row, column = self.editor.lua(CURSOR)
        width = 2 if self.editor.mode() == "i" else CELL_WIDTH
        x, y = 10 + column * CELL_WIDTH, TOP + row * CELL_HEIGHT
        cursor = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{CELL_HEIGHT}" fill="#9bd4ff" opacity=".7"/>'
        self.frames.append(Frame((*parts, cursor, self.said()), seconds))

    def said(self) -> str:
        """The line below the screen; what stands in brackets is a key."""
        out, x, y = [], 10.0, TOP + ROWS * CELL_HEIGHT + 8
        for number, part in enumerate(self.caption.replace("]", "[").split("[")):
            if not part:
                continue
            width = len(part) * SAYS * 0.6
            if number % 2:
                out.append(f'<rect x="{x:g}" y="{y}" width="{width + 12:g}" height="22" rx="4" fill="#3a5168"/>')
                x += 6
            said = html.escape(part)
            out.append(
                f'<text class="c" x="{x:g}" y="{y + 16}" fill="#ffffff" textLength="{width:g}" '
                f'xml:space="preserve">{said}</text>'
            )
            x += width + (6 if number % 2 else 0)
        return "".join(out)

    def type(self, text: str) -> None:
        """Letter by letter."""
        for letter in text:
            before = self.editor.lines()
            self.editor.keys("<CR>" if letter == "\n" else "<lt>" if letter == "<" else letter)
            self.editor.until(lambda before=before: self.editor.lines() != before, "the letter")
            self.shot(KEY)


def play(film: Film) -> None:
    """Rename what is imported and apply it to its three uses; then type a new function with ghost text."""
    editor = film.editor
    editor.go("load")
    film.caption = "Rename what you import ..."
    film.shot(LOOK)
    editor.keys("cw")
    editor.until(lambda: "load" not in editor.lines()[0], "the word gone")
    film.type("read_rows")
    editor.keys("<Esc>")
    for row in (4, 9, 14):
        editor.until(lambda row=row: editor.preview().get("sign") == row, "the next edit")
        film.caption = "... and its uses are offered: [Tab] goes there"
        film.shot(READ if row == 4 else LOOK)
        editor.keys("<Tab>")
        editor.until(lambda row=row: editor.cursor()[0] == row, "the jump")
        film.caption = "[Tab] applies it"
        film.shot(LOOK)
        editor.keys("<Tab>")
        editor.until(lambda row=row: "read_rows" in editor.lines()[row], "the edit")
    editor.until(lambda: editor.preview() == {}, "no further edit")
    film.caption = "Type ..."
    film.shot(LOOK)
    editor.keys("Go")
    editor.until(lambda: editor.mode() == "i", "insert mode")
    film.shot(LOOK)
    film.type("def count(order):\nrows = ")
    ghost = editor.until(editor.ghost, "ghost text")
    film.caption = "... and what comes next stands there: [Tab] takes it"
    film.shot(READ)
    editor.keys("<Tab>")
    editor.until(lambda: ghost in editor.lines()[-1], "the ghost text taken")
    film.shot(LOOK)
    film.type(CALL.removeprefix(editor.lines()[-1].strip()))
    film.caption = "All of it on your own machine."
    film.shot(2 * READ)


def main() -> int:
    """Record the walkthrough and write it."""
    binary = find("0.12")
    if binary is None:
        raise SystemExit("no Neovim 0.12: run python scripts/install_neovim.py first")
    with tempfile.TemporaryDirectory() as folder:
        init = "vim.o.termguicolors = true vim.o.laststatus = 0 vim.o.ruler = false vim.o.signcolumn = 'yes'\n"
        init += "vim.o.showmode = false vim.o.shortmess = vim.o.shortmess .. 'F'\n"
        init += (
            "vim.api.nvim_set_hl(0, 'ComplHint', { fg = '#8a9bb0' })\n"  # pale ghost text is lost in a small picture
        )
        server = f"{{ cmd = {lua_list(SERVER)}, settings = {{ editahead = {{ {PATIENT} }} }} }}"
        init += HINT_SHOWN + f"require('editahead').setup({{ server = {server} }})"
        editor = Editor(binary, Path(folder), init=init)
        try:
            editor.nvim.ui_attach(COLUMNS, ROWS, rgb=True)
            editor.open("orders.py", FILE)
            editor.ready()
            background = f"#{editor.lua(SCREEN)[2]:06x}"
            film = Film(editor, [])
            play(film)
        finally:
            editor.close()
    poster = max(i for i, frame in enumerate(film.frames) if "offered" in frame.parts[-1])
    width, height = COLUMNS * CELL_WIDTH + 20, TOP + ROWS * CELL_HEIGHT + 40
    svg = animated(film.frames, width, height, background, poster)
    TARGET.write_text(svg, encoding="utf-8")
    seconds = sum(frame.seconds for frame in film.frames)
    print(f"wrote {TARGET} ({len(svg) // 1024} KiB, {len(film.frames)} frames, {seconds:.1f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
