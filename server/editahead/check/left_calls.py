"""Calls that fitted the parameters of a function before a change, and do not fit those that it has now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Binding, Resolver
from editahead.analysis.resolver.signatures import Declared, call_of, function_around, function_named, path_to
from editahead.check.left_imports import Importer
from editahead.check.leftover import MAX_LEFT, FileVersions, Leftover, NamesOf
from editahead.check.parameters import Misfit, Parameters, misfit, taken_by
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import uses_elsewhere
from editahead.suggest.types import Document
from editahead.syntax.scope_table import Action, ScopeKind
from editahead.syntax.snapshot import SyntaxSnapshot

CALL, CALL_ELSEWHERE, CALL_AHEAD = "call", "call-elsewhere", "call-ahead"
MAX_FUNCTIONS = 60
"""Functions of one file whose parameters changed."""
MAX_CALLS = 2000
"""Calls of one function that are looked at."""


class Reshaped(NamedTuple):
    """A function whose parameters the change altered: its name, what callers gave, and what they have to give."""

    versions: FileVersions
    declared: Declared
    binding: Binding
    scope: ScopeRef
    before: Parameters
    now: Parameters


class _Function(NamedTuple):
    """A function in one version of a file: where it stands, what it takes, and what its name means."""

    declared: Declared
    taken: Parameters
    binding: Binding
    scope: ScopeRef


def reshaped_functions(versions: FileVersions) -> list[Reshaped]:
    """The functions of a changed file that take other parameters now; those that are declared once in each version."""
    was, now, document = versions.before, versions.now, versions.file.document
    if was is None or now is None or not versions.table.classes.explicit_self:
        return []
    found: list[Reshaped] = []
    seen = set[int]()
    for change in versions.file.changes:
        declared = function_around(document.syntax, versions.table, change.start)
        if declared is None and change.end > change.start:
            declared = function_around(document.syntax, versions.table, change.end)
        if declared is None or declared.name_start in seen or len(found) == MAX_FUNCTIONS:
            continue
        seen.add(declared.name_start)
        current = _function_at(now, document.syntax, declared.name_start, declared.name)
        earlier = _same_before(versions, was, now, current) if current is not None else None
        if current is not None and earlier is not None and earlier.taken != current.taken:
            declared, taken, binding, scope = current
            found.append(Reshaped(versions, declared, binding, scope, earlier.taken, taken))
    return found


def _function_at(names: Resolver, syntax: SyntaxSnapshot, start: int, name: str) -> _Function | None:
    """The function whose name stands at a byte; None where it is declared several times, or overridden."""
    declared = function_named(syntax, names.table, start)
    at = names.name_at(start, name)
    binding = names.binding(at) if at is not None else None
    if declared is None or binding is None or at is None:
        return None
    scope = names.scopes.placed(at.unit, at.occurrence.scope)
    if name == names.table.classes.constructor:  # of this very class, whatever its bases declare
        declarations = names.scopes.bound_in(scope, at.occurrence.namespace, name)
    else:
        rows = [one for one in names.names(name) if one.occurrence.action is Action.BIND]
        declarations = [one for one in rows if names.binding(one) == binding]
    if len(declarations) != 1:
        return None
    taken = taken_by(declared.parameters, syntax.buffer.data, _implicit(names, start))
    return _Function(declared, taken, binding, scope)


def _same_before(versions: FileVersions, was: Resolver, now: Resolver, current: _Function) -> _Function | None:
    """The function of that name in the scope of that name before the change."""
    path = _path(now, current.scope)
    for at in was.names(current.declared.name):
        if at.occurrence.action is Action.BIND and at.occurrence.kind == "function":
            found = _function_at(was, versions.syntax_before, at.start, current.declared.name)
            if found is not None and _path(was, found.scope) == path:
                return found
    return None


def _path(names: Resolver, scope: ScopeRef) -> tuple[str, ...]:
    """The names of the scopes around a declaration."""
    rows = (names.scopes.local(one) for one in names.scopes.around(scope))
    return tuple(facts.name for facts in rows if facts is not None)


def _implicit(names: Resolver, name_start: int) -> int:
    """How many of the first parameters no caller gives: the object of a method."""
    scope = names.scopes.declared_by(name_start)
    facts = names.scopes.local(scope) if scope is not None else None
    around = names.scopes.parent(scope) if scope is not None else None
    method = around is not None and names.scopes.kind(around) is ScopeKind.CLASS
    return int(method and facts is not None and not facts.static)


def left_calls(reshaped: Reshaped, importing: Sequence[Importer], names_of: NamesOf) -> Iterator[Leftover]:
    """The calls of a function that fitted before and do not fit now: in its file and in those that may import it."""
    versions = reshaped.versions
    names, home = versions.now, versions.file.document
    assert names is not None
    binding = _called(names, reshaped)
    if binding is None:
        return
    for use in names.references(binding)[:MAX_CALLS]:
        yield from left_call(reshaped, home, use, CALL)
    left = 0
    for other in (one.document for one in importing if binding.scope == MODULE_SCOPE and one.may_use(binding.name)):
        theirs = names_of(other) if _may_not_fit(reshaped, other, binding.name) else None
        found = uses_elsewhere(theirs, binding.name, home.uri, other.uri) if theirs is not None else []
        for leftover in chain.from_iterable(left_call(reshaped, other, use, CALL_ELSEWHERE) for use in found):
            left += 1
            yield leftover
        if left >= MAX_LEFT:
            return


def _may_not_fit(reshaped: Reshaped, other: Document, name: str) -> bool:
    """Whether a call of that name, whatever it means, does not fit: names are read where one does not."""
    calls = re.finditer(rb"(?<!\w)" + re.escape(name.encode()) + rb"\s*\(", other.syntax.buffer.data)
    for found in islice(calls, MAX_CALLS):
        call = call_of(other.syntax, reshaped.versions.table, found.start())
        if call is not None and misfit(call, reshaped.now) is not None:
            return True
    return False


def _called(names: Resolver, reshaped: Reshaped) -> Binding | None:
    """What a call names: the function itself, or the class whose constructor it is."""
    if reshaped.declared.name != names.table.classes.constructor:
        return reshaped.binding
    owner = names.scopes.local(reshaped.scope)
    rows = names.names(owner.name) if owner is not None else []
    start = names.scopes.span(reshaped.scope)[0]
    declared = next((one for one in rows if one.occurrence.kind == "class" and one.start >= start), None)
    return names.binding(declared) if declared is not None else None


def left_call(reshaped: Reshaped, target: Document, use: NameAt, kind: str) -> Iterator[Leftover]:
    """The call of a name, if it fitted the function before and does not now."""
    if use.occurrence.action is Action.BIND:
        return
    call = call_of(target.syntax, reshaped.versions.table, use.start)
    wrong = misfit(call, reshaped.now) if call is not None else None
    if call is None or wrong is None or misfit(call, reshaped.before) is not None:
        return
    document = reshaped.versions.file.document
    cause = (document.uri, document.syntax.buffer.line_at(reshaped.declared.name_start))
    name = use.occurrence.name
    yield Leftover(target, use.start, use.end, kind, name, f"calls `{name}` {_what(wrong)}", cause)


def _what(wrong: Misfit) -> str:
    if wrong.missing:
        return f"without its new argument `{wrong.missing}`"
    return f"with `{wrong.extra}`, which it no longer takes" if wrong.extra else "with more arguments than it takes now"


def calls_ahead(versions: FileVersions) -> Iterator[Leftover]:
    """Calls of a changed file that the change altered so that they do not fit a function of the file, which stayed."""
    was, now, document = versions.before, versions.now, versions.file.document
    if was is None or now is None or not versions.table.classes.explicit_self:
        return
    seen = set[int]()
    for change in versions.file.changes:
        use = _callee(versions, now, change.start) or _callee(versions, now, change.end)
        if use is None or use.start in seen:
            continue
        seen.add(use.start)
        call = call_of(document.syntax, versions.table, use.start)
        binding = now.binding(use)
        rows = now.declarations(binding) if binding is not None else []
        if call is None or len(rows) != 1 or rows[0].occurrence.kind != "function":
            continue
        found = _function_at(now, document.syntax, rows[0].start, rows[0].occurrence.name)
        wrong = misfit(call, found.taken) if found is not None else None
        then = versions.name_before(use)
        earlier = call_of(versions.syntax_before, versions.table, then.start) if then is not None else None
        if found is None or wrong is None or earlier is None or misfit(earlier, found.taken) is not None:
            continue
        name, extra = use.occurrence.name, wrong.extra
        what = f"without `{wrong.missing}`" if wrong.missing else f"with `{extra}`" if extra else "with more arguments"
        reason = f"calls `{name}` {what}, which does not fit its parameters"
        start = found.declared.name_start
        yield Leftover(document, start, start + len(name.encode()), CALL_AHEAD, name, reason)


def _callee(versions: FileVersions, now: Resolver, byte: int) -> NameAt | None:
    """The untouched name of the innermost call between whose brackets a byte of the current text stands."""
    syntax, table = versions.file.document.syntax, versions.table
    path, offset = path_to(syntax, byte)
    for node in reversed(path):
        called = table.calls.get(node.type)
        row = node.child_by_field_name("arguments") if called else None
        if called is None or row is None or not row.start_byte < byte - offset < row.end_byte:
            continue
        callee = node.child_by_field_name(called[0])
        fields = table.attributes.get(callee.type) if callee is not None else None
        name = callee.child_by_field_name(fields[1]) if callee is not None and fields else callee
        if name is None or name.type not in table.names:
            return None
        if versions.touched(name.start_byte + offset, name.end_byte + offset):
            return None
        text = (name.text or b"").decode("utf-8", "replace")
        return now.name_at(name.start_byte + offset, text)
    return None
