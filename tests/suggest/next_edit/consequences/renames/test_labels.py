"""Renames of labels and lifetimes: names of their own, that no variable of the same name shares."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

LOOPS = "«outer>rows»: for (;;) {\n    for (;;) { outer(); continue ‹outer>rows›; }\n    break ‹outer>rows›;\n  }\n"
CASES = {
    "a.js": f"function f() {{\n  {LOOPS}}}\nfunction g() {{\n  outer: for (;;) break outer;\n}}\n",
    "a.tsx": f"function f() {{\n  {LOOPS}}}\n",
    "A.java": f"class A {{ void f() {{\n  {LOOPS}}} }}\n",
    "a.go": (
        "package a\n\nfunc f() {\n«outer>rows»:\n\tfor {\n\t\tfor {\n\t\t\tcontinue ‹outer>rows›\n\t\t}\n"
        "\t\tbreak ‹outer>rows›\n\t}\n\tgoto ‹outer>rows›\n}\n"
    ),
    "a.c": "int f(void) {\n  if (fail) goto ‹fail>out›;\n  return 0;\n«fail>out»:\n  return fail(1);\n}\n",
    "a.cpp": "int f() {\n  if (fail) { goto «fail>out»; }\n  return 0;\n‹fail>out›:\n  return fail(1);\n}\n",
    "A.cs": (
        "class A { int F(int n) {\n  if (n > fail) { goto ‹fail>done›; }\n  return 0;\n«fail>done»:\n"
        "  return fail;\n} }\n"
    ),
    "a.lua": "local function f()\n  for i = 1, 2 do\n    goto ‹next>done›\n    ::«next>done»::\n  end\n  next()\nend\n",
    "a.rs": (
        "fn f() {\n    let outer = 1;\n    '«outer>rows»: loop {\n        loop { break '‹outer>rows›; }\n"
        "        continue '‹outer>rows›;\n    }\n}\n"
    ),
}
TWICE = "a: for (;;) { break a; }\n  «a>b»: for (;;) { break ‹a>b›; }\n  a: for (;;) { break a; }\n"
AGAIN = {
    "a.js": f"function f() {{\n  {TWICE}}}\n",
    "A.java": f"class A {{ void f() {{\n  {TWICE}}} }}\n",
    "a.rs": (
        "fn f() {\n    'a: loop { break 'a; }\n    'a: loop {\n        '«a>b»: loop { break '‹a>b›; }\n"
        "        break 'a;\n    }\n}\n"
    ),
}
LIFETIMES = {
    "of a function": (
        "fn f<'«a>b», T: '‹a>b›>(a: &'‹a>b› str, t: T) -> &'‹a>b› str { a }\nfn g<'a>(x: &'a str) -> S<'a> {}\n"
    ),
    "of a structure": "struct S<'«a>b»> { x: &'‹a>b› str }\nimpl<'a> S<'a> { fn f(&self) -> &'a str { self.x } }\n",
    "of a block that extends": (
        "impl<'«a>b»> S<'‹a>b›> {\n    fn f(&self) -> &'‹a>b› str { self.a }\n    fn g(x: &'static str) {}\n}\n"
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_labels(name: str) -> None:
    assert_follows({f"file:///w/{name}": CASES[name]})


@pytest.mark.parametrize("name", AGAIN)
def test_labels_of_other_statements(name: str) -> None:
    assert_follows({f"file:///w/{name}": AGAIN[name]})


@pytest.mark.parametrize("marked", LIFETIMES.values(), ids=LIFETIMES)
def test_lifetimes(marked: str) -> None:
    assert_follows({"file:///w/a.rs": marked})
