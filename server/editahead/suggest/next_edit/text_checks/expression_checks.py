"""Checks of candidates from text comparison for semantic errors that the syntax does not show.

A call as a target; a field of a format string in a plain string: `"{name}"` without the prefix `f` is not formatted;
and comparisons of identity whose value is passed on: objects may overload `==` there, but never `is`.
Besides: where `await` may stand, and which functions may become async for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from editahead.analysis.signatures import path_to
from editahead.patterns.changes import net_changes
from editahead.suggest.next_edit.edit_candidate import EditCandidate, ResolvedParameter
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

_NEVER_ASYNC = frozenset({"get", "set", "*"})
"""Keywords and signs of functions that cannot become async without changing their result."""
_ACCESSOR_PARTS = frozenset({b"getter", b"setter", b"deleter"})
_PROMISE = re.compile(rb"\bPromise\b")
_ASYNC, _AWAIT = re.compile(rb"(?<![\w.$])async\b"), re.compile(rb"(?<![\w.$])await\b")
_MAX_HEIGHT = 12  # nodes from an expression up to the statement of which it is a target
_DELETIONS = frozenset({"delete_statement", "del_statement", "delete_expression", "as_pattern_target", "rest_pattern"})
_INCREMENTS = frozenset({"update_expression", "inc_statement", "dec_statement"})
_UNARY = frozenset({"unary_expression", "pointer_expression", "prefix_unary_expression", "postfix_unary_expression"})
_UNARY_SIGNS = frozenset({"delete", "++", "--", "&"})
_REFERENCES = frozenset({"ref", "out"})  # of an argument that the function assigns
_INFIX = ("binary_operator", "binary_expression", "comparison_operator", "boolean_operator")
_HOLDERS = frozenset(
    "tuple list expression_list pattern_list tuple_pattern list_pattern parenthesized_expression array_pattern "
    "object_pattern pair_pattern assignment_pattern object_assignment_pattern rest_pattern list_splat "
    "list_splat_pattern tuple_expression argument non_null_expression".split()
)
SUBSCRIPTS = frozenset("subscript subscript_expression index_expression array_access element_access_expression".split())
_EQUALITY = frozenset({"==", "!="})
_EQUALITY_SIGN = re.compile(rb"[=!]=(?!=)")
_IDENTITY = re.compile(rb"\bis\b")
_ARGUMENTS = frozenset({"argument_list", "arguments", "bracketed_argument_list"})
_TRUTH = frozenset({"boolean_operator", "not_operator", "if_clause", "lambda"})
"""Expressions that test a value, or are functions of their own."""
_ELEMENTS = frozenset({"binary_operator", "unary_operator"})  # operators of masks and queries: `&`, `|` and `~`
_ENDS = ("_statement", "block", "_definition", "_declaration", "_clause")
_PLACEHOLDER = re.compile(rb"%[-+ #0]{0,5}[\d.*]{0,10}[a-zA-Z]|%\(")
_FIELD = re.compile(rb"\{[^{}]{1,200}\}")
_PREFIX = re.compile(rb"[a-zA-Z]*")
_FORMATTED = frozenset("fFtT")


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
    name = node_text(function.child_by_field_name(table.name_field))
    if name.startswith("__") or name == table.classes.constructor:
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


def _is_target(path: Sequence[Node], number: int) -> bool:
    """Whether the node of a path, outermost first, or an item of it, is assigned, incremented or deleted."""
    for at in range(number - 1, max(-1, number - 1 - _MAX_HEIGHT), -1):
        parent, child = path[at], path[at + 1]
        if _has_target(parent, child):
            return True
        inside = parent.type in SUBSCRIPTS and child.start_byte == parent.start_byte
        if not inside and parent.type not in _HOLDERS:
            return False
    return False


def makes_call_a_target(syntax: SyntaxSnapshot, edit: ByteEdit) -> bool:
    """Whether an edit replaces an item that is assigned, incremented or deleted by a call."""
    if not edit.new.endswith(b")") or edit.old_end == edit.start:
        return False
    path, offset = path_to(syntax, edit.start)
    return any(
        path[number].type in SUBSCRIPTS
        and path[number].end_byte + offset == edit.old_end
        and path[number].start_byte + offset <= edit.start
        and _is_target(path, number)
        for number in range(max(1, len(path) - _MAX_HEIGHT), len(path))
    )


def _has_target(parent: Node, child: Node) -> bool:
    """Whether a node assigns, increments or deletes its child."""
    kind = parent.type
    if kind in _DELETIONS or kind in _INCREMENTS:
        return True
    if kind in _UNARY:
        return any(sign.type in _UNARY_SIGNS for sign in parent.children)
    if kind == "argument":
        return any(sign.type in _REFERENCES for sign in parent.children)
    if kind == "reference_expression":
        return any(sign.type == "mutable_specifier" for sign in parent.children)
    if kind.endswith(_INFIX):
        return False
    targets = (parent.child_by_field_name(field) for field in ("left", "name"))
    return any(target is not None and target.id == child.id for target in targets)


def _is_handed_on(path: Sequence[Node], number: int) -> bool:
    """Whether the value of the node of a path is an argument or an index, or a part of it, not a condition."""
    for at in range(number - 1, -1, -1):
        parent, child = path[at], path[at + 1]
        if parent.type in _ARGUMENTS or parent.type in _ELEMENTS:
            return True
        if parent.type in SUBSCRIPTS and child.start_byte != parent.start_byte:
            return True
        if parent.type in _TRUTH or parent.type.endswith(_ENDS) or _is_condition(child, parent):
            return False
    return False


def makes_identity_of_value(syntax: SyntaxSnapshot, edit: ByteEdit) -> bool:
    """Whether an edit replaces `==` by `is` in a comparison whose value is passed on."""
    data = syntax.buffer.data
    gone = edit.old_bytes(data)
    sign = _EQUALITY_SIGN.search(data, edit.start, min(len(data), edit.old_end + 1)) if gone else None
    if sign is None or len(_IDENTITY.findall(edit.new)) <= len(_IDENTITY.findall(gone)):
        return False
    path, _ = path_to(syntax, sign.start())
    number = next((at for at in range(len(path) - 1, 0, -1) if _is_equality(path[at])), 0)
    return number > 0 and _is_handed_on(path, number)


def _is_equality(node: Node) -> bool:
    return any(child.type in _EQUALITY for child in node.children if not child.is_named)


def _is_condition(node: Node, parent: Node) -> bool:
    """Whether a node is the condition of a conditional expression."""
    if not parent.type.startswith(("conditional_expression", "ternary_expression")):
        return False
    condition = parent.child_by_field_name("condition")
    if condition is None:  # `a if b else c`
        return len(parent.named_children) > 1 and parent.named_children[1].id == node.id
    return condition.id == node.id


def puts_field_in_plain_text(syntax: SyntaxSnapshot, edit: ByteEdit) -> bool:
    """Whether an edit replaces `%s` by `{name}` in a Python string without the prefix `f`."""
    data = syntax.buffer.data
    if syntax.language.id != "python" or _FIELD.search(edit.new) is None:
        return False
    if _PLACEHOLDER.search(edit.old_bytes(data)) is None:
        return False
    path, offset = path_to(syntax, edit.start)
    text = next((node for node in reversed(path) if node.type == "string"), None)
    if text is None or edit.start <= text.start_byte + offset:
        return False  # the edit writes the prefix as well
    prefix = _PREFIX.match(data, text.start_byte + offset)
    return prefix is None or _FORMATTED.isdisjoint(prefix[0].decode())


_REFUSED = (makes_call_a_target, makes_identity_of_value, puts_field_in_plain_text)


def permitted_candidates(
    candidates: Iterable[EditCandidate], parameters: Sequence[ResolvedParameter], check: Callable[[], None]
) -> list[EditCandidate]:
    """The candidates that break no rule of the language that its grammar does not express.

    Excluded are assignments to a call, identity comparisons of values, format fields in plain strings, `await` outside
    async functions, and arguments for the changed `parameters` in calls of other functions. Raises what `check` raises.
    """
    kept: list[EditCandidate] = []
    for candidate in candidates:
        check()
        syntax, uri = candidate.document.syntax, candidate.document.uri
        if any(refused(syntax, candidate.edit) for refused in _REFUSED) or breaks_async(
            candidate.document, candidate.edit
        ):
            continue
        if not any(parameter.uri == uri and parameter.refuses(syntax, candidate.edit) for parameter in parameters):
            kept.append(candidate)
    return kept
