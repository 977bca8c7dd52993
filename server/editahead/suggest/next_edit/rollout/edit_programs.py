"""Hunks as programs, which are the same for the same edit at different positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from editahead.encode.edit_model.tokens import EditToken
from editahead.encode.edit_model.window import SENTINELS
from editahead.runtime.edit_model.states import DecoderState

Program = tuple[tuple[int, EditToken | None], ...]
"""The edits of a hunk: an offset from the first root, or `~i` for its own insertion number i; and the content."""
Edits = Sequence[tuple[int, EditToken | None]]


@dataclass(frozen=True, slots=True)
class Hunk:
    """The edits of a hunk by token name, from edit number `first` on."""

    first: int
    edits: tuple[tuple[int, EditToken | None], ...]


_OFFSET = 1 << 20


def is_offset(code: int) -> bool:
    """Whether a code is of an initial token, not of an own insertion."""
    return code >= 0


def offset_of(code: int) -> int:
    """The offset of a code; codes of offsets begin at `_OFFSET`, those of own insertions are negative."""
    return code - _OFFSET


def past_hunks(decoder: DecoderState, line: Sequence[int]) -> list[Hunk]:
    """The hunks of a decoder state, split at changes to another initial line (`line` by initial name)."""
    hunks: list[Hunk] = []
    lowest = -1
    for number, edit in enumerate(decoder.edits):
        if edit.start or not hunks or line[edit.root] > lowest:
            hunks.append(Hunk(number, ()))
            lowest = line[edit.root]
        hunks[-1] = Hunk(hunks[-1].first, (*hunks[-1].edits, (edit.name, edit.key)))
    return hunks


def line_numbers(keys: Sequence[EditToken]) -> list[int]:
    """The line of each initial token, counted from the start of a window; sentinels have lines of their own."""
    numbers: list[int] = np.cumsum([key in SENTINELS or key.text.startswith("\n") for key in keys]).tolist()
    return numbers


def program_of(decoder: DecoderState, hunk: Hunk) -> Program:
    """A hunk as a program; empty when it builds on another hunk's insertions."""
    return program_of_edits(decoder, hunk.edits, decoder.encoded.size + hunk.first)


def program_of_edits(decoder: DecoderState, edits: Edits, first_name: int) -> Program:
    """Edits as a program; the names of their own insertions begin with `first_name`."""
    size = decoder.encoded.size
    if not edits or edits[0][0] >= size:
        return ()
    origin = edits[0][0]
    codes: list[tuple[int, EditToken | None]] = []
    for name, key in edits:
        if name < size:
            codes.append((_OFFSET + name - origin, key))
        elif name >= first_name:
            codes.append((~(name - first_name), key))
        else:
            return ()
    return tuple(codes)
