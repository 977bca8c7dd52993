"""Examples of an edit: the tokens around a change before and after it, and which of them differ.

A line of a token stream opens with its newline token, which holds the relative indentation (see edit_tokens); behind
the last line stands a further newline token, END, so that every line ends with a newline token.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from editahead.encode.edit_model.history import indent_above, region_lines
from editahead.encode.edit_model.tokens import EditToken, lex_line, newline_key
from editahead.patterns.changes import NetChange
from editahead.text.buffer import Buffer
from editahead.text.memo import cache_texts

END = EditToken("\n", 0)
MAX_STREAMS = 1_000  # texts of which tokens are kept: the lines that the groups of a request search
_Tokens = tuple[
    tuple[EditToken, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[str, ...]
]  # as in TokenStream
MAX_TOKENS = 24
"""Most tokens that an example may delete, and most that it may insert; larger changes are not repeated by hand."""
MAX_LINES = 8
_LOOK_UP = 20


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


@dataclass(frozen=True, eq=False)
class TokenChange:
    """A change of a few lines: tokens [lo, old_hi) of `before` became tokens [lo, new_hi) of `after`.

    `tail` is the number of blanks that now stand before the token behind them; None where it did not change, unless
    tokens were only inserted: then it is always set, since an insertion at the start of a line moves that token.
    """

    before: TokenStream
    after: TokenStream
    lo: int
    old_hi: int
    new_hi: int
    tail: int | None

    @cached_property
    def old(self) -> tuple[EditToken, ...]:
        """The deleted tokens."""
        return self.before.keys[self.lo : self.old_hi]

    @cached_property
    def new(self) -> tuple[EditToken, ...]:
        """The inserted tokens."""
        return self.after.keys[self.lo : self.new_hi]


@dataclass(frozen=True, eq=False)
class Example:
    """An example of an edit: a `change` of tokens, with its position.

    `line` is its line in the document. The streams of the change have bytes of their own: a few lines around it,
    `offset` bytes into the document.
    """

    change: TokenChange
    offset: int
    line: int
    settled: bool

    @property
    def before(self) -> TokenStream:
        """The tokens before the change."""
        return self.change.before

    @property
    def after(self) -> TokenStream:
        """The tokens after the change."""
        return self.change.after

    @property
    def lo(self) -> int:
        """The first token that differs."""
        return self.change.lo

    @property
    def old_hi(self) -> int:
        """The end of the deleted tokens."""
        return self.change.old_hi

    @property
    def new_hi(self) -> int:
        """The end of the inserted tokens."""
        return self.change.new_hi

    @property
    def old(self) -> tuple[EditToken, ...]:
        """The deleted tokens."""
        return self.change.old

    @property
    def new(self) -> tuple[EditToken, ...]:
        """The inserted tokens."""
        return self.change.new

    @property
    def start(self) -> int:
        """The byte of the document at which the changed stretch begins, with the blanks before it."""
        return self.offset + self.after.ends[self.lo - 1]

    @property
    def first(self) -> int:
        """The byte of the document at which the first inserted token begins; `start` for a pure deletion."""
        return self.offset + self.after.starts[self.lo] if self.new_hi > self.lo else self.start


def example_of(buffer: Buffer, changes: Sequence[NetChange]) -> Example | None:
    """Return the changes (in text order) of a few neighbouring lines as a single example.

    None when no token differs, when they are too large to be repeated by hand, or in a line of data.
    """
    first, last = buffer.line_at(changes[0].start), buffer.line_at(changes[-1].end)
    size = sum(len(change.old) + change.end - change.start for change in changes)
    if last - first > MAX_LINES or size > 200 * MAX_TOKENS or any(map(buffer.is_data, range(first, last + 1))):
        return None
    top = _visible_above(buffer, first)
    base = int(buffer.line_starts[top])
    below = min(last + 1, buffer.line_count - 1)
    stop = buffer.line_span(last if buffer.is_data(below) else below)[1]
    after = buffer.data[base:stop]
    spans = tuple((change.start - base, change.end - base, change.old) for change in changes)
    what = _token_change(after, spans)
    if what is None:
        return None
    settled = all(change.settled for change in changes)
    line = first + after.count(b"\n", spans[0][0], what.after.starts[what.lo])
    return Example(what, base, line, settled)


@cache_texts(maxsize=64)
def _token_change(after: bytes, spans: tuple[tuple[int, int, bytes], ...]) -> TokenChange | None:
    """The tokens that differ in some lines; `spans`: where what stands now, and what stood there before."""
    before = _reverted(after, spans)
    if Buffer(before).line_count > 3 * MAX_LINES + _LOOK_UP:
        return None
    old, new = token_stream_of(before), token_stream_of(after)
    low = spans[0][0]
    old_end = low + len(before) - len(after) + (spans[-1][1] - low)
    head = _same_head(old, new, low)
    tail, blanks = _same_tail(old, new, head, old_end, spans[-1][1])
    old_hi, new_hi = len(old.keys) - tail, len(new.keys) - tail
    if blanks is None:
        head, old_hi, new_hi = _line_first(old, new, head, old_hi, new_hi)
    if old_hi == head and not new.texts[new_hi].startswith("\n"):
        blanks = new.keys[new_hi].gap
    if head < 1 or old_hi - head + new_hi - head == 0 or max(old_hi, new_hi) - head > MAX_TOKENS:
        return None
    return TokenChange(old, new, head, old_hi, new_hi, blanks)


def _visible_above(buffer: Buffer, line: int) -> int:
    """Return the nearest line above that is not blank (its tokens are context), at most _LOOK_UP lines away."""
    top = max(0, line - 1)
    while top > max(0, line - _LOOK_UP) and not buffer.line_bytes(top).strip():
        top -= 1
    return line if buffer.is_data(top) else top


def _reverted(data: bytes, spans: Sequence[tuple[int, int, bytes]]) -> bytes:
    parts: list[bytes] = []
    at = 0
    for start, end, old in spans:
        parts += [data[at:start], old]
        at = end
    return b"".join([*parts, data[at:]])


def _same_head(old: TokenStream, new: TokenStream, low: int) -> int:
    """Count the equal first tokens that end before byte `low`, where the texts begin to differ."""
    count = 0
    while (
        count < min(len(old.keys), len(new.keys)) - 1
        and old.keys[count] == new.keys[count]
        and old.ends[count] == new.ends[count] <= low
    ):
        count += 1
    return count


def _line_first(old: TokenStream, new: TokenStream, head: int, old_hi: int, new_hi: int) -> tuple[int, int, int]:
    """Shift the range of an inserted or deleted line so that it begins with its newline token.

    That is not `call() ⏎` before the next line, but `⏎ call()` behind the line before. Both read the same, and examples
    must agree.
    """
    grown, last = (new, new_hi) if old_hi == head else (old, old_hi)
    single = (old_hi == head) != (new_hi == head)
    if single and head > 1 and grown.texts[last - 1].startswith("\n") and grown.keys[head - 1] == grown.keys[last - 1]:
        return head - 1, old_hi - 1, new_hi - 1
    return head, old_hi, new_hi


def _same_tail(old: TokenStream, new: TokenStream, head: int, old_end: int, new_end: int) -> tuple[int, int | None]:
    """Count the equal last tokens behind the change; with the blanks before them where those changed."""
    count = 1  # the end of the lines
    while count < min(len(old.keys), len(new.keys)) - head:
        a, b = len(old.keys) - 1 - count, len(new.keys) - 1 - count
        if old.texts[a] != new.texts[b] or old.starts[a] < old_end or new.starts[b] < new_end:
            break
        count += 1
        if old.keys[a].gap != new.keys[b].gap:
            return count, new.keys[b].gap
    return count, None
