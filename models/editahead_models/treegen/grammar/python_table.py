"""The table of Python's grammar, and the source of actions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from editahead.grammar.python_build import build
from editahead.grammar.table import Grammar, from_json
from editahead.grammar.tree import Terminal, read

from editahead_models.treegen.grammar.python_rules import derive, running_version

TABLE = Path(__file__).with_name("python.json")


@cache
def python_grammar() -> Grammar:
    """The table that comes with the program; derived anew where another Python runs, which has other classes."""
    table = from_json(TABLE.read_text(encoding="utf-8"))
    return table if table.version == running_version() else derive()


def source_of(grammar: Grammar, actions: Sequence[int | Terminal]) -> str:
    """The module that actions stand for, printed. GrammarError when they are no tree."""
    return ast.unparse(build(grammar, read(grammar, actions)))
