"""The context that a language model reads for a place in a file: the file's head, then the lines up to the cursor.

The window depends on the cursor's line alone, so that the same text gives the same answer whatever was typed
before, and moves in steps of 100 lines, so that a typed line does not change what stands before it.
"""

from __future__ import annotations

from dataclasses import dataclass

from editahead.encode.language_model.encoder import detect_indent
from editahead.suggest.types import Document
from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line, Token, TokenKind, names_of
from editahead.text.beginnings import beginning_with
from editahead.text.memo import on_forget
from editahead.text.words import word_before

HEAD_LINES = 40  # imports and the first definitions
STEP_LINES = 100
AFTER_LINES = 100  # below the cursor
ABOVE_LINES = 1000  # above the window, likewise, once a letter is typed
MOST_TOKENS = 1000  # of a line that is read


@dataclass(frozen=True, slots=True)
class CursorContext:
    """The lines before the cursor as tokens, and the part of an identifier that is already typed."""

    lines: list[Line]
    numbers: list[int]  # the file's line number of each
    prefix: str
    start: int  # byte where the prefix begins
    end: int  # the cursor
    line: int
    before: str  # text of the line before the prefix
    after: str  # text of the line after the cursor
    indent_unit: int
    below: list[Line]  # lines after the cursor's: not read by the model, but what the file says counts

    @property
    def other_lines(self) -> list[Line]:
        """All lines in reach but the cursor's own."""
        return [*self.lines[:-1], *self.below]


def place_at(document: Document, byte: int) -> CursorContext:
    """What the model reads at a byte offset."""
    syntax = document.syntax
    buffer = syntax.buffer
    line = buffer.line_at(byte)
    line_start, line_end = buffer.line_span(line)
    byte = min(max(byte, line_start), max(line_end, line_start))
    before = buffer.data[line_start:byte].decode("utf-8", "replace")
    prefix = name_before(syntax.language, before)
    start = byte - len(prefix.encode("utf-8"))
    anchor = window_start(line)
    numbers = [*range(min(HEAD_LINES, anchor)), *range(anchor, line)]
    lines = [*read_lines(syntax, 0, min(HEAD_LINES, anchor)), *read_lines(syntax, anchor, line)]
    numbers.append(line)
    lines.append(_line_until(syntax, line, start - line_start, before[: len(before) - len(prefix)]))
    return CursorContext(
        lines,
        numbers,
        prefix,
        start,
        byte,
        line,
        before[: len(before) - len(prefix)],
        buffer.data[byte:line_end].decode("utf-8", "replace"),
        detect_indent(buffer.data),
        read_lines(syntax, line + 1, line + 1 + AFTER_LINES),
    )


def name_before(language: Language, text: str) -> str:
    """The part of a name that a text ends with; empty where there is none, as for the letters of a number."""
    table = language.scopes
    prefix = word_before(text, also="$", first=table.name_signs if table is not None else "")
    return "" if text[: len(text) - len(prefix)][-1:].isdigit() else prefix


def read_lines(syntax: SyntaxSnapshot, first: int, last: int) -> list[Line]:
    """The tokens of lines [first, last) for reading, with lines of data as blank ones.

    Data would be most of what is read and says little of the code around it.
    """
    return [line if len(line) <= MOST_TOKENS else () for line in syntax.lines(first, last)]


def window_start(line: int) -> int:
    """First line of the window for a cursor line."""
    return max(0, (line // STEP_LINES - 1) * STEP_LINES)


def names_nearby(syntax: SyntaxSnapshot, line: int, *, far: bool, prefix: str = "") -> dict[str, int]:
    """Names outside the window that begin with `prefix`, the nearest first, each with its line.

    They stand below the cursor, and above it too if `far`.
    """
    below = _first_lines(syntax.lines(line + 1, line + 1 + AFTER_LINES))
    found = {name: line + 1 + at for name, at in beginning_with(below, prefix).items()}
    if far:
        start = window_start(line)
        above = _first_lines(syntax.lines(max(0, start - ABOVE_LINES), start)[::-1])
        for name, at in beginning_with(above, prefix).items():
            found.setdefault(name, start - 1 - at)
    return found


def names_below(syntax: SyntaxSnapshot, line: int, prefix: str) -> set[str]:
    """Names that begin with `prefix` on the lines below a line, far ones included."""
    below = _first_lines(syntax.lines(line + 1 + AFTER_LINES, line + 1 + ABOVE_LINES))
    return set(beginning_with(below, prefix))


_SPANS_KEPT = 4
_spans: list[tuple[list[Line], dict[str, int]]] = []  # what was asked last, the latest first
on_forget(_spans.clear)


def _first_lines(lines: list[Line]) -> dict[str, int]:
    """The names of some lines, each with the number of its first line, from 0; remembered from key to key."""
    others, names = [], None
    for span in tuple(_spans):
        if names is None and span[0] == lines:  # mostly the very same lines, which lists find out at once
            names = span[1]
        else:
            others.append(span)
    if names is None:
        names = {}
        for number, tokens in enumerate(lines):
            for name in names_of(tokens) if len(tokens) <= MOST_TOKENS else ():  # as `read_lines`
                names.setdefault(name, number)
    _spans[:] = [(lines, names), *others[: _SPANS_KEPT - 1]]
    return names


def _line_until(syntax: SyntaxSnapshot, line: int, column: int, before: str) -> Line:
    tokens = tuple(token for token in syntax.line_tokens(line) if token.end <= column)
    if not tokens or tokens[0].kind is not TokenKind.NEWLINE:
        if before.strip():
            return tokens
        # A line with nothing but indentation has no tokens yet: the cursor's column is its indentation.
        return (Token(TokenKind.NEWLINE, before, 0, len(before)), _NOTHING)
    return (*tokens, _NOTHING) if len(tokens) == 1 else tokens


# Marks a line that has only begun, so that its indentation counts although no token follows yet.
_NOTHING = Token(TokenKind.OPERATOR, "", 0, 0)
