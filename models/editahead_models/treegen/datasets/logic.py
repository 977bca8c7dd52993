"""Logical forms such as `( lambda $0 e ( and ( river:t $0 ) ( loc:t $0 s0 ) ) )` as trees, by the rules of training.

A rule is a head with its number of arguments; `and` and `or` take a list. What stands alone (variables, types,
entities) is a terminal, and entities are copied from the question, where they have the same name.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from editahead.encode.tree_generation.steps import Description
from editahead.grammar.table import END, Grammar, Rule
from editahead.grammar.tree import Node

from editahead_models.treegen.datasets.examples import Example
from editahead_models.treegen.grammar.states import grammar_of

LISTS = ("and", "or", "_and", "_or")
ATOM = "atom"
_TOKEN = re.compile(r"[()]|[^\s()]+")


def tree_of(form: str) -> Node:
    """The tree of a form. ValueError, one line, when its brackets do not match."""
    tokens = iter(_TOKEN.findall(form))
    try:
        tree = _term(next(tokens), tokens)
    except StopIteration:
        raise ValueError(f"brackets do not match: {form[:60]!r}") from None
    if next(tokens, None) is not None or tree is None:
        raise ValueError(f"brackets do not match: {form[:60]!r}")
    return tree


def _term(token: str, tokens: Iterator[str]) -> Node | None:
    """The next term; None for a closing bracket."""
    if token == ")":
        return None
    if token != "(":
        return Node(ATOM, (token,))
    head = next(tokens)
    arguments: list[Node] = []
    while (term := _term(next(tokens), tokens)) is not None:
        arguments.append(term)
    if head in LISTS:
        return Node(head, (tuple(arguments),))
    return Node(f"{head}/{len(arguments)}", tuple(arguments))


def form_of(tree: Node) -> str:
    """The text of a tree, as in the data."""
    if tree.rule == ATOM:
        return str(tree.children[0])
    head = tree.rule if tree.rule in LISTS else tree.rule.rpartition("/")[0]
    return f"( {' '.join([head, *(form_of(child) for child in _arguments(tree))])} )"


def _arguments(tree: Node) -> list[Node]:
    children = tree.children[0] if tree.rule in LISTS else tree.children
    return [child for child in children if isinstance(child, Node)]


def ordered(form: str) -> str:
    """A form with the children of `and` and `or` in one order; the text itself when it is no form."""
    try:
        return form_of(_sorted(tree_of(form)))
    except ValueError:
        return form


def _sorted(tree: Node) -> Node:
    if tree.rule == ATOM:
        return tree
    children = tuple(_sorted(child) for child in _arguments(tree))
    if tree.rule in LISTS:
        return Node(tree.rule, (tuple(sorted(children, key=form_of)),))
    return Node(tree.rule, children)


def derive_forms(trees: Iterable[Node]) -> Grammar:
    """The grammar of some trees: every head with every number of arguments that they show."""
    found: dict[str, int] = {}
    todo = list(trees)
    while todo:
        tree = todo.pop()
        if tree.rule != ATOM:
            found[tree.rule] = len(tree.children)
            todo += _arguments(tree)
    rules = [
        Rule(
            name, "term", (("arguments", "term+"),) if name in LISTS else tuple((f"{n}", "term") for n in range(count))
        )
        for name, count in sorted(found.items())
    ]
    rules += [Rule(ATOM, "term", (("text", f"@{ATOM}"),)), Rule(END, "list", ())]
    names = [rule.name for rule in rules if rule.left == "term"]
    return grammar_of("logic", "1", rules, {
        "term": [(name, None, True, {}) for name in names],
        "term+": [(name, "term*", True, {}) for name in names],
        "term*": [(END, None, True, {}), *((name, "term*", True, {}) for name in names)],
    })  # fmt: skip


def read_lines(path: Path) -> list[str]:
    """The lines of a file, packed by xz (`.xz` behind its name) or not. OSError when it is missing."""
    packed = path.with_name(path.name + ".xz")
    raw = lzma.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()
    return raw.decode("utf-8").rstrip("\n").split("\n")


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """Questions and forms of a file, one pair a line, between them a tab.

    OSError when it is missing, ValueError for a line that is no pair.
    """
    rows = [line.partition("\t") for line in read_lines(path)]
    if bad := next((row for row in rows if not row[1]), None):
        raise ValueError(f"{path.name}: no tab in {bad[0][:60]!r}")
    return [(question, form.strip()) for question, _, form in rows]


def example_of(words: Sequence[str], form: str) -> Example:
    """A question, each word of which can be copied, with its form."""
    return Example(Description(tuple(words), tuple({ATOM: word} for word in words)), tree_of(form), form)


def read_forms(path: Path) -> list[Example]:
    """The examples of a file whose entities have been replaced already. OSError, ValueError as `read_pairs`."""
    return [example_of(question.split(), form) for question, form in read_pairs(path)]
