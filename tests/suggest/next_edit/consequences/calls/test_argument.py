"""What follows from a changed argument of one call: the other calls of the same function."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "an argument by keyword": "a = load(x«>, strict=True»)\nb = load(y, z‹>, strict=True›)\nc = save(y)\n",
    "an argument behind the others": "a = load(x«>, 1»)\nb = load(y‹>, 1›)\nc = load(y, z)\n",
    "an argument before another one": "a = load(«>1, »x)\nb = load(‹>1, ›f(y))\n",
    "an argument that goes": "a = load(x«, 1>»)\nb = load(y‹, 1>›)\n",
    "a keyword that goes": "a = load(x«, n=1>»)\nb = load(‹n=1, >›q=y)\n",
    "an argument that is replaced": "a = load(x, «True>mode»)\nb = load(y, ‹True>mode›)\nc = load(y, False)\n",
    "an argument that a call is put around": "a = load(x, «y>quote(y)»)\nb = load(y, ‹z + 1>quote(z + 1)›)\n",
    "an argument that a call is taken from": "a = load(x, «quote(y)>y»)\nb = load(y, ‹quote(z)>z›)\nload(x, z)\n",
    "a method of the same text": "a.load(x«>, 1»)\na.load(y‹>, 1›)\nb.load(y)\n",
    "no call that does not see the argument": (
        "def f(a):\n    load(x, «True>a»)\n\ndef g(b):\n    load(y, True)\n\ndef h(a):\n    load(z, ‹True>a›)\n"
    ),
    "no call that does not see an argument with letters that are not ASCII": (
        "def f(größe):\n    load(x, «True>größe»)\n\ndef g(b):\n    load(y, True)\n"
    ),
    "a keyword and a member that are called like a variable": (
        "def f(n, m):\n    load(x«>, n=a.m»)\n\ndef g():\n    load(y‹>, n=a.m›)\n"
    ),
    "a name of the module": "m = 1\ndef f():\n    load(x, «True>m»)\n\ndef g():\n    load(y, ‹True>m›)\n",
    "no call that gives any number": "a = load(x«>, 1»)\nb = load(*y)\n",
    "no call that has it": "a = load(x«>, n=1»)\nb = load(y, n=2)\n",
    "no text": "a = load(x«>, 1»)\nb = 'load(y)'\n",
    "not two arguments at once": "a = load(x«>, 1, 2»)\nb = load(y)\n",
}
OTHERS = {
    "Java": (
        "Home.java",
        "class A {\n  void f() {\n    b.load(x«>, 1»);\n    b.load(y‹>, 1›);\n    c.load(y);\n  }\n}\n",
    ),
    "Go": ("home.go", "package a\n\nfunc f() {\n\tb.Load(x«>, 1»)\n\tb.Load(y‹>, 1›)\n}\n"),
    "TypeScript": ("home.ts", "load(x«>, 1»);\nload(y‹>, 1›);\n"),
    "Rust": ("home.rs", "fn f() {\n    load(x«>, 1»);\n    load(y‹>, 1›);\n}\n"),
    "C, a renamed parameter": (
        "home.c",
        "int f(int «a>n») {\n  check(«a>n» > 1);\n  return 1;\n}\nint g(int a) {\n  check(a > 1);\n  return 2;\n}\n",
    ),
    "C": ("home.c", "void f(void) {\n  load(x«>, 1»);\n  load(y‹>, 1›);\n}\n"),
    "C#": ("home.cs", "class A {\n  void F() {\n    b.Load(x«>, 1»);\n    b.Load(y‹>, 1›);\n  }\n}\n"),
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_other_calls_take_the_change(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "argument")


@pytest.mark.parametrize(("name", "marked"), OTHERS.values(), ids=OTHERS.keys())
def test_in_other_languages(name: str, marked: str) -> None:
    assert_follows({f"file:///w/{name}": marked}, "argument")


def test_in_another_open_file() -> None:
    assert_follows({"file:///w/a.py": "load(x«>, 1»)\n", "file:///w/b.py": "a = load(y‹>, 1›)\n"}, "argument")


def test_calls_of_a_document_that_was_changed_count_as_examples() -> None:
    made = assert_follows({"file:///w/a.py": "load(x«>, 1»)\nload(z«>, 1»)\nload(y‹>, 1›)\n"}, "argument")
    assert [(one.examples, one.kind) for one in made.candidates if one.source == "argument"] == [
        (2, "added/place/same/again")
    ]
