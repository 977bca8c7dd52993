"""Calls that fitted the parameters of a function before a change, and do not fit those that it has now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import Declared, call_of, function_with_parameters_at
from editahead.check.declared_functions import (
    DeclaredFunction,
    Misfit,
    TakenParameters,
    find_misfit,
    function_at,
    is_of_class,
)
from editahead.check.left_imports import Importer
from editahead.check.leftover import MAX_LEFT, FileVersions, Leftover, NamesOf
from editahead.suggest.next_edit.consequences.calls.changed_functions import called_binding
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import LeadsTo, uses_elsewhere
from editahead.suggest.types import Document
from editahead.syntax.scope_table import Action

CALL, CALL_ELSEWHERE = "call", "call-elsewhere"
MAX_FUNCTIONS = 60  # functions of a file whose parameters changed
MAX_CALLS = 2000  # calls of a function that are checked


class Reshaped(NamedTuple):
    """A function whose parameters the change altered: its name, what callers gave, and what they have to give."""

    versions: FileVersions
    declared: Declared
    binding: Binding
    scope: ScopeRef
    before: TakenParameters
    now: TakenParameters


def reshaped_functions(versions: FileVersions) -> list[Reshaped]:
    """The functions of a changed file that take other parameters now, if they are declared once in each version."""
    was, now, document = versions.before, versions.now, versions.file.document
    if was is None or now is None or not versions.table.classes.explicit_self:
        return []
    reshaped: list[Reshaped] = []
    seen = set[int]()
    for change in versions.file.changes:
        declared = function_with_parameters_at(document.syntax, versions.table, change.start)
        if declared is None and change.end > change.start:
            declared = function_with_parameters_at(document.syntax, versions.table, change.end)
        if declared is None or declared.name_start in seen or len(reshaped) == MAX_FUNCTIONS:
            continue
        seen.add(declared.name_start)
        current = function_at(now, document.syntax, declared.name_start, declared.name)
        earlier = _same_before(versions, was, now, current) if current is not None else None
        if current is not None and earlier is not None and earlier.taken != current.taken:
            declared, taken, binding, scope = current
            reshaped.append(Reshaped(versions, declared, binding, scope, earlier.taken, taken))
    return reshaped


def _same_before(
    versions: FileVersions, was: Resolver, now: Resolver, current: DeclaredFunction
) -> DeclaredFunction | None:
    """The function of the same name in the scope of the same name before the change."""
    path = _path(now, current.scope)
    for at in was.names(current.declared.name):
        if at.occurrence.action is Action.BIND and at.occurrence.kind == "function":
            earlier = function_at(was, versions.syntax_before, at.start, current.declared.name)
            if earlier is not None and _path(was, earlier.scope) == path:
                return earlier
    return None


def _path(names: Resolver, scope: ScopeRef) -> tuple[str, ...]:
    """The names of the scopes around a declaration."""
    rows = (names.scopes.local(around) for around in names.scopes.around(scope))
    return tuple(facts.name for facts in rows if facts is not None)


def left_calls(
    reshaped: Reshaped, importing: Sequence[Importer], names_of: NamesOf, is_module_of: LeadsTo
) -> Iterator[Leftover]:
    """The calls of a function that fitted before and do not fit now: in its file and in those that may import it."""
    versions = reshaped.versions
    names, document = versions.now, versions.file.document
    assert names is not None
    binding = called_binding(names, reshaped.binding, reshaped.scope, reshaped.declared.name)
    if binding is None:
        return
    for use in chain(names.references(binding)[:MAX_CALLS], _constructor_by_class(names, reshaped)):
        yield from _left_call(reshaped, document, names, use)
    count = 0
    for other in (row.document for row in importing if binding.scope == MODULE_SCOPE and row.can_use(binding.name)):
        theirs = names_of(other) if _has_misfit(reshaped, other, binding.name) else None
        if theirs is None:
            continue
        uses = uses_elsewhere(theirs, binding.name, document.uri, other.uri, is_module_of)
        for leftover in chain.from_iterable(_left_call(reshaped, other, theirs, use) for use in uses):
            count += 1
            yield leftover
        if count >= MAX_LEFT:
            return


def _has_misfit(reshaped: Reshaped, other: Document, name: str) -> bool:
    """Whether any call of that name, whatever it refers to, does not fit: only then names are resolved."""
    calls = re.finditer(rb"(?<!\w)" + re.escape(name.encode()) + rb"\s*\(", other.syntax.buffer.data)
    for match in islice(calls, MAX_CALLS):
        call = call_of(other.syntax, reshaped.versions.table, match.start())
        if call is not None and find_misfit(call, reshaped.now.bound) is not None:
            return True
    return False


def _constructor_by_class(names: Resolver, reshaped: Reshaped) -> Iterator[NameAt]:
    """Where a constructor is named behind its own class: `Base.__init__`."""
    if reshaped.declared.name != names.table.classes.constructor:
        return
    for use in names.names(reshaped.declared.name)[:MAX_CALLS]:
        scope = names.scopes.placed(use.unit, use.occurrence.scope)
        if is_of_class(names, use) and names.members.owner_of(use.occurrence, use.unit, scope) == reshaped.scope:
            yield use


def _left_call(reshaped: Reshaped, target: Document, names: Resolver, use: NameAt) -> Iterator[Leftover]:
    """The call of a name in a file with these names, if it fitted the function before the change and no longer does."""
    if use.occurrence.action is Action.BIND:
        return
    call = call_of(target.syntax, reshaped.versions.table, use.start)
    if call is None:
        return
    before, now = (taken.for_call(names, use, reshaped.declared.name) for taken in (reshaped.before, reshaped.now))
    wrong = find_misfit(call, now)
    if wrong is None or find_misfit(call, before) is not None:
        return
    document = reshaped.versions.file.document
    cause = (document.uri, document.syntax.buffer.line_at(reshaped.declared.name_start))
    name, kind = use.occurrence.name, CALL if target is document else CALL_ELSEWHERE
    yield Leftover(target, use.start, use.end, kind, name, f"calls `{name}` {_what(wrong)}", cause)


def _what(wrong: Misfit) -> str:
    if wrong.missing:
        return f"without its new argument `{wrong.missing}`"
    return f"with `{wrong.extra}`, which it no longer takes" if wrong.extra else "with more arguments than it takes now"
