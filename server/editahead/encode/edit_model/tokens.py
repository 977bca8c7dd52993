r"""Lossless tokens for edit models: words, numbers, operators with the blanks before; newlines with indentation; ids.

The lexer reads a line at a time and is independent of the language: words inside strings and comments are tokens like
any other, broken code is no special case, and only the text of a line decides its tokens. A line's first token is its
newline token, whose text is `"\n"` and the indentation relative to the nearest earlier line that is not blank
(`"\n+4"`, `"\n+0"`); a blank line is the single token `"\n"`. Relative indentation makes the same edit look the
same at every depth.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.text.memo import cache_texts

BLANK = "\n"
TAB_WIDTH = 4
MAX_GAP = 2

_TOKEN = re.compile(
    r"[^\W\d]\w*|\d[\w.]*|\"\"\"|'''|/\*\*|/\*|\*/|\.\.\.|->|=>|==|!=|<=|>=|:=|\+=|-=|\*=|/=|\*\*|//|&&|\|\||::|\+\+|--|\S"
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
_WORD = re.compile(r"[^\W\d]\w*|\d[\w.]*")  # the words among the tokens
PAD, DELETE = "<pad>", "<del>"
SHAPES = ("<other>", "<name>", "<Name>", "<NAME>", "<number>", "<newline>", "<under_score>", "<long>")
SPECIALS = (PAD, DELETE, *SHAPES, "<S>", "<CUT>", "<E>")
DELETE_ID = 1
PART_BUCKETS = 4096
PARTS = 4
LOCAL_IDS = 512  # identities inside an instance; 0 is none (padding, DELETE)


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


def shape(text: str) -> str:
    """Return the class of a token outside the vocabulary."""
    head = text[0]
    if head == "\n":
        return "<newline>"
    if head.isdigit():
        return "<number>"
    if head == "_" or "_" in text[1:]:
        return "<NAME>" if text.isupper() else "<under_score>"
    if not head.isalpha():
        return "<other>"
    if len(text) > 1 and text.isupper():
        return "<NAME>"
    if head.isupper():
        return "<Name>"
    return "<long>" if len(text) > 12 else "<name>"


def part_ids(text: str) -> tuple[int, ...]:
    """Return the hash buckets 1..PART_BUCKETS of a token's sub-words, padded with 0 to PARTS numbers."""
    hashed = tuple(zlib.crc32(part.encode()) % PART_BUCKETS + 1 for part in subwords(text))
    return hashed + (0,) * (PARTS - len(hashed))


class EditVocab:
    """A fixed vocabulary: the special tokens, then frequent ones. Raises ValueError without the special ones."""

    def __init__(self, tokens: Sequence[str]) -> None:
        if tuple(tokens[: len(SPECIALS)]) != SPECIALS:
            raise ValueError("the vocabulary does not begin with the special tokens")
        self.tokens = tuple(tokens)
        self._ids = {token: number for number, token in enumerate(tokens)}
        self._parts: dict[str, tuple[int, ...]] = {}

    @classmethod
    def from_counts(cls, counts: Mapping[str, int], size: int) -> EditVocab:
        """Build a vocabulary of the `size` most frequent tokens, special ones included; ties in text order."""
        ranked = sorted((text for text in counts if text not in SPECIALS), key=lambda text: (-counts[text], text))
        return cls([*SPECIALS, *ranked[: size - len(SPECIALS)]])

    def __len__(self) -> int:
        return len(self.tokens)

    def id(self, text: str) -> int:
        """Return the class of a token: its own, or that of its shape."""
        number = self._ids.get(text)
        return self._ids[shape(text)] if number is None else number

    def parts(self, text: str) -> tuple[int, ...]:
        """Return `part_ids` of a token, cached; special tokens have none."""
        parts = self._parts.get(text)
        if parts is None:
            parts = (0,) * PARTS if text in SPECIALS else part_ids(text)
            if len(self._parts) > 200_000:
                self._parts.clear()
            self._parts[text] = parts
        return parts

    def features(self, texts: Iterable[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the classes [N] and sub-words [N, PARTS] of texts."""
        listed = list(texts)
        ids = np.fromiter((self.id(text) for text in listed), dtype=np.int64, count=len(listed))
        parts = np.asarray([self.parts(text) for text in listed], dtype=np.int64).reshape(len(listed), PARTS)
        return ids, parts
