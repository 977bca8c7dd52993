"""Which names can be used at the cursor: bindings that have ended there, and members that only an object has."""

from __future__ import annotations

import pytest
from editahead.suggest.completion.ranking.document_scopes import document_scopes
from editahead.suggest.context import place_at

from tests.suggest.documents import document

# A text with the cursor at `‸`, names that can be used there, and names of the file that cannot.
PYTHON = {
    "comprehension, closed above": ("def f(xs):\n    total = sum(x for x in xs)\n    print(‸\n", "f xs total", "x"),
    "list, closed above": ("def f(xs):\n    rows = [x for x in xs]\n    ‸\n", "xs rows", "x"),
    "comprehension, still open": (
        "def f(xs):\n    total = sum(\n        x\n        for x in xs if\n        ‸\n    )\n",
        "x",
        "",
    ),
    "closed in an open call": ("def f(xs):\n    g(\n        [x for x in xs],\n        ‸\n    )\n", "xs", "x"),
    "behind except": ("def f():\n    try:\n        g()\n    except E as e:\n        pass\n    return ‸\n", "f", "e"),
    "in except": ("def f():\n    try:\n        g()\n    except E as e:\n        return ‸\n", "f e", ""),
    "behind except*": ("try:\n    g()\nexcept* E as e:\n    pass\nx = ‸\n", "", "e"),
    "in the next except": (
        "try:\n    g()\nexcept E as e:\n    pass\nexcept F as g:\n    x = ‸\n",
        "g",
        "e",
    ),
    "bound besides except": (
        "def f():\n    e = None\n    try:\n        g()\n    except E as e:\n        pass\n    return ‸\n",
        "e",
        "",
    ),
    "with inside of except": (
        "def f():\n    try:\n        g()\n    except E as e:\n        with a() as b:\n            pass\n    return ‸\n",
        "b",
        "e",
    ),
    "behind except, of the module too": (
        "e = 1\ndef f():\n    try:\n        g()\n    except E as e:\n        pass\n    return ‸\n",
        "f",
        "e",
    ),
    "function in except": (
        "def f():\n    try:\n        g()\n    except E as e:\n        def h():\n            return ‸\n",
        "e h f",
        "",
    ),
    "behind del": ("def f():\n    x = g()\n    y = 1\n    del x\n    return ‸\n", "y", "x"),
    "behind del, module": ("x = g()\ny = 1\ndel x\nz = ‸\n", "y", "x"),
    "behind del of several": ("def f(a, b, c):\n    del a, (b)\n    return ‸\n", "c", "a b"),
    "before del": ("def f():\n    x = g()\n    y = ‸\n    del x\n", "x", ""),
    "bound again behind del": ("def f():\n    x = g()\n    del x\n    x = h()\n    return ‸\n", "x", ""),
    "bound again below": ("def f():\n    x = g()\n    del x\n    y = ‸\n    x = h()\n", "", "x"),
    "del in another block": ("def f(a, x):\n    if a:\n        del x\n    return ‸\n", "x a", ""),
    "in the block of del": ("def f(a, x):\n    if a:\n        del x\n        return ‸\n    return x\n", "a", "x"),
    "del of an item": ("def f(a, x):\n    del x[a], x.y\n    return ‸\n", "x a", ""),
    "function behind del": ("x = 1\ndel x\ndef f():\n    return ‸\n", "f", "x"),
    "function between del and binding": ("x = 1\ndel x\ndef f():\n    return ‸\nx = 2\n", "x", ""),
    "del of a global": ("x = 1\ndef f():\n    global x\n    del x\n    return ‸\n", "f", "x"),
    "bound by a global statement": ("def f():\n    global x\n    x = 1\ndef g():\n    return ‸\n", "x f g", ""),
    "nonlocal": (
        "def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n        return ‸\n",
        "x f g",
        "",
    ),
    "lambda": ("def f(xs):\n    xs.sort(key=lambda x: x.y)\n    return ‸\n", "xs", "x"),
    "walrus": ("def f(xs):\n    if (n := len(xs)) > 2:\n        return ‸\n", "n xs", ""),
    "match": (
        "def f(v):\n    match v:\n        case [a, *b]:\n            return ‸\n        case _:\n            pass\n",
        "a b v",
        "",
    ),
    "class body": ("class A:\n    x = 1\n    y = ‸\n", "x", ""),
    "method of a class": ("class A:\n    x = 1\n    def f(self):\n        return ‸\n", "A self", "x"),
}
JAVA = {
    "static method": (
        "class A {\n  int a; static int b;\n  void c() {}\n  static void d(int e) {\n    ‸\n  }\n"
        "  class I {}\n  enum K { L }\n}\n",
        "A b d e I K",
        "a c",
    ),
    "method": ("class A {\n  int a; static int b;\n  void c() {\n    ‸\n  }\n  static void d() {}\n}\n", "a b c d", ""),
    "static block": ("class A {\n  int a;\n  static int b;\n  static {\n    ‸\n  }\n}\n", "b", "a"),
    "lambda in a static method": (
        "class A {\n  int a;\n  static void d() {\n    run(b -> {\n      ‸\n    });\n  }\n}\n",
        "b d",
        "a",
    ),
    "overloads": (
        "class A {\n  void c() {}\n  static void c(int x) {}\n  static void d() {\n    ‸\n  }\n}\n",
        "c d",
        "x",
    ),
    "static class in a class": (
        "class A {\n  int a; static int s;\n  static class B {\n    int b;\n    void c() {\n      ‸\n    }\n  }\n}\n",
        "s b c B A",
        "a",
    ),
    "inner class": (
        "class A {\n  int a;\n  class B {\n    int b;\n    void c() {\n      ‸\n    }\n  }\n}\n",
        "a b c B A",
        "",
    ),
    "enum in a class": (
        "class A {\n  int a;\n  enum B {\n    X, Y;\n    int b;\n    void c() {\n      ‸\n    }\n  }\n}\n",
        "b c X Y",
        "a",
    ),
    "enum, static method": ("enum B {\n  X, Y;\n  int b;\n  static void c() {\n    ‸\n  }\n}\n", "c X Y", "b"),
    "interface": ("interface A {\n  int K = 1;\n  void f();\n  static void g() {\n    ‸\n  }\n}\n", "K g", "f"),
    "record": ("record A(int a) {\n  static int b;\n  static void g() {\n    ‸\n  }\n}\n", "A b g", "a"),
    "record, its own method": ("record A(int a) {\n  int g() {\n    ‸\n  }\n}\n", "A a g", ""),
    "anonymous class in a static method": (
        "class A {\n  int a;\n  static void d() {\n    new B() {\n      int c;\n      void e() {\n        ‸\n"
        "      }\n    };\n  }\n}\n",
        "c e d",
        "a",
    ),
    "generic method": ("class A {\n  static <T> T f(T t) {\n    ‸\n  }\n  <U> U g() {}\n}\n", "T t f", "U"),
    "catch parameter": (
        "class A {\n  void f() {\n    try { g(); } catch (E e) { h(); }\n    ‸\n  }\n  void g() {}\n}\n",
        "f g",
        "e",
    ),
    "block": ("class A {\n  void f() {\n    if (x) { int y = 1; }\n    ‸\n  }\n}\n", "f", "y"),
}


def assert_visible(text: str, language: str, seen: str, unseen: str) -> None:
    made, byte = document(text, language)
    line = document_scopes(made, place_at(made, byte))
    assert line is not None
    visible = line.evidence.visible.keys()
    assert set(seen.split()) <= visible
    assert visible.isdisjoint(unseen.split())
    assert set(unseen.split()) <= line.evidence.hidden


@pytest.mark.parametrize("case", PYTHON, ids=str)
def test_python(case: str) -> None:
    assert_visible(PYTHON[case][0], "python", *PYTHON[case][1:])


@pytest.mark.parametrize("case", JAVA, ids=str)
def test_java(case: str) -> None:
    assert_visible(JAVA[case][0], "java", *JAVA[case][1:])
