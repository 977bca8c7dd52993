"""Draw docs/neovim.svg: what a real Neovim with the plugin shows, cell by cell: `python docs/make_neovim_picture.py`.

Needs pynvim (extra `dev`) and the Neovim 0.12 of `python scripts/install_neovim.py`.
"""

from __future__ import annotations

import html
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "editors" / "nvim"))

from editor import Editor, find
from shared import PATIENT, SERVER, lua_list

TARGET = Path(__file__).parent / "neovim.svg"
COLUMNS, ROWS = 78, 17
CELL_WIDTH, CELL_HEIGHT = 8.4, 19  # pixels at 14 px
FILE = """from tables import parse


def load(path, limit):
    rows = parse(path)
    return rows[:limit]


def merge(first, second):
    rows = parse(first)
    more = parse(second)
    return rows + more


"""
HINT_SHOWN = """
local state = vim.fn.stdpath('state')
vim.fn.mkdir(state, 'p')
vim.fn.writefile({}, vim.fs.joinpath(state, 'editahead-hint-shown'))
"""  # else the hint of the first start asks for a key on a narrow screen
SCREEN = """
local rows = {}
vim.cmd('redraw!')
for row = 1, vim.o.lines do
  rows[row] = {}
  for column = 1, vim.o.columns do
    local cell = vim.api.nvim__inspect_cell(1, row - 1, column - 1)
    rows[row][column] = { cell[1] or ' ', cell[2] or vim.empty_dict() }
  end
end
local normal = vim.api.nvim_get_hl(0, { name = 'Normal' })
return { rows, normal.fg or 0, normal.bg or 0 }
"""

Cell = tuple[str, dict[str, Any]]
Shot = tuple[str, list[list[Cell]]]


def shot(editor: Editor, title: str) -> Shot:
    """The screen as it is, once it stands still."""
    time.sleep(0.3)
    rows, *_ = editor.lua(SCREEN)
    return title, rows


def session() -> tuple[list[Shot], str, str]:
    """A short session of typing; three looks at the screen, and the colours of plain text."""
    binary = find("0.12")
    if binary is None:
        raise SystemExit("no Neovim 0.12: run python scripts/install_neovim.py first")
    with tempfile.TemporaryDirectory() as folder:
        init = "vim.o.termguicolors = true vim.o.laststatus = 0 vim.o.ruler = false vim.o.signcolumn = 'yes'\n"
        server = f"{{ cmd = {lua_list(SERVER)}, settings = {{ editahead = {{ {PATIENT} }} }} }}"
        init += HINT_SHOWN + f"require('editahead').setup({{ server = {server} }})"
        editor = Editor(binary, Path(folder), init=init)
        try:
            return play(editor)
        finally:
            editor.close()


def play(editor: Editor) -> tuple[list[Shot], str, str]:
    """Type a new function, take the ghost text; rename a call twice, jump to the third and apply it."""
    editor.nvim.ui_attach(COLUMNS, ROWS, rgb=True)
    editor.open("rows.py", FILE)
    editor.ready()
    colours = [f"#{value:06x}" for value in editor.lua(SCREEN)[1:]]
    shots = []
    editor.keys("Godef count(path):<CR>rows = par")
    wait(editor, editor.ghost)
    shots.append(shot(editor, "Ghost text while you type"))
    editor.keys("<Esc>dd")
    for piece in ("parse(path)", "parse(first)"):
        editor.go(piece)
        editor.keys("cwread_rows<Esc>")
        editor.until(lambda: editor.mode() == "n", "normal mode")
    wait(editor, editor.preview)
    shots.append(shot(editor, "The same change twice: the third place is offered"))
    editor.keys("<Tab>")
    editor.until(lambda: editor.cursor()[0] == 10, "the jump")
    editor.keys("<Tab>")
    wait(editor, lambda: "read_rows(second)" in editor.text())
    shots.append(shot(editor, "Tab, Tab: there, and applied"))
    return shots, colours[0], colours[1]


def wait(editor: Editor, look: Callable[[], object]) -> None:
    """Let the editor settle until `look` is true."""
    editor.until(look, "the next picture")


def colour(style: dict[str, Any], name: str) -> str | None:
    """The colour of a style as `#rrggbb`, or None where it has none of that name."""
    return f"#{style[name]:06x}" if name in style else None


def drawn(shots: list[Shot], foreground: str, background: str) -> str:
    """The screens below each other, as an SVG that loads nothing: the font is the reader's own."""
    width, part = COLUMNS * CELL_WIDTH + 20, ROWS * CELL_HEIGHT + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {part * len(shots):g}" font-size="14">']
    out.append("<style>text { font-family: monospace; white-space: pre; }</style>")
    for number, (title, rows) in enumerate(shots):
        top = number * part
        out.append(f'<rect x="0" y="{top:g}" width="{width:g}" height="{part - 8:g}" rx="6" fill="{background}"/>')
        out.append(f'<text x="10" y="{top + 20:g}" fill="{foreground}" font-weight="bold">{html.escape(title)}</text>')
        for row, cells in enumerate(rows):
            out += line(cells, top + 30 + row * CELL_HEIGHT, foreground)
    return "\n".join([*out, "</svg>", ""])


def line(cells: list[Cell], y: float, foreground: str) -> list[str]:
    """One row of the screen: cells of one style together."""
    out, column = [], 0
    while column < len(cells):
        style, end = cells[column][1], column
        while end < len(cells) and cells[end][1] == style:
            end += 1
        text = "".join(cell[0] for cell in cells[column:end])
        x, length = 10 + column * CELL_WIDTH, (end - column) * CELL_WIDTH
        paper, ink = colour(style, "background"), colour(style, "foreground") or foreground
        if style.get("reverse"):
            paper, ink = ink, paper or "#000000"
        if paper:
            out.append(f'<rect x="{x:g}" y="{y:g}" width="{length:g}" height="{CELL_HEIGHT}" fill="{paper}"/>')
        if text.strip():
            said = text.strip()  # blanks at the ends are places, not text: not every viewer keeps them
            at, fit = x + (len(text) - len(text.lstrip())) * CELL_WIDTH, len(said) * CELL_WIDTH
            out.append(f'<text x="{at:g}" y="{y + 14:g}" fill="{ink}" textLength="{fit:g}">{html.escape(said)}</text>')
        column = end
    return out


def main() -> int:
    """Draw the picture and write it."""
    svg = drawn(*session())
    TARGET.write_text(svg, encoding="utf-8")
    print(f"wrote {TARGET} ({len(svg) // 1024} KiB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
