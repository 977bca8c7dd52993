"""What stays when its last use in the file goes, as something outside of it needs it, and what does not."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "not the object of a method": "class A:\n    def f(self, a):\n        return g(a«, self.b>»)\n",
    "not the class of a method": "class A:\n    @classmethod\n    def f(cls, a):\n        return g(a«, cls.b>»)\n",
    "not the object by another name": "class A:\n    def f(this, a):\n        return g(a«, this.b>»)\n",
    "a parameter of a method": "class A:\n    def f(self, a‹, b>›):\n        return self.g(a«, b>»)\n",
    "a parameter of a constructor": "class A:\n    def __init__(self, a‹, b>›):\n        self.g(a«, b>»)\n",
    "a parameter of a class without a base": (
        "class A(object):\n    def f(self, a‹, b>›):\n        return self.g(a«, b>»)\n"
    ),
    "no parameter that a base may want": "class A(B):\n    def f(self, a, b):\n        return self.g(a«, b>»)\n",
    "no parameter that the language gives": "class A:\n    def __eq__(self, a, b):\n        return self.g(a«, b>»)\n",
    "no parameter of a decorated function": "@h.get('/')\ndef f(a, b):\n    return g(a«, b>»)\n",
    "no parameter of a function that is a value": "def f(a, b):\n    return g(a«, b>»)\n\n\nconnect(f)\n",
    "no parameter of a method that is a value": (
        "class A:\n    def f(self, a, b):\n        return g(a«, b>»)\n\n    def h(self):\n        connect(self.f)\n"
    ),
    "a parameter of a function that is called": "def f(a‹, b>›):\n    return g(a«, b>»)\n\n\nprint(f(1, 2))\n",
    "not what is decorated": (
        "def f(x):\n    @h.get('/')\n    def a():\n        return 1\n    y = 1\n    return g(x«, a>»)\n"
    ),
    "not what many look for by its name": (
        "class A:\n    def _repr_html_(self):\n        return 1\n\n    def f(self, x):\n"
        "        return g(x«, self._repr_html_()>»)\n"
    ),
    "no value of a class": "class A(B):\n    _x = 1\n\n    def f(self, x):\n        return g(x«, self._x>»)\n",
    "no declared value of a class": (
        "class A:\n    _x: int\n    y: int\n\n    def f(self, x):\n        return g(x«, self._x>»)\n"
    ),
    "a private method": (
        "class A:\n‹    def _a(self):\n        return 1\n\n>›    def f(self, x):\n        return g(x«, self._a()>»)\n"
    ),
}
OTHERS = {
    "Java, no annotated method": (
        "Home.java",
        "class A {\n  @PostConstruct\n  private void b() { }\n\n  void f(int a) {\n    g(a);\n«    b();\n>»  }\n}\n",
    ),
    "Java, a method with what documents it": (
        "Home.java",
        "class A {\n‹  /** One. */\n  private void b() { }\n\n>›  void f(int a) {\n    g(a);\n«    b();\n>»  }\n}\n",
    ),
    "Java, no annotated value": (
        "Home.java",
        "class A {\n  @Column\n  private String b = null;\n\n  String f(int a) {\n    return g(a«, b>»);\n  }\n}\n",
    ),
    "Java, not what serialization looks for": (
        "Home.java",
        "class A {\n  private static final long serialVersionUID = 1L;\n\n  long f(int a) {\n"
        "    return g(a«, serialVersionUID>»);\n  }\n}\n",
    ),
    "Java, no parameter of an override": (
        "Home.java",
        "class A {\n  @Override\n  public int f(int a, int b) {\n    return g(a«, b>»);\n  }\n}\n",
    ),
    "Java, no parameter that an interface may want": (
        "Home.java",
        "class A implements B {\n  public int f(int a, int b) {\n    return g(a«, b>»);\n  }\n}\n",
    ),
    "Java, no parameter of a method that is a value": (
        "Home.java",
        "class A {\n  private int f(int a, int b) {\n    return g(a«, b>»);\n  }\n  B h() { return c(this::f); }\n}\n",
    ),
    "Java, a parameter": (
        "Home.java",
        "class A {\n  private int f(int a‹, int b>›) {\n    return g(a«, b>»);\n  }\n}\n",
    ),
    "Java, a parameter of a constructor": (
        "Home.java",
        "class A {\n  A(int a‹, int b>›) {\n    g(a«, b>»);\n  }\n  A h() { A x = c(); return x; }\n}\n",
    ),
    "Rust, no parameter that a trait declares": (
        "home.rs",
        "trait T {\n    fn f(&self, a: i32, b: i32) {\n        g(a«, b>»);\n    }\n}\n",
    ),
    "C#, no method with an attribute": (
        "home.cs",
        'class A {\n  [DllImport("x")]\n  private static extern int b();\n\n  int F(int a) {\n'
        "    return G(a«, b()>»);\n  }\n}\n",
    ),
    "C#, no value with an attribute": (
        "home.cs",
        "class A {\n  [X]\n  int _b = 1;\n\n  int F(int a) {\n    return G(a«, _b>»);\n  }\n}\n",
    ),
    "C#, no parameter of an override": (
        "home.cs",
        "class A {\n  public override int F(int a, int b) {\n    return G(a«, b>»);\n  }\n}\n",
    ),
    "C#, no parameter of what events call": (
        "home.cs",
        "class A {\n  void F(object a, B b) {\n    G(a«, b>»);\n  }\n  void H(C c) {\n    c.D += F;\n  }\n}\n",
    ),
    "Rust, no function with an attribute": (
        "home.rs",
        "fn f(a: i32) {\n    #[test]\n    fn b() {}\n    g(a);\n    h(a«, b()>»);\n}\n",
    ),
    "Rust, a function with what documents it": (
        "home.rs",
        "fn f(a: i32) {\n‹    /// One.\n    /// Two.\n    fn b() {}\n>›    g(a);\n    h(a«, b()>»);\n}\n",
    ),
    "Rust, no value with an attribute": (
        "home.rs",
        "fn f(a: i32) {\n    #[allow(unused)]\n    let b = 1;\n    g(a);\n    h(a«, b>»);\n}\n",
    ),
    "Rust, no parameter that a trait wants": (
        "home.rs",
        "impl T for S {\n    fn f(&self, a: i32, b: i32) {\n        g(a«, b>»);\n    }\n}\n",
    ),
    "Rust, a parameter of a method": (
        "home.rs",
        "impl S {\n    fn f(&self, a: i32‹, b: i32>›) {\n        g(a«, b>»);\n    }\n}\n",
    ),
    "Go, no parameter of a method": (
        "home.go",
        "package a\n\nfunc (t *T) F(a int, b int) {\n\tg(a«, b>»)\n}\n",
    ),
    "Go, a parameter of a function": ("home.go", "package a\n\nfunc f(a int‹, b int>›) {\n\tg(a«, b>»)\n}\n"),
    "Go, no parameter of a function that is a value": (
        "home.go",
        "package a\n\nfunc f(a int, b int) {\n\tg(a«, b>»)\n}\n\nfunc h() {\n\tc(f)\n}\n",
    ),
    "C++, no parameter of an override": (
        "home.cpp",
        "struct A {\n  int f(int a, int b) override {\n    return g(a«, b>»);\n  }\n};\n",
    ),
    "C++, no parameter of what a class declares": (
        "home.cpp",
        "int A::f(int a, int b) {\n  return g(a«, b>»);\n}\n",
    ),
    "C++, no object whose end does something": (
        "home.cpp",
        "void f(int a) {\n  std::unique_lock<M> b{m};\n  g(a);\n  h(a«, b>»);\n}\n",
    ),
    "C++, a pointer": ("home.cpp", "void f(int a) {\n‹  A *b = g();\n>›  g(a);\n  h(a«, b>»);\n}\n"),
    "C, no line of the head of a function": (
        "home.c",
        "static int\n_b(void)\n{\n  return 1;\n}\n\nint f(int a)\n{\n  g(a);\n  return a« + _b()>»;\n}\n",
    ),
    "C, no parameter of what is declared twice": (
        "home.c",
        "int f(int, int);\n\nint f(int a, int b)\n{\n  return g(a«, b>»);\n}\n",
    ),
    "TypeScript, no decorated method": (
        "home.ts",
        "class A {\n  @H('x')\n  private b() { return 1; }\n\n  f(a) {\n    return g(a«, this.b()>»);\n  }\n}\n",
    ),
    "TypeScript, no parameter of a method of a literal": (
        "home.ts",
        "const o = {\n  f(a, b) {\n    return g(a«, b>»);\n  },\n};\n",
    ),
    "TypeScript, no parameter that an interface may want": (
        "home.ts",
        "class A implements B {\n  f(a, b) {\n    return g(a«, b>»);\n  }\n}\n",
    ),
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_what_others_need_stays(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "unused")


@pytest.mark.parametrize(("name", "marked"), OTHERS.values(), ids=OTHERS.keys())
def test_in_other_languages(name: str, marked: str) -> None:
    assert_follows({f"file:///w/{name}": marked}, "unused")
