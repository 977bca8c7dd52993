"""What follows from a name that took the place of an expression: its declaration, if it has none."""

from __future__ import annotations

import pytest

from .marked_renames import assert_follows

PYTHON = {
    "a value": "def f(rows):\n    y = 2\n‹>    first = rows[0].name\n›    return g(«rows[0].name>first»)\n",
    "a part of the name": "def f(a):\n‹>    first = first_row(a)\n›    return g(first«_row(a)>»)\n",
    "nothing for a declared name": "def f(rows, first):\n    return g(«rows[0].name>first»)\n",
    "nothing for a name of the language": "def f(rows):\n    return g(«rows[0].name>len»)\n",
    "nothing for a constant": "def f(rows):\n    return g(«rows[0].name>FIRST»)\n",
    "nothing for the value of a module": "x = g(«rows[0].name>first»)\n",
    "nothing for a member": "def f(rows):\n    return g(rows.«name(1)>first»)\n",
    "nothing for several arguments": "def f(rows):\n    return g(«rows, 1>first»)\n",
    "nothing for another name": "def f(rows):\n    return g(«number>first»)\n",
}
OTHERS = {
    "TypeScript": ("home.ts", "function f(a) {\n‹>  const b = a.b[0];\n›  return g(«a.b[0]>b»);\n}\n"),
    "Go": ("home.go", "package a\n\nfunc f(a []int) int {\n‹>\tb := a[0] + 1\n›\treturn g(«a[0] + 1>b»)\n}\n"),
    "Java": ("Home.java", "class A {\n  int f(int a) {\n‹>    var b = c.d(a);\n›    return g(«c.d(a)>b»);\n  }\n}\n"),
    "Rust": ("home.rs", "fn f(a: A) -> i32 {\n‹>    let b = a.b(1);\n›    g(«a.b(1)>b»);\n}\n"),
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_the_name_is_declared_above(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "declare")


@pytest.mark.parametrize(("name", "marked"), OTHERS.values(), ids=OTHERS.keys())
def test_in_other_languages(name: str, marked: str) -> None:
    assert_follows({f"file:///w/{name}": marked}, "declare")
