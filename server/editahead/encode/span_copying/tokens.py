r"""Tokens of the span-copying model: tokenisation of a region, and text of rewritten tokens.

A token is its blanks and its text (`" x"`, `"x"`), so that spacing is copied and learnt like all else. A line begins
with a token of its own, `"\n"` and its indentation relative to the last line before it that is not blank (`"\n+4"`);
the first line is `"\n+0"`, whatever its depth. What a rewriting keeps keeps its bytes; only what it changes is written
anew.

Of the vocabulary, ids 0 to 3 are the padding, the unknown symbol and the two sentinels that wrap every sequence; then
come the listed tokens. A token that is not listed is read as any of `buckets` ids behind them, chosen by a checksum of
its text, so that two unknown names look different; it can be copied, never written. With no buckets it is read as UNK.
"""

from __future__ import annotations

import difflib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from editahead.encode.edit_model.tokens import BLANK, lex_line, newline_delta, newline_key, render_indent
from editahead.syntax.snapshot import SyntaxSnapshot

FIRST = "\n+0"


class RegionError(ValueError):
    """Invalid tokens of a region: the first is no line token, or a line token cannot be parsed."""


@dataclass(frozen=True)
class RegionTokens:
    r"""The tokens of a region.

    `texts` are the tokens, `spans` their characters [start, end) in the lines joined by `\n`, which they cover without
    gaps; `indent` is the depth of the first line in columns.
    """

    texts: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    text: str
    indent: int

    @classmethod
    def of(cls, lines: Sequence[str]) -> RegionTokens:
        """Tokenise lines (without line ends). A blank first line has depth 0."""
        texts: list[str] = []
        spans: list[tuple[int, int]] = []
        first = next((tokens.indent for line in lines if (tokens := lex_line(line)).indent >= 0), 0)
        before, at, end = first, 0, 0
        for number, line in enumerate(lines):
            tokens = lex_line(line)
            key = newline_key(tokens.indent, before)
            begin = at + (tokens.blank_chars if tokens.pieces else len(line))
            texts.append(key.text)
            spans.append((end, begin))
            end = begin
            for number_here, piece in enumerate(tokens.pieces):
                last = number_here + 1 == len(tokens.pieces)
                stop = at + (len(line) if last else piece.end)  # blanks at the end of a line belong to its last token
                word = line[piece.start : piece.end]
                texts.append(word if number_here else word.lstrip())
                spans.append((end, stop))
                end = stop
            if tokens.indent >= 0:
                before = tokens.indent
            at += len(line) + (number < len(lines) - 1)
        return cls(tuple(texts), tuple(spans), "\n".join(lines), first)

    def rewrite(self, texts: Sequence[str], *, tabs: bool = False) -> str:
        r"""Return the rewritten lines, joined by `\n`; kept tokens keep their characters. Raises RegionError."""
        depth = _depths(texts, self.indent)
        old_depth = _depths(self.texts, self.indent)
        pieces: list[str] = []
        matcher = difflib.SequenceMatcher(None, self.texts, texts, autojunk=False)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag == "equal":
                for i, j in zip(range(i1, i2), range(j1, j2), strict=True):
                    same_place = old_depth[i] == depth[j] and (i == 0) == (j == 0)
                    kept = same_place or not texts[j].startswith("\n")
                    pieces.append(self.text[slice(*self.spans[i])] if kept else _rendered(texts, j, depth, tabs))
            else:
                pieces += [_rendered(texts, j, depth, tabs) for j in range(j1, j2)]
        return "".join(pieces)


def _rendered(texts: Sequence[str], at: int, depth: Sequence[int], tabs: bool) -> str:
    if not texts[at].startswith("\n"):
        return texts[at]
    end = "\n" if at else ""  # the first line stands where it stood
    return end if texts[at] == BLANK else end + render_indent(depth[at], tabs)


def _depths(texts: Sequence[str], indent: int) -> list[int]:
    """Return the depth, in columns, of each token's line. Raises RegionError."""
    if not texts or not texts[0].startswith("\n"):
        raise RegionError("a region begins with a line token")
    depths: list[int] = []
    for text in texts:
        if text.startswith("\n"):
            try:
                indent = max(0, indent + (newline_delta(text) or 0))
            except ValueError:
                raise RegionError(f"not a line token: {text!r}") from None
        depths.append(indent)
    return depths


def line_texts(syntax: SyntaxSnapshot, first: int, last: int) -> list[str]:
    """Return the texts of lines [first, last), without their ends."""
    buffer = syntax.buffer
    return [buffer.line_text(line) for line in range(first, last)]


