r"""Immutable texts as UTF-8 bytes, with line starts that are updated incrementally.

Line ends are those of LSP: `\r\n`, `\n`, `\r` and nothing else; form feed, U+0085 and U+2028 are plain
characters (LSP 3.17, "Text Documents").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from editahead.text.edits import ByteEdit

LineStarts = npt.NDArray[np.int64]

MAX_LINE_BYTES = 10_000
"""Bytes; a longer line counts as data: it is synchronised, but nothing is predicted or repeated in it."""
_BOM = b"\xef\xbb\xbf"
_SURROGATE = re.compile("[\ud800-\udfff]")
_LF, _CR = 10, 13


def encode_text(text: str) -> bytes:
    """Encode `text` as UTF-8. Never raises: a lone surrogate becomes U+FFFD, also a single UTF-16 unit."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode("utf-8")


def decode_file(raw: bytes) -> bytes:
    """Convert bytes from disk to valid UTF-8. Never raises: invalid bytes become U+FFFD, a leading BOM is dropped.

    Both are what editors do when they open the file, so that their positions and ours agree.
    """
    raw = raw.removeprefix(_BOM)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace").encode("utf-8")
    return raw


@dataclass(frozen=True)
class Buffer:
    """An immutable text. `data` is valid UTF-8 (`from_text` and `from_bytes` ensure it). Offsets are bytes."""

    data: bytes

    @classmethod
    def from_text(cls, text: str) -> Buffer:
        """Create a buffer from a text that an editor sent; see `encode_text`."""
        return cls(encode_text(text))

    @classmethod
    def from_bytes(cls, raw: bytes) -> Buffer:
        """Create a buffer from the contents of a file; see `decode_file`."""
        return cls(decode_file(raw))

    def __len__(self) -> int:
        return len(self.data)

    def __getstate__(self) -> dict[str, bytes]:
        """Only the text: derived values are computed again in the other process."""
        return {"data": self.data}

    def __setstate__(self, state: dict[str, bytes]) -> None:
        self.__dict__.update(state)

    def __repr__(self) -> str:
        return f"Buffer({len(self.data)} bytes)"

    @cached_property
    def text(self) -> str:
        """The text, decoded once."""
        return self.data.decode("utf-8", "replace")

    @cached_property
    def line_starts(self) -> LineStarts:
        """The byte offset at which each line starts; the first is 0. Read-only. Offsets (L,)."""
        starts_after_ends = _starts_within(self.data, 0, len(self.data))
        starts = np.empty(len(starts_after_ends) + 1, dtype=np.int64)
        starts[0] = 0
        starts[1:] = starts_after_ends
        return _frozen(starts)

    @cached_property
    def _starts(self) -> memoryview[int]:
        """`line_starts` for single look-ups, which take numpy more than twice as long."""
        return memoryview(self.line_starts)  # type: ignore[arg-type]

    @cached_property
    def lone_cr_count(self) -> int:
        r"""The number of lines that end with `\r` alone, which tree-sitter does not count as rows."""
        if b"\r" not in self.data:
            return 0
        return self.data.count(b"\r") - self.data.count(b"\r\n")

    @property
    def line_count(self) -> int:
        """The number of lines, including the empty line after a final line end; never 0."""
        return len(self.line_starts)

    def line_at(self, byte: int) -> int:
        """Return the zero-based line of a byte; offsets out of range are clamped."""
        return max(0, bisect_right(self._starts, byte) - 1)

    def is_data(self, line: int) -> bool:
        """Whether a line is longer than LONGEST_LINE."""
        start, end = self.line_span(line)
        return end - start > MAX_LINE_BYTES

    def line_span(self, line: int) -> tuple[int, int]:
        """Return start and end of a line, without its line end. Raises IndexError."""
        starts = self._starts
        if not 0 <= line < len(starts):
            raise IndexError(f"line {line} of a text with {len(starts)} lines")
        start = starts[line]
        if line + 1 == len(starts):
            return start, len(self.data)
        end = starts[line + 1] - 1
        if end > start and self.data[end] == _LF and self.data[end - 1] == _CR:
            end -= 1
        return start, end

    def line_bytes(self, line: int) -> bytes:
        """Return the bytes of a line, without its line end. Raises IndexError."""
        start, end = self.line_span(line)
        return self.data[start:end]

    def line_text(self, line: int) -> str:
        """Return the text of a line, without its line end. Raises IndexError."""
        return self.line_bytes(line).decode("utf-8", "replace")

    def point(self, byte: int) -> tuple[int, int]:
        r"""Return row and column (bytes) as tree-sitter counts them: only `\n` ends a row."""
        byte = min(max(byte, 0), len(self.data))
        if self.lone_cr_count:
            return self.data.count(b"\n", 0, byte), byte - 1 - self.data.rfind(b"\n", 0, byte)
        line = self.line_at(byte)
        return line, byte - self._starts[line]

    def apply(self, edit: ByteEdit) -> Buffer:
        """Return the buffer after `edit`. Raises ValueError when the edit reaches past the end.

        Cached line starts are carried over: only the inserted bytes and their neighbours are scanned again.
        """
        after = Buffer(edit.apply(self.data))
        cached = self.__dict__
        if "line_starts" in cached:
            after.__dict__["line_starts"] = _spliced(self.line_starts, edit, after.data)
        if "lone_cr_count" in cached:
            after.__dict__["lone_cr_count"] = self.lone_cr_count + _lone_cr_delta(self.data, edit, after.data)
        return after


