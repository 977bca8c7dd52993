"""The context that a language model reads for a byte of a file: the file's head, then the lines up to the cursor.

The window depends on the cursor's line alone, so that the same text gives the same answer whatever was typed
before, and moves in steps of 100 lines, so that a typed line does not change what stands before it.

A jump, a paste or an opened file leaves up to 200 lines unread, which take ten times as long as all else. A completion
reads those next to the cursor; the window is read while nobody waits, and serves the next request.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from editahead.encode.language_model.encoder import detect_indent
from editahead.index.lexicon import lexicon_of
from editahead.runtime.language_model.model import LanguageModel, LmContext
from editahead.runtime.language_model.prediction import Prediction
from editahead.runtime.ort import Cancel
from editahead.suggest.gate import cheap_gates, first_failure
from editahead.suggest.types import Document
from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line, Token, TokenKind, names_of
from editahead.text.memo import beginning_with, cache_texts, kept_while_equal
from editahead.text.words import word_before

HEAD_LINES = 40  # imports and the first definitions
STEP_LINES = 100
AFTER_LINES = 100  # below the cursor
NEAREST = (60, 50)  # lines above and below the cursor that are read first where much is unread
ABOVE_LINES = 1000  # above the window, likewise, once a letter is typed
MOST_TOKENS = 1000  # of a line that is read
_BLOCK_LINES = 50
_BLOCKS_KEPT = 128
_SPANS_KEPT = 4
# Marks a line that has only begun, so that its indentation counts although no token follows yet.
_NOTHING = Token(TokenKind.OPERATOR, "", 0, 0)
READ_TOKENS = 250  # that a request lets the model read where the rest can be read afterwards
NEAR_LINES = 20  # below the last cursor line: the window is read but for a few lines


class CursorWindow(NamedTuple):
    """The lines around a cursor that are read: from `first` up to, and without, `last`; besides, the head of the file.

    `is_narrow`: more of them will be read, as soon as nobody waits.
    """

    first: int
    last: int
    is_narrow: bool = False

    @classmethod
    def around(cls, line: int) -> CursorWindow:
        """The window of a cursor line."""
        return cls(window_start(line), line + 1 + AFTER_LINES)

    @classmethod
    def nearest(cls, line: int) -> CursorWindow:
        """The lines next to a cursor line."""
        above, below = NEAREST
        return cls(max(window_start(line), line - above), line + 1 + below, is_narrow=True)


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
    window: CursorWindow

    @property
    def other_lines(self) -> list[Line]:
        """All lines in reach but the cursor's own."""
        return [*self.lines[:-1], *self.below]


def place_at(document: Document, byte: int, *, is_narrow: bool = False) -> CursorContext:
    """What the model reads at a byte offset, or, where that `is_narrow`, reads first."""
    syntax = document.syntax
    buffer = syntax.buffer
    line = buffer.line_at(byte)
    line_start, line_end = buffer.line_span(line)
    byte = min(max(byte, line_start), max(line_end, line_start))
    before = buffer.data[line_start:byte].decode("utf-8", "replace")
    prefix = name_before(syntax.language, before)
    start = byte - len(prefix.encode("utf-8"))
    window = CursorWindow.nearest(line) if is_narrow else CursorWindow.around(line)
    anchor = window.first
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
        read_lines(syntax, line + 1, window.last),
        window,
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


def names_nearby(
    syntax: SyntaxSnapshot, line: int, window: CursorWindow | None = None, *, far: bool, prefix: str = ""
) -> dict[str, int]:
    """Names outside what the model reads at a cursor line that begin with `prefix`, the nearest first.

    They stand below the cursor, and above its window too if `far`. `window`: as in its context, by default the whole.
    """
    window = window or CursorWindow.around(line)
    below = _first_lines(syntax.lines(line + 1, window.last))
    names = {name: line + 1 + at for name, at in beginning_with(below, prefix).items()}
    if window.is_narrow:
        blocks = _blocks_below(syntax, window.last, line + 1 + AFTER_LINES)
        for at, name in sorted((first, name) for block in blocks for name, first, _ in block.beginning_with(prefix)):
            names.setdefault(name, at)
    if far:
        blocks = _blocks_above(syntax, max(0, window_start(line) - ABOVE_LINES), window.first)
        lines = ((-last, name) for block in blocks for name, _, last in block.beginning_with(prefix))
        for at, name in sorted(lines):
            names.setdefault(name, -at)
    return names


def names_below(syntax: SyntaxSnapshot, line: int, prefix: str) -> set[str]:
    """Names that begin with `prefix` on the lines below a line, far ones included."""
    blocks = _blocks_below(syntax, line + 1 + AFTER_LINES, line + 1 + ABOVE_LINES)
    return {name for block in blocks for name, _, _ in block.beginning_with(prefix)}


class _Block(NamedTuple):
    """Far lines from `first` on: their names in order, each with its first and its last line from there."""

    first: int
    names: Sequence[tuple[str, int, int]]

    def beginning_with(self, prefix: str) -> Iterator[tuple[str, int, int]]:
        """The names with a prefix, with lines of the file."""
        for name, first, last in islice(self.names, bisect_left(self.names, (prefix,)), None):
            if not name.startswith(prefix):
                return
            yield name, self.first + first, self.first + last


