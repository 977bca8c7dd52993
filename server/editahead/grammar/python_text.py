"""The last look at all that is generated: does it parse, to the same tree?"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from editahead.grammar.python_build import build_all
from editahead.grammar.table import Grammar
from editahead.grammar.tree import GrammarError, Node


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
