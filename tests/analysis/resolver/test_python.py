"""Python's rules of names: every occurrence of one binding is marked, and nothing else is a reference."""

from __future__ import annotations

import pytest
from editahead.suggest.completion.ranking.visible_names import Reach, visible_names

from .marked import assert_marked, resolver

CASES = {
    "local variable": "x = 0\ndef f():\n    «x» = 1\n    return «x»\nprint(x)\n",
    "parameter": "def f(«a», b=a):\n    return «a» + b\na = 1\n",
    "default values are read outside": "«a» = 1\ndef f(a=«a»):\n    return a\n",
    "annotations are read outside": "«T» = int\ndef f(T: «T») -> «T»:\n    return T\n",
    "keyword argument": "def f(«a»):\n    return «a»\nf(«a»=1)\ng(a=1)\n",
    "keyword of a method": (
        "class C:\n    def m(self, «a»):\n        return «a»\n    def n(self):\n        self.m(«a»=1)\nC().m(«a»=2)\n"
    ),
    "keyword of a constructor": "class C:\n    def __init__(self, «a»):\n        self.a = «a»\nC(«a»=1)\n",
    "field of a dataclass": "@dataclass\nclass C:\n    «a»: int\n    def m(self): return self.«a»\nC(«a»=1)\n",
    "closure": "def f():\n    «x» = 1\n    def g():\n        return «x»\n    return g\n",
    "nonlocal": "def f():\n    «x» = 1\n    def g():\n        nonlocal «x»\n        «x» += 1\n    return «x»\n",
    "global": "«x» = 1\ndef f():\n    global «x»\n    «x» = 2\ndef g():\n    x = 3\n    return x\n",
    "a class body is not seen by its methods": "«x» = 1\nclass C:\n    x = 2\n    def m(self):\n        return «x»\n",
    "the name of a class body": "class C:\n    «x» = 2\n    y = «x»\n    def m(self):\n        return self.«x»\n",
    "comprehension": "x = 1\ny = [«x» for «x» in range(9) if «x»]\nprint(x)\n",
    "the first iterable of a comprehension is read outside": "«x» = [1]\ny = [x for x in «x» for z in x]\n",
    "a class body that reads the name it binds": (
        "def «f»(x): return x\nclass C:\n    f = staticmethod(«f»)\n    g = f\n    f = g(f)\nprint(«f»(1), C.f(2))\n"
    ),
    "a name of a class body that reads the one around it": (
        "def f(x): return x\nclass C:\n    «f» = staticmethod(f)\n    g = «f»\nprint(f(1), C.«f»(2))\n"
    ),
    "a method like the function that it is given": (
        "def «f»(x): return x\nclass C:\n    g = «f»\n    @«f»\n    def f(self, g=«f»): return «f»(self.f)\n"
    ),
    "a property and what sets it": (
        "x = 1\nclass C:\n    @property\n    def «x»(self): return x\n    @«x».setter\n    def «x»(self, y): pass\n"
    ),
    "a field like its type": (
        "from a import «b»\nclass C:\n    b: «b»\n    c: «b»\n    for b in «b»: pass\n"
        "class D:\n    def m(self): return «b»\n"
    ),
    "a field of a class that stands below": "class C:\n    a: «D»\n    class «D»: pass\n    b: «D»\n",
    "key of a pattern": (
        "class C:\n    «a»: int\nclass D(C):\n    b: C\nclass E:\n    a = 1\n    class F(C): pass\n"
        "match c:\n    case C(«a»=1) | E(a=2) | D(b=C(«a»=a)) | E.F(«a»=3) | o.C(a=4): print(a)\n"
        "    case D(«a»=1): pass\nprint(a)\n"
    ),
    "keyword of a derived dataclass": (
        "@dataclass\nclass C:\n    «a»: int\n@dataclass\nclass D(C):\n    b: int\n"
        "D(«a»=1, b=2)\nclass E(C):\n    def __init__(self, a): super().__init__(«a»=a)\nE(a=1)\n"
    ),
    "a comprehension in a class sees the class in its first iterable only": (
        "class C:\n    «x» = [1]\n    y = [z for z in «x»]\n    w = [x for z in [1]]\n"
    ),
    "walrus in a comprehension": "def f(v):\n    if any((«m» := g(z)) for z in v):\n        return «m»\n",
    "lambda": "x = 1\nf = lambda «x», y=x: «x»\n",
    "for, with and except": (
        "for «x» in a: print(«x»)\nwith b as «x»: print(«x»)\ntry: pass\nexcept E as «x»: print(«x»)\n"
    ),
    "targets in patterns": "a, (b, *«x») = c\nprint(«x»)\n",
    "import alias": "import numpy as «np»\n«np».array(np2)\n",
    "imported name": "from m import «load»\n«load»()\no.load()\n",
    "first part of an imported module": "import «os».path\n«os».path.join(a)\n",
    "match": (
        "def f(v):\n    match v:\n        case [«x», *y]: return «x»\n        case P(x=z): return z\n"
        "        case {'k': «x»}: return «x»\n        case _ as «x»: return «x»\n"
    ),
    "keyword of a copy": (
        "@dataclass\nclass C:\n    «a»: int\n    def f(self): return replace(self, «a»=1)\n"
        "def g(c: C, d, a): return dataclasses.replace(c, «a»=a), replace(d, a=1), c._replace(«a»=2), replace(a=1)\n"
    ),
    "parameter of a function that is called like a copy": (
        "class C:\n    a = 1\ndef replace(c, «a»): return «a»\nreplace(C(), «a»=1)\n"
    ),
    "value in a pattern": (
        "class C:\n    «A» = 1\n    class D: pass\nclass B:\n    A = 2\ndef f(v):\n    match v:\n"
        "        case C.«A» | B.A | o.A: return C.«A»\n        case [C.«A», C.D()]: return A\n"
    ),
    "class of a class in a pattern": (
        "class C:\n    class «D»: pass\ndef f(v):\n    match v:\n        case C.«D»(): pass\n"
    ),
    "decorators are read outside": "def «d»(f): return f\n@«d»\ndef g(d): return d\n",
    "attribute": (
        "class C:\n    def __init__(self):\n        self.«a» = 1\n    def m(self):\n        return self.«a» + other.a\n"
        "class D:\n    def m(self):\n        return self.a\n"
    ),
    "attribute of an inherited class": (
        "class C:\n    def __init__(self): self.«a» = 1\nclass D(C):\n    def m(self): return self.«a»\n"
    ),
    "overridden method": (
        "class C:\n    def «m»(self): pass\nclass D(C):\n    def «m»(self):\n        return super().«m»()\n"
        "class E:\n    def m(self): pass\n"
    ),
    "attribute of a declared parameter": "class C:\n    «a» = 1\ndef f(c: C, d):\n    return c.«a» + d.a\n",
    "attribute of a constructed variable": "class C:\n    «a» = 1\nc = C()\nprint(c.«a»)\n",
    "attribute of an attribute": (
        "class C:\n    «a» = 1\nclass D:\n    def __init__(self):\n        self.c = C()\n    def m(self):\n"
        "        return self.c.«a»\n"
    ),
    "static methods have no self": (
        "class C:\n    «a» = 1\n    @staticmethod\n    def m(self):\n        return self.a\n    def n(self):\n"
        "        return self.«a»\n"
    ),
    "function and its uses": "def «f»(): return «f»\nclass C:\n    def f(self): return «f»() + self.f()\n",
    "class": "class «C»:\n    def m(self) -> «C»: return «C»()\nclass D(«C»): pass\n",
    "f-string": "«x» = 1\nprint(f'{«x»!r:>{«x»}} x')\n",
    "deleted": "def f():\n    «x» = 1\n    del «x»\n",
    "names of any script": "«größe» = 1\nprint('ä', «größe»)\n",
    "attribute of what a loop counts": (
        "class C:\n    «a» = 1\ndef f(cs: list[C], d: dict[str, C]):\n    for n, c in enumerate(cs):\n"
        "        print(c.«a», n.a)\n    for k, c in d.items():\n        print(c.«a», k.a)\n"
        "    return [c.«a» for n, c in enumerate(sorted(cs))] + [c.a for n, c in enumerate(d)]\n"
    ),
    "attribute of what is gone through together": (
        "class C:\n    «a» = 1\nclass D: a = 2\ndef f(cs: list[C], ds: list[D]):\n    for c, d in zip(cs, ds):\n"
        "        print(c.«a», d.a)\n    return [c.«a» for d, n, c in zip(ds, range(9), cs)]\n"
    ),
    "attribute of what a function passes on": (
        "class C:\n    «a» = 1\nclass D:\n    def __init__(self, cs: set[C], d: dict[C, C]):\n        self.cs = cs\n"
        "        self.d = d\n    def m(self):\n        rows = list(self.cs)\n        rows[0].«a»\n"
        "        for c in reversed(rows):\n            print(c.«a»)\n"
        "        return [c.«a» for c in sorted(self.cs, key=len)] + list(self.d)[0].a + list(self.cs).a\n"
    ),
    "functions of the file pass nothing on": (
        "class C:\n    «a» = 1\ndef sorted(cs): return []\ndef f(cs: list[C]):\n    for c in sorted(cs):\n"
        "        print(c.a)\n    for b in cs:\n        print(b.«a»)\n"
    ),
    "type parameter": "def f[«T»](a):\n    b: «T» = a\n    return b\n",
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES)
def test_references(marked: str) -> None:
    assert_marked(marked)


