"""What follows from an edit of C#: renames and parameters."""

from __future__ import annotations

import pytest

from .marked_renames import after, assert_follows, followed, outcome, played

HOME, BESIDE = "file:///w/src/Shop.cs", "file:///w/src/Cart.cs"

RENAMES = {
    "a parameter": (
        "namespace N {\n  class A {\n    int m(int «size>width», int x) {\n      Log(box.size, ‹size>width›);\n"
        "      return ‹size>width› * x;\n    }\n    int n(A a, int size) { return m(‹size>width›: 1, x: 2) + size; }\n"
        "  }\n}\n"
    ),
    "a field": "class A {\n  int «x>count»;\n  A(int x) { this.‹x>count› = x; }\n  int Get() => ‹x>count› + o.x;\n}\n",
    "a property": (
        "class A {\n  public int «P>Q» { get; set; }\n}\nclass B {\n"
        "  A m(A a) { a.‹P>Q›++; return new A { ‹P>Q› = 1 }; }\n  int P;\n}\n"
    ),
    "a parameter that names a member of an anonymous object": (
        "class A {\n  object m(int «count>total») => new { ‹count>count = total›, x = ‹count>total›, count = 1 };\n}\n"
    ),
    "a field called like what an accessor is given": (
        "class A {\n  int «value>count»;\n  int P {\n    get => ‹value>count›;\n"
        "    set { this.‹value>count› = value; }\n  }\n}\n"
    ),
    "a field whose new name is that of what an accessor is given": (
        "class A {\n  int «count>value»;\n  int P {\n    get => count;\n    set { count = value; }\n  }\n}\n"
    ),
    "a field whose new name is seen without an accessor": (
        "class A {\n  int «count>value»;\n  int P {\n    get => ‹count>value›;\n"
        "    set { this.‹count>value› = value; }\n  }\n}\n"
    ),
    "a method": "class A {\n  int «m>n»() { return ‹m>n›() + this.‹m>n›(); }\n  int k(B b) { return b.m(); }\n}\n",
    "a class": "class «A>B» {\n  ‹A>B›() { }\n  ‹A>B› Make() => new ‹A>B›();\n  int n(C A) => A.x;\n}\n",
    "a class of attributes": (
        "class «LogAttribute>TraceAttribute» : Attribute { }\n"
        "[‹Log>Trace›(1), Other(Log)]\nclass A { Log Log() => Log; }\n"
        "[‹LogAttribute>TraceAttribute›, ‹Log>Trace›]\nclass B { }\n"
    ),
    "a class of attributes that is called like the suffix": (
        "class «LogAttribute>Attribute» { }\n[‹LogAttribute>Attribute›]\nclass A { }\n[‹Log>Attribute›]\nclass B { }\n"
    ),
    "an enum beside a property of its name": (
        "enum «Kind>Sort» { A }\nclass C {\n  ‹Kind>Sort› Kind { get; set; }\n  ‹Kind>Sort› n() { return Kind; }\n}\n"
    ),
    "a field of a partial class": (
        "partial class A {\n  int «x>y»;\n}\n"
        "partial class A {\n  int m(int x) => x + this.‹x>y›;\n  int n() => ‹x>y›;\n}\n"
    ),
    "a partial class": "partial class «A>B» {\n  int x;\n}\npartial class ‹A>B› {\n  ‹A>B›() { }\n}\n",
    "a positional parameter of a record": (
        "public record Point(int «X>Left», int Y);\nclass A {\n  Point m() => new Point(‹X>Left›: 1, Y: 2);\n"
        "  Point n(Point p) {\n    Point q = new(‹X>Left›: 1, Y: 2);\n"
        "    return q with { ‹X>Left› = p.‹X>Left›, Y = 3 };\n"
        "  }\n  Q o(int X) => new Q(X: X);\n}\n"
    ),
    "a member that patterns name": (
        "record Point(int «X>Left», int Y);\nclass A {\n"
        "  bool m(Point p, object o) => p is { ‹X>Left›: 1 } && o is Point"
        " { ‹X>Left›: 1 };\n  int n(object o) => o switch { Point { ‹X>Left›: 1, Y: 2 } => 1,"
        " { X: 1 } => 2, _ => 3 };\n}\n"
    ),
    "a copy of a partial class": (
        "partial class A {\n  int x;\n}\npartial class «A>B» {\n  int x;\n}\nclass C {\n  A a;\n}\n"
    ),
}
FOLLOWS = {
    "a parameter added": (
        "class A {\n  void m(int a«>, int b») { }\n  void n(int b) { m(1‹>, b›); this.m(2‹>, b›); }\n}\n"
    ),
    "a parameter of a generic method added": (
        "class A {\n  void m<T>(T a«>, int b») { }\n  void n(int b) { m<int>(1‹>, b›); this.m<int>(2‹>, b›); }\n}\n"
    ),
    "a parameter with a value added": "class A {\n  void m(int a«>, int b = 1») { }\n  void n(int b) { m(1); }\n}\n",
    "a parameter added behind one that is named": (
        "class A {\n  void m(int a, int c«>, int b») { }\n  void n(int b) { m(c: 1, a: 2‹>, b: b›); }\n}\n"
    ),
    "a parameter removed": (
        "class A {\n  void m(int a«, int b>») { }\n  void n() { m(1‹, 2>›); m(1‹, b: 2>›); o.m(1, 2); }\n}\n"
    ),
    "of overloads nobody knows": "class A {\n  void m(int a«, int b>») { }\n  void m() { m(1, 2); }\n}\n",
}


@pytest.mark.parametrize("marked", RENAMES.values(), ids=RENAMES)
def test_uses_follow(marked: str) -> None:
    assert_follows({HOME: marked})


@pytest.mark.parametrize("marked", FOLLOWS.values(), ids=FOLLOWS)
def test_changed_parameters_follow(marked: str) -> None:
    assert followed(played(marked, HOME)) == after(marked)


def test_a_class_is_renamed_in_a_file_beside() -> None:
    other = "class C {\n  ‹A>B› a = new ‹A>B›();\n  int m() => o.A;\n}\n"
    assert_follows({HOME: "public class «A>B» { }\n", BESIDE: other})


def test_a_taken_name_is_refused() -> None:
    found = outcome(played("class A {\n  int m(int «a>b») {\n    int b = 1;\n    return a + b;\n  }\n}\n", HOME))
    assert not found.candidates
