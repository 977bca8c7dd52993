"""The rules of names of C#: every occurrence of one binding is marked, and nothing else is."""

from __future__ import annotations

import pytest

from .marked import assert_marked, resolver


def _in_class(body: str) -> str:
    return f"namespace N.M\n{{\n    class A\n    {{\n{body}\n    }}\n}}\n"


CASES = {
    "local": _in_class("int x; void m() { int «x» = 1; «x»++; this.x = «x»; }\nint n() { return x; }"),
    "parameter and field": _in_class("int x;\nA(int «x») { this.x = «x»; }\nint Get() { return x; }"),
    "field": _in_class("int «x» = 1, y;\nA(int x) { this.«x» = x; }\nint Get() => «x» + o.x;"),
    "property": _in_class("int «P» { get; set; } = 3;\nint m() { return «P» + this.«P» + o.P; }"),
    "accessors": _in_class("int «x»;\nint P { get { return «x»; } set { «x» = value; int x = 1; x++; } }"),
    "a field called like what an accessor is given": _in_class(
        "int «value»; List<int> all;\nint P { get { return «value»; } set { this.«value» = value; value.Run(); } }\n"
        "int Q { get => «value»; private init => Set(value); }\n"
        "int this[int i] { get => «value»; set { a[i] = value; } }\n"
        "event D E { add { h += value + this.«value»; } remove { h -= value; } }\nint m() => «value» + this.«value»;\n"
        "int R { set { all.ForEach(x => Use(value, x)); } }\nint S => «value»;\nint T { get; set; } = «value»;"
    ),
    "a parameter inside of an accessor": _in_class(
        "int value;\nint P { set { all.ForEach(«value» => Use(«value»)); Use(value); } }"
    ),
    "event": _in_class("event D «E»;\nvoid m() { «E» += n; «E»(1); o.E += n; }"),
    "method": _in_class("int «m»() { return this.«m»() + «m»() + o.m(); }"),
    "generic method": _in_class("T «m»<T>(T t) { return this.«m»<T>(«m»<int>(t)); }\nvoid n() { o.m<int>(1); }"),
    "type parameter": _in_class("«T» m<«T»>(«T» t, List<«T»> all) where «T» : B { return (T2)t; }\nT x;"),
    "type parameter of a class": (
        "class A<«T»> : B<«T»> where «T» : class {\n  «T»[] x;\n  «T»? y;\n}\nclass C { T x; }\n"
    ),
    "type parameter of a class whose base has one": (
        "class A<T> { T x; }\nclass B<«T»> : A<«T»> { «T» y; «T» m() => x; }\nclass C : A<T> { T t; }\n"
    ),
    "type parameter of a base": "class A<«T»> { «T» x; }\nclass B<T> : A<T> { T y; }\nclass C : A<T> { T t; }\n",
    "member behind a question mark": (
        "class A { A «P»; A Q(int x) => this; }\nclass B {\n  void m(A a, C c) { a?.«P»?.«P».«P»(); c?.P();"
        " a?.Q(1)?.«P»(); n = 1 + 2 == a?.«P»; } }\n"
    ),
    "class and constructor": (
        "namespace N {\n  class «A» {\n    «A»() {}\n    ~«A»() {}\n    static «A» Make() { return new «A»(); }\n"
        "    B<«A»> all;\n    object o = typeof(«A»);\n  }\n}\n"
    ),
    "base class": (
        "interface «I» { }\nclass A : B, «I» { }\nclass C { bool m(object o) { return o is «I» || o as «I»; } }\n"
    ),
    "inherited field": "class A { protected int «x»; }\nclass B : A { int m() { return «x» + base.«x»; } }\n",
    "field of declared variables": (
        "class A { public int «x»; }\nclass B { int m(A a, C c, A? d) { var e = new A(); A f = new(); "
        "return a.«x» + c.x + d.«x» + e.«x» + f.«x»; } }\n"
    ),
    "a property that is called like its type": (
        "enum Color { Red }\nclass A {\n  Color «Color» { get; set; }\n"
        "  bool m() { return «Color» == Color.Red && this.«Color» == o.Color; }\n}\n"
    ),
    "a type with a property that is called like it": (
        "enum «Color» { Red }\n"
        "class A {\n  «Color» Color { get; set; }\n  «Color» n(List<«Color»> x) { return 0; }\n}\n"
    ),
    "enum constant": "enum A { «Red», Blue = «Red» }\nclass B { A m() { return A.«Red»; } int Red; }\n",
    "nested class": _in_class("class «B» { }\n«B» b = new «B»();\nA.«B» c;"),
    "object initializer": (
        "class A { public int «x»; public B b; }\n"
        "class C { int x; A m(int x) { return new A { «x» = x, b = { x = 1 } }; } }\n"
    ),
    "object initializer of an unsaid type": _in_class("int «x»;\nvoid m() { B b = new() { x = «x» }; }"),
    "anonymous object and with": _in_class("void m(int «x») { use(new { x = «x» }); use(r with { x = «x» }); }"),
    "named argument": _in_class("int m(int «d» = 1) { return «d»; }\nint n(int d) { return m(«d»: d) + o.m(d: 2); }"),
    "params": _in_class("int m(int a, params int[] «all») { return «all».Length; }"),
    "record": "record A(int «X», int Y) {\n  int Twice() => «X» + this.«X»;\n}\n",
    "primary constructor": "class A(int «x») : B(«x») {\n  int y = «x»;\n}\n",
    "lambda": _in_class("int x;\nF f = «x» => «x» + 1;\nF g = (x, y) => x + y;"),
    "lambda with brackets": _in_class("int x;\nF g = («x», y) => { return «x» + y; };\nF f = x => x + 1;"),
    "local function": _in_class("void m() { «f»(1); int «f»(int x) { return «f»(x); } }\nint f;"),
    "for": _in_class("void m() { for (int «i» = 0; «i» < 9; «i»++) {} for (int i = 0; ; ) {} }"),
    "foreach": _in_class("void m() { foreach (var «s» in all) { «s».Run(); } s(); }"),
    "foreach over pairs": _in_class("void m() { foreach (var («k», v) in all) { use(«k», v); } k(); }"),
    "deconstruction": _in_class("void m() { var («a», b) = t; (int c, var d) = t; use(«a», b, c, d); }"),
    "catch": _in_class("void m() { try { } catch (E «e») when («e».a) { use(«e»); } catch (E e) { use(e); } }"),
    "using": _in_class("void m() { using (var «r» = open()) { «r».Read(); } using var r = open(); r.Read(); }"),
    "out variable": _in_class("void m() { if (!d.TryGet(k, out var «v»)) return; use(«v»); }\nint v;"),
    "pattern variable": _in_class("void m() { if (o is B «b» && «b».x) { «b».y(); } }\nint b;"),
    "switch": _in_class("void m() { switch (o) { case B «b» when «b».x: use(«b»); break; case C b: use(b); break; } }"),
    "switch expression": _in_class("int m() => o switch { B «b» => «b».x, C b => b.y, _ => 0 };"),
    "query": _in_class("void m() { var q = from «it» in all where «it».x let y = «it» select «it».z + y; it(); }"),
    "text with code": _in_class('void m(int «x») { use($"x {«x»:x} {y}"); }'),
    "alias": "using «F» = System.Func<int>;\nclass A { «F» f; }\n",
    "a private method is not overridden": (
        "class A { private int «M»() => 1; int N() => «M»(); }\n"
        "class B : A, I { public int M() => 2; int O() => M(); }\n"
    ),
    "a member is private where nothing else is said": (
        "class A { int «P» => 1; int N() => «P»; }\nclass B : A { public int P => 2; int O() => P; }\n"
    ),
    "a member of an interface is not": (
        "interface I { int «P» { get; } }\nclass B : I { public int «P» => 2; int I.«P» => «P»; }\n"
    ),
    "a field hides that of a base": (
        "class A { public int «x»; }\nclass B : A { public string x; int M() { return x + base.«x»; } }\n"
    ),
    "an overridden method": (
        "class A { protected virtual int «M»() => 1; }\nclass B : A { protected override int «M»() => base.«M»(); }\n"
    ),
    "labels are no names": _in_class("void m() { int «x» = 0; x: use(«x»); goto x; }"),
    "namespace of a file": "namespace x.y;\nclass A { int «x»; int m() { return «x»; } }\n",
    "attribute": 'class «Mark» : Attribute { }\n[«Mark»(Mark = "Mark")]\nclass A { [«Mark»] int x; }\n',
    "conditional code": "#if DEBUG\nclass «A» { }\n#else\nclass B { «A» a; }\n#endif\nclass C { «A» a; }\n",
}


