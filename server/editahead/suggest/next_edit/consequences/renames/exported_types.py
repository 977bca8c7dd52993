"""The exported name of a binding in languages whose files name their packages (Java): a type, or a visible member.

In Python and JavaScript, the list of exported names of a module: `__all__ = ["total"]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import path_to
from editahead.index.packages import package_of
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding, same_overload
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action, Namespace, ScopeKind
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.words import SCRIPT_IDENTIFIER

MAX_STATEMENTS = 20  # statements that are read: those of the list of exports and of its extensions
_ASSIGNMENTS = frozenset({"assignment", "augmented_assignment"})
_VALUES = frozenset(
    {"list", "tuple", "set", "parenthesized_expression", "expression_list", "binary_operator", "argument_list"}
)
_INNER = frozenset({"function_definition", "class_definition", "lambda"})
_MAX_MODIFIER_BYTES = 2000  # bytes before a declared name
_GENERIC, _MAX_NESTING = re.compile(rb"<[^<>]*>"), 4
_HEADER_END = re.compile(rb"[{;]")
_MAX_PARAMETER_BYTES = 4000  # bytes behind the name of a method
_PARAMETERS = re.compile(rb"\s*\(([^()]*)\)")  # without the brackets of annotations
_TOKEN = re.compile(rb"\.\.\.|@?[\w$\x80-\xff]+(?:\.[\w$\x80-\xff]+)*|[^\s\w]")
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_SPECIAL = frozenset({("field", "length"), ("method", "clone")})
"""Members of arrays, which are independent of the element type."""


def exported_strings(syntax: SyntaxSnapshot, name: str) -> list[int]:
    """The offsets of a name in the strings of the list of exported names, in text order."""
    table, data = syntax.language.scopes, syntax.buffer.data
    if table is None or not table.imports.export_list or name.encode() not in data:
        return []
    offsets, variable = set[int](), table.imports.export_list
    word = re.compile(rb"(?<![\w.])" + re.escape(variable.encode()) + rb"(?!\w)")
    for count, match in enumerate(word.finditer(data)):
        if count >= MAX_STATEMENTS:
            break
        path, offset = path_to(syntax, match.start())
        if any(node.type in _INNER for node in path):
            continue
        for value in _values(path, variable):
            offsets.update(string_start + offset for string_start in _strings(value, name))
    return sorted(offsets)


def _values(path: list[Node], variable: str) -> Iterator[Node]:
    """Yield the values assigned to the list or passed to its methods by the ancestors of its name."""
    for node in path:
        target = node.child_by_field_name("left") if node.type in _ASSIGNMENTS else None
        assigned = node.child_by_field_name("right") if target is not None else None
        if target is not None and assigned is not None and node_text(target) == variable:
            yield assigned
        function = node.child_by_field_name("function") if node.type == "call" else None
        owner = function.child_by_field_name("object") if function is not None else None
        arguments = node.child_by_field_name("arguments") if owner is not None else None
        if owner is not None and arguments is not None and node_text(owner) == variable:
            yield arguments


def _strings(value: Node, name: str) -> Iterator[int]:
    """Yield the offsets in the tree of strings in an expression that equal a name."""
    pending = [value]
    while pending:
        checkpoint()
        node = pending.pop()
        if node.type in _VALUES:
            pending.extend(node.named_children)
        text = node.children[1] if node.type == "string" and node.child_count == 3 else None
        if text is not None and text.type == "string_content" and node_text(text) == name:
            yield text.start_byte


class ExportedName(NamedTuple):
    """A type of a package, or a member of a type; `types` are those around it from the outermost on.

    `parameters`: the number of parameters of a method, else -1. `inherited`: subclasses have the member and may
    override it. `alone`: its type has no other member of that name. `may_be_overloaded`: its type has an overload, or
    may inherit such a method from another file. `is_public`: other packages may override the method.
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
        """The types down to the exported type, or to the type of the exported member."""
        return (*self.types, self.name) if self.kind == "class" else self.types

    @property
    def is_variadic(self) -> bool:
        """Whether a method takes any number of arguments for its last parameter."""
        return bool(self.parameter_types) and b"..." in (self.parameter_types or (b"",))[-1]


def exported_name(renamed: RenamedBinding) -> ExportedName | None:
    """The exported name of a binding; None if other files cannot see it, or may declare it as well.

    Of several overloads, that with the number of parameters of the renamed method.
    """
    resolver, binding = renamed.resolver, renamed.binding
    kind, overloads = resolver.kind(binding), resolver.declarations(binding)
    declarations, data = same_overload(renamed, overloads), resolver.scopes.facts.data
    if kind not in ("class", "method", "field") or (kind, binding.name) in _SPECIAL:
        return None
    is_declared_once = len(declarations) == 1 and declarations[0].occurrence.action is Action.BIND
    if binding.at >= 0 or binding.loose or not is_declared_once:
        return None
    modifier_words = modifiers(resolver, declarations[0].start)
    types = _types_around(resolver, binding.scope)
    if types is None or not modifier_words.isdisjoint(
        (b"private", b"record")
    ):  # a record component is a parameter, too
        return None
    is_inherited = b"static" not in modifier_words
    if kind == "method" and is_inherited and _can_override(resolver, binding.scope, modifier_words):
        return None
    other_namespace = Namespace.VALUE if binding.namespace is Namespace.METHOD else Namespace.METHOD
    is_only_member = kind == "class" or not resolver.scopes.bound_in(binding.scope, other_namespace, binding.name)
    exported = ExportedName(
        package_of(data), types, binding.name, binding.namespace, kind, -1, is_inherited, is_only_member
    )
    if kind != "method":
        return exported
    if len(overloads) > 1:
        all_types = [parameter_types(data, overload.end) for overload in overloads]
        if any(types is None or b"..." in b" ".join(types) for types in all_types):
            return None  # a call may mean either
        exported = exported._replace(may_be_overloaded=True)
    return _with_parameters(renamed, declarations[0], exported, modifier_words)


