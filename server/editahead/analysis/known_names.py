"""Undefined names that a generated body reads.

A name is defined if it is a parameter, was bound before in the body, is in scope in the file, or is a builtin. An
attribute of the method's own object is defined if its class shows it. Attributes of other objects are not checked.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable

from editahead.analysis.bindings import UsableNames

BUILT_IN = frozenset(dir(builtins)) - {"_", "copyright", "credits", "exit", "help", "license", "quit"}
_MODULE = frozenset({"__name__", "__file__", "__doc__", "__class__"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def unknown_in(body: list[ast.stmt], visible: UsableNames, function: str) -> tuple[str, ...]:
    """The undefined names that statements read, in order; attributes of the own object as `self.name`.

    `visible`: the names that the function called `function` may use.
    """
    reader = _Reader(visible, function)
    reader.defined = (reader.defined - _stored(body)) | visible.parameters
    reader.block(body)
    return tuple(reader.unknown)


def _stored(body: Iterable[ast.AST]) -> set[str]:
    """Names that statements assign, without those of nested functions: they are local from the start."""
    names: set[str] = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif not isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            names |= _stored(ast.iter_child_nodes(node))
    return names


class _Reader(ast.NodeVisitor):
    """Visits statements in the order of execution: `defined` grows, `unknown` keeps its order."""

    def __init__(self, visible: UsableNames, function: str) -> None:
        self.defined = {*visible.names, *BUILT_IN, *_MODULE}
        self.attributes, self.self_names = {*visible.attributes, *dir(object), function}, visible.self_names
        self.roots = {*visible.names, *sys.stdlib_module_names}
        self.unknown: dict[str, None] = {}

    def block(self, nodes: Iterable[ast.AST | None]) -> None:
        """Visit nodes in this order."""
        for node in nodes:
            if node is not None:
                self.visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.defined.add(node.id)
        elif node.id not in self.defined:
            self.unknown[node.id] = None

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.visit(node.value)
        owner = node.value
        is_self = isinstance(owner, ast.Name) and owner.id in self.self_names
        is_super = isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super"
        if is_self and isinstance(node.ctx, ast.Store):
            self.attributes.add(node.attr)
        elif (is_self or is_super) and node.attr not in self.attributes:
            self.unknown[f"{'self' if is_self else 'super()'}.{node.attr}"] = None

    def visit_Assign(self, node: ast.Assign) -> None:
        self.block([node.value, *node.targets])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.block([node.annotation, node.value])
        if node.value is not None or not isinstance(node.target, ast.Name):
            self.visit(node.target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name) and node.target.id not in self.defined:
            self.unknown[node.target.id] = None
        if isinstance(node.target, ast.Attribute):
            self.visit(ast.Attribute(node.target.value, node.target.attr, ast.Load()))
        self.block([node.value, node.target])

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.block([node.value, node.target])

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self.block([node.iter, node.target, *node.body, *node.orelse])

    visit_AsyncFor = visit_For

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> None:
        self._comprehension(node.generators, [node.elt])

    visit_SetComp = visit_GeneratorExp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node.generators, [node.key, node.value])

    def _comprehension(self, generators: list[ast.comprehension], results: list[ast.expr]) -> None:
        before = set(self.defined)
        for generator in generators:
            self.block([generator.iter, generator.target, *generator.ifs])
        self.block(results)
        self.defined = before

    def visit_Lambda(self, node: _Function) -> None:
        arguments = node.args
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        parameters += [rest for rest in (arguments.vararg, arguments.kwarg) if rest is not None]
        self.block([*arguments.defaults, *arguments.kw_defaults, *(parameter.annotation for parameter in parameters)])
        before = set(self.defined)
        self.defined |= {parameter.arg for parameter in parameters}
        self.block(node.body if isinstance(node.body, list) else [node.body])
        self.defined = before

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.block([*node.decorator_list, node.returns])
        self.defined.add(node.name)
        self.visit_Lambda(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.block([*node.decorator_list, *node.bases, *node.keywords])
        before = set(self.defined)
        self.block(node.body)
        self.defined = {*before, node.name}

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._import(alias.name, alias.asname or alias.name.split(".")[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self._import("." if node.level else node.module or "", alias.asname or alias.name)

    def _import(self, module: str, name: str) -> None:
        """Define an imported name; its module counts as unknown unless it is Python's own or the file imports it."""
        if module.split(".", maxsplit=1)[0] not in self.roots or name == "*":
            self.unknown[f"import {module}"] = None
        self.defined.add(name)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self.block([node.type])
        self.defined |= {node.name} if node.name else set()
        self.block(node.body)

    def _captures(self, node: ast.MatchAs | ast.MatchStar) -> None:
        self.generic_visit(node)
        self.defined |= {node.name} if node.name else set()

    visit_MatchAs = visit_MatchStar = _captures

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.generic_visit(node)
        self.defined |= {node.rest} if node.rest else set()

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self.unknown |= dict.fromkeys(name for name in node.names if name not in self.defined)

    visit_Nonlocal = visit_Global