def _blocks_above(syntax: SyntaxSnapshot, first: int, last: int) -> list[_Block]:
    """Blocks of lines that cover [first, last), counted from the start of the file, so that edits below keep them."""
    edges = range(first // _BLOCK_LINES * _BLOCK_LINES, last, _BLOCK_LINES)
    return [_block(syntax, edge, min(edge + _BLOCK_LINES, last)) for edge in edges]


def _blocks_below(syntax: SyntaxSnapshot, first: int, last: int) -> list[_Block]:
    """Blocks of lines that cover [first, last), counted from the end of the file, so that edits above keep them."""
    count = syntax.buffer.line_count
    last = min(last, count)
    edges = range(first + (count - first) % _BLOCK_LINES, last + _BLOCK_LINES, _BLOCK_LINES)
    return [_block(syntax, max(first, edge - _BLOCK_LINES), min(edge, last)) for edge in edges]


def _block(syntax: SyntaxSnapshot, first: int, last: int) -> _Block:
    buffer = syntax.buffer
    if first >= last:
        return _Block(first, ())
    return _Block(
        first, _lexed(buffer.data[buffer.line_span(first)[0] : buffer.line_span(last - 1)[1]], syntax.language)
    )


@cache_texts(_BLOCKS_KEPT)
def _lexed(data: bytes, language: Language) -> Sequence[tuple[str, int, int]]:
    """The names of a text with the first and the last line of each, sorted, by a lexer: far lines need no tree."""
    lexicon, lines, line, counted = lexicon_of(language), dict[str, tuple[int, int]](), 0, 0
    if lexicon is None:
        return ()
    for match in lexicon.pattern.finditer(data):
        if match.lastindex is None or match[1] in lexicon.keywords:
            continue
        line, counted = line + data.count(b"\n", counted, match.start()), match.start()
        name = match[1].decode("utf-8", "replace")
        lines[name] = (lines[name][0] if name in lines else line, line)
    return sorted((name, *span) for name, span in lines.items())


@kept_while_equal(_SPANS_KEPT)
def _first_lines(lines: list[Line]) -> dict[str, int]:
    """The names of some lines, each with the number of its first line, from 0; remembered from key to key."""
    names = dict[str, int]()
    for number, tokens in enumerate(lines):
        for name in names_of(tokens) if len(tokens) <= MOST_TOKENS else ():  # as `read_lines`
            names.setdefault(name, number)
    return names


def _line_until(syntax: SyntaxSnapshot, line: int, column: int, before: str) -> Line:
    tokens = tuple(token for token in syntax.line_tokens(line) if token.end <= column)
    if not tokens or tokens[0].kind is not TokenKind.NEWLINE:
        if before.strip():
            return tokens
        # A line with nothing but indentation has no tokens yet: the cursor's column is its indentation.
        return (Token(TokenKind.NEWLINE, before, 0, len(before)), _NOTHING)
    return (*tokens, _NOTHING) if len(tokens) == 1 else tokens


class Reading(NamedTuple):
    """What was read of a cursor's window: the states of its last lines. `skipped` lines before them are unread."""

    context: LmContext
    cursor: CursorContext
    skipped: int = 0

    @property
    def has_unread(self) -> bool:
        """Whether only a part of the window was read."""
        return self.skipped > 0 or self.cursor.window.is_narrow

    def line_of(self, step: int) -> int:
        """The line of the file on which a step stands."""
        return self.cursor.numbers[self.skipped + self.context.encoder.origins[step]]

    def evicted_names(self, prediction: Prediction) -> dict[str, int]:
        """The names of the window that the pointer cannot copy, each with its last line."""
        evicted = self.context.evicted_names(prediction)
        lines = {name: self.cursor.numbers[self.skipped + at] for name, at in evicted.items()}
        for at in reversed(range(self.skipped)):
            for name in names_of(self.cursor.lines[at]):
                if name not in lines and name not in prediction.copies:
                    lines[name] = self.cursor.numbers[at]
        return lines


def place_to_read(model: LanguageModel, document: Document, byte: int) -> CursorContext:
    """The context of a cursor: its window, or the nearest lines where the window is unread."""
    if not document.reads_nearest_first:
        return place_at(document, byte)
    buffer = document.syntax.buffer
    line, read = buffer.line_at(byte), model.context(document.uri, detect_indent(buffer.data)).cursor_line
    is_read = read is not None and window_start(line) == window_start(read) and line <= read + NEAR_LINES
    return place_at(document, byte, is_narrow=not is_read)


def read_cursor(model: LanguageModel, document: Document, cursor: CursorContext, cancel: Cancel) -> Reading:
    """Let the model read the context of a cursor, or its last lines. Raises Cancelled and InferenceError."""
    context = model.context(document.uri, cursor.indent_unit)
    skipped = _count_skipped(context, cursor) if document.reads_nearest_first else 0
    if skipped or cursor.window.is_narrow:
        context.nearest.extend_to(cursor.lines[skipped:], cancel)
        context.nearest.look_below(cursor.below)
        return Reading(context.nearest, cursor, skipped)
    context.extend_to(cursor.lines, cancel)
    context.look_below(cursor.below)
    context.cursor_line = cursor.line
    return Reading(context, cursor)


def read_window(model: LanguageModel, document: Document, byte: int, cancel: Cancel) -> None:
    """Let the model read the window of a cursor. Raises Cancelled and InferenceError; what it has read stays read."""
    if first_failure(cheap_gates(document, byte)) is None:
        cursor = place_at(document, byte)
        context = model.context(document.uri, cursor.indent_unit)
        context.extend_by_slices(cursor.lines, cancel)
        context.cursor_line = cursor.line


def _count_skipped(context: LmContext, cursor: CursorContext) -> int:
    """How many lines of a context the model leaves unread, the first ones; 0 where it can read all that is unread."""
    lines = cursor.lines
    if not cursor.window.is_narrow and context.count_unread(lines) <= READ_TOKENS:
        return 0
    first, tokens = len(lines) - 1, len(lines[-1])
    while first > 0 and tokens + len(lines[first - 1]) <= READ_TOKENS:
        first -= 1
        tokens += len(lines[first])
    return first
