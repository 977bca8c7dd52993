"""Syntax errors that an edit brings, however many the file has elsewhere; and what it must leave in the text itself.

That is words apart, line ends, the byte order mark and the final newline.
Python is checked as Python itself reads it, where the tree is more tolerant: `a: int: str`, `f() = 1`.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from editahead.analysis.signatures import path_to
from editahead.syntax.nodes import Node, Parts, tree_roots
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit, lines_around
from editahead.text.line_ends import line_end
from editahead.text.words import WORD_BYTES
from editahead.verification.proposal import PositionMap

MAX_BYTES = 40_000  # the longest statement that is compiled

MAX_COMMENTS = 50  # lines of comments above an edit that are passed over
_MEMBER_MODIFIERS = frozenset({"private", "public", "protected", "static"})
_RESERVED = frozenset(b"return if else for while do break continue switch throw try catch finally import".split())
"""Words that are names in no language, but where the grammar expects nothing else."""
_PARAMETERS = "parameter_list"
_GO_FUNCTIONS = frozenset(
    {"function_declaration", "method_declaration", "func_literal", "function_type", "method_elem"}
)
"""What has parameters in Go, all of them with a name or none."""
_SCRIPT_PARAMETERS = frozenset({"required_parameter", "optional_parameter"})
_MEMBERS = frozenset({"member_expression", "subscript_expression"})
"""What the grammar of TypeScript takes for a parameter."""
_PARENTHESES = "parenthesized_expression"
_TYPE = "type"  # what is written behind the colon of a declaration in Python
_LOCALS = frozenset({"local_variable_declaration", "local_declaration_statement"})
"""Declarations inside of functions, which no member's modifiers may precede."""
_WORD, _SEPARATOR = re.compile(rb"[" + WORD_BYTES + rb"]"), re.compile(rb"[^" + WORD_BYTES + rb"]")
_MARK = b"\xef\xbb\xbf"


class _Statement(NamedTuple):
    """A statement in bytes [start, end), from the begin of its line where nothing else stands before it there.

    `column` is that of its first byte, -1 behind another statement of the line.
    """

    start: int
    end: int
    column: int


def is_broken_python(before: SyntaxSnapshot, after: SyntaxSnapshot, positions: PositionMap) -> bool:
    """Whether a statement that the edits change compiles no more; only those that did are judged.

    They are the statements of the innermost block around an edit, which must be aligned.
    """
    return not _is_whole(after, positions.inserted) and _is_whole(before, positions.removed)


def _is_whole(syntax: SyntaxSnapshot, spans: tuple[tuple[int, int], ...]) -> bool:
    for low, high in spans:
        rows, column = _statements(syntax, low, high)
        if any(row.column not in (column, -1) for row in rows):
            return False
        if not all(_is_compilable(syntax.buffer.data[row.start : row.end], row.column) for row in rows):
            return False
        if not _is_followed_in_line(syntax, high):
            return False
    return True


def _is_followed_in_line(syntax: SyntaxSnapshot, byte: int) -> bool:
    """Whether what follows the blocks around a byte stands in the column of its block: a lost header shows there."""
    data = syntax.buffer.data
    path, offset = path_to(syntax, byte)
    for holder, child in pairwise(path):
        if holder.type not in ("block", "module"):
            continue
        following = child.next_named_sibling
        while following is not None and following.type == "comment":
            following = following.next_named_sibling
        column = _statement(data, holder, offset).column if holder.type == "block" else 0
        if following is not None and _statement(data, following, offset).column not in (column, -1):
            return False
    return True


def _statements(syntax: SyntaxSnapshot, low: int, high: int) -> tuple[list[_Statement], int]:
    """The statements of a block that hold some bytes, or stand beside them with only blanks and comments between.

    With the column of the block.
    """
    data = syntax.buffer.data
    low = _before_comments(syntax, low)
    while high < len(data) and data[high : high + 1].isspace():
        high += 1
    low = max(0, low - 1)
    path, offset = path_to(syntax, low)
    block = next((node for node in reversed(path[1:]) if _is_around(node, low - offset, high - offset)), None)
    holder = block if block is not None else next(iter(path), None)
    if holder is None:
        return [], 0
    rows = list[_Statement]()
    cursor = holder.walk()
    more = cursor.goto_first_child_for_byte(max(0, low - offset)) is not None
    while more and (node := cursor.node) is not None and node.start_byte + offset <= high:
        if node.is_named and node.type != "comment":
            rows.append(_statement(data, node, offset))
        more = cursor.goto_next_sibling()
    return rows, _statement(data, block, offset).column if block is not None else 0


def _before_comments(syntax: SyntaxSnapshot, byte: int) -> int:
    """The end of the code before a byte: a block of comments alone is none."""
    data = syntax.buffer.data
    for _ in range(MAX_COMMENTS):
        while byte and data[byte - 1 : byte].isspace():
            byte -= 1
        path, offset = path_to(syntax, max(0, byte - 1))
        if not path or path[-1].type != "comment":
            break
        byte = path[-1].start_byte + offset
    return byte


def _is_around(node: Node, low: int, high: int) -> bool:
    """Whether a node is a block of statements with some bytes inside of it."""
    if node.type != "block" or not node.start_byte <= low or not high <= node.end_byte:
        return False
    first = node.named_child(0)
    return first is not None and first.type != "case_clause"