PARTIAL = {
    "a field": (
        "partial class A { int «x»; }\npublic partial class A { int m() => «x» + this.«x»; }\n"
        "class B { int n(A a, C c) => a.«x» + c.x + new A { «x» = 1 }.«x»; }\n"
    ),
    "a field of the second one": "partial struct A { int m() => «x»; }\npartial struct A { int «x»; }\n",
    "a method": (
        "partial class A { void «M»() { } }\n"
        "partial class A { void N() { «M»(); this.«M»(); } void O(C c) => c.M(); }\n"
    ),
    "a base": (
        "class B { protected int «x»; }\npartial class A : B { }\npartial class A : I { int m() => «x» + base.«x»; }\n"
    ),
    "a positional parameter": "partial record A(int «X»);\npartial record A { int Twice => 2 * «X»; }\n",
    "a nested class": (
        "partial class A { partial class B { int «x»; } }\npartial class A { partial class B { int m() => «x»; } }\n"
        "partial class C { partial class B { int m() => x; } }\n"
    ),
    "a type parameter": "partial class A<«T»> { «T» x; }\npartial class A<«T»> { «T» y; }\nclass B { T t; }\n",
    "the class": "partial class «A» { }\npartial class «A» { «A»() { } }\n",
    "one namespace in two places": (
        "namespace N.M { partial class A { int «x»; } }\n"
        "namespace N { namespace M { partial class A { int m() => «x»; } } partial class A { int m() => x; } }\n"
    ),
    "another namespace": (
        "namespace N { partial class A { int «x»; } }\nnamespace M { partial class A { int m() => x + this.x; } }\n"
    ),
    "a generic class of the name": "partial class A { int «x»; }\npartial class A<T> { int m() => x; }\n",
    "a class that is not partial": "class A { int «x»; int n() => «x»; }\nclass A { int m() => x; }\n",
}


