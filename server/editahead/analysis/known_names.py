"""Names that a written body reads and nobody defines: whoever offers code must not make them up.

A name is known when it is a parameter, was bound before in the body, stands in scope in the file, or is built in. An
attribute of the function's own object is known when its class shows it. What other objects have is not looked at.
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
    """What statements read without anybody having defined it, attributes of the own object as `self.name`.

    `visible` is what a function of this name sees.
    """
    reader = _Reader(visible, function)
    reader.known = (reader.known - _stored(body)) | visible.parameters
    reader.block(body)
    return tuple(reader.unknown)


def _stored(body: Iterable[ast.AST]) -> set[str]:
    """Names that statements assign themselves, nested functions left aside: there they are local from the start."""
    found: set[str] = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif not isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            found |= _stored(ast.iter_child_nodes(node))
    return found


class _Reader(ast.NodeVisitor):
    """Goes through statements as they are carried out; `known` grows on the way, `unknown` keeps its order."""

    def __init__(self, visible: UsableNames, function: str) -> None:
        self.known = {*visible.names, *BUILT_IN, *_MODULE}
        self.attributes, self.mine = {*visible.attributes, *dir(object), function}, visible.mine
        self.roots = {*visible.names, *sys.stdlib_module_names}
        self.unknown: dict[str, None] = {}

    def block(self, nodes: Iterable[ast.AST | None]) -> None:
        """Visit in this order."""
        for node in nodes:
            if node is not None:
                self.visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.known.add(node.id)
        elif node.id not in self.known:
            self.unknown[node.id] = None

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.visit(node.value)
        owner = node.value
        own = isinstance(owner, ast.Name) and owner.id in self.mine
        above = isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super"
        if own and isinstance(node.ctx, ast.Store):
            self.attributes.add(node.attr)
        elif (own or above) and node.attr not in self.attributes:
            self.unknown[f"{'self' if own else 'super()'}.{node.attr}"] = None

    def visit_Assign(self, node: ast.Assign) -> None:
        self.block([node.value, *node.targets])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.block([node.annotation, node.value])
        if node.value is not None or not isinstance(node.target, ast.Name):
            self.visit(node.target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name) and node.target.id not in self.known:
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

    def _comprehension(self, generators: list[ast.comprehension], made: list[ast.expr]) -> None:
        before = set(self.known)
        for one in generators:
            self.block([one.iter, one.target, *one.ifs])
        self.block(made)
        self.known = before

    def visit_Lambda(self, node: _Function) -> None:
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        self.block([*arguments.defaults, *arguments.kw_defaults, *(one.annotation for one in every)])
        before = set(self.known)
        self.known |= {one.arg for one in every}
        self.block(node.body if isinstance(node.body, list) else [node.body])
        self.known = before

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.block([*node.decorator_list, node.returns])
        self.known.add(node.name)
        self.visit_Lambda(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.block([*node.decorator_list, *node.bases, *node.keywords])
        before = set(self.known)
        self.block(node.body)
        self.known = {*before, node.name}

    def visit_Import(self, node: ast.Import) -> None:
        for one in node.names:
            self._imports(one.name, one.asname or one.name.split(".")[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for one in node.names:
            self._imports("." if node.level else node.module or "", one.asname or one.name)

    def _imports(self, module: str, name: str) -> None:
        """A module is known when it is Python's own, or the file has imported it."""
        if module.split(".", maxsplit=1)[0] not in self.roots or name == "*":
            self.unknown[f"import {module}"] = None
        self.known.add(name)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self.block([node.type])
        self.known |= {node.name} if node.name else set()
        self.block(node.body)

    def _captures(self, node: ast.MatchAs | ast.MatchStar) -> None:
        self.generic_visit(node)
        self.known |= {node.name} if node.name else set()

    visit_MatchAs = visit_MatchStar = _captures

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.generic_visit(node)
        self.known |= {node.rest} if node.rest else set()

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self.unknown |= dict.fromkeys(name for name in node.names if name not in self.known)

    visit_Nonlocal = visit_Global
