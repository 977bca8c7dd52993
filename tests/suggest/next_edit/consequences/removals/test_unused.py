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
    "not what gives another value as well": "def f(x):\n    a = b = x[0]\n    return g(b«, a>»)\n",
    "not what is given last": "def f(x):\n    b = a = x[0]\n    return g(b«, a>»)\n",
    "not what gives a value inside": "def f(x):\n    a = (b := x) + 1\n    return g(b«, a>»)\n",
    "not what is given inside": "def f(x):\n    g(a := x)\n    return g(x«, a>»)\n",
    "not what waits for a value": "def f(x):\n    a = yield x\n    return g(x«, a>»)\n",
    "not all of a block": (
        "def f(x):\n    try:\n        def a():\n            return 1\n    except E:\n        x = 2\n"
        "    return g(x«, a>»)\n"
    ),
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
    "C#, what declares another name": (
        "home.cs",
        "class A {\n  int F(int b) {\n    var c = Get(b, out var d);\n    Save(b);\n    return d« + c>»;\n  }\n}\n",
    ),
    "TypeScript, what gives another value": (
        "home.ts",
        "function f(a) {\n  let z;\n  const b = z = a;\n  g(z);\n  return z« + b>»;\n}\n",
    ),
    "Java, what changes a value": (
        "Home.java",
        "class A {\n  int f(int a) {\n    int b = a++;\n    g(a);\n    return a« + b>»;\n  }\n}\n",
    ),
    "TypeScript, what assigns in a function alone": (
        "home.ts",
        "function f(a) {\n‹  const b = () => { a = 2; };\n>›  g(a);\n  return a« + b()>»;\n}\n",
    ),
    "C, no label": (
        "home.c",
        "int f(int x)\n{\n«  if (x) goto out;\n>»  g(x);\nout:\n  return x;\n}\n",
    ),
    "C#, no label": (
        "home.cs",
        "class A {\n  void F(int x) {\n    if (x > 0) {« goto done;>»}\n    G(x);\n    done:\n    H(x);\n  }\n}\n",
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
