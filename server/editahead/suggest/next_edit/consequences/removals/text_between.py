"""What stands between two statements, and whether one is run together with what is around it."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.analysis.signatures import path_to
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node
from editahead.syntax.scope_table import ScopeKind, ScopeTable

MAX_IMPORTS = 60
"""Imports and comments between two statements that are looked at."""
_LOOPS = frozenset("for while do loop foreach enhanced repeat lambda closure arrow".split())
_GUARD = frozenset({b"TYPE_CHECKING", b"typing.TYPE_CHECKING"})
_BLOCKS = ("block", "statement_list", "_body")


def statements_between(home: Document, low: int, high: int) -> bool:
    """Whether more than blanks and comments stand between two bytes."""
    data, at = home.syntax.buffer.data, low
    while at < high:
        at += len(data[at:high]) - len(data[at:high].lstrip(b" \t\r\n;"))
        if at >= high:
            break
        path, offset = path_to(home.syntax, at)
        if not path or "comment" not in path[-1].type:
            return True
        at = max(at + 1, path[-1].end_byte + offset)
    return False


def only_imports(home: Document, table: ScopeTable, low: int, high: int) -> bool:
    """Whether nothing but imports and comments stands between two bytes, and not too many."""
    syntax, data, at = home.syntax, home.syntax.buffer.data, low
    for _ in range(MAX_IMPORTS):
        at += len(data[at:high]) - len(data[at:high].lstrip())
        if at >= high:
            return True
        path, offset = path_to(syntax, at)
        kept = [node for node in path if "comment" in node.type or node.type in table.imports.statements]
        if not kept:
            return False
        at = max(at + 1, kept[0].end_byte + offset)
    return False


def is_lazy(around: Sequence[Node], table: ScopeTable) -> bool:
    """Whether what stands in some nodes, outermost first, is done in a function only, or for type checkers."""
    plain = [node for node in around if not node.type.endswith(_BLOCKS)]
    if len(plain) == 1 and plain[0].type == "if_statement":
        condition = plain[0].child_by_field_name("condition")
        alone = plain[0].child_by_field_name("alternative") is None
        return alone and condition is not None and condition.text in _GUARD
    first = next((number for number, node in enumerate(plain) if node.type in table.functions), len(plain))
    outside, inside = plain[:first], plain[first + 1 :]
    held = all(node.type in table.wrappers or table.scopes.get(node.type) is ScopeKind.CLASS for node in outside)
    return first < len(plain) and held and all(node.type in ("if_statement", *table.functions) for node in inside)


def runs_once(around: Sequence[Node], table: ScopeTable) -> bool:
    """Whether what stands in some nodes is run at most once each time that what is around them is."""
    scopes = (ScopeKind.CLASS, ScopeKind.FUNCTION)
    return not any(
        node.type in table.functions
        or table.scopes.get(node.type) in scopes
        or not _LOOPS.isdisjoint(node.type.split("_"))
        for node in around
    )
