"""Consequences of a parameter that came, went or moved: the calls of the function, and the declarations that agree.

The changes inside the brackets are taken back to know the parameters before them. A new argument is written only where
its text is sure: a name of that very spelling can be used at the call. Other calls are open places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import chain

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import Row, call_of
from editahead.suggest.next_edit.consequences.calls import changed_functions as calls
from editahead.suggest.next_edit.consequences.calls.counterparts import Declaration, agreeing_edit, counterparts
from editahead.suggest.next_edit.consequences.renames.members_elsewhere import member_uses
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import (
    files_naming,
    is_exported,
    open_uses,
    uses_elsewhere,
)
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Cause, Consequence, Item, Moment, OpenPlace, Refusal
from editahead.suggest.next_edit.edit_candidate import ResolvedParameter
from editahead.suggest.types import Document
from editahead.syntax.scope_table import Action, Namespace, ScopeKind
from editahead.text.edits import ByteEdit

_BARE = tuple(space for space in Namespace if space not in (Namespace.PRIVATE, Namespace.LABEL))
MAX_STANDING = 200  # occurrences of a function's name in a file that are resolved
SOURCE = "parameter"


def is_usable(names: Resolver, byte: int, name: str) -> bool:
    """Whether a bare name can be used at a byte. A variable of the same function must be bound before it."""
    scopes = names.scopes
    here = scopes.scope_at(byte)
    binding = _bound_around(names, here, byte, name)
    if binding is None:
        return False
    ref, declarations = binding
    if declarations[0].occurrence.kind != "variable" or scopes.function_around(ref) != scopes.function_around(here):
        return True
    return any(declaration.start < byte for declaration in declarations)


def is_visible(names: Resolver, byte: int, name: str) -> bool:
    """Whether a scope around a byte binds a name, before or behind it."""
    return _bound_around(names, names.scopes.scope_at(byte), byte, name) is not None


def _bound_around(names: Resolver, here: ScopeRef, byte: int, name: str) -> tuple[ScopeRef, list[NameAt]] | None:
    """The innermost scope that binds a name for a byte in `here`, with the declarations in it."""
    scopes, table = names.scopes, names.table
    for distance, ref in enumerate(scopes.around(here)):
        kind = scopes.kind(ref)
        if kind is ScopeKind.CLASS and distance and not table.classes.scope_is_inherited:
            continue
        rows = (row for space in _BARE for row in scopes.bound_in(ref, space, name))
        declarations = sorted(rows, key=lambda row: row.start)
        if kind is ScopeKind.BLOCK and not table.hoisted:
            declarations = [row for row in declarations if row.start <= byte]
        if declarations:
            return ref, declarations
    return None


def resolved_parameters(
    moment: Moment, changed: calls.ChangedFunction, binding: Binding
) -> Iterator[ResolvedParameter]:
    """Yield the resolved parameter of a changed function for each open file.

    `binding` is that which its calls name: for a constructor the class. Nothing unless a single parameter was added or
    removed.
    """
    if changed.change.kind not in ("added", "removed") or not changed.change.name:
        return
    own = {use.start for use in changed.names.references(binding)}
    yield _resolved(changed, changed.document, changed.names, binding.name, own)
    exported = is_exported(binding)
    for other, names in files_naming(moment, changed.document, binding.name):
        uses = uses_elsewhere(names, binding.name, changed.document.uri, other.uri) if exported else []
        yield _resolved(changed, other, names, binding.name, {use.start for use in uses})


def without_contradictions(
    resolved: Sequence[ResolvedParameter], declared: Set[tuple[str, int]]
) -> list[ResolvedParameter]:
    """The resolved parameters, without `others` where the user changed several functions of the same name.

    `declared` are the files and the bytes of the names of all changed functions.
    """
    return [
        parameter._replace(others=frozenset())
        if any((parameter.uri, start) in declared for start in parameter.others)
        else parameter
        for parameter in resolved
    ]


def _resolved(
    changed: calls.ChangedFunction, document: Document, names: Resolver, function: str, own: set[int]
) -> ResolvedParameter:
    occurrences = names.names(function)[:MAX_STANDING]
    others = frozenset(use.start for use in occurrences if use.start not in own and _is_resolved(names, use))
    name = changed.change.name
    used = [use.start for use in occurrences if not use.occurrence.kind and use.start not in others]
    unusable = _unusable(names, used, name) if changed.change.kind == "added" else frozenset[int]()
    return ResolvedParameter(document.uri, function, name, others, unusable)


def _unusable(names: Resolver, used: Sequence[int], name: str) -> frozenset[int]:
    """The bytes among `used` at which a name cannot be used.

    If it can be used at none of them, the user is about to declare it, unless it is a variable that is bound too late.
    """
    unusable = [start for start in used if not is_usable(names, start, name)]
    if len(unusable) == len(used):
        unusable = [start for start in unusable if is_visible(names, start, name)]
    return frozenset(unusable)


def _is_resolved(names: Resolver, at: NameAt) -> bool:
    """Whether an occurrence is a declaration or can be resolved; members of unknown objects cannot."""
    return bool(at.occurrence.kind) or names.binding(at) is not None


def parameter(moment: Moment) -> Iterator[Item]:
    """What follows from changed parameter lists, the latest first."""
    resolved, declared = list[ResolvedParameter](), set[tuple[str, int]]()
    for document in (moment.document, *moment.document.others):
        if not document.history.settled and document.history.pending is None:
            continue
        for changed in calls.changed_functions(moment, document):
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


def _follow(moment: Moment, changed: calls.ChangedFunction) -> Iterator[Consequence | OpenPlace]:
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
    if called is None:
        return
    for target, theirs, use in chain(
        open_uses(moment, changed.document, names, called), member_uses(moment, changed.document, names, called)
    ):
        suffix = "" if target is changed.document else "/other-file"
        yield from _call(moment, changed, target, theirs, use, f"{what}{suffix}")


def _called(changed: calls.ChangedFunction) -> Binding | None:
    """What calls of a function name: the function, or the class that it makes objects of."""
    names, name = changed.names, changed.now.name
    binding = names.binding_at(changed.now.name_start, name)
    return calls.called_binding(names, binding, binding.scope, name) if binding is not None else None


def _call(
    moment: Moment, changed: calls.ChangedFunction, target: Document, names: Resolver, use: NameAt, what: str
) -> Iterator[Consequence | OpenPlace]:
    row = call_of(target.syntax, changed.table, use.start)
    if row is None or any(item.form == "rest" for item in row.items) or moment.is_changed(target, row.start, row.end):
        return
    change, data = changed.change, target.syntax.buffer.data
    implicit = calls.not_given(names, use, changed.now, changed.names)
    index, sign = (
        change.at - implicit,
        changed.table.parameters.keyword_sign if changed.table.parameters.keyword_arguments else "",
    )
    edit: ByteEdit | None = None
    if change.kind == "added" and change.name not in row.names:
        if is_usable(names, use.start, change.name):
            edit = calls.inserted_argument(row, index, change.name, keyword=change.keyword, sign=sign)
        if edit is None and not _is_full(changed, row, implicit):
            function, name = f"`{changed.now.name}`", f"`{change.name}`"
            singular, plural = f"call of {function} lacks {name}", f"calls of {function} lack {name}"
            byte = calls.argument_place(row, index, keyword=change.keyword)
            yield from moment.open_place(_cause(changed), target, byte, what, singular, plural)
    elif change.kind == "removed":
        edit = calls.removed(row, index, change.name)
    elif change.kind == "moved":
        order = tuple(at - implicit for at in change.order[max(0, implicit) :])
        edit = calls.reordered(row, (*range(-implicit), *order), data)
    if edit is not None:
        yield from moment.consequence(_cause(changed), target, edit, f"{change.kind}/{what}")


def _is_full(changed: calls.ChangedFunction, row: Row, implicit: int) -> bool:
    """Whether a call passes more arguments than the function took before, so that it has the new argument."""
    items = changed.before.parameters.items
    plain = sum(item.form in ("plain", "object") for item in items) - implicit
    return not any(item.form == "rest" for item in items) and len(row.items) > plain


def _override(moment: Moment, changed: calls.ChangedFunction, other: Declaration) -> Iterator[Consequence]:
    """The same change of a declaration that has the former parameters."""
    target, edit = other.document, agreeing_edit(moment, changed, other)
    if edit is not None and not edit.is_noop(target.syntax.buffer.data):
        suffix = "" if target is changed.document else "/other-file"
        yield from moment.consequence(_cause(changed), target, edit, f"{changed.change.kind}/override{suffix}")


def _cause(changed: calls.ChangedFunction) -> Cause:
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
