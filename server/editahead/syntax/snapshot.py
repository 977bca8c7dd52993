"""One version of a file: its text, and its tree and tokens, derived lazily and incrementally from the version before.

A snapshot is a value: asking it twice gives the same answer, and `advance` never changes it. Deriving the tree
reuses the newest parsed ancestor; deriving tokens reuses every line that neither the edits nor the parser's
changed ranges touched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from editahead.syntax.interrupt import EVERY, ParseTooLong, checkpoint, parse
from editahead.syntax.language import Language
from editahead.syntax.regions.region import region_at
from editahead.syntax.regions.unfinished_text import Region
from editahead.syntax.tokens import MAX_DEPTH, Line, Token, TokenKind, carry_lines, tokens_between
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

_MAX_PENDING_EDITS = 200  # each keeps its buffer alive until the next parse
_BATCH_LINES = 64  # lines lexed at once when a line is missing
_WHOLE_LINES = 512  # and where many are requested: each time costs a way down from the root, as deep as the code is
COUNTED = 256  # texts whose number is remembered


class SyntaxSnapshot:
    """Text, tree and tokens of a version of a file. A single thread derives; another may `advance` meanwhile."""

    __slots__ = (
        "_base",
        "_counts",
        "_edits",
        "_errors",
        "_lines",
        "_stripped",
        "_tree",
        "_unread",
        "buffer",
        "language",
    )

    def __init__(
        self,
        buffer: Buffer,
        language: Language,
        base: SyntaxSnapshot | None,
        edits: tuple[tuple[Buffer, ByteEdit], ...],
    ) -> None:
        self.buffer = buffer
        self.language = language
        self._base = base  # the newest ancestor that has a tree, until ours is derived
        self._edits = edits  # edits since then, each with the buffer that it applies to
        self._tree: tree_sitter.Tree | None = None
        self._lines: list[Line | None] | None = None
        self._errors: int | None = None
        self._counts: dict[int, int] = {}  # by hash: texts of other documents are counted here too, and not kept
        self._stripped: frozenset[bytes] | None = None
        self._unread: int | None = None  # size of this version or an earlier version that took too long to parse

    @classmethod
    def open(cls, buffer: Buffer, language: Language) -> SyntaxSnapshot:
        """A file's first version."""
        return cls(buffer, language, None, ())

    def advance(self, buffer: Buffer, edits: Sequence[ByteEdit]) -> SyntaxSnapshot:
        """The next version: `buffer` is this buffer with `edits` applied in order. Derived lazily.

        Raises ValueError for edits that do not lead to `buffer`.
        """
        if not edits and len(buffer.data) == len(self.buffer.data):
            return self
        steps: list[tuple[Buffer, ByteEdit]] = []
        current = self.buffer
        for number, edit in enumerate(edits):
            steps.append((current, edit))
            current = buffer if number == len(edits) - 1 else current.apply(edit)
        if len(buffer.data) != len(self.buffer.data) + sum(edit.delta for edit in edits):
            raise ValueError("advance: the edits do not lead to the given buffer")
        if self._unread is not None:
            after = SyntaxSnapshot(buffer, self.language, None, ())
            after._unread = self._unread
            return after
        if self._tree is not None:
            return SyntaxSnapshot(buffer, self.language, self, tuple(steps))
        # Another thread may be deriving this version now and forget the base, then the edits: read in the other
        # order, a base always comes with all of its edits.
        edits_before, base = self._edits, self._base
        if len(edits_before) + len(steps) > _MAX_PENDING_EDITS:  # no request for long: a full parse is cheaper
            return SyntaxSnapshot(buffer, self.language, None, ())
        return SyntaxSnapshot(buffer, self.language, base, (*edits_before, *steps))

    @property
    def tree(self) -> tree_sitter.Tree:
        """The syntax tree of this version."""
        if self._tree is None:
            self._derive()
        assert self._tree is not None
        return self._tree

    @property
    def line_count(self) -> int:
        """Number of lines, at least 1."""
        return self.buffer.line_count

    def line_tokens(self, line: int) -> Line:
        """Tokens that start on a line (zero-based); empty for blank lines and outside the file."""
        return self._line(line, line - _BATCH_LINES, line + _BATCH_LINES)

    def lines(self, first: int, last: int) -> list[Line]:
        """`line_tokens` of lines [first, last), as far as they exist."""
        first = max(0, first)
        lines = self._line_cache()[first : max(first, last)]
        if len(lines) <= _BATCH_LINES:
            return [self.line_tokens(first + at) if line is None else line for at, line in enumerate(lines)]
        end = first + len(lines)
        return [
            self._line(number, first, min(end, number + _WHOLE_LINES)) if line is None else line
            for number, line in enumerate(lines, first)
        ]

    def tokens(self, first: int = 0, last: int | None = None) -> list[Token]:
        """Tokens of lines [first, last) in order."""
        stop = self.line_count if last is None else min(last, self.line_count)
        return [token for line in self.lines(max(0, first), stop) for token in line]

    def region_at(self, byte: int) -> Region:
        """Whether text typed at `byte` lands in code, in a comment, or in a string."""
        return region_at(self.tree, self.buffer, self.language, byte, unread=self._unread is not None)

    def scopes_at(self, byte: int) -> list[tuple[int, int]]:
        """The functions around a byte, innermost first, as byte spans; none in a language without scope rules."""
        root = self.tree.root_node
        innermost = root.descendant_for_byte_range(byte, byte) if self.language.scope_nodes else None
        spans: list[tuple[int, int]] = []
        node: tree_sitter.Node | None = root
        for _ in range(MAX_DEPTH):  # downwards, as each step up would begin at the root
            if node is None or innermost is None:
                break
            if node.type in self.language.scope_nodes:
                spans.append((node.start_byte, node.end_byte))
            node = node.child_with_descendant(innermost) if node.id != innermost.id else None
        return spans[::-1]

    def count(self, text: bytes) -> int:
        """How often some bytes stand in the text, without overlaps; cached for a few texts."""
        key = hash(text)
        count = self._counts.get(key)
        if count is None:
            if len(self._counts) >= COUNTED:
                self._counts.clear()
            count = self._counts[key] = self.buffer.data.count(text)
        return count

    def parts_with(self, text: bytes) -> list[tuple[int, bytes]]:
        """The parts of the text that contain some bytes of a single line, each with its offset: here all, or none."""
        return [(0, self.buffer.data)] if self.count(text) else []

    def occurrences(self, text: bytes) -> Iterator[int]:
        """The offsets at which some bytes of a single line occur, in text order, overlapping or not."""
        for first, data in self.parts_with(text):
            at = data.find(text)
            while at >= 0:
                yield first + at
                at = data.find(text, at + 1)

    def has_line(self, stripped: bytes) -> bool:
        """Whether a line consists of some bytes, blanks around them aside."""
        if self._stripped is None:
            self._stripped = frozenset(map(bytes.strip, self.buffer.data.split(b"\n")))
        return stripped in self._stripped

    def error_count(self, *, with_lines: bool = True) -> int:
        """Number of ERROR and MISSING nodes: less is better syntax. Subtrees without errors are not visited.

        Without `with_lines`, nothing that only tokens would need is derived: for a version that is soon thrown away.
        """
        if self._errors is None:
            if self._tree is None:
                self._derive(with_lines)
            count, looked, stack = 0, 0, [self.tree.root_node]
            while stack:
                node = stack.pop()
                looked += 1
                if looked % EVERY == 0:
                    checkpoint()
                if node.is_error or node.is_missing:
                    count += 1
                stack.extend(child for child in node.children if child.has_error or child.is_missing)
            self._errors = count
        return self._errors

    def errors_with(self, edits: Sequence[ByteEdit]) -> int:
        """`error_count` of the version after `edits`, in order; nothing that only its tokens would need is done."""
        return self._after(edits).error_count(with_lines=False)

    def _after(self, edits: Sequence[ByteEdit]) -> SyntaxSnapshot:
        buffer = self.buffer
        for edit in edits:
            buffer = buffer.apply(edit)
        return self.advance(buffer, edits) if edits else self

    # -- derivation

    def _derive(self, with_lines: bool = True) -> None:
        tried = self._unread
        if tried is None or abs(len(self.buffer.data) - tried) > tried // 8:  # or it has become another text meanwhile
            try:
                self._parse(with_lines)
                self._unread = None
                return
            except ParseTooLong:
                self._unread = len(self.buffer.data)
        self._tree = parse(self.language.grammar(), b"")
        self._lines = [()] * self.line_count
        self._base, self._edits = None, ()

    def _parse(self, with_lines: bool) -> None:
        grammar = self.language.grammar()
        base = self._base
        if base is None or base._tree is None:
            self._tree = parse(grammar, self.buffer.data)
        else:
            old = base._tree.copy()
            for before, edit in self._edits:
                old.edit(
                    start_byte=edit.start,
                    old_end_byte=edit.old_end,
                    new_end_byte=edit.new_end,
                    start_point=before.point(edit.start),
                    old_end_point=before.point(edit.old_end),
                    new_end_point=_advance_point(before.point(edit.start), edit.new),
                )
            self._tree = parse(grammar, self.buffer.data, old)
            carried = base._lines if with_lines else None
            if carried is not None:
                carried = carry_lines(carried, self._edits, self.buffer, self.language, old, self._tree)
            self._lines = carried
        self._base, self._edits = None, ()

    def _line_cache(self) -> list[Line | None]:
        if self._tree is None:
            self._derive()
        if self._lines is None:
            self._lines = [None] * self.line_count
        return self._lines

    def _line(self, line: int, low: int, high: int) -> Line:
        """Tokens of a line; where they are missing, those of lines [low, high) around it are read with them."""
        lines = self._lines
        if self._tree is None or lines is None:
            lines = self._line_cache()
        if not 0 <= line < len(lines):
            return ()
        tokens = lines[line]
        if tokens is None:
            first, last = self._missing_run(lines, line, low, high)
            lines[first:last] = tokens_between(
                self.tree, self.language, self.buffer.data, _LineStarts(self.buffer, first, last), first, last
            )
            tokens = lines[line]
            assert tokens is not None
        return tokens

    def _missing_run(self, lines: list[Line | None], line: int, low: int, high: int) -> tuple[int, int]:
        first = line
        while first > 0 and lines[first - 1] is None and first > low:
            first -= 1
        last = line + 1
        while last < len(lines) and lines[last] is None and last < high:
            last += 1
        return first, last


class _LineStarts(Sequence[int]):
    """Line starts by absolute line number, as plain ints, for the window [first, last]."""

    def __init__(self, buffer: Buffer, first: int, last: int) -> None:
        self._first = first
        self._window: list[int] = buffer.line_starts[first : last + 1].tolist()
        self._count = buffer.line_count

    def __len__(self) -> int:
        return min(self._count, self._first + len(self._window))

    def __getitem__(self, index: int) -> int:  # type: ignore[override]
        return self._window[index - self._first]


def _advance_point(point: tuple[int, int], inserted: bytes) -> tuple[int, int]:
    row, column = point
    newlines = inserted.count(b"\n")
    if not newlines:
        return row, column + len(inserted)
    return row + newlines, len(inserted) - inserted.rfind(b"\n") - 1


__all__ = ["Region", "SyntaxSnapshot", "Token", "TokenKind"]
