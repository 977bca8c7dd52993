"""An edit of a member, «old>new», is repeated on objects like those it was made on, ‹old>new›, and on no others."""

from __future__ import annotations

from string import ascii_lowercase

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.edit_candidate import LINES, NETWORK, REPEAT

from tests.suggest.next_edit.consequences.marked_renames import played, wanted

PY, TS, RS = "file:///w/a.py", "file:///w/a.ts", "file:///w/a.rs"
SAME = {
    "the same name": (
        PY,
        "def f(cart, store):\n    cart.«add>push»(1)\n    store.add(2)\n    cart.«add>push»(3)\n"
        "    self.cart.‹add>push›(4)\n    cart.‹add>push›(5)\n    add(6)\n    f(add=7)\n",
    ),
    "a module": (
        PY,
        "import log, disk\n\ndef f(x):\n    log.«info>debug»(x)\n    disk.info(x)\n    log.‹info>debug›(x)\n"
        "    x.log().info(x)\n",
    ),
    "no declaration": (
        TS,
        "const a = cache.«get>fetch»(1);\nconst b = api.get(2);\n"
        "class C {\n  get(k) { return cache.‹get>fetch›(k); }\n  m() { return this.get(1); }\n}\n",
    ),
    "the result of a call": (
        PY,
        "def f(a):\n    a.make(1)[0].«add>push»(1)\n    a.make(2)[3].‹add>push›(2)\n    a.make(1).add(2)\n"
        "    a.other(1)[0].add(2)\n",
    ),
    "the same class": (
        PY,
        "from shop import Cart, Store\n\ndef f(a: Cart, b: Cart, c: Store, d):\n    a.«add>push»(1)\n"
        "    b.‹add>push›(2)\n    c.add(3)\n    d.add(4)\n\ndef g(a: Store):\n    a.add(5)\n",
    ),
    "the base of a class": (
        PY,
        "class A(Case):\n    def t(self):\n        self.«equals>equal»(1)\nclass B(Case):\n    def t(self):\n"
        "        self.‹equals>equal›(2)\nclass C(Row):\n    def t(self):\n        self.equals(3)\n",
    ),
    "a member that another class declares": (
        "file:///w/a.go",
        'package a\n\nimport "log"\n\ntype S struct {\n\tlog.Logger\n}\n\n'
        "func (s *S) check(n int) bool { return n > 0 }\n"
        "func (s *S) Debug() {\n\ts.«check(1>Print(0, 1»)\n}\n\nfunc (s *S) Info() {\n\ts.«check(2>Print(0, 2»)\n}\n\n"
        "func (s *S) Warn() {\n\ts.‹check(3>Print(0, 3›)\n}\n",
    ),
    "a member of a class, and the base of two": (
        PY,
        "class A(Case):\n    def own(self, n):\n        pass\n    def t(self):\n        self.«own(1>check(0, 1»)\n"
        "        self.«own(2>check(0, 2»)\n        self.‹own(3>check(0, 3›)\n"
        "class B(Case):\n    def own(self, n):\n        pass\n    def t(self):\n        self.own(4)\n",
    ),
    "an attribute of a component": (
        "file:///w/a.tsx",
        "const a = (\n  <p>\n    <Row «value>content»={1} />\n    <Card value={2} />\n    <Row «value>content»={3} />\n"
        "    <input value={4} />\n    <Row ‹value>content›={5} />\n  </p>\n);\n",
    ),
    "attributes of elements": (
        "file:///w/a.tsx",
        "const a = (\n  <p>\n    <b «class>className»='x' />\n    <i «class>className»='y' />\n"
        "    <u ‹class>className›='z' />\n"
        "    <Row class='z' />\n  </p>\n);\n",
    ),
    "results of a call with other types": (
        "file:///w/A.cs",
        "class A {\n  void F(Builder b) {\n    b.Register<Row>().«filter>filtering»();\n"
        "    b.Register<Item>().«filter>filtering»();\n    b.Other<Row>().filter();\n"
        "    b.Register<Cart>().‹filter>filtering›();\n  }\n}\n",
    ),
    "a path": (RS, "fn f() {\n    Vec::«with>of»(1);\n    Map::with(2);\n    Vec::‹with>of›(3);\n}\n"),
    "a bare name is no member": (
        PY,
        "def f(a, b):\n    «log>write»(a)\n    «log>write»(b)\n    ‹log>write›(a, b)\n    a.log(b)\n    b.log(log=a)\n",
    ),
    "unknown objects come last": (
        PY,
        "def f(a, b, c):\n    a.«rows>items»()\n    b.«rows>items»()\n    c.rows()\n    a.‹rows>items›()\n",
    ),
    "an object of a known class after two unknown ones": (
        PY,
        "class D:\n    def rows(self):\n        pass\n\ndef f(a, b, c, d: D):\n    a.«rows>items»()\n"
        "    b.«rows>items»()\n    d.rows()\n    c.‹rows>items›()\n",
    ),
    "unknown objects after two": (
        PY,
        "def f(a, b, c):\n    a.«rows>items»()\n    b.«rows>items»()\n    c.‹rows>items›()\n    rows()\n",
    ),
}


@pytest.fixture(scope="module")
def engine() -> Engine:
    """The shipped models."""
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def places(engine: Engine, uri: str, marked: str, source: str) -> set[int]:
    """Where a source changes anything, as bytes at which words begin."""
    document = played(marked, uri)
    data = document.syntax.buffer.data
    found = set[int]()
    for item in engine.rated_candidates(document, 0, Cancel(), thorough=True).items:
        if item.candidate.source == source:
            edit = item.candidate.edit.trim(data)
            found.add(len(data[: edit.start].rstrip(ascii_lowercase.encode())))
    return found


@pytest.mark.parametrize(("uri", "marked"), SAME.values(), ids=SAME)
def test_repeats_stay_with_the_object(engine: Engine, uri: str, marked: str) -> None:
    assert places(engine, uri, marked, REPEAT) == {start for start, _ in wanted(marked)}


@pytest.mark.parametrize("name", ["the same name", "a module", "no declaration", "a bare name is no member"])
def test_so_do_lines_and_the_network(engine: Engine, name: str) -> None:
    uri, marked = SAME[name]
    right = {start for start, _ in wanted(marked)}
    assert places(engine, uri, marked, LINES) <= right
    assert places(engine, uri, marked, NETWORK) <= right
