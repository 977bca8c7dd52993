r"""Token streams: the tokens of a range of lines with their byte ranges, from the lexer of the edit models.

A line opens with its newline token (`"\n+4"`, relative indentation; see edit_tokens); behind the last line stands a
further newline token, END, so that every line ends with a newline token.
"""

from __future__ import annotations

from dataclasses import dataclass

from editahead.encode.edit_model.history import indent_above, region_lines
from editahead.encode.edit_model.tokens import EditToken, lex_line, newline_key
from editahead.text.buffer import Buffer
from editahead.text.memo import cache_texts

END = EditToken("\n", 0)
MAX_STREAMS = 1_000  # texts of which tokens are kept: the lines that the groups of a request search
_Tokens = tuple[
    tuple[EditToken, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[str, ...]
]  # as in TokenStream


@dataclass(frozen=True, eq=False)
class TokenStream:
    """Tokens with byte offsets: `starts[k]` is the first visible byte of token k, `ends[k]` the byte behind it.

    The blanks of token k, and all of a newline token, lie between `ends[k - 1]` and `starts[k]`; a newline token is
    empty at `starts[k]`. `indents[k]` is the indentation (columns) of the line that token k stands on.
    """

    data: bytes
    keys: tuple[EditToken, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    indents: tuple[int, ...]
    texts: tuple[str, ...]

    def raw(self, index: int) -> bytes:
        """Return the bytes of a token without its blanks."""
        return self.data[self.starts[index] : self.ends[index]]

    def blanks(self, index: int) -> bytes:
        """Return the bytes between the previous token and this."""
        return self.data[self.ends[index - 1] if index else self.starts[0] : self.starts[index]]


@cache_texts(maxsize=64)
def token_stream_of(data: bytes) -> TokenStream:
    """Return the tokens of a short text."""
    buffer = Buffer(data)
    return token_stream(buffer, 0, buffer.line_count)


def token_stream(buffer: Buffer, first: int, last: int) -> TokenStream:
    """Return the tokens of lines [first, last), as far as they exist."""
    first, last = max(0, first), min(last, buffer.line_count)
    above, base, text = indent_above(buffer, first), 0, None
    if first < last:
        base = buffer.line_span(first)[0]
        text = buffer.data[base : buffer.line_span(last - 1)[1]]
    keys, starts, ends, indents, texts = _tokens_of(text, above)
    if base:
        starts, ends = tuple([base + start for start in starts]), tuple([base + end for end in ends])
    return TokenStream(buffer.data, keys, starts, ends, indents, texts)


@cache_texts(maxsize=MAX_STREAMS)
def _tokens_of(data: bytes | None, before: int) -> _Tokens:
    """Return the tokens of a text, or none, with offsets in it; `before` is the indentation of the line above."""
    keys: list[EditToken] = []
    starts: list[int] = []
    ends: list[int] = []
    indents: list[int] = []
    buffer = Buffer(data or b"")
    at = 0
    for line in range(buffer.line_count if data is not None else 0):
        text = region_lines(buffer, line, line + 1)[0]
        tokens = lex_line(text)
        begin, end = buffer.line_span(line)
        at = begin + tokens.blank_chars if tokens.pieces else end
        keys.append(newline_key(tokens.indent, before))
        starts.append(at)
        ends.append(at)
        before = tokens.indent if tokens.indent >= 0 else before
        indents.append(before)
        plain = text.isascii()
        for piece in tokens.pieces:
            at = begin + (piece.end if plain else len(text[: piece.end].encode()))
            keys.append(piece.key)
            starts.append(at - len(piece.key.text.encode()))
            ends.append(at)
            indents.append(before)
    keys.append(END)
    starts.append(at)
    ends.append(at)
    indents.append(before)
    texts = tuple(key.text for key in keys)
    return tuple(keys), tuple(starts), tuple(ends), tuple(indents), texts