CREATIONS = {
    "a positional parameter": (
        "record P(int «X», int Y);\n"
        "class A { P m() => new P(«X»: 1, Y: 2); object n(int X) => new Q(X: X); object o = new P(1, Y: 2); }\n"
    ),
    "of the class that a place declares": (
        "record P(int «X»);\nclass A {\n  P a = new(«X»: 1), b = (new(«X»: 2)); P? c { get; } = new(«X»: 3);\n"
        "  P d => new(«X»: 4); P e() => new(«X»: 5); P f() { if (x) { return new(«X»: 6); } P g() => new(«X»: 7); }\n"
        "  void h(P i) { i = new(«X»: 8); this.a = new(«X»: 9); j = new(X: 1); }\n}\n"
    ),
    "of a class that no place declares": (
        "record P(int «X»);\nclass A {\n"
        "  P[] a = { new(X: 1) }; P[] b = new(X: 1); Q c = new(X: 1); var d = new(X: 1);\n"
        "  Func<P> e = () => new(X: 1); Task<P> f() { return new(X: 1); } P g = h(new(X: 1)) ?? new(X: 1);\n"
        "  P i() { Func<Q> j = () => { return new(X: 1); }; return new(«X»: 1); } A k = new A { a = new(X: 1) };\n}\n"
    ),
    "a parameter of the head of a class": (
        "class P(int «x») { int y = «x»; }\nclass A { P a = new P(«x»: 1), b = new(«x»: 2); }\n"
    ),
    "a parameter of a constructor": (
        "class P { public int x; public P(int «x») { this.x = «x»; } }\n"
        "class A { P a = new P(«x»: 1), b = new(«x»: 2) { x = 3 }; Q c = new Q(x: 1); }\n"
    ),
    "a property beside the parameter of its name": (
        "class P { public int «X»; public P(int X) { this.«X» = X; } }\n"
        "class A { P a = new P(X: 1) { «X» = 2 }, b = new(X: 1) { «X» = 3 }; P c => a with { «X» = 4 }; }\n"
    ),
    "a parameter of one of two constructors": (
        "class P { public P(int x) { } public P(int x, int «y») { }\n  P a = new P(x: 1), b = new P(x: 1, «y»: 2); }\n"
    ),
    "a parameter of both constructors": (
        "class P { public P(int «x») { } public P(int x, int y) { }\n  P a = new P(x: 1), b = new P(x: 1, y: 2); }\n"
    ),
    "a positional parameter beside a constructor": (
        "record P(int «X») { public P(int x, int y) : this(«X»: x) { } }\n"
        "class A { P a = new P(«X»: 1), b = new P(x: 1); }\n"
    ),
    "a parameter of the constructor of a base": (
        "class P { public P(int «x») { } }\nclass B : P { B(int x) : base(«x»: x) { } }\n"
        "class C : Q { C() : base(x: 1) { } }\n"
        "class D : P { } class E { D d = new D(x: 1); }\n"
    ),
    "a positional parameter of a base": (
        "record P(int «X»);\nrecord B(int Y) : P(«X»: Y) { int Z => «X»; }\n"
        "class A { int m(B b) => b.«X»; B n(B b) => b with { «X» = 1, Y = 2 }; bool o(B b) => b is { «X»: 1 }; }\n"
    ),
    "of a generic class": (
        "record P<T>(T «X»);\nclass A { P<int> a = new P<int>(«X»: 1), b = new(«X»: 2); List<P<int>> c = new(X: 3); }\n"
    ),
    "of a partial class": (
        "partial class P { public P(int «x») { } }\npartial class P { P a = new P(«x»: 1), b = new(«x»: 2); }\n"
    ),
    "a method with the name of a class": (
        "record P(int «X»);\nclass A { void P(int X) { } void m() { P(X: 1); } }\n"
        "class B { bool m(object o) => o is P(«X»: 1); }\n"
    ),
    "an initializer": (
        "class P { public int «X»; }\nclass A {\n"
        "  P a = new() { «X» = 1 }; P b => new(2) { «X» = 3 }; Q c = new() { X = 2 };\n"
        "  P d = new() { B = { X = 1 } }; P e = f(new() { X = 1 });\n}\n"
    ),
}
COPIES_AND_PATTERNS = {
    "a copy": (
        "record P(int «X», P B);\nclass A {\n  P m(P p, int X) => p with { «X» = X, B = p.B with { «X» = X } };\n"
        "  void n(P p, Q q) { q = q with { X = 1 }; var r = p with { «X» = 2 }; r.«X»++; use((r with"
        " { «X» = 3 }).«X»); }\n}\n"
    ),
    "the object itself": (
        "record P(int «X») {\n  P a() => this with { «X» = «X» + 1 }; int b => (this with { «X» = 2 }).«X»;\n"
        "  bool c => this is { «X»: 1 }; int d => this switch { { «X»: 1 } => 1 };\n"
        "  void e() { switch (this) { case { «X»: 1 }: break; } }\n}\n"
    ),
    "a pattern": (
        "record P(int «X», P B);\nclass A {\n  P a; int X;\n"
        "  bool m(P p, object o, Q q) => p is { «X»: 1 } || o is P { «X»: 1 }"
        " || q is { X: 1 } || o is { X: 1 }\n"
        "    || o is Q { X: 1 } || p is { B: { «X»: > 1 and < 3 } } || this.a is { «X»: 1 };\n}\n"
    ),
    "a path in a pattern": (
        "record P(int «X», P B, Q C);\nclass A {\n  P B; P X;\n"
        "  bool m(P p, Q q) => p is { B.B.«X»: 1 } || p is { B: { B.«X»: 1 } }"
        " || p is { C.X: 1 }\n    || q is { B.X: 1 } || this.B.«X» == X.«X»;\n}\n"
    ),
    "the beginning of a path": (
        "record P(int X, P «B»);\n"
        "class A { P B; bool m(P p, Q q) => p is { «B».«B».X: 1 } || p is { «B»: { «B».X: 1 } } || q is { B.X: 1 }"
        " || B.X; }\n"
    ),
    "a name before a dot that is no key": (
        "class A { int «B»; P C; bool m(P p) => p is { B.X: 1 } || p is { X: «B».Y } || C is { B: 1 } || «B».X; }\n"
    ),
    "several patterns": (
        "record P(int «X»);\nclass A { bool m(P p) => p is not null and { «X»: 1 } || p is { «X»: 1 } and { «X»: 2 }"
        " || p is Q and { X: 1 }\n    || p is ({ «X»: 1 } or { «X»: 2 }); }\n"
    ),
    "patterns by their place": (
        "record P(int «X»);\nclass A { bool m(P p, object o) => (p, o) is ({ X: 1 }, { X: 2 }) || p is [{ X: 1 }]"
        " || o is P(«X»: 1) { «X»: 2 }; }\n"
    ),
    "what a pattern names": (
        "record P(int «X»);\nclass A { bool m(A a, Q q) => a.p is { «X»: 1 } r && r.«X» == 1 && q is"
        " { X: 1 } s && s.X == 1;\n"
        "  P p; }\n"
    ),
    "a switch expression": (
        "record P(int «X»);\nclass A { int m(P p, object o) => o switch { P { «X»: 1 } => 1, Q { X: 1 } => 2,"
        " { X: 3 } => 4 }\n"
        "    + p switch { { «X»: 1 } => 1, not { «X»: 2 } => 2, { «X»: > 3 } or { «X»: 4 } => 3 }; }\n"
    ),
    "a switch": (
        "record P(int «X»);\nclass A { void m(List<P> all) { foreach (var p in all) switch (p) {\n"
        "    case { «X»: 1 }: break; case P { «X»: 2 } q when q.«X» > 1 && p is { «X»: 1 }: break; } } }\n"
    ),
}


