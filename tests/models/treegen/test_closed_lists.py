"""Lists as closed rules: trees come back, lists that training has not are missing, and a model writes them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

pytest.importorskip("torch")

from editahead.grammar.python_build import build, is_equal_tree
from editahead.grammar.table import from_json, to_json
from editahead.grammar.tree import GrammarError, Node, read
from editahead_models.treegen.datasets.closed_lists import close_lists, closed_grammar, open_lists
from editahead_models.treegen.datasets.corpora import read_split
from editahead_models.treegen.datasets.examples import collect
from editahead_models.treegen.evaluate import measure, predict, printed
from editahead_models.treegen.grammar.python_ast import PythonTrees
from editahead_models.treegen.grammar.python_table import python_grammar
from editahead_models.treegen.grammar.write import write
from editahead_models.treegen.network.batches import expressible
from editahead_models.treegen.network.search import TreeSearchOptions
from editahead_models.treegen.train import Run, TrainingData, TreeGenRecipe, load_run

from tests.models.treegen.cards import TINY, in_memory, write_cards

PROGRAMS = ["x = f(1, 2)\nreturn_value = [x, *y]\n", "if a:\n    b()\nelse:\n    c(d=1)\n", "def f(a, b=1): pass\n", ""]


def shape(text: str) -> Node:
    tree = PythonTrees(python_grammar()).shape(ast.parse(text))
    assert isinstance(tree, Node)
    return tree


@pytest.mark.parametrize("text", PROGRAMS)
def test_a_tree_with_closed_lists_comes_back(text: str) -> None:
    open_grammar = python_grammar()
    grammar = closed_grammar(open_grammar, map(shape, PROGRAMS))
    closed = close_lists(open_grammar, shape(text))
    assert read(grammar, write(grammar, closed)) == closed
    assert open_lists(closed) == shape(text)
    assert open_lists(shape(text)) == shape(text)
    again = from_json(to_json(grammar))
    assert write(again, closed) == write(grammar, closed)


def test_a_list_that_was_not_seen_is_no_part_of_the_grammar() -> None:
    open_grammar = python_grammar()
    grammar = closed_grammar(open_grammar, [shape("f(1)\ng(1)\n")])
    write(grammar, close_lists(open_grammar, shape("h(2)\nk(3)\n")))
    with pytest.raises(GrammarError):
        write(grammar, close_lists(open_grammar, shape("h(2)\n")))
    with pytest.raises(GrammarError):
        write(grammar, close_lists(open_grammar, shape("h(2)\nk(3, 4)\n")))


def test_a_model_learns_and_writes_closed_lists(tmp_path: Path) -> None:
    data = write_cards(tmp_path)
    train = read_split("hearthstone-closed", data, "train")
    opened = read_split("hearthstone-structural", data, "train")
    assert [open_lists(one.tree) for one in train.examples] == [one.tree for one in opened.examples]
    run = Run(tmp_path / "run", TINY, TreeGenRecipe(batch=4, epochs=1), TrainingData(train.grammar, train.examples))
    line = run.fit([*read_split("hearthstone-closed", data, "dev").examples[:2]])
    assert 0.0 <= line["programs"] <= 1.0
    model, vocabulary, _ = load_run(tmp_path / "run")
    found = predict([model], vocabulary, train.examples[:1], TreeSearchOptions(1, budget=60), True)
    assert len(found[0]) == 1
    ast.parse(found[0][0])
    assert printed(train.examples[0].tree, True) == ast.unparse(ast.parse(train.examples[0].source))
    figures = measure(vocabulary, train.examples[:2], [[one.source] for one in train.examples[:2]], True)
    assert (figures["accuracy"], figures["ceiling"]) == (100.0, 100.0)


def test_what_the_grammar_lacks_cannot_be_written() -> None:
    open_grammar = python_grammar()
    examples = [one._replace(tree=close_lists(open_grammar, one.tree)) for one in in_memory()[0]]
    vocabulary = collect(closed_grammar(open_grammar, [one.tree for one in in_memory()[0]]), examples)
    assert expressible(vocabulary, examples[0])
    other = examples[0]._replace(tree=close_lists(open_grammar, shape("f(1)\n")))
    assert not expressible(vocabulary, other)
    assert is_equal_tree(build(open_grammar, open_lists(other.tree)), ast.parse("f(1)\n"))
