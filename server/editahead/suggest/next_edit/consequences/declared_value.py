"""Consequences of a name that took the place of an expression, and that nothing declares: it is declared with it.

The declaration goes above the statement. Only where the name is a local one: what a module declares may stand anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple

from editahead.analysis.resolver.signatures import path_to
from editahead.patterns.changes import NetChange, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, ScopeTable
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import style_of

SOURCE = "declare"
MAX_CHANGES = 3
"""The latest changes of a text that are looked at."""
SHORTEST, LONGEST = 5, 300
"""Bytes of an expression."""
_BLOCKS = ("block", "compound_statement", "statement_block", "statement_list", "function_body")
_NAME = re.compile(rb"[^\W\d]\w*")
_BEFORE, _BEHIND = re.compile(rb"\w*\Z"), re.compile(rb"\w*")
_BRACKETS = {b"(": b")", b"[": b"]", b"{": b"}"}
_MAX_WORD = 80


class _Replaced(NamedTuple):
    """The name at bytes [start, end) stands where `value` stood."""

    name: bytes
    start: int
    end: int
    value: bytes
    change: NetChange


def declared_value(moment: Moment) -> Outcome:
    """The declarations that new names lack. Raises what the check raises."""
    outcome = Outcome.empty()
    home, table = moment.document, moment.document.syntax.language.scopes
    if table is None or not table.variable_form:
        return outcome
    with interruptible(moment.check):
        for replaced in _replaced(home):
            moment.check()
            typing = not home.idle and replaced.start <= moment.byte <= replaced.end
            if not typing and _is_unknown(moment, home, table, replaced):
                outcome.candidates.extend(_declaration(moment, home, table, replaced))
    return outcome


def _replaced(home: Document) -> Iterator[_Replaced]:
    """The names that the latest changes put in the place of expressions."""
    data = home.syntax.buffer.data
    for change in sorted(net_changes(home.history, data), key=lambda one: -one.turn)[:MAX_CHANGES]:
        before = _BEFORE.search(data, max(0, change.start - _MAX_WORD), change.start)
        behind = _BEHIND.match(data, change.end, change.end + _MAX_WORD)
        assert before is not None
        assert behind is not None
        name = before.group() + data[change.start : change.end] + behind.group()
        value = (before.group() + change.old + behind.group()).strip()
        plain = _NAME.fullmatch(value) is not None or b"\n" in value or b"=" in value
        if _NAME.fullmatch(name) and SHORTEST <= len(value) <= LONGEST and not plain and _is_closed(value):
            yield _Replaced(name, before.start(), behind.end(), value, change)


def _is_closed(value: bytes) -> bool:
    """Whether all brackets of a text are closed in it, and it is no list of things."""
    open_ones: list[bytes] = []
    for at in range(len(value)):
        sign = value[at : at + 1]
        if sign in _BRACKETS:
            open_ones.append(_BRACKETS[sign])
        unopened = sign in (b")", b"]", b"}") and (not open_ones or open_ones.pop() != sign)
        if unopened or (sign in (b",", b";") and not open_ones):
            return False
    return not open_ones


def _is_unknown(moment: Moment, home: Document, table: ScopeTable, replaced: _Replaced) -> bool:
    name = replaced.name.decode("utf-8", "replace")
    names = moment.resolver(home.uri, home.syntax, Parts(frozenset({replaced.name}), (replaced.start,)))
    at = names.name_at(replaced.start, name) if names is not None else None
    if names is None or at is None or at.occurrence.action is not Action.USE or names.binding(at) is not None:
        return False
    return name not in table.keywords and name not in table.builtins and not name.isupper()


def _declaration(moment: Moment, home: Document, table: ScopeTable, replaced: _Replaced) -> Iterator[Consequence]:
    """The line above the statement that the name stands in."""
    path, offset = path_to(home.syntax, replaced.start)
    inner = [at for at, node in enumerate(path) if node.type in table.functions]
    number = next((at for at in range(len(path) - 1, 0, -1) if path[at - 1].type.endswith(_BLOCKS)), 0)
    if not inner or number <= inner[-1] or path[number].has_error:
        return
    data, buffer = home.syntax.buffer.data, home.syntax.buffer
    start = path[number].start_byte + offset
    low = buffer.line_span(buffer.line_at(start))[0]
    if data[low:start].strip():
        return
    text = table.variable_form.format(name=replaced.name.decode(), value=replaced.value.decode("utf-8", "replace"))
    edit = ByteEdit(low, low, data[low:start] + text.encode() + style_of(data)[1])
    group = f"{SOURCE}-{blake2b(replaced.name + replaced.value, digest_size=4).hexdigest()}"
    key = f"{group} @ {low}"
    if all(not_rejected(moment.document, one).passed for one in (key, group)):
        kind = "call" if replaced.value.endswith(b")") else "value"
        reason = f"`{replaced.name.decode()}` is not declared"
        like = buffer.line_at(replaced.start)
        yield Consequence(SOURCE, home, edit, group, kind, reason, 1, like, key, group)