def has_exported_member(renamed: RenamedBinding) -> bool:
    """Whether other files can see a member: an exported name, or a component of a record that is not private."""
    declarations = renamed.resolver.declarations(renamed.binding)
    words = modifiers(renamed.resolver, declarations[0].start) if declarations else frozenset()
    is_component = b"record" in words and b"private" not in words
    return is_component or exported_name(renamed) is not None


def _with_parameters(
    renamed: RenamedBinding, declaration: NameAt, exported: ExportedName, modifier_words: frozenset[bytes]
) -> ExportedName | None:
    """A method with its parameters; None if a base in another file may have an overload."""
    resolver, binding, count = renamed.resolver, renamed.binding, declaration.occurrence.arguments
    if _can_be_overloaded(resolver, binding.scope):
        if count:
            return None
        exported = exported._replace(may_be_overloaded=True)
    is_interface = b"interface" in modifiers(resolver, _name_start(resolver, binding.scope))
    return exported._replace(
        parameters=count,
        parameter_types=parameter_types(resolver.scopes.facts.data, declaration.end),
        alone=exported.alone and not exported.may_be_overloaded,
        is_public=is_interface or not modifier_words.isdisjoint((b"public", b"protected")),
    )


def parameter_types(data: bytes, name_end: int) -> tuple[bytes, ...] | None:
    """The types of the parameters of a method as they are written behind its name; None if they cannot be read."""
    match = _PARAMETERS.match(_COMMENT.sub(b" ", data[name_end : name_end + _MAX_PARAMETER_BYTES]))
    if match is None:
        return None
    types, depth, tokens = list[bytes](), 0, list[bytes]()
    for token in _TOKEN.findall(match[1]):
        depth += (token == b"<") - (token == b">")
        if token == b"," and not depth:
            types.append(_type_of(tokens))
            tokens = []
        elif token != b"final" and not token.startswith(b"@"):
            tokens.append(token)
    return tuple([*types, _type_of(tokens)] if tokens else types)


def _type_of(tokens: list[bytes]) -> bytes:
    """The type of a parameter from its tokens: all but its name, which brackets may follow."""
    name_index = next((index for index in range(len(tokens) - 1, -1, -1) if tokens[index] not in (b"[", b"]")), 0)
    return b" ".join((*tokens[:name_index], *tokens[name_index + 1 :]))


def modifiers(resolver: Resolver, start: int) -> frozenset[bytes]:
    """The modifiers and annotations before a declared name: all words since the previous statement or block."""
    data = resolver.scopes.facts.data
    first = max(0, start - _MAX_MODIFIER_BYTES)
    text = data[max(data.rfind(sign, first, start) for sign in (b";", b"{", b"}", b"*/")) + 1 : start]
    return frozenset(re.findall(rb"@?" + SCRIPT_IDENTIFIER, text))


def is_open(resolver: Resolver, scope: ScopeRef) -> bool:
    """Whether a class may have members from bases outside its file."""
    facts = resolver.scopes.local(scope)
    if facts is None or not facts.name:  # an anonymous class extends the type before it
        return True
    has_base = re.search(rb"\b(?:extends|implements)\b", _header(resolver, scope)) is not None
    return resolver.classes.has_unknown_base(scope) or (has_base and not facts.bases)


def _header(resolver: Resolver, scope: ScopeRef) -> bytes:
    """The text between the name of a class and its body, without type parameters and arguments."""
    data, start = resolver.scopes.facts.data, _name_start(resolver, scope)
    end = _HEADER_END.search(data, start)
    header = data[start : end.start() if end is not None else len(data)]
    for _ in range(_MAX_NESTING):
        header = _GENERIC.sub(b" ", header)
    return header


def _can_be_overloaded(resolver: Resolver, scope: ScopeRef) -> bool:
    """Whether a base outside the file may have a method of the same name.

    A class that is not abstract declares all methods of its interfaces itself.
    """
    if not is_open(resolver, scope):
        return False
    has_base_class = re.search(rb"\bextends\b", _header(resolver, scope)) is not None
    return has_base_class or b"abstract" in modifiers(resolver, _name_start(resolver, scope))


def _can_override(resolver: Resolver, scope: ScopeRef, modifier_words: frozenset[bytes]) -> bool:
    """Whether a method may override a method of a base in another file; false if the file marks its overrides."""
    if b"@Override" in modifier_words:
        return True
    data, is_interface = resolver.scopes.facts.data, b"interface" in modifiers(resolver, _name_start(resolver, scope))
    return is_open(resolver, scope) and (is_interface or b"@Override" not in data)


def _types_around(resolver: Resolver, scope: ScopeRef) -> tuple[str, ...] | None:
    """The classes around a scope from the outermost on; None if other files cannot see all of them."""
    types = list[str]()
    for outer in resolver.scopes.around(scope):
        if outer == MODULE_SCOPE:
            return tuple(reversed(types))
        facts = resolver.scopes.local(outer)
        if resolver.scopes.kind(outer) is not ScopeKind.CLASS or facts is None or not facts.name:
            return None
        if b"private" in modifiers(resolver, _name_start(resolver, outer)):
            return None
        types.append(facts.name)
    return None


def _name_start(resolver: Resolver, scope: ScopeRef) -> int:
    facts, scopes = resolver.scopes.local(scope), resolver.scopes.facts
    unit = scope[0] if scope[0] >= 0 else scopes.containers[scope[1]].head
    return scopes.units[unit].start + facts.name_start if facts is not None and unit >= 0 else 0
