"""Names that an edit keeps although its text alone might tell another story."""

from __future__ import annotations

import pytest
from editahead.verification.proposal import SafetyRule

from tests.verification.proposed import verdict


def test_a_name_of_another_file_stays_in_a_line_that_is_rewritten() -> None:
    marked = "void f() {\n  int VEC = 1;\n}\n«typedef VEC T>using T = VEC»;\n‹typedef VEC S>using S = VEC›;\n"
    assert verdict(marked, "file:///w/a.cpp") is None


@pytest.mark.parametrize("body", ["if (a) {\n    const n = 2;\n  }", "const f = (n) => n;"])
def test_a_parameter_may_have_the_name_of_an_inner_variable(body: str) -> None:
    marked = f"function f(a«>, n») {{\n  return a;\n}}\nfunction g(a‹>, n›) {{\n  {body}\n  return a;\n}}\n"
    assert verdict(marked, "file:///w/a.js") is None


def test_a_call_becomes_one_of_an_object_as_elsewhere() -> None:
    marked = "class A {\n  R f(B b) { return «>b.»read(1); }\n  R g(B b) { return ‹>b.›read(2); }\n  R read() {}\n}\n"
    assert verdict(marked, "file:///w/A.java") is None
    other = marked.replace("‹>b.›", "‹>c.›")
    violation = verdict(other.replace("g(B b)", "g(B c)"), "file:///w/A.java")
    assert violation is not None
    assert violation.rule is SafetyRule.BINDING


def test_a_deletion_between_two_names_that_are_alike_keeps_either() -> None:
    declared = "function f(a) {\n  const b = {},\n    n = a.%sn;\n  return b[n];\n}\n"
    marked = declared % "«n,\n    k = !!>»" + declared.replace("f(", "g(") % "‹n,\n    k = !!>›"
    assert verdict(marked, "file:///w/a.js") is None


def test_an_include_is_deleted_like_another_in_broken_syntax() -> None:
    marked = '«#include "a.h"\n>»int a;\n\nnamespace b {\n‹#include "a.h"\n>›M(c\n}\n'
    assert verdict(marked, "file:///w/a.cpp") is None
    violation = verdict(marked.replace('#include "a.h"', "int x = f();"), "file:///w/a.cpp")
    assert violation is not None
    assert violation.rule is SafetyRule.DELETION


CLASSES = "class A:\n    def close(self): ...\n    def shut(self): ...\nclass B%s:\n    def close(self): ...\n"


@pytest.mark.parametrize(
    ("base", "uses", "is_refused"),
    [
        ("", "def f(a: A, b: B, c):\n    c.«close>shut»()\n    b.‹close>shut›()\n", True),
        ("", "def f(a: A, b: B, c):\n    c.«close>shut»()\n    a.‹close>shut›()\n", False),
        ("", "def f(a: A, b: B, c):\n    b.«close>shut»()\n    b.‹close>shut›()\n", False),  # it is declared next
        ("(Base)", "def f(a: A, b: B, c):\n    c.«close>shut»()\n    b.‹close>shut›()\n", False),
    ],
)
def test_no_member_is_written_that_the_class_of_the_object_lacks(base: str, uses: str, is_refused: bool) -> None:
    violation = verdict(CLASSES % base + uses)
    assert (violation is not None) == is_refused
