"""Consequences of one more or one less value that a function returns: its calls whose result is unpacked.

A value that went is taken from the targets of each call. One that came is put there where its name is free; where it
has none, the call is led to. Python alone, whose targets must be as many as the values. Calls are those that the scopes
and the imports tell; of a method those of its class, by the object itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from editahead.analysis.signatures import path_to
from editahead.patterns.changes import latest, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.calls.function_uses import names_with, other_uses, own_uses
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, OpenPlace, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.nodes import Node, node_text
from editahead.text.diff import common_ends
from editahead.text.edits import ByteEdit, united

SOURCE = "unpacking"
MAX_CHANGES, MAX_LOOKED, MAX_CALLS = 3, 100, 12
"""The latest changes that are looked at, places of a function's name, and calls that are given."""
MAX_NODES = 2_000
"""Nodes of the function that are searched for its `return` statements."""
_TUPLES = frozenset({"expression_list", "tuple", "pattern_list", "tuple_pattern"})
_FUNCTIONS = frozenset({"function_definition", "lambda", "class_definition"})
_RESERVED = frozenset({"None", "True", "False", "self", "cls"})


class _Returned(NamedTuple):
    """What a function returns now: one value more (`come`) or less, at `at`; `before` were as many as there were.

    `named` is the byte of its name.
    """

    function: str
    named: int
    is_async: bool
    at: int
    come: str | None
    before: int
    start: int


def unpacking(moment: Moment) -> Outcome:
    """The calls of the functions that return more or less, the latest first. Raises what the check raises."""
    outcome, home = Outcome.empty(), moment.document
    if home.language_id != "python":
        return outcome
    with interruptible(moment.check):
        seen = set[str]()
        for returned in _returned(moment, home):
            if returned.function not in seen:
                seen.add(returned.function)
                outcome.take(islice(_calls(moment, home, returned), MAX_CALLS))
    return outcome


def _returned(moment: Moment, home: Document) -> Iterator[_Returned]:
    """The functions of which the latest changes added or removed one returned value."""
    syntax, data = home.syntax, home.syntax.buffer.data
    changes = [one for one in net_changes(home.history, data) if not one.undone(data)]
    for change in latest(changes, MAX_CHANGES):
        moment.check()
        path, offset = path_to(syntax, change.start)
        if not any(node.type == "return_statement" for node in path):
            path, offset = path_to(syntax, max(0, change.start - 1))
        at = next((number for number, node in enumerate(path) if node.type == "return_statement"), None)
        if at is None or path[at].has_error:
            continue
        start, end = path[at].start_byte + offset, path[at].end_byte + offset
        inside = [one for one in changes if start < one.start and one.end <= end]
        if not inside or (not home.idle and start <= moment.byte <= end):
            continue
        edits = [ByteEdit(one.start, one.end, one.old) for one in reversed(inside)]
        buffer = syntax.buffer.apply(united(data, edits))
        old_path, _ = path_to(syntax.advance(buffer, edits), start)
        old = next((node for node in reversed(old_path) if node.type == "return_statement"), None)
        gone, come = (_values(node) for node in (old, path[at]))
        head, tail = common_ends(gone, come)
        left, right = gone[head : len(gone) - tail], come[head : len(come) - tail]
        function = next((node for node in reversed(path[:at]) if node.type in _FUNCTIONS), None)
        name = function.child_by_field_name("name") if function is not None else None
        if not gone or not come or len(left) + len(right) != 1 or function is None or name is None:
            continue
        arities = {len(_values(node)) if node.type == "return_statement" else 0 for node in _returns(function)}
        if arities == {len(come)}:
            named, is_async = name.start_byte + offset, function.children[0].type == "async"
            come_one = right[0] if right else None
            yield _Returned(node_text(name), named, is_async, head, come_one, len(gone), start)


def _values(node: Node | None) -> list[str]:
    """The values of a `return`, or the targets before a sign."""
    inner = next(iter(node.named_children), None) if node is not None and node.type == "return_statement" else node
    if inner is None:
        return []
    return [node_text(one) for one in inner.named_children] if inner.type in _TUPLES else [node_text(inner)]


def _returns(function: Node) -> Iterator[Node]:
    """The `return` statements and the `yield`s of a function, without those of functions in it."""
    stack = list(function.children)
    for _ in range(MAX_NODES):
        if not stack:
            return
        node = stack.pop()
        if node.is_named and node.type in ("return_statement", "yield"):
            yield node
        elif node.type not in _FUNCTIONS:
            stack.extend(node.children)


