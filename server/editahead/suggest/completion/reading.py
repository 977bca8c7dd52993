"""What is read for a completion: the window of the cursor, or behind a jump the nearest lines alone.

A jump, a paste or an opened file leaves up to 200 lines unread, which take ten times as long as all else. A request
reads those next to the cursor; the window is read while nobody waits, and serves the next request.
"""

from __future__ import annotations

from typing import NamedTuple

from editahead.encode.language_model.encoder import detect_indent
from editahead.runtime.language_model.model import LanguageModel, LmContext
from editahead.runtime.language_model.prediction import Prediction
from editahead.runtime.ort import Cancel
from editahead.suggest.context import CursorContext, place_at, window_start
from editahead.suggest.gate import cheap_gates, first_failure
from editahead.suggest.types import Document
from editahead.syntax.tokens import names_of

READ_TOKENS = 250  # that a request lets the model read where the rest can be read afterwards
NEAR_LINES = 20  # below the last cursor line: the window is read but for a few lines


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
