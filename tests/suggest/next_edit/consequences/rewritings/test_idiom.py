"""What follows from an expression that was written anew: others of its kind, with their own operands."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "== None": "a «==>is» None\n‹b.c == None>b.c is None›\nd == 3\n",
    "!= None": "a «!=>is not» None\n‹b(c) != None>b(c) is not None›\n",
    "type() that becomes isinstance": "«type(a) == str>isinstance(a, str)»\n‹type(b.c) == int>isinstance(b.c, int)›\n",
    "len() == 0": "x = «len(a) == 0>not a»\ny = ‹len(b) == 0>not b›\nz = len(c or d) == 0\n",
    "swapped sides": "«None == a>a == None»\n‹None == b>b == None›\n",
    "no other operator": "a «+>-» 3\nb + 3\n",
    "no comparison of any operands": "a «==>!=» b\nc == d\n",
    "no other name": "f(«a>b»)\nf(c)\ng(a)\n",
    "no word for any operands": "a «is>==» b\nc is None\nd is not None\ne is True\n‹f is g>f == g›\n",
    "no negated word for any operands": "a «is not>!=» b\nc is not None\n‹d is not e>d != e›\n",
    "no class that is asked for": (
        "«type(a) == str>isinstance(a, str)»\ntype(b) == type(c)\n‹type(d) == int>isinstance(d, int)›\n"
    ),
    "a line break of the example": (
        "assert (f(a)\n        «==>is» None)\n‹f(b) == None>f(b) is None›\nassert ‹g(b) == None>g(b) is None›\n"
    ),
    "nothing inside of another one": "x = «len(a) == 0>not a»\ny = len(f(len(b) == 0)) == 0\nz = ‹len(c) == 0>not c›\n",
    "nothing that stands in an annotation": "def f(a: «Optional[A]>A | None», b: Optional[B]): pass\n",
}
REWRITTEN = {
    "an index that becomes get": 'x = d«["a"]>.get("a")»\ny = ‹d["b"]>d.get("b")›\nd["c"] = 1\ndel d["d"]\ne["f"]\n',
    "swapped arguments": "eq(«1, f(x)>f(x), 1»)\n‹eq(2, f(a or b))>eq(f(a or b), 2)›\neq(f(z), 1)\ng(1, f(x))\n",
    "no special function for other operands": "«a is None>missing(a, 1)»\nb is None\n",
    "the same operand": "«a.flags is None>missing(a.flags, 1)»\nx = ‹a.flags is None>missing(a.flags, 1)›\n",
}
C_SHARP = {
    "no name that cannot be used there": (
        "class A {\n  void F() {\n    var «old>fresh» = 1;\n    Check(x, Does.Contain(«old>fresh»));\n  }\n"
        "  void G() {\n    var old = 2;\n    Check(y, Does.Contain(old));\n  }\n}\n"
    ),
    "a name of the class": (
        "class A {\n  int fresh;\n  void F() {\n    Check(x, Does.Contain(«old>fresh»));\n  }\n"
        "  void G() {\n    Check(y, ‹Does.Contain(old)>Does.Contain(fresh)›);\n  }\n}\n"
    ),
}
OTHERS = {
    "Java's equals": (
        "Home.java",
        'class A {\n  void f() {\n    if («a == "x">"x".equals(a)») {}\n    if (‹b == "y">"y".equals(b)›) {}\n'
        "    if (a == b) {}\n  }\n}\n",
    ),
    "Java's sides": (
        "Home.java",
        "class A {\n  void f() {\n    if («null == a>a == null») {}\n    if (‹null == b.c>b.c == null›) {}\n  }\n}\n",
    ),
    "no method that another type may lack": (
        "Home.java",
        "class A {\n  void f() {\n    if («a.length() == 0>a.isEmpty()») {}\n    if (b.length() == 0) {}\n  }\n}\n",
    ),
    "no text in another one": (
        "Home.java",
        'class A {\n  void f() {\n    if («a == "x">"x".equals(a)») {}\n    if (b.get(c == "y") == "z") {}\n'
        '    if (‹d == "y">"y".equals(d)›) {}\n  }\n}\n',
    ),
    "no comparison in another one": (
        "home.ts",
        "if (a «==>===» b) {}\nif (same(c == d) == e) {}\nif (‹i == j>i === j›) {}\n",
    ),
    "=== with null": (
        "home.ts",
        "if (a «==>===» b) {}\nif (c == null) {}\nif (d == undefined) {}\nif (‹e == 'f'>e === 'f'›) {}\n",
    ),
    "texts that would mean something else between other signs": (
        "home.ts",
        "f(«'hi ' + a>`hi ${a}`»);\nf(‹'ho ' + b>`ho ${b}`›);\nf('$ `cmd` ' + b);\nf('use ${name} ' + b);\n",
    ),
    "=== with null where the example has it": ("home.ts", "if (a «==>===» null) {}\nif (‹c == null>c === null›) {}\n"),
    "=== in TypeScript": ("home.ts", "if (a «==>===» 1) f();\nif (‹b == c.d>b === c.d›) f();\n"),
}


@pytest.mark.parametrize("marked", C_SHARP.values(), ids=C_SHARP.keys())
def test_names_that_an_expression_brings_can_be_used_where_it_goes(marked: str) -> None:
    assert_follows({"file:///w/Home.cs": marked}, "rewritten")


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_expressions(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "idiom")


@pytest.mark.parametrize("marked", REWRITTEN.values(), ids=REWRITTEN.keys())
def test_expressions_of_this_code(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "rewritten")


@pytest.mark.parametrize(("name", "marked"), OTHERS.values(), ids=OTHERS.keys())
def test_in_other_languages(name: str, marked: str) -> None:
    assert_follows({f"file:///w/{name}": marked}, "idiom")


def test_two_examples_count() -> None:
    made = assert_follows({"file:///w/home.py": "a «==>is» None\nb «==>is» None\n‹c == None>c is None›\n"}, "idiom")
    assert [(one.examples, one.kind) for one in made.candidates if one.source == "idiom"] == [
        (2, "operator/other/again")
    ]


def test_in_another_open_file() -> None:
    assert_follows({"file:///w/a.py": "a «==>is» None\n", "file:///w/b.py": "‹b == None>b is None›\n"}, "idiom")
