"""From the trees of the grammar to Python's `ast` and its text: does that parse, to the same tree?"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from editahead.grammar.table import NONE, Grammar
from editahead.grammar.tree import Child, GrammarError, Node

_CONTEXT = {"Name", "Attribute", "Subscript", "Starred", "List", "Tuple"}


def build(grammar: Grammar, node: Node) -> ast.AST:
    """The `ast` node of a tree, with the contexts of names set. KeyError for a rule that Python does not have."""
    fields = {rule.name: [field for field, _ in rule.fields] for rule in grammar.rules}
    built: ast.AST = _build(fields, node)
    if isinstance(built, ast.Module):
        built.type_ignores = []
    return ast.fix_missing_locations(built)


def build_all(grammar: Grammar, nodes: Sequence[Node]) -> list[ast.stmt]:
    """The statements of a body."""
    module = build(grammar, Node("Module", (tuple(nodes),)))
    return module.body if isinstance(module, ast.Module) else []


def _build(fields: dict[str, list[str]], child: Child) -> Any:
    if isinstance(child, str):
        return child
    if not isinstance(child, Node):
        return [_build(fields, element) for element in child]
    if child.rule == NONE:
        return None
    values = [_build(fields, value) for value in child.children]
    special = _SPECIAL.get(child.rule)
    if special is not None:
        return special(*values)
    if child.rule in _CONSTANTS:
        return ast.Constant(_CONSTANTS[child.rule](*values))
    named = dict(zip(fields[child.rule], values, strict=True))
    return _finish(getattr(ast, child.rule), named)


def _finish(cls: type[ast.AST], named: dict[str, Any]) -> ast.AST:
    """A node of a class without a variant; contexts follow from the position."""
    name = cls.__name__
    if name in _CONTEXT:
        named["ctx"] = ast.Load()
    if name in ("FunctionDef", "AsyncFunctionDef", "Lambda"):
        named["args"] = _arguments(named["args"])
    node = cls(**named)
    if isinstance(node, (ast.Assign, ast.Delete)):
        for target in node.targets:
            _set_context(target, ast.Del if isinstance(node, ast.Delete) else ast.Store)
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor, ast.NamedExpr)):
        _set_context(node.target, ast.Store)
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        _set_context(node.optional_vars, ast.Store)
    elif name == "TypeAlias":
        _set_context(named["name"], ast.Store)
    return node


def _set_context(node: ast.expr, context: type[ast.expr_context]) -> None:
    if isinstance(node, (ast.Tuple, ast.List)):
        for element in node.elts:
            _set_context(element, context)
    if isinstance(node, ast.Starred):
        _set_context(node.value, context)
    node.ctx = context()  # type: ignore[attr-defined]


def _arguments(rows: list[tuple[str, ast.arg, Any]]) -> ast.arguments:
    result = ast.arguments([], [], None, [], [], None, [])
    for kind, arg, default in rows:
        if kind == "vararg":
            result.vararg = arg
        elif kind == "kwarg":
            result.kwarg = arg
        elif kind == "keyword_only":
            result.kwonlyargs.append(arg)
            result.kw_defaults.append(default)
        else:
            (result.posonlyargs if kind == "positional" else result.args).append(arg)
            if default is not None:
                result.defaults.append(default)
    return result


def _parameter(kind: str, annotated: bool, has_default: bool) -> Callable[..., tuple[str, ast.arg, Any]]:
    def make(name: str, *values: Any) -> tuple[str, ast.arg, Any]:
        annotation = values[0] if annotated else None
        return kind, ast.arg(name, annotation), values[-1] if has_default else None

    return make


def _number(text: str) -> int:
    return int(f"0{text}", 16) if text.startswith("x") else int(text)


def _store(target: ast.expr) -> ast.expr:
    _set_context(target, ast.Store)
    return target


def _single(target: ast.expr) -> ast.Name | ast.Attribute | ast.Subscript:
    if not isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
        raise TypeError(f"{type(target).__name__} cannot be annotated")
    _set_context(target, ast.Store)
    return target


def _comparison(name: str) -> Callable[[ast.expr], tuple[str, ast.expr]]:
    return lambda right: (name, right)


_CONSTANTS: dict[str, Callable[..., Any]] = {
    "int": _number,
    "float": float,
    "imag": lambda text: complex(0, float(text)),
    "str": str,
    "bytes": lambda text: text.encode("latin-1"),
    "True": lambda: True,
    "False": lambda: False,
    "None": lambda: None,
    "Ellipsis": lambda: Ellipsis,
}
_SPECIAL: dict[str, Callable[..., Any]] = {
    "named": lambda name: name,
    "dotted": lambda name: name,
    "dot": lambda: 1,
    "item": lambda key, value: (key, value),
    "item.double": lambda value: (None, value),
    "mapping.item": lambda key, pattern: (key, pattern),
    "class.keyword": lambda attr, pattern: (attr, pattern),
    "joined.text": ast.Constant,
    "conversion.none": lambda: -1,
    "AnnAssign": lambda target, annotation, value: ast.AnnAssign(
        _single(target), annotation, value, int(isinstance(target, ast.Name))
    ),
    "AnnAssign.parenthesised": lambda name, annotation, value: ast.AnnAssign(
        ast.Name(name, ast.Store()), annotation, value, 0
    ),
    "Raise.bare": lambda: ast.Raise(None, None),
    "Try.finally": lambda body, last: ast.Try(body, [], [], last),
    "ExceptHandler.bare": lambda body: ast.ExceptHandler(None, None, body),
    "ImportFrom": lambda module, names: ast.ImportFrom(module, names, 0),
    "ImportFrom.relative": lambda dots, module, names: ast.ImportFrom(module, names, len(dots)),
    "alias.dotted": ast.alias,
    "alias.star": lambda: ast.alias("*", None),
    "keyword.double": lambda value: ast.keyword(None, value),
    "comprehension": lambda target, it, ifs: ast.comprehension(_store(target), it, ifs, 0),
    "comprehension.async": lambda target, it, ifs: ast.comprehension(_store(target), it, ifs, 1),
    "Dict": lambda items: ast.Dict([key for key, _ in items], [value for _, value in items]),
    "Compare": lambda left, pairs: ast.Compare(left, [getattr(ast, op)() for op, _ in pairs], [r for _, r in pairs]),
    "MatchMapping": lambda items, rest: ast.MatchMapping([k for k, _ in items], [p for _, p in items], rest),
    "MatchClass": lambda cls, patterns, keywords: ast.MatchClass(
        cls, patterns, [a for a, _ in keywords], [p for _, p in keywords]
    ),
    "MatchAs.capture": lambda name: ast.MatchAs(None, name),
    "MatchAs.wildcard": lambda: ast.MatchAs(None, None),
    "MatchSingleton": lambda constant: ast.MatchSingleton(constant.value),
}
for _letter in "sra":
    _SPECIAL[f"conversion.{_letter}"] = lambda letter=_letter: ord(letter)
for _op in ("Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn"):
    _SPECIAL[_op] = _comparison(_op)
for _mark in ("", "lambda."):
    for _kind in ("positional", "argument", "keyword_only", "vararg", "kwarg"):
        _SPECIAL[f"{_mark}{_kind}"] = _parameter(_kind, not _mark, False)
        _SPECIAL[f"{_mark}{_kind}.default"] = _parameter(_kind, not _mark, True)


def is_empty_text(node: ast.expr) -> bool:
    """Whether it is the constant `""`, which means nothing in an f-string."""
    return isinstance(node, ast.Constant) and node.value == ""


def is_equal_tree(first: ast.AST, second: ast.AST) -> bool:
    """Whether two trees are equal but for what printing may change.

    That is positions, marks that the grammar fixes (`u` before a string, type comments), and the empty texts that
    Python 3.12.1 reads into f-strings.
    """
    return _plain(first) == _plain(second)


def _plain(node: ast.AST) -> str:
    for child in ast.walk(node):
        if isinstance(child, ast.Constant):
            child.kind = None
        elif getattr(child, "type_comment", None):
            child.type_comment = None  # type: ignore[attr-defined]
        elif isinstance(child, ast.JoinedStr):
            child.values = [part for part in child.values if not is_empty_text(part)]
    return ast.dump(node)


def emit(grammar: Grammar, body: Sequence[Node]) -> str | None:
    """The text of generated statements; None unless it parses and gives back the same tree (section 10.3, step 3)."""
    try:
        module = ast.Module(build_all(grammar, body), [])
        text = ast.unparse(module)
        return text if is_equal_tree(ast.parse(text), module) else None
    except (GrammarError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
