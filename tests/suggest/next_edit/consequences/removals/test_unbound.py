"""What follows from a declaration that is taken away: the places that still use its name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editahead.suggest.types import Document
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

from tests.suggest.next_edit.consequences.marked_renames import assert_follows, outcome, played

PYTHON = {
    "a statement": "«import re\n>»\ndef f(a):\n    b = a + 1\n‹    c = re.sub('x', '', a)\n>›    return b\n",
    "an argument": "def f(a«, b>»):\n    return g(a‹, b>›)\n",
    "a name with letters that are not ASCII": "def f(a«, größe>»):\n    return g(a‹, größe>›)\n",
    "not what a longer name ends with": "def f(a«, größe>»):\n    return g(a, e)\n",
    "the first of several items": "«from a import b\n>»rows = [‹b, >›1, 2]\n",
    "a keyword": "«import sys\n>»run(1, ‹out=sys, >›check=True)\n",
    "a part of an argument": "«from a import b\n>»rows = [1‹, b(2)>›]\n",
    "a statement with a block": "def f(a«, b>»):\n    a += 1\n‹    if b:\n        a += 2\n>›    return a\n",
    "all that a block does": "«import log\n>»def f(a):\n‹    if a:\n        log.warn(a)\n>›    return a\n",
    "all that a branch does": (
        "«import log\n>»def f(a):\n    if a:\n        log.warn(a)\n    else:\n        a = 1\n    return a\n"
    ),
    "all that a function does": "«import log\n>»def f(a):\n    log.warn(a)\n",
    "what has other branches": (
        "«B = 1\n>»def f(a):\n    if B:\n        r = 3\n    elif a:\n        r = 2\n    else:\n        r = 1\n"
        "    return r\n"
    ),
    "a branch among others": "«B = 1\n>»def f(a):\n    if a:\n        a = 2\n    elif B:\n        a = 3\n",
    "a loop with an else": "«B = 1\n>»def f(a):\n    while B:\n        a()\n    else:\n        a = 1\n    return a\n",
    "what is tried": "«from a import B\n>»def f(a):\n    try:\n        a()\n    except B:\n        a = 1\n",
    "what is matched": "«b = 1\n>»def f(a):\n    match b:\n        case 1:\n            a = 2\n    return a\n",
    "a value that is used below": "«import re\n>»def f(a):\n    b = re.sub('x', '', a)\n    return b\n",
    "a value that another function uses": "«import re\n>»b = re.I\n\ndef f():\n    return b\n",
    "a block whose value is used below": "def f(a«, b>»):\n    with b:\n        c = a\n    return c\n",
    "a value that an earlier line gives as well": "«import re\n>»def f(a):\n‹    a = re.sub('x', a)\n>›    return a\n",
    "a decorator": "«from a import b\n>»‹@b\n>›def f():\n    return 1\n",
    "a base": "«from a import b\n>»class C(A‹, b>›):\n    x = 1\n",
    "no head of a function": "«from a import b\n>»def f(c: b):\n    return c\n",
    "no default of a parameter": "«from a import b\n>»def f(c=b, d=1):\n    return c\n",
    "declared once more": "«b = 1\n>»b = 2\nprint(b)\n",
    "a name of the language": "«len = 1\n>»print(len)\n",
    "never declared": "«print(b)\n>»print(b, 1)\n",
    "a member": "«b = 1\n>»print(a.b, 1)\n",
    "renamed": "def f(«b>c»):\n    return g(1, ‹b>c›)\n",
    "a name in a text": "«import re\n>»a = 're'  # re\n",
    "the object of a method": "def f(«self, >»a):\n    self.b(a)\n    return a\n",
    "not what all names of a module may bring": "from a import «B, C>*»\n\nB()\nprint(C)\n",
    "not what a removed import may have hidden": "from a import *\n«from b import B\n>»\nB()\nprint(1)\n",
    "a parameter, which no module brings": (
        "from a import *\n\ndef f(a«, b>»):\n    c = a\n‹    g(b)\n>›    return c\n"
    ),
    "two of one statement": "«import re\n>»a = 1\n‹b = re.sub(re.I)\n>›c = 1\n",
}
OTHERS = {
    "Java": (
        "Home.java",
        "class A {\n  void f(int a«, int b>») {\n    int c = a;\n‹    c += b;\n>›    g(a‹, b>›);\n  }\n}\n",
    ),
    "Go": ("home.go", "package a\n\nfunc f(a int) int {\n«\tb := a + 1\n>»\tc := a\n‹\tg(b)\n>›\treturn c\n}\n"),
    "Go, one of several values": (
        "home.go",
        "package a\n\nfunc f(a int) (int, error) {\n"
        "«\tb := a + 1\n>»‹\tx, y := b.c, 2\n>›\tg(a)\n‹\treturn b, nil\n>›}\n",
    ),
    "Go, one of several declared values": (
        "home.go",
        "package a\n\nfunc f(a int) {\n«\tb := a + 1\n>»‹\tvar x, y = b, 2\n>›\tg(a‹, b>›)\n}\n",
    ),
    "Go, a value that is used below": (
        "home.go",
        "package a\n\nfunc f(a int) int {\n«\tb := a + 1\n>»\tx, y := b.c, 2\n\treturn x + y\n}\n",
    ),
    "Rust, other branches": (
        "home.rs",
        "fn f(a: i32) {\n«    let b = a > 1;\n>»    if b {\n        g();\n    } else {\n        h();\n    }\n"
        "    match b {\n        true => g(),\n        false => h(),\n    }\n    g();\n}\n",
    ),
    "TypeScript, other branches": (
        "home.ts",
        "«const b = 1;\n>»function f(a: number) {\n  if (b) {\n    g();\n  } else {\n    h();\n  }\n"
        "  switch (b) {\n    case 1:\n      g();\n  }\n  g(b ? a : 1);\n  return a;\n}\n",
    ),
    "Java, other branches": (
        "Home.java",
        "class A {\n  void f(int a«, boolean b>») {\n    if (b) {\n      g();\n    } else {\n      h();\n    }\n"
        "    switch (b) {\n      case 1:\n        g();\n    }\n    g(a);\n  }\n}\n",
    ),
    "Go, a value of a text": (
        "home.go",
        'package a\n\nfunc f(a int) {\n«\tb := a + 1\n>»\tg("%d %v", b, a)\n\tg("100%"‹, b>›)\n}\n',
    ),
    "C, a value of a text": (
        "home.c",
        'int f(int a) {\n«  int b = a + 1;\n>»  printf("%s %-5d\\n", "x", b);\n  return g(a‹, b>›);\n}\n',
    ),
    "Rust, tokens of a macro": (
        "home.rs",
        "fn f(a: i32) {\n«    let b = a + 1;\n>»"
        '    println!("{} {}", a, b);\n‹    assert_eq!(b, a);\n>›    let c = vec![‹b, >›a];\n'
        "    g(a); match a { 1 => b, _ => c };\n}\n",
    ),
    "C, no body whose brace stands alone": (
        "home.c",
        "int f(«int a, >»int b)\n{\n‹  int c = a + b;\n>›  save(b);\n  return b;\n}\n",
    ),
    "C, no block": (
        "home.c",
        "int f(«int a, >»int b)\n{\n  if (b)\n  {\n‹    int c = a + b;\n>›    save(b);\n  }\n  return b;\n}\n",
    ),
    "C, a body without braces": (
        "home.c",
        "int f(«int a, >»int b)\n{\n‹  if (b)\n    g(a);\n>›  return b;\n}\n",
    ),
    "C, a branch without braces": (
        "home.c",
        "int f(«int a, >»int b)\n{\n  if (b)\n    g();\n  else\n    g(a);\n  return b;\n}\n",
    ),
    "C, all that stands behind a label": (
        "home.c",
        "int f(«int a, >»int b)\n{\n  goto out;\nout:\n  g(a);\n}\n",
    ),
    "C, no parameter": ("home.c", "«typedef int B;\n>»int f(\n  int c,\n  B b\n)\n{\n  return c;\n}\n"),
    "Go, one of a group": (
        "home.go",
        "package a\n\nfunc f(a int) {\n«\tb := a + 1\n>»\tvar (\n\t\tx = b\n\t\ty = 2\n\t)\n\tg(a)\n}\n",
    ),
    "Rust, no block": (
        "home.rs",
        "fn f(«a: i32, >»b: i32) {\n    for x in b {\n        h();\n        const Y: i32 = a;\n        h();\n    }\n"
        "    h();\n}\n",
    ),
    "Rust, what all names of a module may bring": (
        "home.rs",
        "«use a::b;\n>»use a::*;\nfn f(a: i32) {\n    b();\n    g(a);\n}\n",
    ),
    "Java, a body without braces": (
        "Home.java",
        "class A {\n  void f(int a«, int b>») {\n‹    for (int i : c)\n      g(b);\n>›    g(a);\n  }\n}\n",
    ),
    "C#, a body without braces": (
        "home.cs",
        "class A {\n  void F(int a«, int b>») {\n    foreach (var i in c)\n      G(b);\n    G(a);\n  }\n}\n",
    ),
    "TypeScript, a body without braces": (
        "home.ts",
        "function f(a«, b>») {\n‹  while (a)\n    g(b);\n>›  return a;\n}\n",
    ),
    "C#, what is switched on": (
        "home.cs",
        "class A {\n  int f(int a) {\n"
        "«    int b = a + 1;\n>»    g(a); int c = b switch { 1 => 2, _ => 3 };\n    return c;\n  }\n}\n",
    ),
    "TypeScript": ("home.ts", "«import { b } from 'a';\n>»const c = 1;\n‹b(c);\n>›g(c‹, b>›);\n"),
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_uses_of_a_removed_declaration_go(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked})


@pytest.mark.parametrize(("name", "marked"), OTHERS.values(), ids=OTHERS.keys())
def test_in_other_languages(name: str, marked: str) -> None:
    assert_follows({f"file:///w/{name}": marked})


def _changed(before: bytes, edit: ByteEdit, *, idle: bool) -> Document:
    """A document right after an edit that the history has not settled."""
    buffer = Buffer(before)
    history, after = History(buffer, lambda: 0.0), buffer.apply(edit)
    history.push(edit, buffer)
    view, syntax = history.view(), played(before.decode()).syntax.advance(after, [edit])
    assert view.pending is not None
    return replace(played("", idle=idle), history=view, syntax=syntax)


@pytest.mark.parametrize("idle", [False, True])
def test_nothing_goes_while_the_user_still_types(idle: bool) -> None:
    document = _changed(b"import re\n\na = 1\nb = re.I\n", ByteEdit(0, 10, b""), idle=idle)
    found = outcome(document).candidates
    data = document.syntax.buffer.data
    assert [one.edit.old_bytes(data) for one in found] == ([b"b = re.I\n"] if idle else [])


def test_what_was_moved_to_another_open_file_stays() -> None:
    assert_follows({"file:///w/a.go": "package a\n\n«func b() {}\n>»\nfunc f() {\n\tc := 1\n\tb()\n\tg(c)\n}\n",
                    "file:///w/b.go": "package a\n\n«>func b() {}\n»"})  # fmt: skip
