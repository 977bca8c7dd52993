"""What a file exports where files name their packages (Java): a type, or a member of one that other files see."""

from __future__ import annotations

import re
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Binding, Resolver
from editahead.index.packages import package_of
from editahead.syntax.scope_table import Action, Namespace, ScopeKind

_MOST_MODIFIERS = 2000  # bytes before a declared name
_HEADER_END = re.compile(rb"[{;]")
_SPECIAL = frozenset({("field", "length"), ("method", "clone")})
"""Members that arrays have: the type of an array's elements says nothing of them."""


class ExportedName(NamedTuple):
    """A type of a package, or a member of one, by the types around it from the outermost one on.

    `parameters`: of a method their number, else -1. `inherited`: subclasses have it and may override it. `alone`: its
    type has no other member of that name.
    """

    package: str
    types: tuple[str, ...]
    name: str
    namespace: Namespace
    kind: str  # class, method, field
    parameters: int = -1
    inherited: bool = True
    alone: bool = True

    @property
    def path(self) -> tuple[str, ...]:
        """The type itself, or that of the member."""
        return (*self.types, self.name) if self.kind == "class" else self.types


def exported_name(names: Resolver, binding: Binding) -> ExportedName | None:
    """What other files know a binding by; None where they do not see it, or where it may be declared elsewhere too."""
    kind, declarations = names.kind(binding), names.declarations(binding)
    if kind not in ("class", "method", "field") or (kind, binding.name) in _SPECIAL:
        return None
    if (
        binding.at >= 0
        or binding.loose
        or len(declarations) != 1
        or declarations[0].occurrence.action is not Action.BIND
    ):
        return None
    words = modifiers(names, declarations[0].start)
    types = _types_around(names, binding.scope)
    if types is None or b"private" in words or b"record" in words:  # a record's part is a parameter, too
        return None
    inherited = b"static" not in words
    if kind == "method" and inherited and _may_override(names, binding.scope, words):
        return None
    other = Namespace.VALUE if binding.namespace is Namespace.METHOD else Namespace.METHOD
    alone = kind == "class" or not names.scopes.bound_in(binding.scope, other, binding.name)
    parameters = declarations[0].occurrence.arguments if kind == "method" else -1
    package = package_of(names.scopes.facts.data)
    return ExportedName(package, types, binding.name, binding.namespace, kind, parameters, inherited, alone)


def modifiers(names: Resolver, start: int) -> frozenset[bytes]:
    """The words between the end of the statement or block before a declared name and that name; `@` with its word."""
    data = names.scopes.facts.data
    first = max(0, start - _MOST_MODIFIERS)
    text = data[max(data.rfind(sign, first, start) for sign in (b";", b"{", b"}", b"*/")) + 1 : start]
    return frozenset(re.findall(rb"@?[A-Za-z_$][\w$]*", text))


def is_open(names: Resolver, ref: ScopeRef) -> bool:
    """Whether a class may have members of types that its file does not hold."""
    facts = names.scopes.local(ref)
    if facts is None or not facts.name:  # a class without a name is one of a type that stands before it
        return True
    data, start = names.scopes.facts.data, _name_start(names, ref)
    end = _HEADER_END.search(data, start)
    header = data[start : end.start() if end is not None else len(data)]
    extends = re.search(rb"\b(?:extends|implements)\b", header) is not None
    return names.members.has_unknown_base(ref) or (extends and not facts.bases)


def _may_override(names: Resolver, scope: ScopeRef, words: frozenset[bytes]) -> bool:
    """Whether a method may be one of a base in another file: unless such ones are marked in this file."""
    if b"@Override" in words:
        return True
    data, interface = names.scopes.facts.data, b"interface" in modifiers(names, _name_start(names, scope))
    return is_open(names, scope) and (interface or b"@Override" not in data)


def _types_around(names: Resolver, scope: ScopeRef) -> tuple[str, ...] | None:
    """The classes around a scope, from the outermost one on; None where other files do not see one of them."""
    found = list[str]()
    for ref in names.scopes.around(scope):
        if ref == MODULE_SCOPE:
            return tuple(reversed(found))
        facts = names.scopes.local(ref)
        if names.scopes.kind(ref) is not ScopeKind.CLASS or facts is None or not facts.name:
            return None
        if b"private" in modifiers(names, _name_start(names, ref)):
            return None
        found.append(facts.name)
    return None


def _name_start(names: Resolver, ref: ScopeRef) -> int:
    facts, scopes = names.scopes.local(ref), names.scopes.facts
    unit = ref[0] if ref[0] >= 0 else scopes.containers[ref[1]].head
    return scopes.units[unit].start + facts.name_start if facts is not None and unit >= 0 else 0


def overrides(names: Resolver, at: NameAt, exported: ExportedName) -> bool:
    """Whether a method that a subclass declares is said to override the exported one."""
    same = at.occurrence.kind == "function" and at.occurrence.arguments == exported.parameters
    return same and exported.inherited and b"@Override" in modifiers(names, at.start)
