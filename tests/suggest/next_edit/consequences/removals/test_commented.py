"""What follows from commented-out code that was deleted: the rest of it."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "lines of code": "a = 1\n«# a = sum(b)\n>»b = 2\n‹# print(b)\n>›# The sum of all.\nc = 3\n",
    "a piece with prose behind it": "«# a = 1\n>»b = 2\n‹# if b:\n#     return c\n>›# This is why.\nc = 3\n",
    "nothing for prose": "«# The sum of all.\n>»b = 2\n# print(b)\n",
    "nothing for deleted code": "«a = 1\n>»b = 2\n# print(b)\n",
    "nothing for what says how": "«# a = 1\n>»b = 2\n# noqa: E501\n# type: ignore\n#: b = 1\n#!x = 1\n",
    "nothing for other directives": (
        "«# a = 1\n>»b = 2\n# pylint: disable=missing-docstring\n# mypy: ignore = 3\n# vim: set ts=4\n# vim: ts=4\n"
        "# fmt: off\n# -*- coding: utf-8 -*-\n"
    ),
    "nothing in a text": "«# a = 1\n>»T = '''\n# host = 1\nport = 3\n'''\n",
    "nothing for a line of a text": "T = '''\n«# host = 1\n>»port = 3\n'''\n# a = 1\n",
    "no comments of other languages": "«# a = 1\n>»b = 2\nT = c \\\n// d(3)\n",
}
OTHERS = {
    "home.ts": {
        "code": "«// a(1);\n>»b();\n‹// if (c) {\n//   d(2);\n// }\n>›// The rest.\ne();\n",
        "nothing in a template": "«// a(1);\n>»const s = `\n# x = 1\n// k(2);\n`;\n",
        "nothing in a longer comment": "«// a(1);\n>»/*\n// k(2);\n*/\n",
        "no private fields": "class A {\n«  // this.x = 1;\n>»  #count = 0;\n  #items = [];\n}\n",
        "no prose": (
            "«// a(1);\n>»b();\n// return early when the list is empty\nc();\n// new users get the default\nd();\n"
            "// from the docs of the service\ne();\n// 1 = on, 2 = off\nf();\n"
        ),
        "no directives": (
            "«// a(1);\n>»b();\n// @flow\n// eslint-disable-next-line no-alert\nc();\n// @ts-ignore\nd();\n"
            "// eslint no-alert = 0\n"
        ),
    },
    "Home.java": {
        "code": "class A {\n«  // f(x);\n>»  int a;\n‹  // return g();\n>›  // The number of rows.\n  int b;\n}\n",
        "nothing in a text": 'class A {\n«  // h();\n>»  String s = """\n      // k(2);\n      # q\n      """;\n}\n',
        "no prose": (
            "class A {\n«  // h(1);\n>»  // @formatter:off\n  int a;\n  //noinspection unchecked\n  int b;\n"
            "  // @Override\n  int c;\n  // return the cached value;\n  int d;\n  // 1 = on, 2 = off\n}\n"
        ),
    },
    "home.go": {
        "code": "package a\n\nfunc g() {\n«\t// h(1)\n>»\tk()\n‹\t// x := f(2)\n>›\tl()\n}\n",
        "no directives": (
            "package a\n\n// +build linux\n\n//go:generate mockgen -source=x.go\n//go:build linux\n//export Foo\n"
            "func g() {\n«\t// h(1)\n>»\tk()\n\t//nolint:errcheck\n\tl()\n\t//lint:ignore U1000 foo\n"
            "\t//sys open() = libc.open\n}\n"
        ),
    },
    "home.rs": {
        "no attributes": (
            'fn g() {\n«    // let x = 1;\n>»    h();\n‹    // k(2);\n>›}\n\n#[path = "foo.rs"]\nmod foo;\n\n'
            '#[must_use = "reason"]\nfn f() -> i32 { 1 }\n'
        ),
    },
    "home.cpp": {
        "no preprocessor": (
            "void g() {\n«  // h(1);\n>»  k();\n  // NOLINTNEXTLINE(bugprone-foo)\n  l();\n‹  // m(2);\n>›}\n"
            '#import "foo.h"\n'
        ),
    },
    "home.cs": {
        "code": "class A {\n  void F() {\n«    // f(x);\n>»    G();\n‹    // h(2);\n>›  }\n}\n",
    },
}
ROWS = [(path, name) for path, texts in OTHERS.items() for name in texts]


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_commented_out_code_goes(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "commented")


@pytest.mark.parametrize(("path", "name"), ROWS)
def test_in_other_languages(path: str, name: str) -> None:
    assert_follows({f"file:///w/{path}": OTHERS[path][name]}, "commented")
