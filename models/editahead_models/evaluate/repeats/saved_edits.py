"""An edit as it is typed before a save, and what the formatter of the editor makes of it.

People leave stray blanks behind, and the formatter takes them away at the save: two blanks where one belongs, and
blanks at the end of a line. The text after the save is the committed one, so that only the history tells a saved edit
from a plain one.
"""

from __future__ import annotations

import random
import re

from editahead.text.edits import ByteEdit

_BLANK = re.compile(rb"(?<=\S) (?=\S)")
_LINE_END = re.compile(rb"(?<=\S)(?=\r?\n)")
NEAR = 400
"""Bytes behind an edit in which a line gets blanks at its end."""


def loosened(edit: ByteEdit, data: bytes, rng: random.Random) -> tuple[list[ByteEdit], list[ByteEdit]]:
    """What is typed in place of an edit of a text, and what the formatter does after it; each in order of doing.

    A blank or a line end in the new text gets one blank more, and so does the end of a line below the edit. An edit
    without either comes as it is.
    """
    new = edit.new
    inside = [found.end() for found in (*_BLANK.finditer(new), *_LINE_END.finditer(new))]
    typed, formatted = [edit], list[ByteEdit]()
    if inside:
        at = rng.choice(inside)
        typed = [ByteEdit(edit.start, edit.old_end, new[:at] + b" " + new[at:])]
        formatted = [ByteEdit(edit.start + at, edit.start + at + 1, b"")]
    below = [found.end() for found in _LINE_END.finditer(data, edit.old_end, edit.old_end + NEAR)]
    if below:
        at = rng.choice(below) + sum(one.delta for one in typed)
        typed.append(ByteEdit(at, at, b"  "))
        formatted.insert(0, ByteEdit(at, at + 2, b""))
    return typed, formatted
