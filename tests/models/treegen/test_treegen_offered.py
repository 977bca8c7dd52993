"""Whatever a model writes: what leaves the engine parses in its file, compiles, and names only what is known.

The model has learnt nothing and its choices are shaken anew for every request, so that it writes all that the grammar
allows.
"""

from __future__ import annotations

import ast
import copy
import random
import symtable
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from editahead.analysis.known_names import BUILT_IN
from editahead.encode.tree_generation.steps import Description
from editahead.runtime.bundle import Bundle
from editahead.runtime.ort import Cancel, select_providers
from editahead.runtime.tree_generation.model import CachedScorer, GeneratedBody
from editahead.runtime.tree_generation.search import Floats, StepQueries, TreeSearchOptions, search_all
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.function_bodies.bodies import Describer
from editahead.suggest.types import InlineSuggestion, Reason, Shown, Suppressed, WrittenBodies
from editahead_models.treegen.datasets.examples import Example, collect
from editahead_models.treegen.export import export
from editahead_models.treegen.grammar.python_ast import PythonTrees
from editahead_models.treegen.grammar.python_table import python_grammar
from editahead_models.treegen.network.model import TreeGen

from tests.models.treegen.cards import TINY
from tests.suggest.documents import document

REQUESTS = 200
LOW = Settings(precision=0.0, invoked_precision=0.0)
BODIES = (
    "return self.size * scale", "return [item for item in items if item]", "self.name = name\nself.items = []",
    "if not name:\n    raise ValueError(name)\nreturn name.lower()", "for item in self.items:\n    item.close()",
    "with open(path) as handle:\n    return handle.read()", "total += 1\nreturn os.path.join(path, name)", "pass",
    "return await self.fetch(name)", "yield from items", "x = {k: v for k, v in items}\nreturn x", "break",
    "try:\n    return helper(name)\nexcept OSError as error:\n    return error", "return lambda x: x + scale",
)  # fmt: skip
FILES = (
    "import os\n\n\ndef write(path, name):\n    '''Join a path and a name.'''\n    ‸\n",
    "import os\nclass Box:\n    def __init__(self, items, name):\n        ‸\n\n    def size(self):\n        return 1\n",
    "class Box(Base):\n\tsize = 1\n\t@property\n\tdef area(self): pass‸\n\ntotal = 2\n",
    "async def fetch(name, *items, scale=1):\n    ...‸\n",
    "def outer(items):\n    x = 1\n    def inner(scale):\n        ‸\n    return inner\n",
    "broken = (\n\ndef write(name):\n    # later\n    ‸\n",
    "def größe(länge):\r\n    \"\"\"Words.\"\"\"\r\n    ‸\r\n",
)  # fmt: skip


class Shaken:
    """A scorer whose masses are off by chance, each request otherwise."""

    def __init__(self, scorer: CachedScorer, seed: int) -> None:
        self.scorer, self.rng = scorer, np.random.default_rng(seed)

    def step(self, asked: StepQueries) -> tuple[Floats, Floats]:
        classes, copies = self.scorer.step(asked)
        return classes + self.rng.normal(0, 3, classes.shape), copies + 1 + self.rng.normal(0, 3, copies.shape)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    grammar = python_grammar()
    trees = PythonTrees(grammar)
    words = ("write", "path", "name", "size", "items", "self", "total", "os", "scale", "länge", "helper")
    description = Description(words, tuple({"name": word, "str": word} for word in words))
    examples = [Example(description, trees.shape(ast.parse(body)), body) for body in BODIES]
    torch.manual_seed(7)
    vocabulary = collect(grammar, examples)
    out = tmp_path_factory.mktemp("bundles")
    limits = {"words": 40, "steps": 40, "beam": 3, "languages": ["python"]}
    model = TreeGen(TINY, vocabulary)
    return export(model, vocabulary, out, language="python", version="0", manifest={"limits": limits})


@pytest.fixture(scope="module")
def describer(bundle: Bundle) -> Describer:
    return Describer(bundle, select_providers("cpu"))


