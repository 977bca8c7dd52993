"""The chunks that a large file is cut into: small snapshots in a row, replaced where an edit falls."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from operator import attrgetter

from editahead.syntax.language import Language
from editahead.syntax.snapshot import COUNTED, SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

CHUNK_LINES = 300  # a chunk ends at the first cut after so many lines
_SIZE, _LINE_ENDS = attrgetter("size"), attrgetter("line_ends")
LARGE_BYTES = 1 << 18  # and where there is none in so many bytes, at a line end: a quarter of a second for the parser


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
        # every chunk but the last ends with a line end, behind which its own buffer sees one more line
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
