r"""Tokens of the span-copying model: tokenisation of a region, and text of rewritten tokens.

A token is its blanks and its text (`" x"`, `"x"`), so that spacing is copied and learnt like all else. A line begins
with a token of its own, `"\n"` and its indentation relative to the last line before it that is not blank (`"\n+4"`);
the first line is `"\n+0"`, whatever its depth. What a rewriting keeps keeps its bytes; only what it changes is written
anew.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from editahead.encode.edit_model.tokens import BLANK, lex_line, newline_delta, newline_key, render_indent

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
