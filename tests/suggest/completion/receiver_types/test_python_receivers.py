"""Members behind a dot in Python, by what the receiver is: the right one first, none of another class above it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.completion.extra_names import ExtraNames
from editahead.suggest.completion.ranking.gather import place_evidence
from editahead.suggest.context import place_at
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document, Shown
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import HistoryView

FIRST = 5
ANIMALS = """class Cat:
    lives: int

    def __init__(self, tail: "Tail"):
        self.tail = tail

    def meow(self):
        return "meow"

    def kitten(self) -> "Cat": ...

class Tail:
    def curl(self): ...

def stray() -> Cat: ...

FAVOURITE = Cat(Tail())
"""
FILE = """from typing import Dict, Iterable, List, Optional, Union
import animals
from animals import FAVOURITE, stray

class Bird:
    def perch(self): ...

    def strum(self): ...

class Leg:
    def bend(self): ...

class Dog:
    def __init__(self, leg: Leg, other: "Dog"):
        self.leg = leg

    def bark(self): ...

    def puppy(self) -> "Dog": ...

    def __enter__(self): return self

    @property
    def front(self) -> Leg: ...

def adopt() -> Dog: ...

async def wait_for() -> Dog: ...

"""
ROWS = {
    "text": ("x = 'a'.st‸", "strip startswith", "strum"),
    "formatted text": ("x = f'a{1}'.st‸", "strip startswith", "strum"),
    "list": ("x = [].ap‸", "append", "perch"),
    "dictionary": ("x = {}.it‸", "items", "perch"),
    "number with a point": ("x = 1.0\nx.is‸", "is_integer", "perch"),
    "comprehension": ("x = [a for a in b]\nx.ap‸", "append", "perch"),
    "annotated text": ("def f(name: str):\n    name.st‸", "strip startswith", "strum"),
    "annotated list": ("def f(rows: list[int]):\n    rows.ap‸", "append", "perch"),
    "annotated dictionary": ("def f(rows: Dict[str, int]):\n    rows.it‸", "items", "perch"),
    "optional": ("def f(d: Optional[Dog]):\n    d.‸", "bark", "perch strum"),
    "or none": ("def f(d: Dog | None = None):\n    d.‸", "bark", "perch strum"),
    "union with none": ("def f(d: Union[None, Dog]):\n    d.‸", "bark", "perch strum"),
    "quoted": ("def f(d: 'Dog'):\n    d.‸", "bark", "perch strum"),
    "quoted optional": ("def f(d: 'Optional[Dog]'):\n    d.‸", "bark", "perch strum"),
    "constructor call": ("Dog(Leg(), None).‸", "bark", "perch strum"),
    "function's result": ("x = adopt()\nx.‸", "bark", "perch strum"),
    "awaited result": ("async def g():\n    x = await wait_for()\n    x.‸", "bark", "perch strum"),
    "method's result": ("def f(d: Dog):\n    d.puppy().‸", "bark", "perch strum"),
    "chained calls": ("adopt().puppy().puppy().‸", "bark", "perch strum"),
    "property": ("adopt().front.‸", "bend", "perch strum bark"),
    "imported function's result": ("stray().‸", "meow", "perch strum bark"),
    "imported method's result": ("stray().kitten().‸", "meow", "perch strum bark"),
    "imported variable": ("FAVOURITE.‸", "meow", "perch strum bark"),
    "imported class's attribute": ("def f():\n    return stray().tail.c‸", "curl", "perch strum bark"),
    "loop over a list": ("def f(dogs: List[Dog]):\n    for d in dogs:\n        d.‸", "bark", "perch strum"),
    "loop over a generic": ("def f(dogs: Iterable[Dog]):\n    for d in dogs:\n        d.‸", "bark", "perch strum"),
    "loop over values": (
        "def f(dogs: dict[str, Dog]):\n    for d in dogs.values():\n        d.‸", "bark", "perch strum"),
    "loop over items": (
        "def f(dogs: dict[str, Dog]):\n    for k, d in dogs.items():\n        d.‸", "bark", "perch strum"),
    "loop with numbers": (
        "def f(dogs: list[Dog]):\n    for n, d in enumerate(dogs):\n        d.‸", "bark", "perch strum"),
    "element of a list": ("def f(dogs: list[Dog]):\n    dogs[0].‸", "bark", "perch strum"),
    "value of a dictionary": ("def f(dogs: dict[str, Dog]):\n    dogs['a'].‸", "bark", "perch strum"),
    "part of a tuple": ("def f(pair: tuple[Bird, Dog]):\n    b, d = pair\n    d.‸", "bark", "perch strum"),
    "context manager": ("with Dog(Leg(), None) as d:\n    d.‸", "bark", "perch strum"),
    "open file": ("with open('a') as f:\n    f.rea‸", "read readline readlines", "reap"),
    "base class": ("class Puppy(Dog):\n    def bark(self):\n        super().‸", "bark puppy", "perch strum"),
    "attribute from a parameter": (
        "class House:\n    def __init__(self, d: Dog):\n        self.d = d\n\n    def f(self):\n        self.d.‸",
        "bark", "perch strum"),
    "dotted annotation": ("def f(cat: animals.Cat):\n    cat.‸", "meow", "perch strum bark"),
    "dotted constructor": ("cat = animals.Cat(None)\ncat.‸", "meow", "perch strum bark"),
    "result of a method of text": ("def f(name: str):\n    name.strip().st‸", "strip startswith", "strum"),
    "exception": ("try:\n    pass\nexcept OSError as error:\n    error.err‸", "errno", "errand"),
    "logger": ("import logging\nlog = logging.getLogger(__name__)\nlog.‸", "warning debug info", "perch strum"),
    "module without source": ("import sys\nsys.std‸", "stdout stderr", "strum"),
    "variable of such a module": ("import sys\nsys.stdout.wri‸", "write", "strum"),
    "name of the class": ("def f(d: Dog):\n    return d.__class__.__name__.low‸", "lower", "strum"),
    "result without annotation": ("def get():\n    found = Dog()\n    return found\n\nget().‸", "bark", "perch strum"),
    "parenthesis over lines": ("x = (\n    adopt()\n    .puppy()\n    .‸", "bark", "perch strum"),
}  # fmt: skip


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zoo")
    (folder / "animals.py").write_text(ANIMALS)
    return folder


def document_at(text: str, path: Path) -> tuple[Document, int]:
    """The document of a text, and the byte of its mark."""
    before, _, after = text.partition("‸")
    language = by_id("python")
    assert language is not None
    buffer = Buffer((before + after).encode())
    document = Document(
        path.as_uri(), path, "python", 0, SyntaxSnapshot.open(buffer, language), HistoryView(buffer, (), None, 0),
        Settings(completion_floor=0.0, max_completions=50), path.parent,
    )  # fmt: skip
    return document, len(before.encode())


def offered(engine: Engine, text: str, path: Path) -> list[str]:
    """What is offered at the mark, best first."""
    decision = engine.complete(*document_at(text, path), Cancel())
    return [item.label for item in decision.value.items] if isinstance(decision, Shown) else []


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(ROWS))
def test_the_right_member_comes_early(engine: Engine, project: Path, kind: str) -> None:
    text, right, foreign = ROWS[kind]
    listed = offered(engine, FILE + text + "\n", project / "zoo.py")
    best = min((listed.index(name) for name in right.split() if name in listed), default=len(listed))
    assert best < FIRST, listed[:10]
    assert not set(foreign.split()) & set(listed[:best])


@pytest.mark.parametrize("kind", list(ROWS))
def test_the_members_of_the_receiver_are_known(project: Path, kind: str) -> None:
    text, right, foreign = ROWS[kind]
    document, byte = document_at(FILE + text + "\n", project / "zoo.py")
    names = ExtraNames({}, np.zeros((0, 0), np.float32), ())
    scopes = place_evidence(document, place_at(document, byte), names).scopes
    assert scopes is not None
    assert scopes.members is not None
    assert set(right.split()) <= scopes.members
    assert scopes.members.isdisjoint(foreign.split())
