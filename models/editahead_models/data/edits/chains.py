r"""Edit sequences of about a hundred edits: a window of a file, followed through the versions of the file.

Tokens are those of `editahead.encode.edit_model.tokens` without the blanks between them; a line begins with a token of
its own, `"\n"` and its indentation in columns. The window is fixed on lines: what changes outside is passed over,
lines after its last one included, and what crosses its border ends the sequence.
Source: Zhao et al. 2019, section 5.3 (snapshots of a file, tokens of its language, about 100 edits an instance); a
version of the history stands for their snapshot, which was taken when the file was saved.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from editahead.encode.edit_model.tokens import lex_line

from editahead_models.data.edits.instances import LineHunk, line_hunks
from editahead_models.data.mining.git_changes import MAX_LINE

Row = tuple[str, ...]
"""The tokens of one line."""


class TokenHunk(NamedTuple):
    """Tokens [start, end) of the state become `new`."""

    start: int
    end: int
    new: Row


class Chain(NamedTuple):
    """A first state and the hunks that change it one after the other, each in places of the state before it."""

    initial: Row
    hunks: tuple[TokenHunk, ...]

    def record(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"initial": self.initial, "hunks": self.hunks}


@dataclass(frozen=True, slots=True)
class ChainLimits:
    """Tokens of a state, edits of a sequence and of one hunk, lines of a file: in pieces, as `pieces_of` guesses."""

    tokens: int = 1000
    edits: int = 100
    hunk: int = 60
    file_lines: int = 6000


def row_of(line: str) -> Row:
    """The tokens of a line, its line token first."""
    tokens = lex_line(line)
    if tokens.indent < 0:
        return ("\n",)
    return (f"\n{tokens.indent}", *(piece.key.text for piece in tokens.pieces))


def pieces_of(row: Sequence[str]) -> int:
    """About how many sub-words a list of four thousand makes of tokens."""
    return sum(1 + (len(token) - 1) // 5 for token in row)


def chains(versions: Sequence[str], limits: ChainLimits, rng: random.Random) -> Iterator[Chain]:
    """Sequences of one file's history; each begins where the one before ended, around a drawn hunk."""
    texts = [text.split("\n") for text in versions]
    at = 0
    while at + 1 < len(texts):
        hunks = _usable(texts[at], texts[at + 1], limits)
        if not hunks:
            at += 1
            continue
        window = _Window.around(texts[at], rng.choice(hunks), limits)
        initial = tuple(token for row in window.rows for token in row)
        while at + 1 < len(texts) and window.follow(texts[at], texts[at + 1], limits):
            at += 1
        at += 1  # what the step that ended it holds besides is not used again
        if window.hunks:
            yield Chain(initial, tuple(window.hunks))


def _usable(old: Sequence[str], new: Sequence[str], limits: ChainLimits) -> list[LineHunk]:
    if max(len(old), len(new)) > limits.file_lines:
        return []
    found = line_hunks(old, new) or []
    changed = [(hunk, [*old[hunk.a0 : hunk.a1], *new[hunk.b0 : hunk.b1]]) for hunk in found]
    return [hunk for hunk, lines in changed if len(lines) <= limits.hunk and max(map(len, lines)) <= MAX_LINE]


class _Window:
    """Lines from `low` on of the current version as token rows, and the hunks so far."""

    def __init__(self, rows: list[Row], low: int) -> None:
        self.rows, self.low = rows, low
        self.size = sum(map(pieces_of, rows))
        self.spent = 0
        self.hunks: list[TokenHunk] = []

    @classmethod
    def around(cls, lines: Sequence[str], hunk: LineHunk, limits: ChainLimits) -> _Window:
        """The hunk's lines and as many before and after them, in turn, as four fifths of a state may hold."""
        low, high = hunk.a0, hunk.a1
        rows = [row_of(line) for line in lines[low:high]]
        left, grown = limits.tokens * 4 // 5 - sum(map(pieces_of, rows)), True
        while grown:
            grown = False
            for place in (low - 1, high):
                row = row_of(lines[place]) if 0 <= place < len(lines) and len(lines[place]) <= MAX_LINE else None
                if row is None or pieces_of(row) > left:
                    continue
                left, grown = left - pieces_of(row), True
                rows.insert(0 if place < low else len(rows), row)
                low, high = (low - 1, high) if place < low else (low, high + 1)
        return cls(rows, low)

    def follow(self, old: Sequence[str], new: Sequence[str], limits: ChainLimits) -> bool:
        """Take the window from one version to the next; whether it can be followed further."""
        found = line_hunks(old, new)
        if found is None:
            return False
        shift, high = 0, self.low + len(self.rows)
        moved, crossed = 0, False
        for hunk in found:
            if hunk.a1 <= self.low and not self.low == hunk.a0 == hunk.a1:
                moved += (hunk.b1 - hunk.b0) - (hunk.a1 - hunk.a0)
            elif hunk.a0 >= high:
                break
            elif hunk.a0 < self.low or hunk.a1 > high:
                crossed = True
            elif not self._change(hunk, hunk.a0 - self.low + shift, new, limits):
                return False
            else:
                shift += (hunk.b1 - hunk.b0) - (hunk.a1 - hunk.a0)
        self.low += moved
        return not crossed

    def _change(self, hunk: LineHunk, first: int, new: Sequence[str], limits: ChainLimits) -> bool:
        """Apply one hunk to the rows from row `first` on; whether there is room for it and for more."""
        gone = self.rows[first : first + hunk.a1 - hunk.a0]
        lines = new[hunk.b0 : hunk.b1]
        if len(gone) + len(lines) > limits.hunk or any(len(line) > MAX_LINE for line in lines):
            return False
        come = [row_of(line) for line in lines]
        self.size += sum(map(pieces_of, come)) - sum(map(pieces_of, gone))
        if self.size > limits.tokens:
            return False
        start = sum(map(len, self.rows[:first]))
        before, after = [token for row in gone for token in row], [token for row in come for token in row]
        self.rows[first : first + len(gone)] = come
        same = _common(before, after)
        tail = _common(before[same:][::-1], after[same:][::-1])
        before, after = before[same : len(before) - tail], after[same : len(after) - tail]
        if before or after:
            self.hunks.append(TokenHunk(start + same, start + same + len(before), tuple(after)))
            self.spent += pieces_of(before) + pieces_of(after)
        return self.spent < limits.edits


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    """Length of the common beginning."""
    length = 0
    while length < min(len(one), len(two)) and one[length] == two[length]:
        length += 1
    return length