def rescan_window(edit: ByteEdit, size: int) -> tuple[int, int]:
    """Return the range of the text after `edit` (`size` long) to scan again: the edit and a byte on either side."""
    return max(edit.start - 1, 0), min(edit.new_end + 1, size)


def _starts_within(data: bytes, low: int, high: int) -> LineStarts:
    r"""Find the line starts in bytes [low, high); a `\r` at `high` - 1 counts, whatever follows it."""
    window = np.frombuffer(data, dtype=np.uint8, count=high - low, offset=low)
    ends = window == _LF
    if data.find(b"\r", low, high) >= 0:
        returns = window == _CR
        returns[:-1] &= ~ends[1:]
        ends |= returns
    return np.flatnonzero(ends) + (low + 1)


def _spliced(starts: LineStarts, edit: ByteEdit, after: bytes) -> LineStarts:
    """Compute the line starts of `after` from those of the text before `edit`.

    A start at `s` depends on the bytes s-1 and s alone, so starts before the edit stay, those after it shift,
    and those in [edit.start, edit.old_end] are computed again.
    """
    first = max(edit.start, 1)
    keep = int(starts.searchsorted(first, "left"))
    drop = max(keep, int(starts.searchsorted(edit.old_end, "right")))
    low, high = rescan_window(edit, len(after))
    inserted = _starts_within(after, low, high)
    inserted = inserted[(inserted >= first) & (inserted <= edit.new_end)]
    result = np.empty(keep + len(inserted) + len(starts) - drop, dtype=np.int64)
    result[:keep] = starts[:keep]
    result[keep : keep + len(inserted)] = inserted
    np.add(starts[drop:], edit.delta, out=result[keep + len(inserted) :])
    return _frozen(result)


def _lone_cr_delta(before: bytes, edit: ByteEdit, after: bytes) -> int:
    r"""Return the change in the number of lone `\r`, counted over the changed bytes and a byte on either side."""
    low, high = rescan_window(edit, len(after))
    old = before[low : min(edit.old_end + 1, len(before))]
    new = after[low:high]
    return (new.count(b"\r") - new.count(b"\r\n")) - (old.count(b"\r") - old.count(b"\r\n"))


def _frozen(starts: LineStarts) -> LineStarts:
    starts.setflags(write=False)
    return starts
