"""Consequences of a changed call for what it calls: a parameter that no call gives any more, or one that is missing.

A parameter goes when an argument went and no other call of the file gives it; one comes when a call gives an argument
by a keyword that the function does not know, or one more than it takes, whose own name can serve.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import Declared, Row, call_of, function_named
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.calls.changed_calls import ArgumentChange, ChangedCall, changed_calls
from editahead.suggest.next_edit.consequences.calls.object_parameters import not_given
from editahead.suggest.next_edit.consequences.row_changes import inserted_parameter, removed
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.syntax.interrupt import interruptible
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action
from editahead.text.edits import ByteEdit

SOURCE = "call"
MAX_STANDING = 60
"""How often the function's name may stand in the file: the parts that hold it are read one by one."""
_NAME = re.compile(r"[^\W\d]\w*")


class _Target(NamedTuple):
    """The function that a call runs, with the arguments of its other calls in the file.

    `implicit`: how many of its first parameters no caller gives.
    """

    declared: Declared
    kind: str
    implicit: int
    others: tuple[Row, ...]


def call_parameters(moment: Moment) -> Outcome:
    """What follows for the functions of changed calls, the latest first. Raises what the check raises."""
    outcome = Outcome.empty()
    with interruptible(moment.check):
        seen = set[ByteEdit]()  # several calls may ask for one edit
        for changed in changed_calls(moment, moment.document):
            target = _target(moment, changed)
            for one in _follow(moment, changed, target) if target is not None else ():
                if one.edit not in seen:
                    outcome.candidates.append(one)
                seen.add(one.edit)
    return outcome


def _target(moment: Moment, changed: ChangedCall) -> _Target | None:
    """The function of the file that a call runs; None where the file declares none, or several."""
    home, call, table = changed.home, changed.call, changed.table
    if home.syntax.count(call.name.encode()) > MAX_STANDING:
        return None
    names = moment.resolver(home.uri, home.syntax, Parts(frozenset({call.name.encode()}), (call.name_start,)))
    at = names.name_at(call.name_start, call.name) if names is not None else None
    binding = names.binding(at) if names is not None and at is not None else None
    if names is None or binding is None:
        return None
    references = names.references(binding)
    declarations = [one for one in names.declarations(binding) if one.occurrence.action is Action.BIND]
    if len(declarations) != 1:
        return None
    kind = names.kind(binding)
    start = declarations[0].start
    if kind == "class":
        scope = names.scopes.declared_by(start)
        made = [
            one for one in names.names(table.classes.constructor) if scope is not None and _is_in(names, one, scope)
        ]
        if len(made) != 1:
            return None
        start, kind = made[0].start, "constructor"
    declared = function_named(home.syntax, table, start)
    if declared is None:
        return None
    uses = [one for one in references if one.start != call.name_start and one.start != declarations[0].start]
    rows = [call_of(home.syntax, table, one.start) for one in uses]
    if any(row is None or any(item.form == "rest" for item in row.items) for row in rows):
        return None  # it is used otherwise than by a call that tells what it gives
    implicit = {not_given(names, one, declared, names) for one in (at, *uses)} if at is not None else set()
    if len(implicit) != 1 or min(implicit) < 0:
        return None  # some give the object of the method, and others do not
    return _Target(declared, kind, min(implicit), tuple(row for row in rows if row is not None))


def _is_in(names: Resolver, one: NameAt, scope: tuple[int, int]) -> bool:
    return one.occurrence.action is Action.BIND and names.scopes.placed(one.unit, one.occurrence.scope) == scope


def _follow(moment: Moment, changed: ChangedCall, target: _Target) -> Iterator[Consequence]:
    change, row = changed.change, target.declared.parameters
    if any(one.start <= row.end and row.start <= one.end for one in changed.changes):
        return  # the user has been there
    edit = _without(target, change) if change.kind == "removed" else _with(target, change, changed.call.arguments)
    if edit is None:
        return
    name = target.declared.name
    text = f"{name} {change.kind} {change.at} {change.name}"
    group = f"{SOURCE}-{blake2b(text.encode(), digest_size=4).hexdigest()}"
    buffer = changed.home.syntax.buffer
    key = f"{group} @ {' '.join(buffer.line_text(buffer.line_at(edit.start)).split())}"
    if all(not_rejected(moment.document, one).passed for one in (key, group)):
        reason = f"no call of `{name}` gives it" if change.kind == "removed" else f"a call of `{name}` gives it"
        kind = f"{change.kind}/{target.kind}" + ("/several" if target.others else "/alone")
        like = buffer.line_at(changed.call.name_start)
        yield Consequence(SOURCE, changed.home, edit, group, kind, reason, 1, like, key, group)


def _without(target: _Target, change: ArgumentChange) -> ByteEdit | None:
    """The parameters without the one that no call gives any more."""
    row = target.declared.parameters
    names = row.names
    at = names.index(change.name) if change.name in names else change.at + target.implicit
    if not target.implicit <= at < len(row.items) or row.items[at].form != "plain":
        return None
    most = at - target.implicit if change.name else change.given - 1
    if any(_gives(other, most, names[at]) for other in target.others):
        return None
    return removed(row._replace(items=tuple(item._replace(name="") for item in row.items)), at, "")


def _gives(row: Row, most: int, name: str) -> bool:
    """Whether a call gives a parameter, by its name or with more than `most` arguments without one."""
    return name in row.names or sum(not item.name for item in row.items) > most


def _with(target: _Target, change: ArgumentChange, call: Row) -> ByteEdit | None:
    """The parameters with one for an argument that the function does not take."""
    row = target.declared.parameters
    items = row.items
    if change.kind != "added" or any(item.form != "plain" for item in items):
        return None
    plain = len(items) - target.implicit
    value = change.new.decode("utf-8", "replace")
    name = change.name or (value if _NAME.fullmatch(value) else "")
    given = sum(not item.name for item in call.items)
    if not name or name in row.names or (not change.name and (given != plain + 1 or change.at != plain)):
        return None
    optional = bool(items) and items[-1].optional
    text = f"{name}=None" if optional or target.others else name
    return inserted_parameter(row, len(items), text)