def token_counts(syntax: SyntaxSnapshot, first: int, last: int) -> list[int]:
    """Count the region tokens of each of lines [first, last)."""
    return [len(RegionTokens.of([line]).texts) for line in line_texts(syntax, first, last)]


def region_around(syntax: SyntaxSnapshot, first: int, last: int, limit: int) -> tuple[int, int] | None:
    """Return lines [low, high) around lines [first, last) that are rewritten together.

    They are those of the innermost function that holds them, if it has at most `limit` tokens; else lines above and
    below in turn, of that function (of the file outside any), up to `limit`. None when the lines alone have more.
    """
    buffer = syntax.buffer
    first = min(max(0, first), buffer.line_count - 1)
    last = min(max(last, first + 1), buffer.line_count)
    low, high = first, last
    if sum(token_counts(syntax, low, high)) > limit:
        return None
    top, bottom = _function(syntax, low, high) or (0, buffer.line_count)
    if bottom - top <= limit and sum(token_counts(syntax, top, bottom)) <= limit:
        return top, bottom
    remaining = limit - sum(token_counts(syntax, low, high))
    grown = True
    while grown:
        grown = False
        if low > top and (cost := token_counts(syntax, low - 1, low)[0]) <= remaining:
            low, remaining, grown = low - 1, remaining - cost, True
        if high < bottom and (cost := token_counts(syntax, high, high + 1)[0]) <= remaining:
            high, remaining, grown = high + 1, remaining - cost, True
    return _trimmed(syntax, low, high, first, last)


def _function(syntax: SyntaxSnapshot, first: int, last: int) -> tuple[int, int] | None:
    """Return the lines of the innermost function around lines [first, last), or None."""
    buffer = syntax.buffer
    start, end = buffer.line_span(first)
    text = buffer.data[start:end]
    start += len(text) - len(text.lstrip())
    for begin, stop in syntax.scopes_at(start):
        top, bottom = buffer.line_at(begin), buffer.line_at(stop)
        stop_line = bottom + (buffer.line_span(bottom)[0] < stop)
        if top <= first and stop_line >= last:
            return top, stop_line
    return None


def _trimmed(syntax: SyntaxSnapshot, low: int, high: int, first: int, last: int) -> tuple[int, int]:
    """Drop blank lines at either end, outside the requested lines."""
    lines = line_texts(syntax, low, high)
    while low < first and not lines[0].strip():
        low, lines = low + 1, lines[1:]
    while high > last and lines and not lines[-1].strip():
        high, lines = high - 1, lines[:-1]
    return low, high


PAD, UNK, START, END = 0, 1, 2, 3
SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")

Ids = npt.NDArray[np.int64]


class SpanVocabulary:
    """A vocabulary with `size` output ids and `inputs` input ids."""

    def __init__(self, tokens: Sequence[str], buckets: int = 0) -> None:
        """`tokens` are the listed tokens, most frequent first. ValueError if a token occurs twice."""
        self.tokens: tuple[str, ...] = (*SPECIAL, *tokens)
        self.buckets = buckets
        self._ids = {token: number for number, token in enumerate(self.tokens) if number >= len(SPECIAL)}
        if len(self._ids) != len(tokens):
            raise ValueError("a vocabulary names each token once")
        if buckets < 0:
            raise ValueError(f"buckets must be at least 0, found {buckets}")

    @property
    def size(self) -> int:
        """The number of output symbols, the four special ones included."""
        return len(self.tokens)

    def output_id(self, token: str) -> int:
        """Return the output id of a token; UNK if it is not listed."""
        return self._ids.get(token, UNK)

    def input_id(self, token: str) -> int:
        """Return the input id of a token."""
        listed_id = self._ids.get(token)
        if listed_id is not None:
            return listed_id
        return len(self.tokens) + zlib.crc32(token.encode("utf-8", "replace")) % self.buckets if self.buckets else UNK

    def wrap(self, tokens: Iterable[str]) -> Ids:
        """Return the input ids (N + 2,) of `<s> tokens </s>`."""
        return np.array([START, *map(self.input_id, tokens), END], np.int64)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON value for `from_json`."""
        return {"tokens": list(self.tokens[len(SPECIAL) :]), "buckets": self.buckets}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> SpanVocabulary:
        """Read what `to_json` returned. Raises ValueError for anything else."""
        tokens, buckets = value.get("tokens"), value.get("buckets", 0)
        if not isinstance(tokens, (list, tuple)) or not all(isinstance(token, str) for token in tokens):
            raise ValueError("a vocabulary needs tokens as a list of texts")
        if isinstance(buckets, bool) or not isinstance(buckets, int):
            raise ValueError(f"buckets must be a whole number, found {buckets!r}")
        return cls(list(tokens), buckets)
