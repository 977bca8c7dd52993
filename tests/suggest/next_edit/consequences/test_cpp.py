"""What follows from an edit of C++: renames and parameters."""

from __future__ import annotations

import pytest

from .marked_renames import after, assert_follows, followed, outcome, played

HOME = "file:///w/src/till.cc"

RENAMES = {
    "a parameter": (
        "namespace n {\nint f(const Box& b, int «size>width») {\n  log(b.size, ‹size>width›);\n"
        "  return [&](int x) { return x + ‹size>width›; }(1);\n}\n}\n"
    ),
    "a field": (
        "class A {\n  explicit A(int x) : ‹x>y›(x) {}\n  int m();\n  int «x>y»;\n};\n"
        "int A::m() { return ‹x>y› + this->‹x>y› + o.x; }\n"
    ),
    "a method": (
        "class A {\n  int «m>n»(int x);\n};\nint A::‹m>n›(int x) { return ‹m>n›(x); }\n"
        "int f(A *a) { return a->‹m>n›(1); }\n"
    ),
    "a method where it is defined": (
        "class A {\n  int ‹m>n›(int x);\n};\nint A::«m>n»(int x) { return ‹m>n›(x); }\n"
        "int f(A& a) { return a.‹m>n›(1); }\n"
    ),
    "a class": (
        "class «A>B» {\n  ‹A>B›();\n  ~‹A>B›();\n};\n‹A>B›::‹A>B›() {}\n‹A>B›::~‹A>B›() {}\nauto a = new ‹A>B›();\n"
    ),
    "a function beside one of another namespace": (
        "namespace a {\nint «f>g»();\nint k() { return ‹f>g›(); }\n}\nnamespace b {\nint f();\n"
        "int k() { return f(); }\n}\n"
    ),
}
FOLLOWS = {
    "a parameter added": (
        "struct A {\n  int m(int a‹>, int b›);\n  int k(int b) { return m(1‹>, b›); }\n};\n"
        "int A::m(int a«>, int b») { return a; }\n"
    ),
    "a parameter of a template added": (
        "template <class T> T f(T a«>, int b») { return a; }\nint g(int b) { return f<int>(1‹>, b›) + f(2‹>, b›); }\n"
    ),
    "a parameter with a value added": "int f(int a«>, int b = 1») { return a; }\nint g(int b) { return f(b); }\n",
    "a parameter removed": "int f(int a«, const B& b>») { return a; }\nint g() { return f(1‹, 0>›) + n::f(1, 2); }\n",
    "of overloads nobody knows": (
        "int f(int a«, int b>») { return a; }\nint f(A a);\nint f(B b);\nint g() { return f(1, 2); }\n"
    ),
}
OVERLOADS = {
    "prototypes": "struct A {\n  void «add>put»(int x);\n  void add(double x);\n};\n",
    "a use of one": "void f(int x) {}\nvoid f(double x) {}\nvoid k() { «f>g»(1); }\n",
}


@pytest.mark.parametrize("marked", RENAMES.values(), ids=RENAMES)
def test_uses_follow(marked: str) -> None:
    assert_follows({HOME: marked})


@pytest.mark.parametrize("marked", FOLLOWS.values(), ids=FOLLOWS)
def test_changed_parameters_follow(marked: str) -> None:
    assert followed(played(marked, HOME)) == after(marked)


@pytest.mark.parametrize("marked", OVERLOADS.values(), ids=OVERLOADS)
def test_nothing_follows_from_one_of_several_overloads(marked: str) -> None:
    assert not outcome(played(marked, HOME)).candidates
