"""Exports of a Python module, read from its text: top-level names, members of classes, and parameters.

Of function bodies only those of constructors are read, for attributes. Time grows with the size of the top level.
Built-in classes and modules, which no source file holds, are in a table that `scripts/builtin_members.py` writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NamedTuple

from editahead.analysis.type_expressions.python_declarations import assigned_type, function_type, parameter_types
from editahead.analysis.type_expressions.python_values import TypeExpression, annotation_in, instance_of
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.nodes import Node, Parts, node_text, tree_roots
from editahead.syntax.snapshot import SyntaxSnapshot

_BLOCKS = frozenset({
    "if_statement", "else_clause", "elif_clause", "try_statement", "except_clause", "finally_clause", "with_statement",
    "block", "for_statement", "while_statement",
})  # fmt: skip
_MAX_DEPTH = 6
Origin = tuple[tuple[str, ...], str | None]
PARAMETERS = ("T0", "T1")  # what stands in the table for the type arguments of a class


class Export(NamedTuple):
    """An exported name of a module: function, class, variable, or a name that the module imports from `origin`.

    `members` are those of a class; `parameters` those of a function or of a class's constructor; `bases` the classes
    that a class names, as written. `type`: the type of a function or variable, if any; `member_types` those
    of the members of a class, each looked up in the module.
    """

    kind: str
    members: frozenset[str] = frozenset()
    parameters: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    origin: Origin | None = None
    type: TypeExpression | None = None
    member_types: Mapping[str, TypeExpression] = MappingProxyType({})


@dataclass
class ModuleExports:
    """The exports of a module. `stars`: modules that it star-imports; `listed`: its `__all__`, if any."""

    names: dict[str, Export] = field(default_factory=dict)
    stars: list[tuple[str, ...]] = field(default_factory=list)
    listed: frozenset[str] = frozenset()


def module_exports(syntax: SyntaxSnapshot, package: tuple[str, ...]) -> ModuleExports:
    """Read the exports of a module; `package` is the package that contains it, for relative imports."""
    exports = ModuleExports()
    for _, root in tree_roots(syntax):
        for node in _statements(root, 0):
            _read(node, exports, package)
    return exports


def file_imports(syntax: SyntaxSnapshot, package: tuple[str, ...]) -> dict[str, Origin]:
    """Return the origin of each name that the top-level imports of a file bind."""
    origins: dict[str, Origin] = {}
    for _, root in tree_roots(syntax, Parts(frozenset((b"import",)))):
        for node in _statements(root, 0):
            if node.type in ("import_statement", "import_from_statement"):
                origins.update(imported_names(node, package))
    return origins


def imported_names(node: Node, package: tuple[str, ...]) -> Iterator[tuple[str, Origin]]:
    """Yield each name that an import statement binds, with its module and its name there (None for the module)."""
    if node.type == "import_statement":
        for child in node.named_children:
            if child.type == "aliased_import":
                path, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
                if path is not None and alias is not None:
                    yield node_text(alias), (_dotted(path), None)
            elif child.type == "dotted_name":
                path_names = _dotted(child)
                yield path_names[0], (path_names[:1], None)
    elif node.type == "import_from_statement":
        module = _module_of(node, package)
        for child in node.children_by_field_name("name"):
            if child.type == "aliased_import":
                name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
                if name is not None and alias is not None:
                    yield node_text(alias), (module, node_text(name))
            else:
                yield node_text(child), (module, node_text(child))


def _statements(holder: Node, depth: int) -> Iterator[Node]:
    """Yield the statements of a block, with those of nested blocks down to a depth."""
    for node in holder.children:
        checkpoint()
        if node.type in _BLOCKS and depth < _MAX_DEPTH:
            yield from _statements(node, depth + 1)
        elif node.type == "decorated_definition":
            inner = node.child_by_field_name("definition")
            if inner is not None:
                yield inner
        elif node.is_named:
            yield node


def _read(node: Node, result: ModuleExports, package: tuple[str, ...]) -> None:
    if node.type == "function_definition":
        result.names.setdefault(_name(node), Export("function", parameters=_parameters(node), type=function_type(node)))
    elif node.type == "class_definition":
        result.names[_name(node)] = _class(node)
    elif node.type == "expression_statement":
        for target, value, value_type in _assigned(node):
            if target == "__all__":
                result.listed = frozenset(_strings(value)) if value is not None else frozenset()
            result.names.setdefault(target, Export("variable", type=value_type))
    elif node.type in ("import_statement", "import_from_statement"):
        if any(child.type == "wildcard_import" for child in node.named_children):
            result.stars.append(_module_of(node, package))
        for name, origin in imported_names(node, package):
            result.names.setdefault(name, Export("import", origin=origin))


def _class(node: Node) -> Export:
    members: dict[str, TypeExpression | None] = {}
    parameters: tuple[str, ...] = ()
    body, heads = node.child_by_field_name("body"), node.child_by_field_name("superclasses")
    for inner in _statements(body, 1) if body is not None else ():
        if inner.type == "function_definition":
            members[_name(inner)] = function_type(inner)
            if _name(inner) == "__init__":
                parameters = _parameters(inner)[1:]
                for name, member_type in _own_attributes(inner):
                    members[name] = members.get(name) or member_type
        elif inner.type == "class_definition":
            members[_name(inner)] = None
        elif inner.type == "expression_statement":
            members.update((target, member_type) for target, _, member_type in _assigned(inner))
    named = heads.named_children if heads is not None else ()
    bases = tuple(node_text(base) for base in named if base.type in ("identifier", "attribute"))
    types = {name: member_type for name, member_type in members.items() if member_type is not None}
    return Export("class", frozenset(members), parameters, bases, member_types=types)


def _own_attributes(constructor: Node) -> Iterator[tuple[str, TypeExpression | None]]:
    """Yield the attributes that a constructor assigns to its object, with their types."""
    body, given = constructor.child_by_field_name("body"), parameter_types(constructor)
    for node in _statements(body, 1) if body is not None else ():
        if node.type == "expression_statement" and node.named_children and node.named_children[0].type == "assignment":
            assignment = node.named_children[0]
            target = assignment.child_by_field_name("left")
            if target is not None and target.type == "attribute":
                owner, name = target.child_by_field_name("object"), target.child_by_field_name("attribute")
                if owner is not None and name is not None and node_text(owner) == "self":
                    assigned = assigned_type(assignment)
                    local = assigned is not None and assigned.kind == "name"
                    yield node_text(name), given.get(assigned.name) if assigned is not None and local else assigned


def _assigned(node: Node) -> Iterator[tuple[str, Node | None, TypeExpression | None]]:
    """Yield the names that a statement assigns, each with its value and its type."""
    for child in node.named_children:
        targets = child.child_by_field_name("left") if child.type == "assignment" else None
        if targets is None:
            continue
        for target in targets.named_children if targets.type == "pattern_list" else [targets]:
            if target.type == "identifier":
                value_type = assigned_type(child) if target is targets else None
                yield node_text(target), child.child_by_field_name("right"), value_type


def _parameters(node: Node) -> tuple[str, ...]:
    heads = node.child_by_field_name("parameters")
    names = []
    for child in heads.named_children if heads is not None else ():
        name_node = child if child.type == "identifier" else child.child_by_field_name("name")
        if name_node is None and child.type == "typed_parameter":
            name_node = next((part for part in child.named_children if part.type == "identifier"), None)
        if name_node is not None:
            names.append(node_text(name_node))
    return tuple(names)


def _module_of(node: Node, package: tuple[str, ...]) -> tuple[str, ...]:
    """Return the module that an import statement names, relative imports resolved."""
    module = node.child_by_field_name("module_name")
    if module is None:
        return ()
    if module.type != "relative_import":
        return _dotted(module)
    text = node_text(module)
    dots = len(text) - len(text.lstrip("."))
    rest = tuple(part for part in text.strip(". ").split(".") if part)
    base = package[: len(package) - (dots - 1)] if dots > 1 else package
    return (*base, *rest)


def _dotted(node: Node) -> tuple[str, ...]:
    return tuple(part.strip() for part in node_text(node).split("."))


def _strings(node: Node) -> Iterator[str]:
    for child in node.named_children:
        if child.type == "string":
            yield node_text(child).strip("\"'")


def _name(node: Node) -> str:
    return node_text(node.child_by_field_name("name"))


class BuiltinClass(NamedTuple):
    """The names of the members of a class, and the types that calls of them return, as far as written."""

    names: frozenset[str]
    results: Mapping[str, str]

    def result(self, member: str) -> TypeExpression | None:
        """Return what a call of a member gives, or None."""
        return _object_of(self.results.get(member, ""))


def builtin_class(name: str) -> BuiltinClass | None:
    """Return a built-in class, also of files and exceptions; None for another name."""
    return _classes().get(name)


@cache
def builtin_module(name: str) -> ModuleExports | None:
    """Return the exports of a module of the standard library that has no source file; None for another name."""
    row = _table()["modules"].get(name)
    if row is None:
        return None
    exports = {name: Export("function") for name in row["names"].split()}
    for variable, text in _by_name(row["variables"]):
        exports[variable] = Export("variable", type=_object_of(text))
    for class_name, members in _by_name(row["classes"]):
        exports[class_name] = Export("class", frozenset(members.split()))
    return ModuleExports(exports)


def _object_of(text: str) -> TypeExpression | None:
    named = annotation_in(text) if text else None
    return instance_of(named) if named is not None else None


def _by_name(names_by_text: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each name of a part of the table with its text, which is written once for all names that have it."""
    return ((name, text) for text, names in names_by_text.items() for name in names.split())


@cache
def _table() -> dict[str, Any]:
    text = files("editahead.environment").joinpath("builtin_members.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


@cache
def _classes() -> Mapping[str, BuiltinClass]:
    table = _table()
    classes = {
        name: BuiltinClass(frozenset(row["names"].split()), dict(_by_name(row["results"])))
        for name, row in table["classes"].items()
    }
    exceptions = dict(_by_name(table["exceptions"]))
    for name, names in exceptions.items():
        classes[name] = BuiltinClass(frozenset((*exceptions["BaseException"].split(), *names.split())), {})
    return classes
