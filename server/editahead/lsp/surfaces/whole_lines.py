"""Next edits as replacements of whole lines, with the line ends of the file, as clients expect them."""

from __future__ import annotations

from itertools import pairwise

from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import in_own_line_ends


def whole_line_edit(buffer: Buffer, edit: ByteEdit) -> ByteEdit | None:
    """Widen an edit to whole lines; None when it changes nothing.

    Unchanged lines above and below are excluded. So a pure insertion of lines has no width and
    stands at the start of a line, with text that ends a line; behind a last line without a line end it stands
    at that line's end, with text that begins with a line end.
    """
    data = buffer.data
    edit = in_own_line_ends(edit, data)
    start = buffer.line_at(edit.start)
    end = buffer.line_at(edit.old_end) + 1
    first = int(buffer.line_starts[start])
    last = int(buffer.line_starts[end]) if end < buffer.line_count else len(data)
    old = _lines(data[first:last])
    new = _lines(data[first : edit.start] + edit.new + data[edit.old_end : last])
    while old and new and old[0] == new[0]:
        first += len(old[0])
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        last -= len(old[-1])
        del old[-1], new[-1]
    if not old and not new:
        return None
    if len(old) == 1 and last == len(data) and new and _bare(new[0]) == old[0] and len(new[0]) > len(old[0]):
        return ByteEdit(last, last, new[0][len(old[0]) :] + b"".join(new[1:]))
    return ByteEdit(first, last, b"".join(new))


def _bare(line: bytes) -> bytes:
    return line.rstrip(b"\r\n")


def _lines(data: bytes) -> list[bytes]:
    """Split at LSP's line ends, which the lines keep."""
    starts = [*Buffer(data).line_starts.tolist(), len(data)]
    return [data[a:b] for a, b in pairwise(starts) if b > a]