def test_imports_name_their_modules() -> None:
    names = resolver("from ..a.b import c, d as e\nimport x.y as z, q.w, r\nfrom . import k\n")
    found = [
        (one.name, one.action.value, one.module) for unit in names.scopes.facts.units for one in unit.facts.occurrences
    ]
    assert found == [
        ("c", "bind", "..a.b"), ("d", "imported", "..a.b"), ("e", "bind", ""), ("z", "bind", ""),
        ("q", "bind", "q.w"), ("r", "bind", "r"), ("k", "bind", "."),
    ]  # fmt: skip


def test_what_a_file_does_not_bind_means_nothing() -> None:
    names = resolver("print(len(a))\no.b = 1\n")
    assert [names.binding(names.names(name)[0]) for name in ("print", "a", "b")] == [None, None, None]


def test_visible_names_come_nearest_scope_first_with_their_kind() -> None:
    source = "import os\nclass C:\n    k = 1\n    def m(self, a):\n        b = 1\n        return \n"
    names, byte = resolver(source), source.index("return")
    visible = visible_names(names, names.scopes.scope_at(byte), byte, Reach(len(source), 0, len(source)))
    found = {name: (row.kind, row.distance) for name, row in visible.items()}
    assert list(found) == ["self", "a", "b", "os", "C"]
    assert found == {
        "self": ("parameter", 0), "a": ("parameter", 0), "b": ("variable", 0), "os": ("import", 2), "C": ("class", 2),
    }  # fmt: skip


def test_a_name_exists_in_the_scope_that_binds_it() -> None:
    names = resolver("x = 1\ndef f(a): pass\n")
    function = names.scopes.declared_by(10)
    assert function is not None
    assert names.exists("a", function)
    assert not names.exists("x", function)


def test_broken_code_gives_what_can_be_read() -> None:
    names = resolver("def g(b):\n    return b\n\nx = (1,\n")
    found = names.names("b")
    assert len(found) == 2
    assert names.binding(found[0]) == names.binding(found[1]) is not None
