"""What goes with the last use of a name: what declares it."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "a variable": "def f(rows):\n    x = 1\n‹    first = rows[0]\n>›    y = 2\n    return g(y«, first>»)\n",
    "a parameter": "def f(a‹, b>›):\n    x = a\n    return g(a«, b>»)\n",
    "a name with letters that are not ASCII": "def f(a‹, größe>›):\n    x = a\n    return g(a«, größe>»)\n",
    "not what a longer name ends with": "def f(a, e):\n    x = a\n    return g(a«, größe>»)\n",
    "a private function": "‹def _f(a):\n    return a\n\n\n>›def g(a):\n    x = 1\n    return «_f(a)>a»\n",
    "a private constant": "‹_SIZE = 3\n>›\ndef g(a):\n    return a« + _SIZE>»\n",
    "no public value of the module": "SIZE = 3\n\ndef g(a):\n    return a« + SIZE>»\n",
    "no public function": "def f(a):\n    return a\n\n\ndef g(a):\n    return «f(a)>a»\n",
    "not while it is used": "def f(rows):\n    first = rows[0]\n    y = 2\n    return g(y«, first>», first)\n",
    "not what a comment names": "def f(rows):\n    first = rows[0]  # first\n    y = 2\n    return g(y«, first>»)\n",
    "not what two statements bind": "def f(rows):\n    a = 1\n    a = 2\n    return g(rows«, a>»)\n",
    "not one of several": "def f(rows):\n    a, b = rows\n    return g(b«, a>»)\n",
}
OTHERS = {
    "Java": (
        "Home.java",
        "class A {\n  int f(int a) {\n‹    int b = a;\n>›    int c = a;\n    return c« + b>»;\n  }\n}\n",
    ),
    "Go": ("home.go", "package a\n\nfunc f(a int) int {\n‹\tb := a\n>›\tc := a\n\treturn c« + b>»\n}\n"),
    "C, no body whose brace stands alone": (
        "home.c",
        "int f(int b)\n{\n‹  int c = b + 1;\n>›  save(b);\n  return b« + c>»;\n}\n",
    ),
    "C++, no block": (
        "home.cpp",
        "int f(int b) {\n  {\n‹    int c = b + 1;\n>›    save(b);\n    use(b« + c>»);\n  }\n  return b;\n}\n",
    ),
    "C++, no function without a name": (
        "home.cpp",
        "int f(int b)\n{\n  run([&]\n  {\n‹    int c = 1;\n>›    use(b« + c>»);\n  });\n  return b;\n}\n",
    ),
    "C#": (
        "home.cs",
        "class A\n{\n  int F(int b)\n  {\n‹    int c = b;\n>›    Save(b);\n    return b« + c>»;\n  }\n}\n",
    ),
    "Rust": ("home.rs", "fn f(b: i32) -> i32 {\n‹    let c = b;\n>›    save(b);\n    b« + c>»\n}\n"),
    "TypeScript": ("home.ts", "function f(a) {\n‹  const b = a;\n>›  const c = a;\n  return c« + b>»;\n}\n"),
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_a_declaration_goes_with_its_last_use(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "unused")


@pytest.mark.parametrize(("name", "marked"), OTHERS.values(), ids=OTHERS.keys())
def test_in_other_languages(name: str, marked: str) -> None:
    assert_follows({f"file:///w/{name}": marked}, "unused")
