"""First choices that would look silly, drawn by the hundred: names change, the mistake stays the same.

Each screen is a small file with a cursor. The screens are fixed by their seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from editahead.environment.module_index import ModuleIndex
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.types import Shown

from tests.suggest.documents import document

COUNT = 200
NOUNS = (
    "order account customer invoice parcel shelf record signal channel buffer window packet ticket member branch "
    "vector matrix column segment token lesson engine sensor planet garden recipe bridge harbour market letter"
).split()
VERBS = "load store merge split send fetch count clear close paint shift check build parse visit start stop".split()
MODULES = ("os.path", "json", "shutil", "functools", "textwrap", "random", "glob", "string", "calendar")


class Screen(NamedTuple):
    """A file with the cursor at `‸`, its language, and what tells whether a first choice is silly."""

    text: str
    silly: Callable[[str], bool]
    language: str = "python"


def nouns(draw: random.Random, count: int) -> list[str]:
    return draw.sample(NOUNS, count)


def loop_variable(draw: random.Random) -> Screen:
    item, rows, other = nouns(draw, 3)
    name = draw.choice([item, item[0], f"{item}_{other}"])
    return Screen(f"def {other}({rows}s):\n    for {name} in ‸\n", lambda first: first == name)


def own_initialiser(draw: random.Random) -> Screen:
    name, owner, kind = nouns(draw, 3)
    head = f"class {kind.title()} {{\n  {owner.title()} {owner};\n  void run() {{\n"
    text = f"{head}    int {name} = {owner}.‸\n  }}\n}}\n"
    return Screen(text, lambda first: first == name, "java")


def module_member(draw: random.Random) -> Screen:
    module = draw.choice(MODULES)
    found = ModuleIndex(None).names(tuple(module.split(".")))
    assert found is not None
    name, value = nouns(draw, 2)
    text = f"import {module.split('.', maxsplit=1)[0]}\n\n\ndef {name}({value}):\n    return {module}.‸\n"
    return Screen(text, lambda first: first not in found)


def class_member(draw: random.Random) -> Screen:
    kind, first_member, second, variable = nouns(draw, 4)
    method = draw.choice(VERBS)
    text = f"""class {kind.title()}:
    def __init__(self, {first_member}):
        self.{first_member} = {first_member}
        self.{second} = None

    def {method}(self):
        return self.{second}


def use({variable}: {kind.title()}):
    {variable}.‸
"""
    return Screen(text, lambda first: first not in {first_member, second, method, "__init__"})


def call_in_function(draw: random.Random) -> Screen:
    source, target, amount, hidden, inner = nouns(draw, 5)
    text = f"""def {draw.choice(VERBS)}_all({hidden}):
    with open({hidden}) as {inner}:
        return {inner}.read()


def {draw.choice(VERBS)}_{source}({source}, {target}, {amount}=0):
    {source}_write = {target}.write
    while True:
        part = {source}.read({amount})
        if not part:
            break
        {source}_write(‸
"""
    return Screen(text, lambda first: first in {hidden, inner})


def getter(draw: random.Random) -> Screen:
    field, local, parameter, kind = nouns(draw, 4)
    text = f"""class {kind.title()} {{
  private String {field};

  void change(String {parameter}) {{
    String {local} = {parameter}.trim();
    this.{field} = {local};
  }}

  String get{field.title()}() {{
    return ‸
  }}
}}
"""
    return Screen(text, lambda first: first in {local, parameter}, "java")


DRAWN = {  # the most silly first choices of COUNT
    loop_variable: 0,
    own_initialiser: 0,
    module_member: 2,
    class_member: 2,
    call_in_function: 0,
    getter: 0,
}


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def first_choices(engine: Engine, make: Callable[[random.Random], Screen]) -> Iterator[tuple[Screen, str]]:
    for seed in range(COUNT):
        screen = make(random.Random(seed))
        made, at = document(screen.text, screen.language)
        decision = engine.complete(made, at, Cancel())
        yield screen, decision.value.items[0].label if isinstance(decision, Shown) else ""


@pytest.mark.parametrize("make", DRAWN, ids=lambda make: make.__name__)
def test_first_choices_are_not_silly(engine: Engine, make: Callable[[random.Random], Screen]) -> None:
    silly = [(screen.text, first) for screen, first in first_choices(engine, make) if first and screen.silly(first)]
    assert len(silly) <= DRAWN[make], silly[0]
