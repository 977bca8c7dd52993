"""Hunks as programs, which are the same for the same edit at different positions; those of the user's past hunks."""

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


class PastHunks:
    """The hunks of a decoder state with their programs; `line` is the initial line of each initial name."""

    def __init__(self, decoder: DecoderState, line: Sequence[int]) -> None:
        self._decoder, self._line = decoder, line
        self._hunks = past_hunks(decoder, line)
        self._programs = [program_of(decoder, hunk) for hunk in self._hunks]

    def __len__(self) -> int:
        return len(self._hunks)

    def has_repetition(self, decoder: DecoderState, edits: Edits) -> bool:
        """Whether `edits`, after which the state is `decoder`, repeat the contents of a hunk at the same token."""
        pieces: dict[int, tuple[int, list[EditToken | None]]] = {}
        for name, key in edits:
            line = self._line[name if name < decoder.encoded.size else decoder.state.root(name)]
            pieces.setdefault(line, (decoder.state.root(name), []))[1].append(key)
        done = [(self._decoder.state.root(hunk.edits[0][0]), [key for _, key in hunk.edits]) for hunk in self._hunks]
        return any(piece in done for piece in pieces.values())

    def matching_program(self, name: int) -> Program | None:
        """The program of the last hunk whose first and deleted tokens match those from `name` on."""
        if name >= self._decoder.encoded.size:
            return None
        keys = self._decoder.encoded.window.keys
        alive = set(self._decoder.state.names)
        for hunk, program in reversed(list(zip(self._hunks, self._programs, strict=True))):
            if not program:
                continue
            root = self._decoder.state.root(hunk.edits[0][0])
            targets = [name + offset_of(offset) for offset, _ in program if is_offset(offset)]
            if any(target not in alive or not 1 <= target < len(keys) for target in targets):
                continue
            pairs = [(name + offset_of(o), root + offset_of(o)) for o, key in program if is_offset(o) and key is None]
            if all(keys[here].text == keys[there].text for here, there in pairs) and (
                pairs or keys[name].text == keys[root].text
            ):
                return program
        return None

    def agreement(self, root: int, begun: Program) -> float | None:
        """The best agreement, in [0, 1], of the position `root` with that of a hunk that begins with `begun`.

        None if there is no such hunk.
        """
        around = self._decoder.encoded.around
        return max(
            (
                float((around[self._decoder.state.root(hunk.edits[0][0])] == around[root]).mean())
                for hunk, other in zip(self._hunks, self._programs, strict=True)
                if not other or other[: len(begun)] == begun
            ),
            default=None,
        )

    def likeness(self, program: Program, root: int) -> tuple[int, float]:
        """The number of hunks with the same program, and the best share of equal neighbours of their positions."""
        around = self._decoder.encoded.around
        roots = [
            self._decoder.state.root(hunk.edits[0][0])
            for hunk, other in zip(self._hunks, self._programs, strict=True)
            if other == program
        ]
        agreement = max((float((around[other] == around[root]).mean()) for other in roots), default=0.0)
        return len(roots), agreement
