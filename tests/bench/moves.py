"""Completions where more than a letter has changed: after a jump, a paste, and an inserted line."""

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
MOVES = (JUMP, PASTE, NEW_LINE)

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


def _is_code(row: str) -> bool:
    return len(row.strip()) > 12 and len(_indent(row)) < _LONGEST_INDENT


def _indent(row: str) -> str:
    return row[: len(row) - len(row.lstrip())]
