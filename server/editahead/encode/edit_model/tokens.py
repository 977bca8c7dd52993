r"""Lossless tokens for edit models: words, numbers, operators with the blanks before them; newlines with indentation.

The lexer reads a line at a time and is independent of the language: words inside strings and comments are tokens like
any other, broken code is no special case, and only the text of a line decides its tokens. A line's first token is its
newline token, whose text is `"\n"` and the indentation relative to the nearest earlier line that is not blank
(`"\n+4"`, `"\n+0"`); a blank line is the single token `"\n"`. Relative indentation makes the same edit look the
same at every depth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from editahead.text.memo import cache_texts

BLANK = "\n"
TAB_WIDTH = 4
MAX_GAP = 2

_TOKEN = re.compile(
    r"[^\W\d]\w*|\d[\w.]*|\"\"\"|'''|/\*\*|/\*|\*/|\.\.\.|->|=>|==|!=|<=|>=|:=|\+=|-=|\*=|/=|\*\*|//|&&|\|\||::|\+\+|--|\S"
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
_WORD = re.compile(r"[^\W\d]\w*|\d[\w.]*")  # the words among the tokens


class EditToken(NamedTuple):
    """A token of the edit model: its text and the number of blanks before it (0, 1, or 2 for more)."""

    text: str
    gap: int


class Piece(NamedTuple):
    """A token inside a line; `start` includes the blanks before it. Characters of the line, end exclusive."""

    key: EditToken
    start: int
    end: int


class LineTokens(NamedTuple):
    """The pieces of a line without its newline token, and the width of its indentation (columns; -1: blank line)."""

    pieces: tuple[Piece, ...]
    indent: int
    blank_chars: int


@cache_texts(65536)
def lex_line(line: str) -> LineTokens:
    """Split a line (without line end) into pieces that cover it from its first to its last visible character."""
    pieces: list[Piece] = []
    last = 0
    indent_chars = 0
    for match in _TOKEN.finditer(line):
        start, end = match.span()
        if pieces:
            pieces.append(Piece(EditToken(match.group(), min(start - last, MAX_GAP)), last, end))
        else:
            indent_chars = start
            pieces.append(Piece(EditToken(match.group(), 0), start, end))
        last = end
    if not pieces:
        return LineTokens((), -1, len(line))
    return LineTokens(tuple(pieces), indent_width(line[:indent_chars]), indent_chars)


def word_texts(line: str) -> list[str]:
    """Return the texts of the words and numbers of `lex_line`, at a fraction of its cost."""
    return _WORD.findall(line)


def indent_of(line: str) -> int:
    """Return the indentation of a line as in `lex_line` (columns; -1: blank line), at a fraction of its cost."""
    text = line.lstrip()
    return indent_width(line[: len(line) - len(text)]) if text else -1


def indent_width(blanks: str) -> int:
    """Return the width of leading white space in columns; a tab counts `TAB_WIDTH`."""
    return len(blanks) + (TAB_WIDTH - 1) * blanks.count("\t")


def render_indent(width: int, tabs: bool) -> str:
    """Return white space of `width` columns, with tabs where the file uses them."""
    width = max(width, 0)
    return "\t" * (width // TAB_WIDTH) + " " * (width % TAB_WIDTH) if tabs else " " * width


def newline_key(indent: int, previous_indent: int) -> EditToken:
    """Return the newline token of a line with `indent` columns after a visible line with `previous_indent`."""
    return EditToken(BLANK, 0) if indent < 0 else EditToken(f"\n{indent - previous_indent:+d}", 0)


def newline_delta(text: str) -> int | None:
    """Return the relative indentation of a newline token; None for that of a blank line.

    Raises ValueError for other tokens.
    """
    if text == BLANK:
        return None
    if not text.startswith("\n"):
        raise ValueError(f"not a newline token: {text!r}")
    return int(text[1:])


def previous_indent(lines: Sequence[str], line: int) -> int:
    """Return the indentation of the nearest line before `line` that is not blank, 0 at the top of the file."""
    for index in range(line - 1, -1, -1):
        indent = indent_of(lines[index])
        if indent >= 0:
            return indent
    return 0


def line_keys(lines: Sequence[str], first: int, last: int) -> list[list[EditToken]]:
    """Return the tokens of lines [first, last), the newline token of each line first."""
    before = previous_indent(lines, first)
    result: list[list[EditToken]] = []
    for line in lines[first:last]:
        tokens = lex_line(line)
        result.append([newline_key(tokens.indent, before), *(piece.key for piece in tokens.pieces)])
        if tokens.indent >= 0:
            before = tokens.indent
    return result


@cache_texts(65536)
def subwords(text: str) -> tuple[str, ...]:
    """Return at most four lower-cased sub-words of a camelCase or snake_case name: the first three and the last."""
    parts = tuple(part.lower() for part in _PART.findall(text))
    return parts if len(parts) <= 4 else (*parts[:3], parts[-1])
