"""What a file exports where files name their packages (Java): a type, or a member of one that other files see."""

from __future__ import annotations

import re
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.index.packages import package_of
from editahead.syntax.scope_table import Action, Namespace, ScopeKind
from editahead.text.words import SCRIPT_IDENTIFIER

_MOST_MODIFIERS = 2000  # bytes before a declared name
_GENERIC, _NESTED = re.compile(rb"<[^<>]*>"), 4
_HEADER_END = re.compile(rb"[{;]")
_MOST_PARAMETERS = 4000  # bytes behind the name of a method
_PARAMETERS = re.compile(rb"\s*\(([^()]*)\)")  # without the brackets of annotations
_TOKEN = re.compile(rb"\.\.\.|@?[\w$\x80-\xff]+(?:\.[\w$\x80-\xff]+)*|[^\s\w]")
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_SPECIAL = frozenset({("field", "length"), ("method", "clone")})
"""Members that arrays have: the type of an array's elements says nothing of them."""


class ExportedName(NamedTuple):
    """A type of a package, or a member of one, by the types around it from the outermost one on.

    `parameters`: of a method their number, else -1; `parameter_types` as `parameter_types` reads them. `inherited`:
    subclasses have it and may override it. `alone`: its type has no other member of that name. `may_be_overloaded`: its
    type has a base in another file, which may have one with other parameters. `is_public`: of a method, other packages
    may override it.
    """

    package: str
    types: tuple[str, ...]
    name: str
    namespace: Namespace
    kind: str  # class, method, field
    parameters: int = -1
    inherited: bool = True
    alone: bool = True
    parameter_types: tuple[bytes, ...] | None = None
    may_be_overloaded: bool = False
    is_public: bool = True

    @property
    def path(self) -> tuple[str, ...]:
        """The type itself, or that of the member."""
        return (*self.types, self.name) if self.kind == "class" else self.types

    @property
    def is_variadic(self) -> bool:
        """Whether a method takes any number of arguments for its last parameter."""
        return bool(self.parameter_types) and b"..." in (self.parameter_types or (b"",))[-1]


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
    data = names.scopes.facts.data
    exported = ExportedName(package_of(data), types, binding.name, binding.namespace, kind, -1, inherited, alone)
    return _with_parameters(names, binding, exported, words) if kind == "method" else exported


def _with_parameters(
    names: Resolver, binding: Binding, exported: ExportedName, words: frozenset[bytes]
) -> ExportedName | None:
    """A method with its parameters; None where a base may have another one that the same calls may mean."""
    declared, data = names.declarations(binding)[0], names.scopes.facts.data
    overloaded, count = _may_be_overloaded(names, binding.scope), declared.occurrence.arguments
    if overloaded and count:
        return None
    interface = b"interface" in modifiers(names, _name_start(names, binding.scope))
    return exported._replace(
        parameters=count,
        parameter_types=parameter_types(data, declared.end),
        alone=exported.alone and not overloaded,
        may_be_overloaded=overloaded,
        is_public=interface or not words.isdisjoint((b"public", b"protected")),
    )


def parameter_types(data: bytes, name_end: int) -> tuple[bytes, ...] | None:
    """The types of a method's parameters as they are written behind its name; None where that is not plain to see."""
    found = _PARAMETERS.match(_COMMENT.sub(b" ", data[name_end : name_end + _MOST_PARAMETERS]))
    if found is None:
        return None
    rows, depth, row = list[bytes](), 0, list[bytes]()
    for token in _TOKEN.findall(found[1]):
        depth += (token == b"<") - (token == b">")
        if token == b"," and not depth:
            rows.append(_type_of(row))
            row = []
        elif token != b"final" and not token.startswith(b"@"):
            row.append(token)
    return tuple([*rows, _type_of(row)] if row else rows)


def _type_of(row: list[bytes]) -> bytes:
    """The type of a parameter, of its words and signs: all but its name, which brackets may follow."""
    at = next((number for number in range(len(row) - 1, -1, -1) if row[number] not in (b"[", b"]")), 0)
    return b" ".join((*row[:at], *row[at + 1 :]))


def modifiers(names: Resolver, start: int) -> frozenset[bytes]:
    """The words between the end of the statement or block before a declared name and that name; `@` with its word."""
    data = names.scopes.facts.data
    first = max(0, start - _MOST_MODIFIERS)
    text = data[max(data.rfind(sign, first, start) for sign in (b";", b"{", b"}", b"*/")) + 1 : start]
    return frozenset(re.findall(rb"@?" + SCRIPT_IDENTIFIER, text))


def is_open(names: Resolver, ref: ScopeRef) -> bool:
    """Whether a class may have members of types that its file does not hold."""
    facts = names.scopes.local(ref)
    if facts is None or not facts.name:  # a class without a name is one of a type that stands before it
        return True
    extends = re.search(rb"\b(?:extends|implements)\b", _header(names, ref)) is not None
    return names.classes.has_unknown_base(ref) or (extends and not facts.bases)


def _header(names: Resolver, ref: ScopeRef) -> bytes:
    """What stands between the name of a class and its body, without type parameters and arguments."""
    data, start = names.scopes.facts.data, _name_start(names, ref)
    end = _HEADER_END.search(data, start)
    header = data[start : end.start() if end is not None else len(data)]
    for _ in range(_NESTED):
        header = _GENERIC.sub(b" ", header)
    return header


def _may_be_overloaded(names: Resolver, scope: ScopeRef) -> bool:
    """Whether a base that the file does not hold may have a method of the same name.

    Of an interface, a class that is not abstract declares all such methods itself.
    """
    whole = re.search(rb"\bextends\b", _header(names, scope)) is None
    return is_open(names, scope) and not (whole and b"abstract" not in modifiers(names, _name_start(names, scope)))


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
