"""Tokens: the leaves of the syntax tree, line by line, with the role that each name plays.

A line's tokens are those that START on it, so a multi-line string belongs to its first line. Every line with
tokens opens with a NEWLINE token whose text is the line's indentation: line structure is thus part of the
stream, and an edit model can reproduce text exactly. Offsets are bytes relative to the line start, which lets
unchanged lines be shared between versions of a file.
Lines that stay valid are carried from version to version of a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import tree_sitter

from editahead.syntax.interrupt import EVERY, checkpoint
from editahead.syntax.language_definition import Language, Role, TokenKind
from editahead.text.buffer import MAX_LINE_BYTES, Buffer
from editahead.text.edits import ByteEdit
from editahead.text.memo import remembered_by_identity

__all__ = [
    "MAX_DEPTH", "Line", "Path", "Role", "Token", "TokenKind", "leaves", "names_of", "text_tokens", "tokens_between"
]  # fmt: skip
_MAX_ATOM_BYTES = 400  # longer literals keep their ends only: nobody predicts their text
# Nodes below so many others are not read. A list may be as deep as it is long: of the values between commas in C,
# such as those of a table between two macros, each stands in the rest of the list.
MAX_DEPTH = 4000
_LAST_NAME = re.compile(rb"\s*([A-Za-z_]\w*)\s*")  # at the end of broken code some grammars leave it to no node
_DECLARATION_DEPTH, _DECLARATION_LINES = 3, 4  # how far a declared type may stand from its name
_CLIMB = 16  # nodes from a leaf upwards: each step begins at the root again
_MAX_RANGES = 1000  # changed ranges; with more, all lines are read anew
_MAX_DEPTH = 500  # nodes above an edit; comparing two trees takes time with the square of it
_BLANKS, _LONGEST_BLANK = b" \t\r\n\f", 1000  # what stands between tokens, and bytes of it that are passed over


class Token(NamedTuple):
    """One token; `start` and `end` are bytes relative to the start of its line, `type_name` its declared type."""

    kind: TokenKind
    text: str
    start: int
    end: int
    role: Role = Role.USE
    type_name: str | None = None


Line = tuple[Token, ...]


def text_tokens(line: Sequence[Token]) -> list[Token]:
    """The tokens of a line without line breaks and empty tokens."""
    return [token for token in line if token.kind is not TokenKind.NEWLINE and token.text]


@remembered_by_identity
def names_of(line: Line) -> tuple[str, ...]:
    """The names on a line, each once."""
    return tuple(dict.fromkeys(token.text for token in line if token.kind is TokenKind.NAME))


Path = Sequence[tuple[tree_sitter.Node, "str | None"]]


def leaves(
    tree: tree_sitter.Tree, language: Language, start: int, end: int
) -> Iterator[tuple[tree_sitter.Node, Path, str | None]]:
    """Leaves that overlap bytes [start, end) in order, each with its ancestors (outermost first) and field name.

    Ancestors are pairs (node, field name of that node in its parent), valid until the next leaf is requested. Atomic
    nodes (comments, plain strings) count as leaves; what lies deeper than MAX_DEPTH is omitted.
    """
    cursor = tree.walk()
    path: list[tuple[tree_sitter.Node, str | None]] = []
    node = cursor.node
    assert node is not None
    seek = start > 0
    looked = 0
    while True:
        # Descend to a leaf; on the first descent skip straight to the byte where the window opens.
        while not language.is_atom(node) and (seek or node.end_byte > start) and len(path) <= MAX_DEPTH:
            parent = (node, cursor.field_name)
            # In broken code a byte may stand in a part of a node that no child covers: then all children are looked at.
            if seek and cursor.goto_first_child_for_byte(start) is None:
                seek = False
            if not seek and not cursor.goto_first_child():
                break
            path.append(parent)
            node = cursor.node
            assert node is not None
        seek = False
        looked += 1
        if looked % EVERY == 0:
            checkpoint()
        if node.start_byte >= end:
            return
        if node.end_byte > node.start_byte and node.end_byte > start and len(path) <= MAX_DEPTH:
            yield node, path, cursor.field_name
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            path.pop()
        node = cursor.node
        assert node is not None


def tokens_between(
    tree: tree_sitter.Tree, language: Language, data: bytes, starts: Sequence[int], first: int, last: int
) -> list[Line]:
    """Tokens of lines [first, last). `starts[n]` is the byte where line n begins; the last line needs no successor.

    A line longer than LONGEST_LINE has none.
    """
    lines: list[Line] = []
    run = first
    for row in range(first, last + 1):
        if row == last or _is_long(data, starts, row):
            if row > run:
                lines += _tokens_of_run(tree, language, data, starts, run, row)
            if row < last:
                lines.append(())
            run = row + 1
    return lines


def _is_long(data: bytes, starts: Sequence[int], row: int) -> bool:
    end = starts[row + 1] if row + 1 < len(starts) else len(data)
    if end - starts[row] <= MAX_LINE_BYTES:
        return False
    return len(data[max(starts[row], end - 2) : end].rstrip(b"\r\n")) + end - 2 - starts[row] > MAX_LINE_BYTES


def _tokens_of_run(
    tree: tree_sitter.Tree, language: Language, data: bytes, starts: Sequence[int], first: int, last: int
) -> list[Line]:
    begin = starts[first]
    end = starts[last] if last < len(starts) else len(data)
    lines: list[list[Token]] = [[] for _ in range(last - first)]
    row, row_start = first, begin
    row_end = starts[first + 1] if first + 1 < len(starts) else len(data) + 1
    bare: list[tuple[int, int]] = []  # parts of a text that no node covers, still to come
    covered = begin
    for node, ancestors, field in leaves(tree, language, begin, end):
        at, covered = node.start_byte, node.end_byte
        if at < begin:  # began above the window: belongs to an earlier line
            continue
        while bare and bare[0][0] <= at:
            lines[row - first].append(_text_token(data, row_start, *bare.pop(0)))
        if at >= row_end:
            while at >= row_end:
                row += 1
                row_start = starts[row]
                row_end = starts[row + 1] if row + 1 < len(starts) else len(data) + 1
        line = lines[row - first]
        if not line:
            indent = data[row_start:at]
            if not indent.strip():
                line.append(Token(TokenKind.NEWLINE, indent.decode("utf-8", "replace"), 0, at - row_start))
        stop = node.end_byte
        text = _text(data, at, stop)
        kind = language.kind_of(node, text)
        if kind is TokenKind.NAME:
            role, type_name = language.role_of(node, ancestors, field, data)
            line.append(Token(kind, text, at - row_start, stop - row_start, role, type_name))
        else:
            line.append(Token(kind, text, at - row_start, stop - row_start))
        if ancestors and ancestors[-1][0].type in language.bare_text_nodes and at == ancestors[-1][0].start_byte:
            bare = _bare_parts(ancestors[-1][0], data, row_end) + bare
    lines[row - first] += [_text_token(data, row_start, *part) for part in bare]
    if end == len(data) and (name := _LAST_NAME.fullmatch(data, covered)) is not None:
        while row + 1 < last and starts[row + 1] <= name.start(1):
            row += 1
        line, row_start = lines[row - first], starts[row]
        if not line:
            line.append(Token(TokenKind.NEWLINE, _text(data, row_start, name.start(1)), 0, name.start(1) - row_start))
        line.append(Token(TokenKind.NAME, name[1].decode(), name.start(1) - row_start, name.end(1) - row_start))
    return [tuple(line) for line in lines]


def _bare_parts(node: tree_sitter.Node, data: bytes, row_end: int) -> list[tuple[int, int]]:
    """The parts of a node that none of its children covers, as far as they begin on its first line; cut at its end."""
    last = node.start_byte + len(data[node.start_byte : row_end].rstrip(b"\r\n"))
    parts, at = [], node.start_byte
    for start, end in [*((child.start_byte, child.end_byte) for child in node.children), (node.end_byte, 0)]:
        if at < min(start, last):
            parts.append((at, min(start, last)))
        at = end
    return parts


def _text(data: bytes, start: int, end: int) -> str:
    raw = data[start:end]
    if len(raw) > _MAX_ATOM_BYTES:
        raw = raw[:16] + b"..." + raw[-16:]
    return raw.decode("utf-8", "replace")


def _text_token(data: bytes, row_start: int, start: int, end: int) -> Token:
    return Token(TokenKind.STRING, _text(data, start, end), start - row_start, end - row_start)


def carry_lines(
    before_lines: Sequence[Line | None],
    edits: Sequence[tuple[Buffer, ByteEdit]],
    buffer: Buffer,
    language: Language,
    old: tree_sitter.Tree,
    tree: tree_sitter.Tree,
) -> list[Line | None] | None:
    """The token lines of an earlier version in the text of `buffer`: shifted, with None for every touched line.

    `edits` lead from that version to `buffer`, each with the buffer that it applies to; `old` is its tree with the
    edits applied, `tree` that of `buffer`. None where too much changed.
    """
    lines = list(before_lines)
    touched: list[int] = []  # where the edits ended up, in bytes of this version
    afters = [before for before, _ in edits[1:]] + [buffer]
    for (before, edit), after in zip(edits, afters, strict=True):
        # The characters beside the edit may complete or split a line end, so take a byte more on each side.
        first = before.line_at(max(0, edit.start - 1))
        last = before.line_at(min(len(before.data), edit.old_end + 1))
        new_last = after.line_at(min(len(after.data), edit.new_end + 1))
        lines[first : last + 1] = [None] * (new_last - first + 1)
        touched = [at if at <= edit.start else max(edit.start, at + edit.delta) for at in touched]
        touched += [edit.start, edit.new_end]
    if len(lines) != buffer.line_count:
        return None
    if any(_is_deep(tree, buffer, at) for at in touched):
        return None
    ranges = old.changed_ranges(tree)
    if len(ranges) > _MAX_RANGES:
        return None
    for span in ranges:
        first = buffer.line_at(span.start_byte)
        last = buffer.line_at(min(span.end_byte, len(buffer.data)))
        lines[first : last + 1] = [None] * (last - first + 1)
        touched.append(span.start_byte)
    for at in touched:
        lines[buffer.line_at(_token_start(tree, buffer, language, at))] = None
        first, last = _declaration_lines(tree, buffer, at)
        lines[first : last + 1] = [None] * (last + 1 - first)
    return lines


def _is_deep(tree: tree_sitter.Tree, buffer: Buffer, byte: int) -> bool:
    """Whether the last token before a byte lies deeper in the tree than `_MAX_DEPTH`."""
    at = byte - 1
    while at >= max(0, byte - _LONGEST_BLANK) and buffer.data[at] in _BLANKS:
        at -= 1
    cursor, depth = tree.walk(), 0
    while depth <= _MAX_DEPTH and cursor.goto_first_child_for_byte(max(0, at)) is not None:
        depth += 1
    return depth > _MAX_DEPTH


def _declaration_lines(tree: tree_sitter.Tree, buffer: Buffer, byte: int) -> tuple[int, int]:
    """First and last line of the short construct around `byte`: a type above a name decides how it reads."""
    node = tree.root_node.descendant_for_byte_range(byte, byte)
    first = last = buffer.line_at(byte)
    for _ in range(_DECLARATION_DEPTH):
        node = node.parent if node is not None else None
        if node is None or node.end_point.row - node.start_point.row >= _DECLARATION_LINES:
            break
        first = min(first, buffer.line_at(node.start_byte))
        last = max(last, buffer.line_at(node.end_byte))
    return first, last


def _token_start(tree: tree_sitter.Tree, buffer: Buffer, language: Language, byte: int) -> int:
    """Where the token that covers `byte` begins: a multi-line string belongs to the line it starts on."""
    node = tree.root_node.descendant_for_byte_range(byte, byte)
    start = byte
    for _ in range(_CLIMB):
        if node is None:
            break
        if node.child_count == 0 or language.is_atom(node):
            start = min(start, node.start_byte)
        elif node.start_point.row != node.end_point.row and node.type not in language.string_nodes:
            break
        node = node.parent
    return start