def _statement(data: bytes, node: Node, offset: int) -> _Statement:
    start = node.start_byte + offset
    line = data.rfind(b"\n", 0, start) + 1
    is_first = not data[line:start].strip()
    return _Statement(line if is_first else start, node.end_byte + offset, start - line if is_first else -1)


def _is_compilable(text: bytes, column: int) -> bool:
    if len(text) > MAX_BYTES:
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(b"if 1:\n" + text if column > 0 else text, "<text>", "exec", flags=ast.PyCF_ONLY_AST)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def syntax_conflict(before: SyntaxSnapshot, after: SyntaxSnapshot, positions: PositionMap) -> str:
    """What the edits break in the syntax, in words; empty where they break nothing."""
    errors, later = before.error_count(), after.error_count(with_lines=False)
    if later > errors:
        return f"{errors} syntax errors before, {later} after"
    for (low, high), (old_low, old_high) in zip(positions.inserted, positions.removed, strict=True):
        if later and _errors_at(after, low, high) > _errors_at(before, old_low, old_high):
            return "a syntax error where there was none"
        if low < high and _is_taken_into_type(after, low, high) and not _is_in_type(before, old_high):
            return "code that stays would become a type"
        inner = low + len(after.buffer.data[low:high]) - len(after.buffer.data[low:high].lstrip())
        if any(map(_is_misplaced, path_to(after, inner)[0])):
            return "syntax that the compiler refuses"
    return ""


def _is_misplaced(node: Node) -> bool:
    """Whether a node is code that the grammar of the tree accepts and no compiler.

    `if (a: int)`, `private` before a local variable, `return x;` as a field of the type `return`.
    """
    if node.child_count == 0:
        return node.type.endswith("identifier") and node.text in _RESERVED
    if node.type == _PARAMETERS and node.parent is not None and node.parent.type in _GO_FUNCTIONS:
        return (
            len({row.child_by_field_name("name") is None for row in node.named_children if "parameter" in row.type}) > 1
        )
    if node.type in _SCRIPT_PARAMETERS:
        return any(child.type in _MEMBERS for child in node.named_children[:1])
    if node.type == _PARENTHESES:
        return node.child_by_field_name("type") is not None
    return node.type in _LOCALS and bool(_MEMBER_MODIFIERS & set(_modifiers(node)))


def _is_taken_into_type(after: SyntaxSnapshot, low: int, high: int) -> bool:
    """Whether a type begins in inserted bytes and goes on in code behind them: `a: int` before `.run()`."""
    path, offset = path_to(after, high - 1)
    types = (node for node in path if node.type == _TYPE)
    return any(low <= node.start_byte + offset and high < node.end_byte + offset for node in types)


def _is_in_type(before: SyntaxSnapshot, byte: int) -> bool:
    return any(node.type == _TYPE for node in path_to(before, max(0, byte - 1))[0])


def _errors_at(syntax: SyntaxSnapshot, low: int, high: int) -> int:
    """Syntax errors in the whole lines of some bytes."""
    start, end = lines_around(syntax.buffer.data, low, high)
    lines = range(syntax.buffer.line_at(start) + 1, syntax.buffer.line_at(end) + 1)
    near = (start, *(syntax.buffer.line_span(line)[0] for line in lines), end)
    count = 0
    for offset, root in tree_roots(syntax, Parts(frozenset(), near)):
        stack = [root]
        while stack:
            node = stack.pop()
            if node.end_byte + offset < start or end < node.start_byte + offset:
                continue
            count += node.is_error or node.is_missing
            stack.extend(child for child in node.children if child.has_error or child.is_missing)
    return count


def _modifiers(node: Node) -> Iterator[str]:
    for child in node.children:
        if child.type in ("modifiers", "modifier"):
            yield from (child.text or b"").decode("utf-8", "replace").split()


def text_conflict(data: bytes, edits: Sequence[ByteEdit]) -> str:
    """What the edits would do to the form of a text, in words; empty where they keep it."""
    end = line_end(data)
    for edit in edits:
        if data.startswith(_MARK) and edit.start < len(_MARK):
            return "changes the byte order mark"
        if _is_joining_words(data, edit):
            return "joins two words"
        if edit.new and _has_other_line_end(edit.new, end) and not _has_other_line_end(data, end):
            return "brings line ends that the file does not have"
    last = edits[-1] if edits else None
    if last is not None and last.old_end == len(data) and data.endswith((b"\n", b"\r")):
        rest = data[: last.start] + last.new
        if rest and not rest.endswith((b"\n", b"\r")):
            return "removes the newline at the end of the file"
    return ""


def _is_joining_words(data: bytes, edit: ByteEdit) -> bool:
    """Whether an edit joins words that stood apart: `(format string, args ...any)` without `, args ...`."""
    removed = data[edit.start : edit.old_end]
    if not (_WORD.search(removed) and _SEPARATOR.search(removed)) or _SEPARATOR.search(edit.new):
        return False
    beside = data[edit.start - 1 : edit.start] if edit.start else b"", data[edit.old_end : edit.old_end + 1]
    return all(_WORD.match(byte) for byte in beside)


def _has_other_line_end(text: bytes, end: bytes) -> bool:
    return any(sign in text.replace(end, b"") for sign in (b"\n", b"\r"))
