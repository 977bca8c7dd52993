"""From Python's `ast` to the trees of the grammar: every class by its fields, refined ones by their own functions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from editahead.grammar.python_build import is_empty_text
from editahead.grammar.table import NONE, Grammar
from editahead.grammar.tree import Child, GrammarError, Node

_NO = Node(NONE)


class PythonTrees:
    """Shapes `ast` nodes to grammar trees and builds them back, for a grammar table."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.fields = {rule.name: rule.fields for rule in grammar.rules}
        self.shapes: dict[str, Callable[[Any], Node]] = {
            "AnnAssign": self._shape_annotated,
            "Raise": lambda n: self._plain(n, "Raise" if n.exc else "Raise.bare"),
            "Try": lambda n: self._plain(n, "Try" if n.handlers else "Try.finally"),
            "ExceptHandler": lambda n: self._plain(n, "ExceptHandler" if n.type else "ExceptHandler.bare"),
            "Import": lambda n: Node("Import", (tuple(self._alias(a, "alias.dotted") for a in n.names),)),
            "ImportFrom": self._shape_import_from,
            "keyword": lambda n: self._plain(n, "keyword" if n.arg is not None else "keyword.double"),
            "comprehension": lambda n: self._plain(n, "comprehension.async" if n.is_async else "comprehension"),
            "Dict": self._shape_dict,
            "Compare": lambda n: Node("Compare", (self.shape(n.left), self._pairs(n))),
            "Constant": _shape_constant,
            "JoinedStr": lambda n: Node("JoinedStr", (tuple(self._part(v) for v in n.values if not is_empty_text(v)),)),
            "FormattedValue": self._shape_formatted,
            "MatchMapping": self._shape_mapping,
            "MatchClass": self._shape_class,
            "MatchAs": lambda n: self._plain(
                n, "MatchAs" if n.pattern else "MatchAs.capture" if n.name else "MatchAs.wildcard"
            ),
            "MatchSingleton": lambda n: Node("MatchSingleton", (Node(str(n.value)),)),
        }

    def shape(self, node: ast.AST) -> Node:
        """The tree of a node. GrammarError for a class that the table does not have."""
        name = type(node).__name__
        special = self.shapes.get(name)
        return special(node) if special else self._plain(node, name)

    def _plain(self, node: ast.AST, rule: str) -> Node:
        if rule not in self.fields:
            raise GrammarError(f"{rule} is not in the grammar of Python {self.grammar.version}")
        fields = self.fields[rule]
        field_names = {field for field, _ in fields}
        for field in ("type_params", "default_value"):
            if getattr(node, field, None) and field not in field_names:
                raise GrammarError(f"{field} is not in the grammar of Python {self.grammar.version}")
        return Node(rule, tuple([self._child(getattr(node, field), tag) for field, tag in fields]))

    def _child(self, value: Any, tag: str) -> Child:
        if value is None:
            return _NO
        if isinstance(value, str):
            return value if tag.startswith("@") else Node("dotted" if tag == "dotted?" else "named", (value,))
        if isinstance(value, ast.arguments):
            return self._parameters(value, "lambda." if tag == "lambda_parameters" else "")
        if isinstance(value, list):
            return tuple([Node("named", (v,)) if isinstance(v, str) else self.shape(v) for v in value])
        return self.shape(value)

    def _shape_annotated(self, node: ast.AnnAssign) -> Node:
        if isinstance(node.target, ast.Name) and not node.simple:
            value = self._child(node.value, "expr?")
            return Node("AnnAssign.parenthesised", (node.target.id, self.shape(node.annotation), value))
        return self._plain(node, "AnnAssign")

    def _alias(self, node: ast.alias, rule: str) -> Node:
        return Node(rule, (node.name, self._child(node.asname, "name?")))

    def _shape_import_from(self, node: ast.ImportFrom) -> Node:
        names = tuple(Node("alias.star") if a.name == "*" else self._alias(a, "alias") for a in node.names)
        if not node.level:
            return Node("ImportFrom", (node.module or "", names))
        dots = tuple(Node("dot") for _ in range(node.level))
        return Node("ImportFrom.relative", (dots, self._child(node.module, "dotted?"), names))

    def _shape_dict(self, node: ast.Dict) -> Node:
        pairs = zip(node.keys, node.values, strict=True)
        return Node(
            "Dict",
            (
                tuple(
                    Node("item", (self.shape(k), self.shape(v))) if k else Node("item.double", (self.shape(v),))
                    for k, v in pairs
                ),
            ),
        )

    def _pairs(self, node: ast.Compare) -> tuple[Node, ...]:
        pairs = zip(node.ops, node.comparators, strict=True)
        return tuple(Node(type(op).__name__, (self.shape(right),)) for op, right in pairs)

    def _part(self, node: ast.expr) -> Node:
        if isinstance(node, ast.Constant):
            return Node("joined.text", (str(node.value),))
        return self.shape(node)

    def _shape_formatted(self, node: ast.FormattedValue) -> Node:
        conversion = "conversion.none" if node.conversion == -1 else f"conversion.{chr(node.conversion)}"
        return Node(
            "FormattedValue", (self.shape(node.value), Node(conversion), self._child(node.format_spec, "spec?"))
        )

    def _shape_mapping(self, node: ast.MatchMapping) -> Node:
        pairs = zip(node.keys, node.patterns, strict=True)
        items = tuple(Node("mapping.item", (self.shape(k), self.shape(p))) for k, p in pairs)
        return Node("MatchMapping", (items, self._child(node.rest, "free_name?")))

    def _shape_class(self, node: ast.MatchClass) -> Node:
        pairs = zip(node.kwd_attrs, node.kwd_patterns, strict=True)
        keywords = tuple(Node("class.keyword", (a, self.shape(p))) for a, p in pairs)
        return Node("MatchClass", (self.shape(node.cls), tuple(self.shape(p) for p in node.patterns), keywords))

    def _parameters(self, node: ast.arguments, mark: str) -> tuple[Node, ...]:
        row: list[Node] = []
        positional = [("positional", a) for a in node.posonlyargs] + [("argument", a) for a in node.args]
        none: list[ast.expr | None] = [None] * (len(positional) - len(node.defaults))
        for (kind, arg), default in zip(positional, [*none, *node.defaults], strict=True):
            row.append(self._parameter(f"{mark}{kind}", arg, default, mark))
        if node.vararg:
            row.append(self._parameter(f"{mark}vararg", node.vararg, None, mark))
        for arg, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
            row.append(self._parameter(f"{mark}keyword_only", arg, default, mark))
        if node.kwarg:
            row.append(self._parameter(f"{mark}kwarg", node.kwarg, None, mark))
        return tuple(row)

    def _parameter(self, rule: str, arg: ast.arg, default: ast.expr | None, mark: str) -> Node:
        children: tuple[Child, ...] = (arg.arg,) if mark else (arg.arg, self._child(arg.annotation, "expr?"))
        if default is None:
            return Node(rule, children)
        return Node(f"{rule}.default", (*children, self.shape(default)))


def _shape_constant(node: ast.Constant) -> Node:
    value = node.value
    if value is None or isinstance(value, bool):
        return Node(str(value))
    if value is Ellipsis:
        return Node("Ellipsis")
    if isinstance(value, int):
        return Node("int", (str(value) if value < 10**30 else f"{value:#x}"[1:],))
    if isinstance(value, float):
        return Node("float", (repr(value).replace("e+", "e"),))
    if isinstance(value, complex):
        return Node("imag", (repr(value.imag),))
    if isinstance(value, bytes):
        return Node("bytes", (value.decode("latin-1"),))
    return Node("str", (value,))
