"""Short functions of Python files as pairs: what an editor has before the body is written, and the body.

The body is cut out of the file; the description is made of what is left, by the very code that serves. A body is
short when a search could write it: few statements and rules, and only rules that it may use.
"""

from __future__ import annotations

import ast
import random
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from editahead.encode.tree_generation.description import description_of
from editahead.encode.tree_generation.steps import Description
from editahead.grammar.tree import GrammarError, Node
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

from editahead_models.treegen.grammar.python_ast import PythonTrees
from editahead_models.treegen.grammar.python_table import python_grammar
from editahead_models.treegen.grammar.write import write

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LONG = ("too many statements", "too long", "definitions inside", "outside the grammar")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class FunctionLimits:
    """Limits on what is mined.

    Statements and rules (terminals counted) of a body, lines of a file. `unwritten` is the share of bodies kept that
    only raise NotImplementedError. With `every` longer bodies are kept too, marked as such: nobody who asks for a body
    knows how long it would have become.
    """

    statements: int = 4
    steps: int = 64
    lines: int = 6000
    unwritten: float = 0.1
    every: bool = False


class Cut(NamedTuple):
    """Bytes [start, end) of a file, the body, and what an editor would have there; where the `def` begins."""

    start: int
    end: int
    left: str
    def_byte: int


class Pair(NamedTuple):
    """A mined function: its description and its body's source.

    Also whether there is a docstring, how the body was cut out, and whether it is as short as a model would write it.
    """

    name: str
    description: Description
    body: str
    documented: bool
    cut: Cut
    short: bool = True


def functions_of(source: str, limits: FunctionLimits, rng: random.Random, counts: Counter[str]) -> Iterator[Pair]:
    """The pairs of a file; `counts` learns what became of each function. SyntaxError when the file is no Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
    data = source.encode("utf-8")
    starts = [0]
    for line in data.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    if len(starts) > limits.lines:
        counts["file too long"] += 1
        return
    language = by_id("python")
    assert language is not None
    whole = SyntaxSnapshot.open(Buffer(data), language)
    whole.lines(0, whole.line_count)
    for node in _outer(tree):
        counts["functions"] += 1
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        reason = _why_not(node, body, limits, rng)
        if reason:
            counts[reason] += 1
            if not (limits.every and reason in _LONG):
                continue
        cut = _cut(node, body, starts)
        edit = ByteEdit(cut.start, cut.end, cut.left.encode())
        description = description_of(whole.advance(whole.buffer.apply(edit), [edit]), cut.def_byte)
        if description is None:
            counts["no head found"] += 1
            continue
        counts["pairs"] += 1
        text = ast.unparse(ast.Module(list(body), []))
        yield Pair(node.name, description, text, len(body) < len(node.body), cut, not reason)


def tree_of(body: str) -> Node:
    """A body as a tree of the grammar. SyntaxError or GrammarError when it is none."""
    return PythonTrees(python_grammar()).shape(ast.parse(body))


def _outer(tree: ast.Module) -> Iterator[Function]:
    """Functions of modules and classes; those inside functions are left out."""
    todo: list[ast.AST] = list(reversed(tree.body))
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node
        elif isinstance(node, (ast.ClassDef, ast.If, ast.Try)):
            todo += reversed(node.body)


def _why_not(node: Function, body: Sequence[ast.stmt], limits: FunctionLimits, rng: random.Random) -> str:
    """Why a function is no pair; empty when it is one."""
    names = {leaf.attr if isinstance(leaf, ast.Attribute) else getattr(leaf, "id", "") for leaf in node.decorator_list}
    if "overload" in names:
        return "overload"
    if all(isinstance(s, ast.Pass) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)) for s in body):
        return "no body"
    if len(body) > limits.statements:
        return "too many statements"
    if len(body) == 1 and "NotImplemented" in ast.dump(body[0]) and rng.random() >= limits.unwritten:
        return "not implemented"
    if any(isinstance(inner, _DEFINITIONS) for statement in body for inner in ast.walk(statement)):
        return "definitions inside"
    grammar = python_grammar()
    try:
        steps = len(write(grammar, PythonTrees(grammar).shape(ast.Module(list(body), [])), safe=True))
    except (GrammarError, RecursionError):
        return "outside the grammar"
    return "too long" if steps > limits.steps else ""


def _cut(node: Function, body: Sequence[ast.stmt], starts: Sequence[int]) -> Cut:
    first, last = body[0], body[-1]
    assert last.end_lineno is not None
    assert last.end_col_offset is not None
    start = starts[first.lineno - 1] + first.col_offset
    end = starts[last.end_lineno - 1] + last.end_col_offset
    left = "" if len(body) < len(node.body) else "pass"
    return Cut(start, end, left, starts[node.lineno - 1] + node.col_offset)