@pytest.mark.parametrize(
    "marked", [*CREATIONS.values(), *COPIES_AND_PATTERNS.values()], ids=[*CREATIONS, *COPIES_AND_PATTERNS]
)
def test_members_that_stand_without_their_object(marked: str) -> None:
    assert_marked(marked, "c_sharp")


SAME_NAMES = {
    "classes of two namespaces": (
        "namespace N { record A(int «X») { int Y => «X»; } }\nnamespace M { record A(int X);\n"
        "  class B { A a = new A(X: 1); A b = new(X: 1); int m() => a.X; bool n(A c) => c is { X: 1 } || c is A"
        " { X: 1 }; } }\n"
    ),
    "a class and a generic one": (
        "record R(bool «X») { bool Y => this.«X»; }\nrecord R<T>(bool X, T V);\n"
        "class A { R<int> r = new R<int>(X: true, V: 1); R s = new(X: true); bool m() => r.X || s.X; }\n"
    ),
    "the parts of one class and another one": (
        "partial class A { public int «X»; }\npartial class A { int Y => «X»; }\nclass A<T> { public int X; }\n"
        "class B { int m(A a) => a.X; }\n"
    ),
}


@pytest.mark.parametrize("marked", SAME_NAMES.values(), ids=SAME_NAMES)
def test_a_name_of_two_classes_tells_neither(marked: str) -> None:
    assert_marked(marked, "c_sharp")


@pytest.mark.parametrize("marked", PARTIAL.values(), ids=PARTIAL)
def test_partial_classes(marked: str) -> None:
    assert_marked(marked, "c_sharp")


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES)
def test_references(marked: str) -> None:
    assert_marked(marked, "c_sharp")


def test_members_in_namespaces_are_units_of_their_own() -> None:
    members = "".join(f"int x{number};\n" for number in range(40))
    source = f"namespace N {{\nnamespace M {{\n#if A\nclass A {{\n{members}}}\n#endif\n}}\n}}\n"
    assert max(len(unit.facts.occurrences) for unit in resolver(source, "c_sharp").scopes.facts.units) == 1
