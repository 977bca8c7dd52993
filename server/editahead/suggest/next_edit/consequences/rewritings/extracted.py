"""Consequences of a new helper or constant: the places that it says.

A function that only returns an expression of its parameters takes the place of that expression with other operands; a
constant that is a number takes the place of that number. Values with names of their own are those of `value`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from editahead.analysis.resolver.signatures import path_to
from editahead.patterns.changes import NetChange, latest, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.rewritings.fitting_places import fits
from editahead.suggest.next_edit.consequences.rewritings.matching import anchor_of, rewritten
from editahead.suggest.next_edit.consequences.rewritings.operands import operands_named
from editahead.suggest.next_edit.consequences.rewritings.rewriting import Rewriting
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import Region
from editahead.text.buffer import LONGEST_LINE
from editahead.text.edits import ByteEdit, apart

SOURCE = "extracted"
MAX_CHANGES, MAX_DECLARED, MAX_PLACES, MAX_LOOKED = 3, 4, 12, 200
"""The latest changes, functions that one of them declares, places that are given, and those that are looked at."""
SHORTEST = 12
"""Bytes of an expression that a helper returns."""
MAX_LINES = 6
"""Lines of such an expression."""
_OPERATIONS = 2
_DOES = ("call", "call_expression", "invocation", "_operator", "binary_expression", "unary_expression", "subscript")
_CLIMB = 6  # nodes from a word up to the expression that it stands in
_NAMED = re.compile(rb"([^\W\d]\w*)[ \t]*\(")
_CONSTANT = re.compile(rb"\b([A-Z][A-Z0-9_]{2,})\b[^=\n]*=[ \t]*(\d[\d_]*(?:\.\d+)?)[;,]?[ \t]*$", re.MULTILINE)
_WORD = re.compile(rb"[^\W\d]\w*")
_DIGITS = 3  # characters of a number that says something
_ROUND = re.compile(rb"10*|10*\.0*")


class _Helper(NamedTuple):
    """A new function: its node in bytes [start, end), and what it takes the place of."""

    name: str
    start: int
    end: int
    rewriting: Rewriting


def extracted(moment: Moment) -> Outcome:
    """The places of what the latest changes declared. Raises what the check raises."""
    outcome, home, table = Outcome.empty(), moment.document, moment.document.syntax.language.scopes
    if table is None or (home.history.pending is not None and not home.idle):
        return outcome
    data = home.syntax.buffer.data
    with interruptible(moment.check):
        for change in latest(net_changes(home.history, data), MAX_CHANGES):
            moment.check()
            for helper in islice(_helpers(home, table, change), MAX_DECLARED):
                outcome.candidates.extend(islice(_calls(moment, home, helper), MAX_PLACES))
            for found in islice(_CONSTANT.finditer(data, _line_start(data, change.start), change.end), MAX_DECLARED):
                outcome.candidates.extend(islice(_numbers(moment, home, change, found), MAX_PLACES))
    return outcome


def _line_start(data: bytes, byte: int) -> int:
    return data.rfind(b"\n", 0, byte) + 1


def _helpers(home: Document, table: ScopeTable, change: NetChange) -> Iterator[_Helper]:
    """The functions that a change declared, of which the body only returns an expression of all parameters."""
    data = home.syntax.buffer.data
    for found in islice(_NAMED.finditer(data, change.start, change.end), 4 * MAX_DECLARED):
        path, offset = path_to(home.syntax, found.start(1))
        function = path[-2] if len(path) > 1 else None
        field = table.functions.get(function.type) if function is not None else None
        body = function.child_by_field_name("body") if function is not None and field else None
        row = function.child_by_field_name(field) if function is not None and field else None
        if function is None or body is None or row is None or function.has_error:
            continue
        statements = [one for one in body.named_children if "comment" not in one.type and not _is_text(one)]
        value = next(iter(statements[0].named_children), None) if len(statements) == 1 else None
        if value is None or statements[0].type != "return_statement" or not _says_enough(value):
            continue
        if function.end_byte + offset > change.end + SHORTEST or found.group(1) in _WORD.findall(change.old):
            continue  # it was there before
        names = [_name(one, table) for one in row.named_children]
        if not names or any(name is None for name in names):
            continue
        name = found.group(1).decode()
        rewriting = _rewriting(value, [str(one) for one in names], name)
        if rewriting is not None:
            yield _Helper(name, function.start_byte + offset, function.end_byte + offset, rewriting)


def _says_enough(value: Node) -> bool:
    """Whether an expression does more than one thing: one that hands its parameters on is no helper."""
    if len(value.text or b"") < SHORTEST or value.end_point[0] - value.start_point[0] > MAX_LINES:
        return False
    stack, done = [value], 0
    while stack and done < _OPERATIONS:
        node = stack.pop()
        done += node.type.endswith(_DOES) and node.type != "parenthesized_expression"
        stack.extend(node.named_children)
    return done >= _OPERATIONS


def _is_text(node: Node) -> bool:
    """Whether a statement is a docstring."""
    inner = next(iter(node.named_children), None)
    return node.type == "expression_statement" and inner is not None and inner.type == "string"


def _name(node: Node, table: ScopeTable) -> str | None:
    """The name of a plain parameter; None for one that may be left out."""
    if node.type in table.optional_parameters or node.type in table.rest or node.type in table.separators:
        return None
    inner: Node | None = node
    while inner is not None and inner.type not in table.names:
        inner = inner.child_by_field_name(table.name_field) or next(iter(inner.named_children), None)
    return node_text(inner) if inner is not None else None


def _rewriting(value: Node, names: Sequence[str], name: str) -> Rewriting | None:
    """What the helper takes the place of; of a method, the object is the same one."""
    own = names[0] if names[0] in ("self", "this") else ""
    given = [one for one in names if one != own]
    holes = operands_named(value, given)
    if set(holes.values()) != set(range(len(given))) or not given:
        return None
    parts: list[bytes | int] = [f"{own}.{name}(".encode() if own else f"{name}(".encode()]
    for number in range(len(given)):
        parts += [b", "] * (number > 0) + [number]
    operands = tuple(one.encode() for one in given)
    return Rewriting(value, holes, frozenset(), operands, (*parts, b")"), "sign")


def _calls(moment: Moment, home: Document, helper: _Helper) -> Iterator[Consequence]:
    syntax, buffer = home.syntax, home.syntax.buffer
    anchor = anchor_of(helper.rewriting)
    if len(anchor) < _DIGITS:
        return
    found = set[ByteEdit]()
    for at in islice(syntax.occurrences(anchor), MAX_LOOKED):
        moment.check()
        path, offset = path_to(syntax, at) if not helper.start <= at < helper.end else ([], 0)
        for number in range(len(path) - 1, max(0, len(path) - 1 - _CLIMB), -1):
            node = path[number]
            made = rewritten(helper.rewriting, node) if node.type == helper.rewriting.old.type else None
            if made is not None and fits(helper.rewriting, path, number, b""):
                found.add(ByteEdit(node.start_byte + offset, node.end_byte + offset, made[0]))
    reason = f"`{helper.name}` says this"
    for edit in sorted(apart(found), key=lambda one: (one.start < moment.byte, one.start)):
        made_of = _consequence(moment, home, edit, helper.name, "helper", reason, buffer.line_at(helper.start))
        if made_of is not None:
            yield made_of


def _numbers(moment: Moment, home: Document, change: NetChange, declared: re.Match[bytes]) -> Iterator[Consequence]:
    """The places of a number that a constant was declared with."""
    name, number = declared.groups()
    if len(number) < _DIGITS or _ROUND.fullmatch(number) or number in change.old:
        return
    syntax, data = home.syntax, home.syntax.buffer.data
    whole = re.compile(rb"(?<![\w.])" + re.escape(number) + rb"(?![\w.])")
    like = syntax.buffer.line_at(declared.start(1))
    places = [at for at in islice(syntax.occurrences(number), MAX_LOOKED) if whole.match(data, at)]
    for at in sorted(places, key=lambda at: (at < moment.byte, at)):
        moment.check()
        line = syntax.buffer.line_bytes(syntax.buffer.line_at(at))[:LONGEST_LINE]
        if _CONSTANT.search(line.rstrip()) is not None or syntax.region_at(at) is not Region.CODE:
            continue
        edit = ByteEdit(at, at + len(number), name)
        reason = f"`{name.decode()}` is this number"
        made = _consequence(moment, home, edit, name.decode(), "constant", reason, like)
        if made is not None:
            yield made


def _consequence(
    moment: Moment, home: Document, edit: ByteEdit, name: str, kind: str, reason: str, like: int
) -> Consequence | None:
    """The edit as a consequence; None where the user has been, or it was turned down."""
    buffer = home.syntax.buffer
    group = f"{SOURCE}-{blake2b(f'{kind} {name}'.encode(), digest_size=4).hexdigest()}"
    key = f"{group} @ {' '.join(buffer.line_text(buffer.line_at(edit.start)).split())}"
    changes = net_changes(home.history, buffer.data)
    touched = any(one.start <= edit.old_end and edit.start <= one.end for one in changes)
    if touched or not not_rejected(moment.document, key).passed or not not_rejected(moment.document, group).passed:
        return None
    return Consequence(SOURCE, home, edit, group, kind, reason, 1, like, key, group)
