"""The rules of names of C++: every occurrence of one binding is marked, and nothing else is."""

from __future__ import annotations

import pytest

from .marked import assert_marked, resolver

CASES = {
    "value of a captured name": (
        "void f(int «n») { auto g = [n = «n» + 1] { return n; }; auto h = [&m = «n»] { return m; }; g(«n»); }\n"
    ),
    "local": "int f() { int «x» = 1; «x»++; return «x» + o.x; }\nvoid g() { x(); }\n",
    "references and pointers": "void f() { const A& «a» = b; A *c = &«a»; use(«a», *c); }\nint a;\n",
    "bound from its declaration on": "int x;\nvoid f(int «x») { { use(«x»); int x = 2; use(x); } }\n",
    "a declaration that looks like a function": "void f(A «s») { B a(«s»); B b(1, sizeof(«s»)); }\nvoid g(s x);\n",
    "a type in parameters": "struct «A» {};\nint f(«A»);\nvoid g(int A) { int f(B); }\n",
    "range": "void f() { for (auto& «v» : all) { use(«v»); } v(); }\n",
    "structured binding": "void f() { auto [«k», v] = pair; use(«k», v, o.k); }\n",
    "if with a declaration": "void f() { if (auto «z» = g(); «z» > 1) { use(«z»); } if (auto* z = h()) { use(z); } }\n",
    "parameter with a default": "int f(int «x» = 1, int&& y = 2) { return «x» + y; }\nint x;\n",
    "lambda": "void f(int «b») { auto g = [«b», n = 1](int p) { return p + «b» + n; }; }\n",
    "parameter of a lambda": "void f(int p) { auto g = [&](int «p») -> int { return «p»; }; g(p); }\n",
    "initialised capture": "void f(int n) { auto g = [«n» = n](int p) { return p + «n»; }; }\n".replace("= n]", "= m]"),
    "catch": "void f() { try { } catch (const E& «e») { use(«e»); } catch (F e) { use(e); } }\n",
    "function and its prototype": "int «f»(int);\nint g() { return «f»(1) + o.f(); }\nint «f»(int x) { return x; }\n",
    "field": "class A {\n  int m() { return «x» + this->«x» + o.x; }\n  int «x» = 0, y;\n};\n",
    "field and constructor": "class A {\n public:\n  A(int x) : «x»(x) { this->«x» = x; }\n  int «x»;\n};\n",
    "parameter of a constructor": "class A {\n  A(int «x») : x(«x») { this->x = «x»; }\n  int x;\n};\n",
    "method": "class A {\n  int «m»() { return «m»() + this->«m»() + o.m(); }\n};\n",
    "method that stands outside": (
        "class A {\n  int «m»(int q);\n  int k() { return «m»(1); }\n};\n"
        "int A::«m»(int q) { return «m»(q) + this->«m»(q); }\nint m();\n"
    ),
    "field in a method that stands outside": (
        "class A {\n  int m(int q);\n  int «x»;\n};\nint A::m(int q) { return «x» + q + this->«x»; }\n"
        "int f() { return x; }\n"
    ),
    "field in the initialisers of a constructor that stands outside": (
        "class A {\n  A(int x);\n  int «x»;\n};\nA::A(int x) : «x»(x) { use(x); }\n"
    ),
    "method of a class of another file": "int A::m(int «q») { return «q» + x; }\nint B::m(int q) { return q; }\n",
    "static member": "struct A {\n  static int «s»;\n  int m() { return A::«s» + B::s; }\n};\nint A::«s» = 1;\n",
    "class": (
        "class «A» {\n public:\n  «A»(const «A»& o);\n  explicit «A»(int x) {}\n  ~«A»() {}\n};\n"
        "«A»::«A»(const «A»& o) {}\n«A» *f() { return new «A»(«A»(1)); }\n"
    ),
    "base class": "struct «B» { int x; };\nclass A : public «B», private C<«B»> {};\nB2 b;\n",
    "inherited field": "struct B { int «x»; };\nclass A : public B { int m() { return «x» + this->«x»; } };\n",
    "field of declared variables": (
        "struct A { int «x»; };\nint f(const A& a, A *b, C c) {\n  auto d = A(1); auto e = new A(); A g{1}, h = {2};\n"
        "  return a.«x» + b->«x» + c.x + d.«x» + e->«x» + g.«x» + h.«x»;\n}\n"
    ),
    "template": (
        "template <typename «T», int N = 3>\nclass A : B<«T»> {\n  «T» x;\n  «T» m(«T» t) { return t; }\n};\nT y;\n"
    ),
    "template of a function": "template <class «T»>\n«T» f(«T» x) { return («T»)x; }\ntemplate <class T> T g(T x);\n",
    "member of a template that stands outside": (
        "template <class T> class A {\n  int m(T t);\n  int «x»;\n};\n"
        "template <class T> int A<T>::m(T t) { return «x»; }\nint f(A<int>& a) { return a.«x» + b.x; }\n"
    ),
    "a class that is a template": (
        "template <class T> class «A» {\n  «A»() {}\n};\n«A»<int> a;\nstd::vector<«A»<int>> all;\n"
    ),
    "method that is a template": "struct A {\n  template <class U> U «c»(U u) { return this->«c»<int>(u); }\n};\n",
    "alias": "using «I» = int;\n«I» f(«I» x) { return static_cast<«I»>(x); }\n",
    "scoped enum": "enum class A { «None», B };\nenum class C { None };\nA a = A::«None»;\nC c = C::None;\n",
    "enum": "enum A { «One», Two };\nint f() { return «One»; }\n",
    "namespace": "namespace «n» {\nint f();\n}\nint g() { return «n»::f(); }\n",
    "names of namespaces": (
        "namespace n {\nint «f»();\nint g() { return «f»(); }\n}\nint h() { return n::«f»() + f(); }\n"
    ),
    "names of two namespaces": "namespace n {\nint «f»();\n}\nnamespace m {\nint f();\nint g() { return f(); }\n}\n",
    "a namespace without a name": (
        "namespace {\nint «f»() { return 1; }\n}\nnamespace n {\nint g() { return «f»(); }\n}\n"
    ),
    "long names": "namespace a::b {\nint «f»();\nint g() { return «f»(); }\n}\nint h() { return a::b::f(); }\n",
    "this in a method that stands outside": (
        "class A { void m(); int «x»; };\nvoid A::m() { auto g = [this] { «x»++; }; }\n"
    ),
    "friends": (
        "class A {\n  friend class B;\n  friend int «f»(A& a);\n};\n".replace("«f»", "f") + "int «f»(A& a);\n"
        "int g = «f»(b);\n"
    ),
    "macro": "#define «N» 10\nclass A { int a[«N»]; };\n",
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES)
def test_references(marked: str) -> None:
    assert_marked(marked, "cpp")


def test_a_namespace_around_a_long_file_holds_all_of_it() -> None:
    body = "int f() {\n  return 1;\n}\n\n" * 900
    names = resolver(f"namespace n {{\nint x;\n{body}int g() {{ return x; }}\n}}\n", "cpp")
    first, second = names.names("x")
    assert names.binding(first) == names.binding(second) is not None


def test_members_of_classes_in_namespaces_are_units_of_their_own() -> None:
    members = "".join(f"int x{number};\n" for number in range(40))
    source = f"namespace n {{\nnamespace {{\n#if A\ntemplate <class T> class A {{\n{members}}};\n#endif\n}}\n}}\n"
    assert max(len(unit.facts.occurrences) for unit in resolver(source, "cpp").scopes.facts.units) == 2
