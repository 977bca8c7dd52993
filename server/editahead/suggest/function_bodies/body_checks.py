"""Whether statements can be the body of a function: they say something, come to an end, and compile there."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence

from editahead.analysis.empty_bodies import EmptyBody
from editahead.analysis.function_heads import FunctionHead

_NOT_ALWAYS = (
    ast.IfExp, ast.BoolOp, ast.Lambda, ast.comprehension, ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match,
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef,
)  # fmt: skip


def has_effect(statements: Sequence[ast.stmt]) -> bool:
    """Whether any of them is more than `pass` or a constant."""
    for statement in statements:
        constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not constant and not isinstance(statement, ast.Pass):
            return True
    return False


def is_recursive(statements: Sequence[ast.stmt], head: FunctionHead, mine: set[str]) -> bool:
    """Whether a body of a single statement always calls its own function: `return self.area` in a property `area`.

    `mine` are the names that the function's own object goes by.
    """
    nodes = [node for statement in statements for node in ast.walk(statement)]
    if len(statements) > 1 or any(isinstance(node, _NOT_ALWAYS) for node in nodes):
        return False
    if any(token.text.endswith("property") for row in head.decorators for token in row):
        return any(_is_own_attribute(node, head.name, mine) for node in nodes)
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    function = head.class_line is None
    return any(
        _is_own_attribute(callee, head.name, mine)
        or (function and isinstance(callee, ast.Name) and callee.id == head.name)
        for callee in called
    )


def _is_own_attribute(node: ast.AST, name: str, mine: set[str]) -> bool:
    """Whether it reads this attribute of the own object."""
    read = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr == name
    return read and isinstance(node.value, ast.Name) and node.value.id in mine  # type: ignore[attr-defined]


def is_body(data: bytes, empty: EmptyBody, text: str, new: bytes) -> bool:
    """Whether a function of the same kind with the lines `new` compiles, and has the statements of `text`."""
    names = dict.fromkeys(parameter.name for parameter in empty.head.parameters)
    kind = "async def" if data[empty.def_byte : empty.def_byte + 5] == b"async" else "def"
    lines = new.decode("utf-8").lstrip("\r\n")
    if not empty.fresh:
        lines = (empty.indent or b"").decode("utf-8") + lines
    source = f"{kind} f({', '.join(names)}):\n{lines}\n"
    try:
        with warnings.catch_warnings(record=True) as doubts:
            warnings.simplefilter("always", SyntaxWarning)
            compile(source, "<body>", "exec", dont_inherit=True)
            written = ast.parse(source).body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if any(issubclass(doubt.category, SyntaxWarning) for doubt in doubts):
        return False
    assert isinstance(written, (ast.FunctionDef, ast.AsyncFunctionDef))
    return list(map(ast.dump, written.body)) == list(map(ast.dump, ast.parse(text).body))
