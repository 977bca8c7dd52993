"""Large files: a row of small snapshots, cut between top-level items, so that a key costs what its surroundings cost.

tree-sitter's incremental parse is quick while one token changes in whole code. A new line, or a line that is not
finished yet, costs it half a full parse (98 of 173 ms in 50,000 lines of Python), and its tree costs memory. A file
that is larger than LARGE_LINES or LARGE_BYTES is therefore cut where its language says (`Language.cut`), and only the
chunks that somebody asks about are parsed, each on its own. Tokens count from their line's start, so they are the same.

Within a chunk the tree is that of a file which holds nothing else: a comment or string that an edit leaves open ends
with its chunk, and does not turn the rest of the file upside down. An edit at the edge joins two chunks again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import tree_sitter

from editahead.syntax.language import Language
from editahead.syntax.parse import ParseTooLong, parse
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.syntax.tokens import Line
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

LARGE_LINES = 1500
CHUNK_LINES = 300  # a chunk ends at the first cut after so many lines
LARGE_BYTES = 1 << 18  # and where there is none in so many bytes, at a line end: a quarter of a second for the parser


_MOST_SINCE = 200  # edits that nobody asked about; with more, the file is cut anew
Edits = tuple[ByteEdit, ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of the file. `origins`: what it was cut as, to know the errors that were there before any edit."""

    snapshot: SyntaxSnapshot
    origins: tuple[SyntaxSnapshot, ...]

    @property
    def data(self) -> bytes:
        """Its text."""
        return self.snapshot.buffer.data

    @property
    def touched(self) -> bool:
        """Whether an edit fell into it."""
        return self.origins != (self.snapshot,)

    def new_errors(self) -> int:
        """Errors beyond those that it was cut with."""
        return self.snapshot.error_count() - sum(origin.error_count() for origin in self.origins)


class _Row:
    """All chunks of one version, with the byte and the line where each begins."""

    __slots__ = ("chunks", "first_bytes", "first_lines")

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = tuple(chunks)
        self.first_bytes = [0, *accumulate(len(chunk.data) for chunk in chunks)][: len(chunks)]
        # every chunk but the last ends with a line end, behind which its own buffer sees one more line
        self.first_lines = [0, *accumulate(chunk.snapshot.line_count - 1 for chunk in chunks)][: len(chunks)]


class ChunkedSnapshot(SyntaxSnapshot):
    """A snapshot of a large file, cut when it is first asked about.

    `error_count` counts what edits added: enough to compare two versions.
    """

    __slots__ = ("_chunk_lines", "_count", "_origin", "_row", "_since")

    def __init__(
        self, buffer: Buffer, language: Language, chunk_lines: int, origin: ChunkedSnapshot | None, since: Edits
    ) -> None:
        super().__init__(buffer, language, None, ())
        self._count = buffer.line_count
        self._chunk_lines = chunk_lines
        self._row: _Row | None = None
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
        if len(since) + len(edits) > _MOST_SINCE:
            origin, since, edits = None, (), ()
        return ChunkedSnapshot(buffer, self.language, self._chunk_lines, origin, (*since, *edits))

    @property
    def _chunks(self) -> tuple[Chunk, ...]:
        return self._cut_row().chunks

    def _cut_row(self) -> _Row:
        row = self._row
        if row is None:
            origin = self._origin
            known = origin._row if origin is not None else None
            if known is None:
                row = _Row(list(_chunks(self.buffer.data, self.language, self._chunk_lines)))
            else:
                chunks = list(known.chunks)
                for edit in self._since:
                    _apply(chunks, edit, self.language)
                row = _Row(chunks)
            self._row = row
            self._origin = None
            self._since = ()
        return row

    def chunk_snapshots(self) -> list[tuple[int, SyntaxSnapshot]]:
        """The snapshots of all chunks, each with the byte where it begins."""
        row = self._cut_row()
        return [(first, chunk.snapshot) for first, chunk in zip(row.first_bytes, row.chunks, strict=True)]

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
        found: list[Line] = []
        row = self._cut_row()
        number = bisect_right(row.first_lines, first) - 1
        while first < last:
            end = row.first_lines[number + 1] if number + 1 < len(row.chunks) else last
            begin = row.first_lines[number]
            found += row.chunks[number].snapshot.lines(first - begin, min(last, end) - begin)
            first, number = end, number + 1
        return found

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

    def error_count(self) -> int:
        """ERROR and MISSING nodes beyond those of the file as it was cut; may be negative."""
        if self._errors is None:
            self._errors = sum(chunk.new_errors() for chunk in self._cut_row().chunks if chunk.touched)
        return self._errors

    def errors_with(self, edits: Sequence[ByteEdit]) -> int:
        """`error_count` of the version after `edits`, in order."""
        self._cut_row()  # so that both count from the same chunks
        return self._after(edits).error_count()


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


def _chunks(data: bytes, language: Language, lines: int) -> Iterator[Chunk]:
    begin = 0
    for end in (*_cuts(data, language, lines), len(data)):
        if end > begin or not data:
            yield _fresh(data[begin:end], language)
        begin = end


def _fresh(data: bytes, language: Language) -> Chunk:
    snapshot = SyntaxSnapshot.open(Buffer(data), language)
    return Chunk(snapshot, (snapshot,))


def _cuts(data: bytes, language: Language, lines: int) -> Iterator[int]:
    """Byte offsets where the file is cut: at the first place that allows it after so many lines."""
    if language.cut is None:
        return
    counted = passed = last = 0  # bytes, and the line ends in them since the last cut
    for at in language.cut.cuts(data, LARGE_BYTES):
        passed += data.count(b"\n", counted, at)
        counted = at
        if passed >= lines or at - last > LARGE_BYTES:
            yield at
            passed, last = 0, at


def _apply(chunks: list[Chunk], edit: ByteEdit, language: Language) -> None:
    """Replace the chunks that an edit touches; neighbours join where it touches the edge between them."""
    begins = [0, *accumulate(len(chunk.data) for chunk in chunks)][: len(chunks)]
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
            chunks[first : first + 1] = list(_chunks(chunks[first].data, language, CHUNK_LINES))
        return
    joined = Buffer(b"".join(chunk.data for chunk in chunks[first : last + 1])).apply(local)
    origins = tuple(origin for chunk in chunks[first : last + 1] for origin in chunk.origins)
    chunks[first : last + 1] = [Chunk(SyntaxSnapshot.open(joined, language), origins)]
