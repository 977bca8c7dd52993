"""A rename is offered in all its places or in none of them, wherever the cursor stands."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.candidate_pool import RatedCandidate
from editahead.suggest.types import Document

from tests.suggest.next_edit.consequences.marked_renames import outcome, played

BUMP = "hits = 0\n\n\ndef bump():\n    global hits\n    hits += 1\n    return hits\n\n\nprint(hits)\n"
COUNTER = "def f():\n    count = 0\n    def g():\n        nonlocal count\n        count += 1\n    return g, count\n"
SUM = (
    "def f(rows):\n    total = 0\n    for row in rows:\n        total = total + row\n"
    "    total = round(total)\n    return total\n"
)
WHOLE = [(text, at) for text, name in ((BUMP, "hits"), (COUNTER, "count")) for at in range(text.count(name))]


def renamed(text: str, at: int) -> Document:
    """A text in which the first name is replaced at one of its places, the cursor elsewhere."""
    name = "hits" if "hits" in text else "count" if "count" in text else "total"
    parts = text.split(name)
    marked = name.join(parts[: at + 1]) + f"«{name}>visits»" + name.join(parts[at + 1 :])
    return replace(played(marked), settings=Settings())


def rated(engine: Engine, document: Document, byte: int) -> list[RatedCandidate]:
    """The places of the rename."""
    items = engine.rated_candidates(document, byte, Cancel(), thorough=False).items
    return [item for item in items if item.candidate.source == "rename"]


@pytest.fixture(scope="module")
def engine() -> Engine:
    """The shipped models."""
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


@pytest.mark.parametrize(("text", "at"), WHOLE)
def test_a_name_of_an_outer_scope_is_renamed_in_all_places(engine: Engine, text: str, at: int) -> None:
    document = renamed(text, at)
    everywhere = text.count("hits") + text.count("count") - 1
    assert len(outcome(document).candidates) == everywhere
    for byte in (0, 40, len(text)):
        items = rated(engine, document, byte)
        assert [item.sure for item in items] == [True] * everywhere, byte


@pytest.mark.parametrize("at", range(SUM.count("total")))
def test_one_decision_holds_for_all_places(engine: Engine, at: int) -> None:
    document = renamed(SUM, at)
    answers = {
        (round(item.probability, 9), item.sure)
        for byte in range(0, len(SUM), 25)
        for item in rated(engine, document, byte)
    }
    assert len(answers) == 1


BY_HAND = {
    "a member of an unknown object": (
        "class A:\n    def «m>n»(self):\n        pass\n\n"
        "    def k(self, c):\n        self.m()\n        c.m()\n        return c.m\n",
        "file:///w/a.py",
        "`m` is now `n` in 2 of 4 places; the rest by hand: line 7, 8",
    ),
    "a name that reflection reads": (
        "class A:\n    def __init__(self):\n        self.«m>n» = {'m': 1}\n        getattr(other, 'm', self.m)\n",
        "file:///w/a.py",
        "`m` is now `n` in 2 of 3 places; the rest by hand: line 4",
    ),
    "a member in brackets": (
        "class A {\n  «m>n» = 1;\n  k() { return this.m + other['m'] + \"m\"; }\n}\n",
        "file:///w/a.ts",
        "`m` is now `n` in 2 of 3 places; the rest by hand: line 3",
    ),
    "the body of a macro": (
        "#define TWICE(a) (2 * (a)->size)\nstatic int «size>width»;\nint f(struct s *a) { return size + TWICE(a); }\n",
        "file:///w/a.c",
        "`size` is now `width` in 2 of 3 places; the rest by hand: line 1",
    ),
    "a method of a type that implements the interface without naming it": (
        "package a\n\ntype Store interface {\n\t«Get>Fetch»(k string) int\n}\n\n"
        "type mem struct{}\n\nfunc (m *mem) Get(k string) int { return 1 }\n\n"
        'func f(s Store) int { return s.Get("a") }\n',
        "file:///w/a.go",
        "`Get` is now `Fetch` in 2 of 3 places; the rest by hand: line 9",
    ),
    "an interface that the type implements without naming it": (
        "package a\n\ntype Store interface {\n\tGet(k string) int\n}\n\n"
        "type mem struct{}\n\nfunc (m *mem) «Get>Fetch»(k string) int { return 1 }\n\n"
        'func f(m *mem) int { return m.Get("a") }\n',
        "file:///w/a.go",
        "`Get` is now `Fetch` in 2 of 3 places; the rest by hand: line 4",
    ),
    "nothing is left": ("def f(«m>n»):\n    return m, c.m, 'm'\n", "file:///w/a.py", "`m` is now `n`"),
}


@pytest.mark.parametrize(("marked", "uri", "reason"), BY_HAND.values(), ids=BY_HAND)
def test_the_reason_names_the_lines_that_are_left(marked: str, uri: str, reason: str) -> None:
    assert {one.reason for one in outcome(played(marked, uri)).candidates if one.source == "rename"} == {reason}