def written(describer: Describer, seed: int) -> Iterator[tuple[str, Any]]:
    """A file and what is offered in it, with the model's choices shaken."""
    model = describer.model
    rng = random.Random(seed)
    text = rng.choice(FILES)

    def write(description: Description, cancel: Cancel, how: TreeSearchOptions) -> Sequence[GeneratedBody]:
        scorer = Shaken(model.scorer(description, cancel), seed)
        how = TreeSearchOptions(beam=3, power=0.0, budget=rng.choice((12, 20, 30)))
        found = search_all(scorer, model.vocabulary, [description], how, cancel)[0]
        return model.print_bodies([(one.tree, min(0.0, one.logp), one.steps) for one in found])

    made = copy.copy(describer)
    made.model = SimpleNamespace(how=model.how, write=write)  # type: ignore[assignment]
    at, byte = document(text, settings=LOW)
    yield text, made.suggest(at, byte, Cancel())
    yield text, made.inline(at, byte, Cancel())


def pieces(value: WrittenBodies | InlineSuggestion) -> list[tuple[int, int, bytes]]:
    """What would be put into the file."""
    if isinstance(value, InlineSuggestion):
        return [(value.start, value.end, value.insert.encode())]
    return [(item.edit.start, item.edit.old_end, item.edit.new) for item in value.items]


def unknown(source: str) -> set[str]:
    """Names that a whole file reads and neither it nor Python defines, by Python's own tables."""
    top = symtable.symtable(source, "x", "exec")
    defined = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
    tables, found = [top], set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        found |= {s.get_name() for s in table.get_symbols() if s.is_global() and s.is_referenced()}
    return found - defined - BUILT_IN - {"__class__", "Base"}


@pytest.mark.slow
def test_nothing_unparsable_and_nothing_made_up_ever_leaves(describer: Describer) -> None:
    shown, asked, kept_back = 0, 0, set()
    for seed in range(REQUESTS):
        for text, decision in written(describer, seed):
            asked += 1
            if isinstance(decision, Suppressed):
                kept_back.add((decision.reason, decision.detail.split(" ")[0]))
                continue
            assert isinstance(decision, Shown)
            data = text.replace("‸", "").encode()
            for start, end, new in pieces(decision.value):
                shown += 1
                after = (data[:start] + new + data[end:]).decode()
                if text.startswith("broken"):
                    after = after.replace("broken = (", "broken = 1")
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", SyntaxWarning)
                    compile(after, "x", "exec", dont_inherit=True)
                assert unknown(after) == set(), after
    assert asked == 2 * REQUESTS
    assert shown > REQUESTS / 10
    assert any(detail == "nobody" for _, detail in kept_back)  # names were made up, and stayed inside


def test_the_engine_serves_it(bundle: Bundle) -> None:
    engine = Engine.load([bundle.path], "cpu", lambda what, share: None)
    assert engine.models_for("python") == ("treegen-python-0",)
    at, byte = document(FILES[0], settings=LOW)
    found = engine.bodies(at, byte, Cancel())
    assert isinstance(found, Shown) or found.reason in (Reason.LOW_PROBABILITY, Reason.NO_FIT, Reason.EMPTY)
    assert engine.describer("python") is engine.describer("python")
    off = engine.bodies(replace(at, settings=Settings(write_bodies=False)), byte, Cancel())
    assert isinstance(off, Suppressed)
    assert off.reason is Reason.DISABLED
    java = engine.bodies(document("class A {‸}", "java")[0], 5, Cancel())
    assert isinstance(java, Suppressed)
    assert (java.reason, java.detail) == (Reason.NO_MODEL, "no model of functions for java")


def test_a_damaged_bundle_is_silence(bundle: Bundle, tmp_path: Path) -> None:
    copy = tmp_path / bundle.path.name
    copy.mkdir()
    for file in bundle.path.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    graph = copy / "step.onnx"
    graph.write_bytes(b"x" + graph.read_bytes()[1:])
    engine = Engine.load([copy], "cpu", lambda what, share: None)
    at, byte = document(FILES[0], settings=LOW)
    found = engine.bodies(at, byte, Cancel())
    assert isinstance(found, Suppressed)
    assert found.detail.startswith("the model of functions treegen-python-0 cannot be used")
    assert isinstance(engine.inline(at, byte, Cancel()), Suppressed)
    assert len(engine.report().failures) == 1
