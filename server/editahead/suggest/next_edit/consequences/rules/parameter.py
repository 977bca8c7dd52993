"""Consequences of a parameter that came, went or moved: the calls of the function, and the declarations that agree.

The changes inside the brackets are taken back to know the parameters before them. A new argument is written only where
its text is sure: a name of that very spelling can be used at the call. Other calls are open places.
"""

from __future__ import annotations

from collections.abc import Iterator

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.analysis.signatures import Row, call_of
from editahead.suggest.next_edit.consequences.calls.agreeing_parameters import agreeing_edit
from editahead.suggest.next_edit.consequences.calls.changed_functions import (
    ChangedFunction,
    called_binding,
    changed_functions,
    not_given,
)
from editahead.suggest.next_edit.consequences.calls.counterparts import Declaration, counterparts
from editahead.suggest.next_edit.consequences.calls.parameter_reach import (
    is_usable,
    resolved_parameters,
    without_contradictions,
)
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import open_uses
from editahead.suggest.next_edit.consequences.row_changes import argument_place, inserted_argument, removed, reordered
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Cause, Consequence, Item, Moment, OpenPlace, Refusal
from editahead.suggest.next_edit.resolved_changes import ResolvedParameter
from editahead.suggest.types import Document
from editahead.syntax.scope_table import Action
from editahead.text.edits import ByteEdit

SOURCE = "parameter"


def parameter(moment: Moment) -> Iterator[Item]:
    """What follows from changed parameter lists, the latest first."""
    resolved, declared = list[ResolvedParameter](), set[tuple[str, int]]()
    for document in (moment.document, *moment.document.others):
        if not document.history.settled and document.history.pending is None:
            continue
        for changed in changed_functions(moment, document):
            for other in counterparts(moment, changed):
                yield from _override(moment, changed, other)
            if changed.change.kind == "retyped":
                continue
            declared.add((document.uri, changed.now.name_start))
            called = _called(changed)
            if called is not None:
                resolved.extend(resolved_parameters(moment, changed, called))
            if changed.change.kind == "added" and not changed.change.needed:
                yield Refusal(SOURCE, changed.signature, "callers need not give it")
            else:
                yield from _follow(moment, changed)
    yield from without_contradictions(resolved, declared)


def _follow(moment: Moment, changed: ChangedFunction) -> Iterator[Consequence | OpenPlace]:
    names, at = changed.names, changed.names.name_at(changed.now.name_start, changed.now.name)
    binding = names.binding(at) if at is not None else None
    if at is None or binding is None:
        return
    what = names.kind(binding)
    apart = changed.table.prototypes or changed.table.classes.extension_bases  # `int A::m() {}`, `impl A for B`
    outside = Action.ATTRIBUTE if apart else Action.BIND
    declarations = [
        name
        for name in names.references(binding)
        if name.occurrence.action is Action.BIND or (name.occurrence.action is outside and name.occurrence.kind)
    ]
    scopes = {
        (names.scopes.placed(name.unit, name.occurrence.scope), changed.table.prototypes and name.occurrence.kind)
        for name in declarations
    }
    if len(scopes) < len(declarations):
        return  # overloads, or several definitions: the called definition is unknown
    what = "constructor" if changed.now.name == changed.table.classes.constructor else what
    called = _called(changed)
    for target, theirs, use in open_uses(moment, changed.document, names, called) if called is not None else ():
        suffix = "" if target is changed.document else "/other-file"
        yield from _call(moment, changed, target, theirs, use, f"{what}{suffix}")


def _called(changed: ChangedFunction) -> Binding | None:
    """What calls of a function name: the function, or the class that it makes objects of."""
    names, at = changed.names, changed.names.name_at(changed.now.name_start, changed.now.name)
    binding = names.binding(at) if at is not None else None
    return called_binding(names, binding, binding.scope, changed.now.name) if binding is not None else None


def _call(
    moment: Moment, changed: ChangedFunction, target: Document, names: Resolver, use: NameAt, what: str
) -> Iterator[Consequence | OpenPlace]:
    row = call_of(target.syntax, changed.table, use.start)
    if row is None or any(item.form == "rest" for item in row.items) or moment.is_changed(target, row.start, row.end):
        return
    change, data = changed.change, target.syntax.buffer.data
    implicit = not_given(names, use, changed.now, changed.names)
    place, sign = (
        change.at - implicit,
        changed.table.parameters.keyword_sign if changed.table.parameters.keyword_arguments else "",
    )
    edit: ByteEdit | None = None
    if change.kind == "added" and change.name not in row.names:
        if is_usable(names, use.start, change.name):
            edit = inserted_argument(row, place, change.name, keyword=change.keyword, sign=sign)
        if edit is None and not _is_full(changed, row, implicit):
            function, name = f"`{changed.now.name}`", f"`{change.name}`"
            singular, plural = f"call of {function} lacks {name}", f"calls of {function} lack {name}"
            byte = argument_place(row, place, keyword=change.keyword)
            yield from moment.open_place(_cause(changed), target, byte, what, singular, plural)
    elif change.kind == "removed":
        edit = removed(row, place, change.name)
    elif change.kind == "moved":
        order = tuple(at - implicit for at in change.order[max(0, implicit) :])
        edit = reordered(row, (*range(-implicit), *order), data)
    if edit is not None:
        yield from moment.consequence(_cause(changed), target, edit, f"{change.kind}/{what}")


def _is_full(changed: ChangedFunction, row: Row, implicit: int) -> bool:
    """Whether a call passes more arguments than the function took before, so that it has the new argument."""
    items = changed.before.parameters.items
    plain = sum(item.form in ("plain", "object") for item in items) - implicit
    return not any(item.form == "rest" for item in items) and len(row.items) > plain


def _override(moment: Moment, changed: ChangedFunction, other: Declaration) -> Iterator[Consequence]:
    """The same change of a declaration that has the former parameters."""
    target, edit = other.document, agreeing_edit(moment, changed, other)
    if edit is not None and not edit.is_noop(target.syntax.buffer.data):
        suffix = "" if target is changed.document else "/other-file"
        yield from moment.consequence(_cause(changed), target, edit, f"{changed.change.kind}/override{suffix}")


def _cause(changed: ChangedFunction) -> Cause:
    change = changed.change
    verbs = {"added": "takes", "removed": "no longer takes", "moved": "takes in another order", "retyped": "retypes"}
    verb = verbs[change.kind]
    reason = f"`{changed.now.name}` {verb} `{change.name}`" if change.name else f"`{changed.now.name}` {verb}"
    text = f"{changed.document.uri} {changed.now.name} {change.kind} {change.name} {changed.now.parameters.names}"
    return Cause(SOURCE, text, reason, changed.document.syntax.buffer.line_at(changed.now.name_start))


RULE = EditRule(
    name=SOURCE,
    when=frozenset({ChangeKind.PARAMETERS}),
    generate=parameter,
    you="add, remove or move a parameter",
    follows="its calls; the methods that override or implement it; its declaration in a header (C, C++)",
    examples=(
        "def f(a«, b>»):\n    return a\n\n\nf(1‹, 2>›)\n",
        "class A:\n    def load(self, a«>, b»):\n        return a\n\n\n"
        "class B(A):\n    def load(self, a‹>, b›):\n        return a\n",
    ),
    elsewhere=True,
)
