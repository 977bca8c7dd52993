"""Stretches of a file that are typed again: a few whole lines of code, drawn at random."""

from __future__ import annotations

import random
import re

STRETCH_LINES = 4
STRETCH_BYTES = 200
MIN_LINES = 20  # of a file that a stretch is drawn from
_MAX_LINE = 160  # bytes; longer lines are data


def draw_stretch(data: bytes, chosen: random.Random) -> tuple[int, int] | None:
    """Draw STRETCH_LINES whole lines, as bytes from the first line's text to the last line's end; else None.

    The first line begins with a letter or a decorator; the text has at least four words and at most STRETCH_BYTES.
    """
    lines = data.split(b"\n")
    if len(lines) < MIN_LINES:
        return None
    for _ in range(20):
        first = chosen.randrange(1, len(lines) - STRETCH_LINES)
        rows = lines[first : first + STRETCH_LINES]
        if not re.match(rb"[ \t]*[A-Za-z_@]", rows[0]) or max(map(len, rows)) > _MAX_LINE:
            continue
        start = sum(len(row) + 1 for row in lines[:first]) + len(rows[0]) - len(rows[0].lstrip())
        text = b"\n".join(rows).lstrip().rstrip()
        if len(re.findall(rb"[A-Za-z_]\w+", text)) >= 4 and len(text) <= STRETCH_BYTES:
            return start, start + len(text)
    return None
