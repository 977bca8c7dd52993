"""Consequences of a changed type: the field, the parameters that are stored in it and its getters say the same type."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.analysis.signatures import path_to
from editahead.patterns.changes import NetChange, latest, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.fields.type_slots import TypeSlot, class_node, slots_of
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.nodes import Node, Parts, node_text
from editahead.syntax.scope_table import ScopeKind, ScopeTable
from editahead.text.edits import ByteEdit

SOURCE = "type"
LANGUAGES = frozenset({"python", "java", "typescript", "tsx"})
MAX_CHANGES, MAX_PLACES, LONGEST = 3, 12, 200
"""The latest changes that are looked at, places of one of them that are given, and bytes of a type."""


class _Changed(NamedTuple):
    """A slot whose type was `old`."""

    slot: TypeSlot
    old: bytes


def declared_type(moment: Moment) -> Outcome:
    """The types that must agree with a changed one, the latest first. Raises what the check raises."""
    outcome, home = Outcome.empty(), moment.document
    if home.language_id not in LANGUAGES or (home.history.pending is not None and not home.idle):
        return outcome
    data = home.syntax.buffer.data
    with interruptible(moment.check):
        seen = set[int]()
        for change in latest(net_changes(home.history, data), MAX_CHANGES):
            moment.check()
            if not change.undone(data) and len(change.old) < LONGEST and change.end - change.start < LONGEST:
                for one in islice(_others(moment, home, change), MAX_PLACES):
                    if one.edit.start not in seen:
                        seen.add(one.edit.start)
                        outcome.candidates.append(one)
    return outcome


def _others(moment: Moment, home: Document, change: NetChange) -> Iterator[Consequence]:
    syntax, buffer, data = home.syntax, home.syntax.buffer, home.syntax.buffer.data
    path, offset = path_to(syntax, change.start)
    root, table = class_node(path), syntax.language.scopes
    if root is None or table is None:
        return
    slots, pairs = slots_of(root, bare=table.classes.scope_is_inherited)
    changed = next((one for slot in slots if (one := _changed(slot, change, data, offset)) is not None), None)
    if changed is None:
        return
    at, new = slots.index(changed.slot), changed.slot.node.text or b""
    touched = [(one.start, one.end) for one in net_changes(home.history, data)]
    text = f"{changed.slot.name} {changed.old!r} {new!r}"
    group = f"{SOURCE}-{blake2b(text.encode(), digest_size=4).hexdigest()}"
    if changed.old == new or not not_rejected(home, group).passed or _is_typed(moment, home, table, changed, offset):
        return
    with_it = {(b if a == at else a): must for (a, b), must in pairs.items() if at in (a, b)}
    tied = sorted(with_it, key=lambda one: slots[one].node.start_byte)
    for number in sorted(tied, key=lambda one: slots[one].node.start_byte + offset < moment.byte):
        slot = slots[number]
        start, end = slot.node.start_byte + offset, slot.node.end_byte + offset
        if slot.node.text != changed.old or any(low <= end and start <= high for low, high in touched):
            continue
        if not all(_is_member(moment, home, node, offset) for node in with_it[number]):
            continue
        key = f"{group} @ {' '.join(buffer.line_text(buffer.line_at(start)).split())}"
        if not_rejected(home, key).passed:
            kind = f"{changed.slot.kind}/{slot.kind}"
            reason = f"the type of `{changed.slot.name}` changed"
            like = buffer.line_at(change.start)
            yield Consequence(SOURCE, home, ByteEdit(start, end, new), group, kind, reason, 1, like, key, group)


def _is_member(moment: Moment, home: Document, node: Node, offset: int) -> bool:
    """Whether a name without a receiver means a member of the class, and no variable of its function."""
    moment.check()
    names, binding = _meant(moment, home, node, offset)
    return names is not None and binding is not None and names.scopes.kind(binding.scope) is ScopeKind.CLASS


def _meant(moment: Moment, home: Document, node: Node, offset: int) -> tuple[Resolver | None, Binding | None]:
    """What a name in the class means."""
    start, name = node.start_byte + offset, node_text(node)
    names = moment.resolver(home.uri, home.syntax, Parts(frozenset({name.encode()}), (start,)))
    at = names.name_at(start, name) if names is not None else None
    return names, names.binding(at) if names is not None and at is not None else None


def _is_typed(moment: Moment, home: Document, table: ScopeTable, changed: _Changed, offset: int) -> bool:
    """Whether a type may still be typed: the cursor is at it, and the file knows no type of a name in it."""
    node = changed.slot.node
    if not node.start_byte + offset <= moment.byte <= node.end_byte + offset:
        return False
    if node.end_byte - node.start_byte > LONGEST:
        return True
    stack = [node]
    while stack:
        one = stack.pop()
        stack.extend(one.children)
        known = one.type not in table.names or node_text(one) in table.builtins or node_text(one) in table.keywords
        if not known and _meant(moment, home, one, offset)[1] is None:
            return True
    return False


def _changed(slot: TypeSlot, change: NetChange, data: bytes, offset: int) -> _Changed | None:
    """A slot with its type before a change of it; None where the change is another one's."""
    start, end = slot.node.start_byte + offset, slot.node.end_byte + offset
    if not (start <= change.start and change.end <= end) or slot.node.has_error:
        return None
    old = data[start : change.start] + change.old + data[change.end : end]
    return _Changed(slot, old) if old.strip() and b"\n" not in old else None
