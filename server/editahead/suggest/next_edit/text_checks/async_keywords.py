"""Functions that may become async, and positions where `await` is allowed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from editahead.analysis.signatures import path_to
from editahead.patterns.changes import net_changes
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node
from editahead.syntax.scope_table import ScopeTable
from editahead.text.edits import ByteEdit

_NEVER_ASYNC = frozenset({"get", "set", "*"})
"""Keywords and signs of functions that cannot become async without changing their result."""
_ACCESSOR_PARTS = frozenset({b"getter", b"setter", b"deleter"})
_PROMISE = re.compile(rb"\bPromise\b")
_ASYNC, _AWAIT = re.compile(rb"(?<![\w.$])async\b"), re.compile(rb"(?<![\w.$])await\b")


def _is_async(function: Node) -> bool:
    """Whether a function is async."""
    return any(child.type == "async" for child in function.children)


def _can_become_async(path: Sequence[Node], number: int, table: ScopeTable, *, typed: bool = True) -> bool:
    """Whether the function of a path, outermost first, may become async.

    Accessors, special methods and constructors may not; with `typed`, nor functions with another result than a promise.
    """
    function = path[number]
    if any(child.type in _NEVER_ASYNC for child in function.children):
        return False
    name = function.child_by_field_name(table.name_field)
    text = (name.text or b"") if name is not None else b""
    if text.startswith(b"__") or text == table.classes.constructor.encode():
        return False
    result = function.child_by_field_name("return_type") if typed and not table.layers.results_inside else None
    if result is not None and _PROMISE.search(result.text or b"") is None:
        return False
    is_decorated = number > 0 and path[number - 1].type in table.wrappers
    decorators = path[number - 1].named_children if is_decorated else []
    return not any(_is_accessor_decorator(child, table) for child in decorators)


def breaks_async(document: Document, edit: ByteEdit) -> bool:
    """Whether an edit makes a function async that cannot be, or writes `await` outside an async function.

    After the user has written such an `await`, the functions are about to become async, and others may follow.
    """
    syntax = document.syntax
    table, gone = syntax.language.scopes, edit.old_bytes(syntax.buffer.data)
    if table is None or not table.await_node:
        return False
    makes_async, awaits = _is_added(_ASYNC, gone, edit.new), _is_added(_AWAIT, gone, edit.new)
    if not makes_async and not awaits:
        return False
    path, offset = path_to(syntax, min(edit.old_end, max(0, len(syntax.buffer.data) - 1)))
    number = _function(path, table)
    body = path[number].child_by_field_name("body") if number >= 0 else None
    if makes_async and number >= 0 and (body is None or edit.start < body.start_byte + offset):
        return not _can_become_async(path, number, table, typed=_PROMISE.search(edit.new) is None)
    return (number < 0 or not _is_async(path[number])) and not _has_user_await_outside(document, table)


def _has_user_await_outside(document: Document, table: ScopeTable) -> bool:
    """Whether the user has written `await` outside an async function."""
    syntax, data = document.syntax, document.syntax.buffer.data
    for change in net_changes(document.history, data):
        if _is_added(_AWAIT, change.old, data[change.start : change.end]):
            path, _ = path_to(syntax, change.start)
            number = _function(path, table)
            if number < 0 or not _is_async(path[number]):
                return True
    return False


def _function(path: Sequence[Node], table: ScopeTable) -> int:
    """The index of the innermost function in a path; -1 if there is none."""
    return next((at for at in range(len(path) - 1, -1, -1) if path[at].type in table.functions), -1)


def _is_added(word: re.Pattern[bytes], old: bytes, new: bytes) -> bool:
    return len(word.findall(new)) > len(word.findall(old))


def _is_accessor_decorator(decorator: Node, table: ScopeTable) -> bool:
    """Whether a decorator turns a method into an accessor: `@property`, `@size.setter`."""
    name = (decorator.text or b"").lstrip(b"@ ").strip()
    is_property = name.decode("utf-8", "replace") in table.classes.property_decorators
    return decorator.type == "decorator" and (is_property or name.rpartition(b".")[2] in _ACCESSOR_PARTS)
