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
_COMPONENT = "formal_parameter"  # of a record, if a class declares it
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
    parameter_types: tuple[str, ...] = ()
    may_be_overloaded: bool = False
    is_public: bool = True

    @property
    def path(self) -> tuple[str, ...]:
        """The types down to the exported type, or to the type of the exported member."""
        return (*self.types, self.name) if self.kind == "class" else self.types

    @property
    def qualified_name(self) -> tuple[str, ...]:
        """The parts of the package, the types and the name."""
        return (*(part for part in self.package.split(".") if part), *self.types, self.name)

    @property
    def is_variadic(self) -> bool:
        """Whether a method takes any number of arguments for its last parameter."""
        return "..." in "".join(self.parameter_types[-1:])


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
    types, declared = _types_around(resolver, binding.scope), _declaration(resolver, declarations[0].start)
    is_component = declared is not None and declared.type == _COMPONENT
    if types is None or b"private" in modifier_words or (is_component and kind != "method"):
        return None  # of a component of a record other files see its accessor
    is_inherited = b"static" not in modifier_words and not is_component
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
        all_types = [parameter_types(resolver, overload.start) for overload in overloads]
        if any(types is None or "..." in "".join(types) for types in all_types):
            return None  # a call may mean either
        exported = exported._replace(may_be_overloaded=True)
    return _with_parameters(renamed, declarations[0], exported, modifier_words)


def _with_parameters(
    renamed: RenamedBinding, declaration: NameAt, exported: ExportedName, modifier_words: frozenset[bytes]
) -> ExportedName | None:
    """A method with its parameters; None without a list of them, or if a base in another file may have an overload."""
    resolver, binding = renamed.resolver, renamed.binding
    types = parameter_types(resolver, declaration.start)
    if types is None:
        return None
    if _can_be_overloaded(resolver, binding.scope):
        if types:
            return None
        exported = exported._replace(may_be_overloaded=True)
    return exported._replace(
        parameters=len(types),
        parameter_types=types,
        alone=exported.alone and not exported.may_be_overloaded,
        is_public=_is_interface(resolver, binding.scope) or not modifier_words.isdisjoint((b"public", b"protected")),
    )


def parameter_types(resolver: Resolver, name_start: int) -> tuple[str, ...] | None:
    """The types of the parameters of a method, without spaces; None if they cannot be read."""
    method = _declaration(resolver, name_start)
    if method is not None and method.type == _COMPONENT:
        return ()
    row = method.child_by_field_name("parameters") if method is not None else None
    if row is None or row.has_error:
        return None
    parameters = (node for node in row.named_children if not node.is_extra)
    return tuple("".join("".join(map(node_text, _type_nodes(parameter))).split()) for parameter in parameters)


def _type_nodes(parameter: Node) -> Iterator[Node]:
    """Yield the nodes of the type of a parameter, brackets behind the name included."""
    for node in parameter.children:
        if node.type == "variable_declarator":  # of the last parameter: `int... a`
            continue
        if node.type not in ("modifiers", "identifier") and not node.is_extra:
            yield node


def _declaration(resolver: Resolver, name_start: int) -> Node | None:
    """The node that declares the name at a byte."""
    scopes = resolver.scopes
    name = scopes.facts.units[scopes.unit_at(name_start)].node_at(name_start, name_start + 1)
    return name.parent if name is not None else None


def modifiers(resolver: Resolver, start: int) -> frozenset[bytes]:
    """The modifiers and annotations before a declared name: all words since the previous statement or block."""
    data = resolver.scopes.facts.data
    first = max(0, start - _MAX_MODIFIER_BYTES)
    text = data[max(data.rfind(sign, first, start) for sign in (b";", b"{", b"}", b"*/")) + 1 : start]
    return frozenset(re.findall(rb"@?" + SCRIPT_IDENTIFIER, text))


def is_open(resolver: Resolver, scope: ScopeRef) -> bool:
    """Whether a class may have members from bases outside its file."""
    facts = resolver.scopes.local(scope)
    return facts is None or not facts.name or resolver.classes.has_unknown_base(scope)


def _can_be_overloaded(resolver: Resolver, scope: ScopeRef) -> bool:
    """Whether a base outside the file may have a method of the same name.

    A class that is not abstract declares all methods of its interfaces itself.
    """
    start = resolver.scopes.name_start(scope)
    declared = _declaration(resolver, start) if is_open(resolver, scope) else None
    children = declared.children if declared is not None else ()
    has_base = any(node.type in ("superclass", "extends_interfaces") for node in children)
    return declared is not None and (has_base or b"abstract" in modifiers(resolver, start))


def _can_override(resolver: Resolver, scope: ScopeRef, modifier_words: frozenset[bytes]) -> bool:
    """Whether a method may override a method of a base in another file; false if the file marks its overrides."""
    if b"@Override" in modifier_words:
        return True
    is_marked = not _is_interface(resolver, scope) and b"@Override" in resolver.scopes.facts.data
    return is_open(resolver, scope) and not is_marked


def _is_interface(resolver: Resolver, scope: ScopeRef) -> bool:
    return b"interface" in modifiers(resolver, resolver.scopes.name_start(scope))


def _types_around(resolver: Resolver, scope: ScopeRef) -> tuple[str, ...] | None:
    """The classes around a scope from the outermost on; None if other files cannot see all of them."""
    types = list[str]()
    for outer in resolver.scopes.around(scope):
        if outer == MODULE_SCOPE:
            return tuple(reversed(types))
        facts = resolver.scopes.local(outer)
        if resolver.scopes.kind(outer) is not ScopeKind.CLASS or facts is None or not facts.name:
            return None
        if b"private" in modifiers(resolver, resolver.scopes.name_start(outer)):
            return None
        types.append(facts.name)
    return None
