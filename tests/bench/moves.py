"""Completions where more than a letter has changed: after a jump, a paste, an inserted line, an accepted edit."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from .sources import Session

if TYPE_CHECKING:
    from .measure import Typist

JUMP = "after a jump"
PASTE = "after a paste"
NEW_LINE = "after an inserted line"
ACCEPTED = "after an accepted edit"
MOVES = (JUMP, PASTE, NEW_LINE, ACCEPTED)

_METHOD = "textDocument/completion"
COUNT = 10  # of each, in one typed session
_LONGEST_INDENT = 40


def move_about(typist: Typist, session: Session, pause: Callable[[], None], seed: int) -> None:
    """Jump to lines anywhere in the file; then, where the session types, paste its block and insert lines above."""
    rows = session.text.split("\n")
    choose = random.Random(seed)
    for row in choose.sample([n for n in range(session.line) if _is_code(rows[n])], COUNT):
        pause()
        typist.ask(JUMP, _METHOD, row, len(_indent(rows[row])) + 2)
    typist.look(_METHOD, session.line, 0)  # back again
    old, text = session.rename[0], session.block.rstrip("\n")
    for number in range(COUNT):
        pause()
        pasted = text.replace(old, f"{old}{seed * COUNT + number}")  # so that nothing is known of it
        last = pasted.split("\n")[-1]
        typist.replace((session.line, 0), (session.line, 0), f"{pasted}\n\n")
        typist.ask(PASTE, _METHOD, session.line + pasted.count("\n"), len(last))
    for row, _ in choose.sample(session.places, min(COUNT, len(session.places))):
        pause()
        end, indent = (row, len(rows[row])), _indent(rows[row])
        typist.replace(end, end, f"\n{indent}")
        typist.ask(NEW_LINE, _METHOD, row + 1, len(indent))
        typist.replace(end, (row + 1, len(indent)), "")  # back again, so that lines keep their numbers


def accept_edits(typist: Typist, session: Session, pause: Callable[[], None]) -> None:
    """Rename one place, accept each next edit that is shown, and complete behind it; then take all of it back."""
    old, new = session.rename
    rows = session.text.split("\n")
    row, column = session.places[0]
    typist.change(row, column, column + len(old), new)
    done = [(row, column, new, old)]  # line and column, the text now and before
    rows[row] = f"{rows[row][:column]}{new}{rows[row][column + len(old) :]}"
    column += len(new)
    for _ in range(COUNT):
        pause()
        document = {"uri": typist.uri, "version": typist.version}
        edits = typist.look("editahead/nextEdit", row, column, textDocument=document).get("edits")
        if not edits:
            break
        (line, start), (last, stop) = (
            (edits[0]["range"][at]["line"], edits[0]["range"][at]["character"]) for at in ("start", "end")
        )
        text = edits[0]["text"]
        if line != last or "\n" in text:
            break  # lines must keep their numbers
        typist.change(line, start, stop, text)
        done.append((line, start, text, rows[line][start:stop]))
        rows[line] = f"{rows[line][:start]}{text}{rows[line][stop:]}"
        row, column = line, start + len(text)
        typist.ask(ACCEPTED, _METHOD, row, column)
    for line, start, text, before in reversed(done):
        typist.change(line, start, start + len(text), before)


def _is_code(row: str) -> bool:
    return len(row.strip()) > 12 and len(_indent(row)) < _LONGEST_INDENT


def _indent(row: str) -> str:
    return row[: len(row) - len(row.lstrip())]
