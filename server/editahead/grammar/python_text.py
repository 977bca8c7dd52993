"""Source of Python to actions and back, and the last look at all that is generated: does it parse, to the same tree?"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from editahead.grammar.python_ast import is_empty_text
from editahead.grammar.python_build import build, build_all
from editahead.grammar.python_rules import derive, running_version
from editahead.grammar.table import Grammar, load
from editahead.grammar.tree import GrammarError, Node, Terminal, read

TABLE = Path(__file__).with_name("python.json")


@cache
def python_grammar() -> Grammar:
    """The table that comes with the program; derived anew where another Python runs, which has other classes."""
    table = load(TABLE)
    return table if table.version == running_version() else derive()


def source_of(grammar: Grammar, actions: Sequence[int | Terminal]) -> str:
    """The module that actions stand for, printed. GrammarError when they are no tree."""
    return ast.unparse(build(grammar, read(grammar, actions)))


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
