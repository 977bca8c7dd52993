"""Whether a replaced name was a renaming: refused, with the reason, where the text says that more was meant."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from editahead.analysis.resolver.class_parts import are_parts
from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.suggest.next_edit.consequences.name_changes import Renaming
from editahead.syntax.scope_table import Action, Namespace, ScopeKind

DECLARED_ONCE = frozenset({"function", "accessor", "class", "parameter", "type-parameter"})
"""Kinds of which a second declaration in the scope is another thing, most likely a copy."""


_UPDATE = re.compile(rb"[ \t]*(?:[-+*/%@&|^]|//|\*\*|<<|>>)=")


class Renamed(NamedTuple):
    """A binding of which some occurrences, `done`, now bear another name; all bytes are of the version before."""

    names: Resolver
    binding: Binding
    renaming: Renaming
    done: list[NameAt]


def site_of(renamed: Renamed) -> str:
    """Where it was renamed: at its first `declaration`, at a later `assignment`, or at a `use`."""
    declarations = renamed.names.declarations(renamed.binding)
    if declarations and any(name.start == declarations[0].start for name in renamed.done):
        return "declaration"
    return "assignment" if any(_declares(name) and not _keeps(renamed, name) for name in renamed.done) else "use"


def binds_anew(renamed: Renamed, at: NameAt) -> bool:
    """Whether an occurrence gives the name a value that has nothing to do with the one before it."""
    return at.occurrence.action is Action.BIND and not _keeps(renamed, at)


def _keeps(renamed: Renamed, at: NameAt) -> bool:
    """Whether an assignment means what is bound elsewhere: one that changes its value, or of a `global` name."""
    scopes, name = renamed.names.scopes, at.occurrence.name
    facts = scopes.local(_scope(renamed, at))
    is_outer = facts is not None and (name in facts.global_names or name in facts.nonlocal_names)
    return is_outer or _UPDATE.match(scopes.facts.data, at.end) is not None


def refused(renamed: Renamed) -> str | None:
    """Why nothing follows from the replaced name; None where all other places should follow."""
    names, old, new = renamed.names, renamed.renaming.old, renamed.renaming.new
    if new in names.table.keywords:
        return f"`{new}` is a keyword"
    if names.table.classes.explicit_self and old.startswith("__") and old.endswith("__"):
        return f"`{old}` is a name of the language"
    declarations = names.declarations(renamed.binding)
    declared = site_of(renamed) != "use"
    starts = {one.start for one in renamed.done}
    if not declarations and not declared:
        return f"no declaration of `{old}` is known"
    if names.table.classes.overloads and names.table.prototypes and _overloaded(renamed, declarations):
        return f"`{old}` is overloaded"
    if declared and _copies(renamed, declarations, starts):
        return f"`{old}` is declared again"
    if not declared and new in names.table.builtins:
        return f"`{new}` is a name of the language"
    return _taken(renamed, declared)


def _copies(renamed: Renamed, declarations: list[NameAt], starts: set[int]) -> bool:
    """Whether the old name is still declared, as the same thing in the same place: what was renamed is a copy.

    Declarations in subclasses are one method; overloads and accessors differ in their parameters; the parts of a class
    in their members; branches of an `if` or `try` declare one thing twice, but then nobody can tell.
    """
    scopes = renamed.names.scopes
    declared_once = [name for name in declarations if name.occurrence.kind in DECLARED_ONCE]
    mine = [name for name in declared_once if name.start in starts]
    for name in declared_once:
        for other in mine if name.start not in starts else ():
            same_scope = scopes.placed(name.unit, name.occurrence.scope) == scopes.placed(
                other.unit, other.occurrence.scope
            )
            differs = renamed.names.table.classes.overloads or name.occurrence.kind == "accessor"
            same_form = not differs or name.occurrence.arguments == other.occurrence.arguments
            both_named = (name.occurrence.declared_type is None) == (other.occurrence.declared_type is None)
            if not (same_scope and same_form and both_named):  # `typedef struct a a`
                continue
            if name.occurrence.kind != "class" or not are_parts(scopes, name.start, other.start):
                return True
    return False


def same_overload(renamed: Renamed, references: list[NameAt]) -> list[NameAt]:
    """Those that may be the renamed method: where calls tell their arguments, of several with one name that one."""
    table = renamed.names.table
    if not (renamed.binding.namespace is Namespace.METHOD and table.classes.overloads and table.method_calls):
        return references
    forms = {_arguments(one) for one in references if one.occurrence.kind in ("function", "accessor")}
    mine = {_arguments(one) for one in renamed.done}
    return [one for one in references if _arguments(one) in mine] if len(forms) > 1 else references


def _arguments(at: NameAt) -> int:
    """How many arguments a method takes or is given; an accessor none, and where `C::m` stands nobody can tell."""
    count, method = at.occurrence.arguments, at.occurrence.namespace is Namespace.METHOD
    return 0 if count < 0 and (at.occurrence.kind == "accessor" or not method) else count


def _overloaded(renamed: Renamed, declarations: list[NameAt]) -> bool:
    """Whether one scope declares a name twice, or defines it twice: beside its prototype a function stands once."""
    scopes = renamed.names.scopes
    if scopes.kind(renamed.binding.scope) not in (ScopeKind.CLASS, ScopeKind.MODULE):
        return False
    rows = [(name.occurrence.kind, name.occurrence.action) for name in declarations]
    return len(rows) > len(set(rows))


def _taken(renamed: Renamed, declared: bool) -> str | None:
    """Why the new name would mean something else: it exists where the old one is bound, or is used where it is seen."""
    names, new = renamed.names, renamed.renaming.new
    scopes, binding = names.scopes, renamed.binding
    namespace = binding.namespace
    if scopes.kind(binding.scope) is ScopeKind.CLASS:
        if names.members.owner(binding.scope, namespace, new) is not None or _in_derived(renamed, namespace):
            return f"the class has `{new}` already"
        if all(name.occurrence.action is Action.ATTRIBUTE for name in renamed.done):
            return None
    elif (binding.scope, namespace) in scopes.index(new).bound and binding.at < 0:
        return f"`{new}` exists in that scope already"
    references = names.references(binding)
    inner = {_scope(renamed, name) for name in references}
    if any(_hidden(renamed, scope) for scope in inner) or any(_is_implicit(renamed, name) for name in references):
        return f"`{new}` exists in a scope that uses it"
    if not declared:
        for name in renamed.done:
            if name.occurrence.action is Action.USE and names.lookup(_scope(renamed, name), namespace, new, name.start):
                return f"`{new}` is another name that can be used there"
    elif any(_meant(renamed, name) for name in scopes.index(new).all):
        return f"`{new}` is used there for something else"
    return None


def _scope(renamed: Renamed, at: NameAt) -> ScopeRef:
    return renamed.names.scopes.placed(at.unit, at.occurrence.scope)


def _hidden(renamed: Renamed, scope: ScopeRef) -> bool:
    """Whether the new name is bound in a scope between a reference and the binding."""
    scopes = renamed.names.scopes
    for inner in scopes.around(scope):
        if inner == renamed.binding.scope:
            return (
                renamed.binding.at >= 0
                and (inner, renamed.binding.namespace) in scopes.index(renamed.renaming.new).bound
            )
        if (inner, renamed.binding.namespace) in scopes.index(renamed.renaming.new).bound:
            private = renamed.binding.namespace is Namespace.PRIVATE
            inherited = private or renamed.names.table.classes.scope_is_inherited
            return inherited or scopes.kind(inner) is not ScopeKind.CLASS
    return False


def _is_implicit(renamed: Renamed, at: NameAt) -> bool:
    """Whether the new name would be that of a value which nothing declares: `value` of an accessor."""
    scopes = renamed.names.scopes
    inner = itertools.takewhile(lambda ref: ref != renamed.binding.scope, scopes.around(_scope(renamed, at)))
    facts = (scopes.local(ref) for ref in inner if at.occurrence.action is Action.USE)
    return any(one is not None and one.implicit_name == renamed.renaming.new for one in facts)


def _meant(renamed: Renamed, at: NameAt) -> bool:
    """Whether an occurrence of the new name inside the binding's scope means something that the binding would hide."""
    names, binding = renamed.names, renamed.binding
    if at.occurrence.action is not Action.USE or binding.namespace is not at.occurrence.namespace:
        return False
    start, end = names.scopes.span(binding.scope)
    if not start <= at.start < end or names.scopes.kind(binding.scope) is ScopeKind.CLASS:
        return False
    return names.binding(at) is not None or renamed.renaming.new in names.table.builtins


def _in_derived(renamed: Renamed, namespace: Namespace) -> bool:
    """Whether a class that inherits from the binding's has the new name."""
    members, classes, scopes = renamed.names.members, renamed.names.classes, renamed.names.scopes
    if namespace is Namespace.PRIVATE:
        return False
    holders = {scope for scope, space in scopes.index(renamed.renaming.new).bound if space is namespace}
    holders |= set(members.assigned(renamed.renaming.new, namespace))
    return any(
        scopes.kind(inner) is ScopeKind.CLASS
        and inner != renamed.binding.scope
        and classes.inherits(inner, renamed.binding.scope)
        for inner in holders
    )


def _declares(at: NameAt) -> bool:
    return at.occurrence.action is Action.BIND or (
        at.occurrence.action is Action.ATTRIBUTE and at.occurrence.kind != ""
    )
