"""Java's rules of names: every occurrence of one binding is marked, and nothing else is a reference."""

from __future__ import annotations

import pytest

from .marked import assert_marked


def _in_class(body: str) -> str:
    return f"class A {{\n{body}\n}}\n"


CASES = {
    "local": _in_class("  int x; void m() { int «x» = 1; «x»++; this.x = «x»; }\n  int n() { return x; }"),
    "a local is meant from its declaration on": _in_class("  int «x»;\n  void m() { «x»++; int x = 1; x++; }"),
    "parameter and field": _in_class("  int x;\n  A(int «x») { this.x = «x»; }\n  int get() { return x; }"),
    "field": _in_class("  int «x»;\n  A(int x) { this.«x» = x; }\n  int get() { return «x»; }"),
    "method": _in_class("  int «m»() { return this.«m»() + «m»() + o.m(); }\n  int m;"),
    "method by reference": _in_class("  void «m»() { run(this::«m»); run(o::m); }"),
    "class and constructor": "class «A» {\n  «A»() {}\n  static «A» make() { return new «A»(); }\n  B<«A»> all;\n}\n",
    "type parameter of a class whose base has one": (
        "class A<T> {\n  T x;\n}\nclass B<«T»> extends A<«T»> {\n  «T» y;\n}\nclass C extends A<T> {\n  T t;\n}\n"
    ),
    "type parameter": "class A<«T»> {\n  «T» x;\n  <T> T m(T t) { return t; }\n}\n",
    "nested class": _in_class("  class «B» {}\n  «B» b = new «B»();\n  A.«B» c;"),
    "inner class sees the outer field": _in_class("  int «x»;\n  class B { int m() { return «x» + A.this.«x»; } }"),
    "a field of an anonymous class": _in_class(
        "  int x;\n  Object o = new Object() { int «x»; int m() { return «x»; } };"
    ),
    "lambda": _in_class("  int x;\n  F f = «x» -> «x» + 1;\n  F g = (x, y) -> x + y;"),
    "for": _in_class("  void m() { for (int «i» = 0; «i» < 9; «i»++) {} for (int i = 0; ; ) {} }"),
    "for each": _in_class("  void m() { for (var «s» : all) { «s».run(); } s(); }"),
    "try with resources": _in_class("  void m() { try (var «r» = open()) { «r».read(); } catch (E r) { r.log(); } }"),
    "catch": _in_class("  void m() { try { } catch (E «e») { throw «e»; } try { } catch (E e) { throw e; } }"),
    "pattern variables one after the other": _in_class(
        "  void m() { if (a instanceof B «b») «b».x(); if (a instanceof C b) b.y(); }"
    ),
    "pattern variable after a guard": _in_class("  void m() { if (!(a instanceof B «b»)) return; «b».x(); }"),
    "switch on a pattern": _in_class(
        "  int m(Object o) { return switch (o) { case B «b» -> «b».n(); case C b -> b.n(); }; }"
    ),
    "record component": "record A(int «x») {\n  int twice() { return «x» + this.«x»; }\n}\n",
    "enum constant": "enum A { «RED», BLUE;\n  static A a() { return «RED»; }\n  A b() { return A.«RED»; }\n}\n",
    "import": "import a.b.«C»;\nclass A { «C» c = «C».make(); }\n",
    "static import": "import static a.B.«of»;\nclass A { Object o = «of»(1); }\n",
    "field of a declared variable": "class A { int «x»; }\nclass B { int m(A a, C c) { return a.«x» + c.x; } }\n",
    "inherited field": "class A { int «x»; }\nclass B extends A { int m() { return «x» + super.«x»; } }\n",
    "a private method is not overridden": (
        "class A { private int «m»() { return 1; } int n() { return «m»(); } }\n"
        "class B extends A implements I { public int m() { return 2; } int o() { return m(); } }\n"
    ),
    "a method beside a private one of its base": (
        "class A { private int m() { return 1; } int n() { return m(); } }\n"
        "class B extends A { public int «m»() { return 2; } int o() { return «m»() + new B().«m»(); } }\n"
        "class C extends B { public int «m»() { return 3; } }\n"
    ),
    "a field hides that of a base": (
        "class A { int «x»; }\nclass B extends A { String x; int m() { return x + super.«x» + this.x; } }\n"
    ),
    "a static method hides that of a base": (
        "class A { static A «of»() { return «of»(); } }\nclass B extends A { static B of() { return of(); } }\n"
        "class C extends A { A a = «of»(); A b = B.of(); A c = C.«of»(); }\n"
    ),
    "static methods with other parameters are overloads": (
        "class A { static A «of»() { return «of»(); } }\n"
        "class B extends A { static B «of»(int x) { return B.«of»(); } }\n"
    ),
    "an overridden method": (
        "class A { protected int «m»() { return 1; } }\n"
        "class B extends A { public int «m»() { return super.«m»(); } }\n"
    ),
    "labels of a switch over an enum": (
        "enum E { «X», Y; int m() { switch (this) { case «X»: return 1; default: return E.«X».m(); } } }\n"
        "class A { E e; int X;\n  int n(E e) { switch (e) { case Y: return 0; case «X»: return X; } return o.X; }\n"
        "  int p() { return switch (this.e) { case Y, «X» -> X; default -> 2; }; }\n"
        "  int q(F f) { return switch (f) { case X -> 1; default -> 2; }; }\n}\n"
    ),
    "a constant as the label of a switch": (
        "enum E { X }\nclass A {\n  static final int «X» = 1;\n"
        "  int m(int i) { switch (i) { case «X»: return E.X.m(); } }\n}\n"
    ),
    "labels are no names": _in_class("  void m() { int «x» = 0; x: while (true) { break x; } }"),
    "annotation": "@interface «An» {}\n@«An»\nclass A { @«An» int x; }\n",
}


