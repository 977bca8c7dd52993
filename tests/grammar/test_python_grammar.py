"""The grammar of Python: what people wrote is read and given back, and what is made by chance parses."""

from __future__ import annotations

import ast
import random
import sysconfig
import warnings
from pathlib import Path

import pytest
from editahead.grammar.python_build import emit, is_equal_tree
from editahead.grammar.table import Grammar, from_json, to_json
from editahead.grammar.tree import GrammarError, Node, Terminal, read
from editahead_models.treegen.grammar.python_ast import PythonTrees
from editahead_models.treegen.grammar.python_rules import derive, running_version
from editahead_models.treegen.grammar.python_table import TABLE, python_grammar, source_of
from editahead_models.treegen.grammar.write import write

from tests.grammar.random_trees import random_tree


def rules_of(grammar: Grammar, source: str) -> list[int | Terminal]:
    """A module's actions."""
    return write(grammar, PythonTrees(grammar).shape(ast.parse(source)))


LIBRARY = Path(sysconfig.get_paths()["stdlib"])
TRICKY = {
    "comments alone": "# nothing\n",
    "parameters": "def f(a, b=1, /, c=2, *d: int, e, f=3, **g) -> None: ...\nx = lambda a, /, *, b=0, **c: a\n",
    "assignments": "a = (b, *c) = d\n(x): int = 1\nx.y: int\nx[0] += 1\n[a, [b, *c]] = d\n",
    "slices": "a[1:2, ::3, ...], b[:], c[()], d[1,]\n",
    "comparison chains": "a < b <= c is not d not in e\n",
    "numbers": "x = [0, 1_000, 0xFF, 1e400, 1e-300, .5, 3j, 1e5, 123456789012345678901234567890123456789]\n",
    "texts": "s = '\\x00\\n\\'\"', 'ü€😀', '\\ud800', b'\\x00\\xff', u'old'\n",
    "formatted": "f'{a}{b!r:>{w}}{{}}', f'a' 'b', f'{x=}', f''\n",
    "dicts": "{**a, 'b': 1, **c}\nf(*a, b, c=1, **d)\nclass C(A, *B, k=1, **m): pass\n",
    "try": "try: a\nexcept A as e: b\nexcept: c\nelse: d\nfinally: e\ntry: a\nfinally: b\n",
    "imports": "import a.b as c, d\nfrom . import e\nfrom ...f.g import (h as i, j)\nfrom k import *\n",
    "async": "async def f():\n  async with a as b, c: pass\n  async for d in e: await d\n  [x async for x in y if z]\n",
    "with": "with (a, b) as (c, d), (yield): pass\n",
    "match": (
        "match x:\n    case [1, *_, -2 + 3j] | {'a': b, **r} | C(1, k=None) as z if z: pass\n"
        "    case a.b.c | (True) | 'x' 'y' | b'z' | -1.5: pass\n    case _: pass\n"
    ),
    "walrus and stars": "while (n := f()): print(*a, *b, sep='')\nfor i, *j in k: break\nelse: continue\n",
    "decorators": "@a.b(c)\n@d\nclass E:\n    x: int = 1\n    @property\n    def f(self): 'doc'; return -x ** -2\n",
    "scopes": "def f():\n    global a, b\n    def g():\n        nonlocal c\n        del c, d[0]\nraise A from b\n",
}


def test_the_table_is_what_the_command_derives() -> None:
    table = from_json(TABLE.read_text(encoding="utf-8"))
    assert from_json(to_json(table)).productions == table.productions
    if table.version == running_version():
        assert TABLE.read_text(encoding="utf-8") == to_json(derive()), "run: editahead-models prepare grammar"
    else:
        assert python_grammar().version == running_version()


def test_rules_are_few_and_every_class_of_statement_has_one() -> None:
    grammar = python_grammar()
    assert len(grammar.rules) < 220
    for cls in ast.stmt.__subclasses__():
        assert any(rule.name.split(".")[0] == cls.__name__ for rule in grammar.rules), cls


@pytest.mark.parametrize("name", TRICKY)
def test_tricky_code_comes_back(name: str) -> None:
    grammar, source = python_grammar(), TRICKY[name]
    assert is_equal_tree(ast.parse(source_of(grammar, rules_of(grammar, source))), ast.parse(source))


@pytest.mark.slow
def test_a_sample_of_the_standard_library_comes_back() -> None:
    grammar = python_grammar()
    files = [p for p in sorted(LIBRARY.glob("*.py")) if p.stat().st_size < 20_000]
    sample = random.Random(1).sample(files, min(60, len(files)))
    assert len(sample) > 30
    for path in sample:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(path.read_bytes())
            back = source_of(grammar, write(grammar, PythonTrees(grammar).shape(tree)))
            assert is_equal_tree(ast.parse(back), tree), path


@pytest.mark.slow
def test_a_thousand_random_programs_parse_and_stay_in_their_budget() -> None:
    grammar, rng = python_grammar(), random.Random(2020)
    used: set[str] = set()
    for number in range(1000):
        budget = rng.choice([12, 40, 160])
        tree = random_tree(grammar, rng, budget)
        actions = write(grammar, tree)
        assert len(actions) <= budget
        body = tree.children[0]
        assert isinstance(body, tuple)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert emit(grammar, [n for n in body if isinstance(n, Node)]) is not None, (number, tree)
        used |= {grammar.rules[action].name for action in actions if isinstance(action, int)}
    assert len(used) > 0.9 * len(grammar.rules)


def test_what_cannot_be_said_is_refused_in_one_line() -> None:
    grammar = python_grammar()
    with pytest.raises(GrammarError, match="End where"):
        write(grammar, Node("Module", ((Node("Delete", ((),)),),)))  # nothing to delete
    with pytest.raises(GrammarError, match="'1x' is no name"):
        write(grammar, Node("Module", ((Node("Global", ((Node("named", ("1x",)),),)),),)))
    rules = rules_of(grammar, "x = 1\n")
    with pytest.raises(GrammarError, match="end inside"):
        read(grammar, rules[:-1])
    with pytest.raises(GrammarError, match="follow after"):
        read(grammar, [*rules, rules[0]])
    with pytest.raises(GrammarError, match="where stmt"):
        read(grammar, [rules[0], grammar.rule_id["Slice"]])


def test_nothing_leaves_that_does_not_come_back() -> None:
    grammar = python_grammar()
    name = Node("Name", ("a",))
    assert emit(grammar, [Node("Expr", (name,))]) == "a"
    pair = Node("Tuple", ((name, name),))
    items = (Node("withitem", (pair, Node("none"))),)
    assert emit(grammar, [Node("With", (items, (Node("Pass"),)))]) is None  # it would be read as two items
