"""What follows from a declaration that is taken away: the places that still use its name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editahead.suggest.types import Document
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

from tests.suggest.next_edit.consequences.marked_renames import assert_leads_to, outcome, played

PYTHON = {
    "a statement": "«import re\n>»\ndef f(a):\n    b = a + 1\n    c = ‹re>›.sub('x', '', a)\n    return b\n",
    "an argument": "def f(a«, b>»):\n    return g(a, ‹b>›)\n",
    "a name with letters that are not ASCII": "def f(a«, größe>»):\n    return g(a, ‹größe>›)\n",
    "not what a longer name ends with": "def f(a«, größe>»):\n    return g(a, e)\n",
    "two uses": "«import re\n>»a = 1\nb = ‹re>›.sub(‹re>›.I)\nc = 1\n",
    "a keyword": "«import sys\n>»run(1, out=‹sys>›, check=True)\n",
    "a decorator": "«from a import b\n>»@‹b>›\ndef f():\n    return 1\n",
    "a base": "«from a import b\n>»class C(A, ‹b>›):\n    x = 1\n",
    "what is tried": "«from a import B\n>»def f(a):\n    try:\n        a()\n    except ‹B>›:\n        a = 1\n",
    "declared once more": "«b = 1\n>»b = 2\nprint(b)\n",
    "a name of the language": "«len = 1\n>»print(len)\n",
    "never declared": "«print(b)\n>»print(b, 1)\n",
    "a member": "«b = 1\n>»print(a.b, 1)\n",
    "renamed": "def f(«b>c»):\n    return g(1, b)\n",
    "a name in a text": "«import re\n>»a = 're'  # re\n",
    "the object of a method": "def f(«self, >»a):\n    self.b(a)\n    return a\n",
    "not what all names of a module may bring": "from a import «B, C>*»\n\nB()\nprint(C)\n",
    "not what a removed import may have hidden": "from a import *\n«from b import B\n>»\nB()\nprint(1)\n",
    "a parameter, which no module brings": "from a import *\n\ndef f(a«, b>»):\n    c = a\n    g(‹b>›)\n    return c\n",
}
OTHERS = {
    "Java": (
        "Home.java",
        "class A {\n  void f(int a«, int b>») {\n    int c = a;\n    c += ‹b>›;\n    g(a, ‹b>›);\n  }\n}\n",
    ),
    "Go": ("home.go", "package a\n\nfunc f(a int) int {\n«\tb := a + 1\n>»\tc := a\n\tg(‹b>›)\n\treturn c\n}\n"),
    "Rust": ("home.rs", 'fn f(a: i32) {\n«    let b = a + 1;\n>»    println!("{} {}", a, ‹b>›);\n    g(a);\n}\n'),
    "Rust, what all names of a module may bring": (
        "home.rs",
        "«use a::b;\n>»use a::*;\nfn f(a: i32) {\n    b();\n    g(a);\n}\n",
    ),
    "C": ("home.c", "int f(«int a, >»int b)\n{\n  int c = ‹a>› + b;\n  save(b);\n  return b;\n}\n"),
    "C#": (
        "home.cs",
        "class A {\n  void F(int a«, int b>») {\n    foreach (var i in c)\n      G(‹b>›);\n    G(a);\n  }\n}\n",
    ),
    "TypeScript": ("home.ts", "«import { b } from 'a';\n>»const c = 1;\n‹b>›(c);\ng(c, ‹b>›);\n"),
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_uses_of_a_removed_declaration_are_places(marked: str) -> None:
    assert_leads_to({"file:///w/home.py": marked}, "unbound")


@pytest.mark.parametrize(("name", "marked"), OTHERS.values(), ids=OTHERS.keys())
def test_in_other_languages(name: str, marked: str) -> None:
    assert_leads_to({f"file:///w/{name}": marked}, "unbound")


def test_no_text_is_offered_for_them() -> None:
    assert [one.source for one in outcome(played(PYTHON["an argument"])).candidates if one.source == "unbound"] == []


def _changed(before: bytes, edit: ByteEdit, *, idle: bool) -> Document:
    """A document right after an edit that the history has not settled."""
    buffer = Buffer(before)
    history, after = History(buffer, lambda: 0.0), buffer.apply(edit)
    history.push(edit, buffer)
    view, syntax = history.view(), played(before.decode()).syntax.advance(after, [edit])
    assert view.pending is not None
    return replace(played("", idle=idle), history=view, syntax=syntax)


@pytest.mark.parametrize("idle", [False, True])
def test_nothing_follows_while_the_user_still_types(idle: bool) -> None:
    document = _changed(b"import re\n\na = 1\nb = re.I\n", ByteEdit(0, 10, b""), idle=idle)
    assert [one.start for one in outcome(document).places] == ([11] if idle else [])


def test_what_was_moved_to_another_open_file_is_no_place() -> None:
    assert_leads_to({"file:///w/a.go": "package a\n\n«func b() {}\n>»\nfunc f() {\n\tc := 1\n\tb()\n\tg(c)\n}\n",
                     "file:///w/b.go": "package a\n\n«>func b() {}\n»"}, "unbound")  # fmt: skip