FLOWS = {
    "in what is tested besides": "boolean m() { return o instanceof A «s» && «s».x() && y(«s») || s == null; }",
    "a field beside it": (
        "A «s»; boolean m() { return o instanceof A s && s.x() || «s» == null || !(o instanceof A s) && «s».x(); }"
    ),
    "where a test came out false": "boolean m() { return !(o instanceof A «s») || «s».x() || y(() -> «s»); }",
    "in brackets and a row": "boolean m() { return (x && (o instanceof A «s»)) && «s».x() ? «s».y() : s.z(); }",
    "nowhere behind one of two": "boolean m() { return (o instanceof A «s» || x) && s.x() || s.y(); }",
    "between question mark and colon": "A m() { return o instanceof A «s» ? «s» : this.s; } A n() { return s; }",
    "behind the colon": "A m() { return !(o instanceof A «s») ? s : «s»; }",
    "in a lambda": "F f = o -> o instanceof A «s» && «s».x() || s == null; F g = o -> o instanceof A s ? s.x() : s;",
    "two in a lambda": "F f = o -> o instanceof A s && s.x() || o instanceof B «s» && «s».x() || s == null;",
    "in the block of an if": "void m() { if (o instanceof A «s») { «s».x(); } else { s.x(); } s.x(); }",
    "in the block of an else": "void m() { if (!(o instanceof A «s»)) { s.x(); } else { «s».x(); } s.x(); }",
    "the field beside an if": (
        "A «s»; void m() { if (o instanceof A s) { s.x(); this.«s».x(); } else { «s».x(); } «s».x(); }"
    ),
    "behind an if that leaves": "void m() { if (!(o instanceof A «s») || !«s».x()) { y(s); return; } «s».x(); }",
    "behind an if that leaves in two branches": (
        "void m() { if (!(o instanceof A «s»)) { if (x) return; else { y(s); throw z; } } «s».x(); if («s».x()) { } }"
    ),
    "behind an else that leaves": "void m() { if (o instanceof A «s») { «s».x(); } else { return; } «s».y(); }",
    "behind an if that may leave": (
        "void m() { if (!(o instanceof A «s»)) { try { return x(); } finally { } } «s».y(); }"
    ),
    "behind an if in a block": "void m() { if (x) { if (!(o instanceof A «s»)) return; «s».x(); } s.x(); }",
    "behind one of several": "void m() { if (x) y(); else if (!(o instanceof A «s»)) return; s.x(); }",
    "in a case": "void m() { switch (x) { case 1: if (!(o instanceof A «s»)) break; «s».x(); default: } s.x(); }",
    "in the condition of a case": "int m() { return switch (x) { case B b when b.o instanceof A «s» -> «s».x(); }; }",
    "in a loop": (
        "void m() { while (o instanceof A «s») { «s».x(); } for (; o instanceof A s; s.y()) { s.x(); } s.x(); }"
    ),
    "in all parts of a loop": "void m() { for (int s2 = s.x(); o instanceof A «s»; «s».y()) { «s».x(); } s.x(); }",
    "behind a loop": "void m() { do { s.x(); } while (!(o instanceof A «s») && x); s.x(); }",
    "behind a loop that looks for it": "void m() { while (!(o instanceof A «s»)) { s.x(); o = y(); } «s».x(); }",
    "behind a loop that ends with it": "void m() { do { o = y(s); } while (!(o instanceof A «s»)); «s».x(); }",
    "in code with an error": "void m() { if (o instanceof A «s» && «s».) { «s».x(); } «s».y(); }",
    "taken apart": "void m() { if (o instanceof P(A «s», Q(B t)) && «s».x(t)) { «s».y(); } else { s.x(); } }",
    "given to something": "void m() { x(o instanceof A «s» && «s».x(), s); boolean b = o instanceof A s; s.x(); }",
}


@pytest.mark.parametrize("marked", FLOWS.values(), ids=FLOWS)
def test_references_of_what_a_test_binds(marked: str) -> None:
    assert_marked(_in_class(marked if marked.startswith("A «s»") else f"A s; {marked}"), "java")


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES)
def test_references(marked: str) -> None:
    assert_marked(marked, "java")