def _calls(moment: Moment, home: Document, returned: _Returned) -> Iterator[Consequence | OpenPlace]:
    text = f"{returned.function} {returned.at} {returned.come} {returned.before}"
    group = f"{SOURCE}-{blake2b(text.encode(), digest_size=4).hexdigest()}"
    if not not_rejected(home, group).passed:
        return
    names = names_with(moment, home, returned.function, (returned.named,))
    at = names.name_at(returned.named, returned.function) if names is not None else None
    binding = names.binding(at) if names is not None and at is not None else None
    if names is None or binding is None:
        return
    documents = [home, *(one for one in home.others if one.language_id == home.language_id)]
    what = "one value more" if returned.come is not None else "one value less"
    for document in documents:
        data, buffer = document.syntax.buffer.data, document.syntax.buffer
        touched = [(one.start, one.end) for one in net_changes(document.history, data)]
        uses = own_uses(names, binding) if document is home else other_uses(moment, home, document, binding)
        found = list(_targets(moment, document, returned, uses))
        found.sort(key=lambda one: (document is home and one[0].start_byte + one[1] < moment.byte, one[0].start_byte))
        for target, offset in found:
            start, end = target.start_byte + offset, target.end_byte + offset
            key = f"{group} @ {' '.join(buffer.line_text(buffer.line_at(start)).split())}"
            if any(low <= end and start <= high for low, high in touched) or not not_rejected(home, key).passed:
                continue
            kind = "removed" if returned.come is None else "added"
            kind += "/several" if returned.before > 1 else "/one"
            kind += "" if document is home else "/other-file"
            reason = f"`{returned.function}` returns {what}"
            edit = _edit(document, target, offset, returned)
            if edit is None:
                singular, plural = (f"{calls} of `{returned.function}` to unpack" for calls in ("call", "calls"))
                yield OpenPlace(SOURCE, document, end, group, kind, reason, singular, plural, key, group)
            else:
                like = home.syntax.buffer.line_at(returned.start)
                yield Consequence(SOURCE, document, edit, group, kind, reason, 1, like, key, group)


def _targets(
    moment: Moment, document: Document, returned: _Returned, uses: Sequence[int]
) -> Iterator[tuple[Node, int]]:
    """What the results of calls are assigned to, where that fits the values before."""
    for at in uses[:MAX_LOOKED]:
        moment.check()
        path, offset = path_to(document.syntax, at)
        if not path or path[-1].type != "identifier" or path[-1].start_byte + offset != at:
            continue
        number = len(path) - 2
        while number > 0 and path[number].type in ("attribute", "await"):
            number -= 1
        if number < 1 or path[number].type != "call" or path[number].child_by_field_name("arguments") is None:
            continue
        called = path[number].child_by_field_name("function")
        if called is None or called.end_byte + offset != at + len(returned.function):
            continue
        awaited = path[number - 1].type == "await" and number > 1
        outer, around = path[number - 1 - awaited], path[max(0, number - 2 - awaited)]
        right, left = outer.child_by_field_name("right"), outer.child_by_field_name("left")
        if outer.type != "assignment" or right is None or left is None or outer.has_error:
            continue
        if awaited != returned.is_async or around.type == "assignment" or outer.child_by_field_name("type") is not None:
            continue  # `x: int, y = f()` is no statement
        whole = right.start_byte <= path[number].start_byte and right.end_byte == path[number].end_byte
        fits = len(_values(left)) == returned.before and (left.type in _TUPLES) == (returned.before > 1)
        plain = not {"*", "#"}.intersection(node_text(left))
        if whole and fits and plain and left.type in (*_TUPLES, "identifier", "attribute"):
            yield left, offset


def _edit(document: Document, left: Node, offset: int, returned: _Returned) -> ByteEdit | None:
    """The targets with one more or one less; None where the one more has no name that is free."""
    items = left.named_children if left.type in _TUPLES else [left]
    if returned.come is None:
        kept = [node for number, node in enumerate(items) if number != returned.at]
        if len(kept) == 1:
            return ByteEdit(left.start_byte + offset, left.end_byte + offset, kept[0].text or b"")
        if returned.at + 1 < len(items):
            after = items[returned.at + 1].start_byte
            return ByteEdit(items[returned.at].start_byte + offset, after + offset, b"")
        return ByteEdit(items[returned.at - 1].end_byte + offset, items[returned.at].end_byte + offset, b"")
    name = re.fullmatch(r"(?:\w+\.)*_?([^\W\d]\w*)", returned.come)
    if name is None or name.group(1) in _RESERVED or not _is_free(document, left.start_byte + offset, name.group(1)):
        return None
    fresh = name.group(1).encode()
    if returned.at >= len(items):
        return ByteEdit(items[-1].end_byte + offset, items[-1].end_byte + offset, b", " + fresh)
    start = items[returned.at].start_byte + offset
    return ByteEdit(start, start, fresh + b", ")


def _is_free(document: Document, byte: int, name: str) -> bool:
    """Whether the function around a byte has no such name."""
    spans: Sequence[tuple[int, int]] = document.syntax.scopes_at(byte)
    data = document.syntax.buffer.data
    start, end = spans[0] if spans else (0, len(data))
    return re.search(rb"(?<![\w.])" + re.escape(name.encode()) + rb"(?!\w)", data[start:end]) is None
