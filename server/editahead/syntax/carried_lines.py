"""Token lines that stay valid from version to version of a text."""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from editahead.syntax.language import Language
from editahead.syntax.tokens import Line
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

_DECLARATION_DEPTH, _DECLARATION_LINES = 3, 4  # how far a declared type may stand from its name
_CLIMB = 16  # nodes from a leaf upwards: each step begins at the root again
_MAX_RANGES = 1000  # changed ranges; with more, all lines are read anew
_MAX_DEPTH = 500  # nodes above an edit; comparing two trees takes time with the square of it
_BLANKS, _LONGEST_BLANK = b" \t\r\n\f", 1000  # what stands between tokens, and bytes of it that are passed over


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
