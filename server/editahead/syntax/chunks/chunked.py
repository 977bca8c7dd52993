"""Large files: a row of small snapshots, cut between top-level items, so that a key costs what its surroundings cost.

tree-sitter's incremental parse is quick while a single token changes in whole code. A new line, or a line that is not
finished yet, costs it half a full parse (98 of 173 ms in 50,000 lines of Python), and its tree costs memory. A file
that is larger than LARGE_LINES or LARGE_BYTES is therefore cut where its language says (`Language.cut`), and only the
chunks that are requested are parsed, each on its own. Tokens count from their line's start, so they are the same.

Within a chunk the tree is that of a file which holds nothing else: a comment or string that an edit leaves open ends
with its chunk, and does not turn the rest of the file upside down. An edit at the edge joins two chunks again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from operator import attrgetter

import tree_sitter

from editahead.syntax.interrupt import ParseTooLong, parse
from editahead.syntax.language import Language
from editahead.syntax.snapshot import COUNTED, Region, SyntaxSnapshot
from editahead.syntax.tokens import Line
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

CHUNK_LINES = 300  # a chunk ends at the first cut after so many lines
_SIZE, _LINE_ENDS = attrgetter("size"), attrgetter("line_ends")
LARGE_BYTES = 1 << 18  # and where there is none in so many bytes, at a line end: a quarter of a second for the parser
LARGE_LINES = 1500
_MAX_UNREAD_EDITS = 200  # edits without a request between them; with more, the file is cut again


class Chunk:
    """A stretch of the file. `origins`: what it was cut as, to know the errors that were there before any edit."""

    __slots__ = ("line_ends", "origins", "size", "snapshot", "touched")

    def __init__(self, snapshot: SyntaxSnapshot, origins: tuple[SyntaxSnapshot, ...]) -> None:
        self.snapshot = snapshot
        self.origins = origins
        self.size = len(snapshot.buffer.data)
        self.line_ends = snapshot.line_count - 1
        self.touched = len(origins) != 1 or origins[0] is not snapshot  # whether an edit fell into it

    @property
    def data(self) -> bytes:
        """Its text."""
        return self.snapshot.buffer.data

    def new_errors(self, *, with_lines: bool = True) -> int:
        """Errors beyond those that it was cut with; `with_lines` as in `error_count`."""
        if not self.touched:
            return 0
        before = sum(origin.error_count() for origin in self.origins)
        return self.snapshot.error_count(with_lines=with_lines) - before


class ChunkRow:
    """All chunks of a version, with the byte where each begins."""

    def __init__(self, chunks: Sequence[Chunk], before: ChunkRow | None = None) -> None:
        """`before`: the chunks of an earlier version, whose counts serve where the two are cut alike."""
        self.chunks = tuple(chunks)
        self.first_bytes = _begins(chunks)
        self._counts: dict[int, list[int]] = {}  # by hash: texts of other documents are counted here too, and not kept
        self._counts_before: dict[int, list[int]] = {}
        self._changed: list[int] = []  # chunks that the earlier version does not have
        if before is not None and len(before.chunks) == len(self.chunks):
            pairs = zip(self.chunks, before.chunks, strict=True)
            self._changed = [number for number, (chunk, was) in enumerate(pairs) if chunk is not was]
            self._counts_before = before._counts

    def counts(self, text: bytes) -> list[int]:
        """How often some bytes without a line end stand in each chunk; only chunks that changed are read again."""
        key = hash(text)
        counts = self._counts.get(key)
        if counts is None:
            before = self._counts_before.get(key)
            if before is None:
                counts = [chunk.snapshot.count(text) for chunk in self.chunks]
            else:
                counts = before.copy()
                for number in self._changed:
                    counts[number] = self.chunks[number].snapshot.count(text)
            if len(self._counts) >= COUNTED:
                self._counts.clear()
            self._counts[key] = counts
        return counts

    @cached_property
    def first_lines(self) -> list[int]:
        """The line where each chunk begins."""
        # every chunk but the last ends with a line end, behind which its own buffer sees another line
        return [0, *accumulate(map(_LINE_ENDS, self.chunks))][: len(self.chunks)]

    def at(self, byte: int) -> int:
        """The number of the chunk that holds a byte; of two that meet there, the second."""
        return max(0, bisect_right(self.first_bytes, byte) - 1)


def _begins(chunks: Sequence[Chunk]) -> list[int]:
    return [0, *accumulate(map(_SIZE, chunks))][: len(chunks)]


def cut_chunks(data: bytes, language: Language, lines: int) -> Iterator[Chunk]:
    """The chunks of a text, each of at least `lines` lines."""
    begin = 0
    for end in (*_cuts(data, language, lines), len(data)):
        if end > begin or not data:
            yield _fresh(data[begin:end], language)
        begin = end


def _fresh(data: bytes, language: Language) -> Chunk:
    snapshot = SyntaxSnapshot.open(Buffer(data), language)
    return Chunk(snapshot, (snapshot,))


def _cuts(data: bytes, language: Language, lines: int) -> Iterator[int]:
    """Byte offsets where the file is cut: at the first possible position after so many lines."""
    if language.cut is None:
        return
    counted = passed = last = 0  # bytes, and the line ends in them since the last cut
    for at in language.cut.cuts(data, LARGE_BYTES):
        passed += data.count(b"\n", counted, at)
        counted = at
        if passed >= lines or at - last > LARGE_BYTES:
            yield at
            passed, last = 0, at


def apply_to_chunks(chunks: list[Chunk], edit: ByteEdit, language: Language) -> None:
    """Replace the chunks that an edit touches; neighbours join where it touches the edge between them."""
    begins = _begins(chunks)
    first = bisect_right(begins, edit.start) - 1
    last = max(first, bisect_right(begins, edit.old_end) - 1)
    head = chunks[first].snapshot.buffer
    if first > 0 and edit.start - begins[first] <= head.line_span(0)[1]:
        first -= 1  # what is typed before an item may belong to the item above it
    local = ByteEdit(edit.start - begins[first], edit.old_end - begins[first], edit.new)
    if first == last:
        old = chunks[first]
        chunks[first] = Chunk(old.snapshot.advance(old.snapshot.buffer.apply(local), [local]), old.origins)
        grown = chunks[first].snapshot.line_count
        if grown > 4 * CHUNK_LINES and grown > 2 * sum(origin.line_count for origin in old.origins):
            chunks[first : first + 1] = list(cut_chunks(chunks[first].data, language, CHUNK_LINES))
        return
    joined = Buffer(b"".join(chunk.data for chunk in chunks[first : last + 1])).apply(local)
    origins = tuple(origin for chunk in chunks[first : last + 1] for origin in chunk.origins)
    chunks[first : last + 1] = [Chunk(SyntaxSnapshot.open(joined, language), origins)]


Edits = tuple[ByteEdit, ...]


class ChunkedSnapshot(SyntaxSnapshot):
    """A snapshot of a large file, cut at the first request.

    `error_count` counts what edits added: enough to compare two versions.
    """

    __slots__ = ("_chunk_lines", "_count", "_origin", "_row", "_since")

    def __init__(
        self, buffer: Buffer, language: Language, chunk_lines: int, origin: ChunkedSnapshot | None, since: Edits
    ) -> None:
        super().__init__(buffer, language, None, ())
        self._count = buffer.line_count
        self._chunk_lines = chunk_lines
        self._row: ChunkRow | None = None
        self._origin = origin  # an earlier version, whose chunks serve when it has been cut, and the edits since then
        self._since = since

    @classmethod
    def cut(cls, buffer: Buffer, language: Language, lines: int = CHUNK_LINES) -> ChunkedSnapshot:
        """A file's first version, in chunks of at least `lines` lines."""
        return cls(buffer, language, lines, None, ())

    def advance(self, buffer: Buffer, edits: Sequence[ByteEdit]) -> SyntaxSnapshot:
        """The next version; see SyntaxSnapshot.advance. Raises ValueError as that does."""
        if len(buffer.data) != len(self.buffer.data) + sum(edit.delta for edit in edits):
            raise ValueError("advance: the edits do not lead to the given buffer")
        since, origin = self._since, self._origin  # in this order: an origin that is there comes with all of its edits
        if self._row is not None or origin is None:
            origin, since = self, ()
        if len(since) + len(edits) > _MAX_UNREAD_EDITS:
            origin, since, edits = None, (), ()
        return ChunkedSnapshot(buffer, self.language, self._chunk_lines, origin, (*since, *edits))

    @property
    def _chunks(self) -> tuple[Chunk, ...]:
        return self._cut_row().chunks

    def _cut_row(self) -> ChunkRow:
        row = self._row
        if row is None:
            origin = self._origin
            origin_row = origin._row if origin is not None else None
            if origin_row is None:
                row = ChunkRow(list(cut_chunks(self.buffer.data, self.language, self._chunk_lines)))
            else:
                chunks = list(origin_row.chunks)
                for edit in self._since:
                    apply_to_chunks(chunks, edit, self.language)
                row = ChunkRow(chunks, origin_row)
            self._row = row
            self._origin = None
            self._since = ()
        return row

    def chunk_snapshots(
        self, names: Collection[bytes] | None = None, near: Collection[int] = ()
    ) -> list[tuple[int, SyntaxSnapshot]]:
        """The snapshots of chunks, each with the byte where it begins: of all, or of those that hold a name or a byte.

        A byte between two chunks is at both.
        """
        row = self._cut_row()
        if names is None:
            return [(first, chunk.snapshot) for first, chunk in zip(row.first_bytes, row.chunks, strict=True)]
        return [(row.first_bytes[number], row.chunks[number].snapshot) for number in self.chunk_numbers(names, near)]

    def chunk_numbers(self, names: Collection[bytes], near: Collection[int]) -> list[int]:
        """The numbers of the chunks that hold a name or a byte, in order."""
        row = self._cut_row()
        wanted = {number for byte in near for number in (row.at(byte - 1), row.at(byte)) if byte >= 0}
        for name in names:
            wanted.update(number for number, count in enumerate(row.counts(name)) if count)
        return sorted(wanted)

    def replaced_chunks(self, old: ChunkedSnapshot) -> list[tuple[int, int, int, SyntaxSnapshot]] | None:
        """The snapshots of chunks that an older version has with another text, None where the two are not cut alike.

        Each with the first byte and the size there, and the first byte here.
        """
        before, after = old._cut_row(), self._cut_row()
        if len(before.chunks) != len(after.chunks):
            return None
        return [
            (before.first_bytes[number], was.size, after.first_bytes[number], chunk.snapshot)
            for number, (chunk, was) in enumerate(zip(after.chunks, before.chunks, strict=True))
            if chunk is not was
        ]

    def count(self, text: bytes) -> int:
        """How often some bytes stand in the text, without overlaps; remembered for a few of them."""
        return super().count(text) if b"\n" in text else sum(self._cut_row().counts(text))

    def parts_with(self, text: bytes) -> list[tuple[int, bytes]]:
        """The chunks that contain some bytes of a single line, each with its first byte."""
        return [(first, part.buffer.data) for first, part in self.chunk_snapshots((text,))]

    def has_line(self, stripped: bytes) -> bool:
        """Whether a line consists of some bytes, blanks around them aside."""
        return any(chunk.snapshot.has_line(stripped) for chunk in self._chunks)

    @property
    def tree(self) -> tree_sitter.Tree:
        """The whole file's tree. Parsed anew and not kept: what works on large files asks for lines instead."""
        try:
            return parse(self.language.grammar(), self.buffer.data)
        except ParseTooLong:
            return parse(self.language.grammar(), b"")

    def line_tokens(self, line: int) -> Line:
        """Tokens that start on a line (zero-based); empty for blank lines and outside the file."""
        if not 0 <= line < self._count:
            return ()
        row = self._cut_row()
        number = bisect_right(row.first_lines, line) - 1
        return row.chunks[number].snapshot.line_tokens(line - row.first_lines[number])

    def lines(self, first: int, last: int) -> list[Line]:
        """`line_tokens` of lines [first, last), as far as they exist."""
        first, last = max(0, first), min(last, self._count)
        lines: list[Line] = []
        row = self._cut_row()
        number = bisect_right(row.first_lines, first) - 1
        while first < last:
            end = row.first_lines[number + 1] if number + 1 < len(row.chunks) else last
            begin = row.first_lines[number]
            lines += row.chunks[number].snapshot.lines(first - begin, min(last, end) - begin)
            first, number = end, number + 1
        return lines

    def region_at(self, byte: int) -> Region:
        """Whether text typed at `byte` lands in code, in a comment, or in a string."""
        row = self._cut_row()
        number = bisect_right(row.first_bytes, byte) - 1
        return row.chunks[number].snapshot.region_at(byte - row.first_bytes[number])

    def scopes_at(self, byte: int) -> list[tuple[int, int]]:
        """The functions around a byte, innermost first, as byte spans."""
        row = self._cut_row()
        number = bisect_right(row.first_bytes, byte) - 1
        first = row.first_bytes[number]
        return [(start + first, end + first) for start, end in row.chunks[number].snapshot.scopes_at(byte - first)]

    def error_count(self, *, with_lines: bool = True) -> int:
        """ERROR and MISSING nodes beyond those of the file as it was cut; may be negative."""
        if self._errors is None:
            touched = [chunk for chunk in self._cut_row().chunks if chunk.touched]
            self._errors = sum(chunk.new_errors(with_lines=with_lines) for chunk in touched)
        return self._errors

    def errors_with(self, edits: Sequence[ByteEdit]) -> int:
        """`error_count` of the version after `edits`, in order; only chunks that they touch are looked at."""
        before = self._chunks
        after = list(before)
        for edit in edits:
            apply_to_chunks(after, edit, self.language)
        stays, stood = set(after), set(before)
        come = sum(chunk.new_errors(with_lines=False) for chunk in after if chunk not in stood)
        return self.error_count() + come - sum(chunk.new_errors() for chunk in before if chunk not in stays)


def open_snapshot(buffer: Buffer, language: Language) -> SyntaxSnapshot:
    """A file's first version: whole, or in chunks where it is large and its language can be cut."""
    if _is_large(buffer, language):
        return ChunkedSnapshot.cut(buffer, language)
    return SyntaxSnapshot.open(buffer, language)


def next_snapshot(snapshot: SyntaxSnapshot, buffer: Buffer, edits: Sequence[ByteEdit]) -> SyntaxSnapshot:
    """The version of a snapshot after `edits`, cut where the file has become large by them."""
    if _is_large(buffer, snapshot.language) and not isinstance(snapshot, ChunkedSnapshot):
        return ChunkedSnapshot.cut(buffer, snapshot.language)
    return snapshot.advance(buffer, edits)


def _is_large(buffer: Buffer, language: Language) -> bool:
    return language.cut is not None and (buffer.line_count > LARGE_LINES or len(buffer.data) > LARGE_BYTES)
