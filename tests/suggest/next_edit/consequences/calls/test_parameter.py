"""What follows from a parameter that came, went or moved: «old>new» is typed, ‹old>new› must follow, nothing else."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

HOME, OTHER, JAVA = "file:///w/home.py", "file:///w/other.py", "file:///w/A.java"

PYTHON = {
    "added, and a name of that spelling can be used": (
        "def area(a«>, unit»):\n    return a\n\ndef show(unit):\n    print(area(1‹>, unit›))\n\nprint(area(1))\n"
    ),
    "added, and the local of that name is bound too late": (
        "def send(a«>, count»):\n    return a\n\ndef later(b):\n    send(1)\n    count = len(b)\n"
        "    return send(1‹>, count›)\n\ndef use():\n    send(2‹>, count›)\n\nsend(3)\ncount = 1\n"
    ),
    "added in front": "def area(«>unit, »a):\n    return a\nunit = 1\nprint(area(‹>unit, ›1))\n",
    "added behind keywords": "unit = 1\ndef area(a, b«>, unit»):\n    return a\narea(a=1, b=2‹>, unit=unit›)\n",
    "added, for keywords only": "unit = 1\ndef area(a, *«>, unit»):\n    return a\narea(1‹>, unit=unit›)\n".replace(
        "*«>, unit»", "*, b=1«>, unit»"
    ),
    "added with a default value": "unit = 1\ndef area(a«>, unit=1»):\n    return a\narea(1)\n",
    "added to a method": (
        "unit = 1\nclass C:\n    def m(self, a«>, unit»):\n        return a\n"
        "    def n(self):\n        return self.m(1‹>, unit›)\n"
    ),
    "added to a constructor": ("unit = 1\nclass C:\n    def __init__(self«>, unit»):\n        pass\nC(‹>unit›)\n"),
    "added to an overridden method": (
        "class C:\n    def m(self, a«>, unit: int»):\n        pass\n"
        "class D(C):\n    def m(self, a‹>, unit: int›):\n        pass\n"
    ),
    "removed": (
        "def area(a, b«, unit>»):\n    return a\narea(1, 2‹, 3>›)\narea(1, 2‹, unit=3>›)\narea(1, 2)\narea(*c)\n"
    ),
    "removed from the front": "def area(«unit, >»a):\n    return a\narea(‹3, >›1)\narea(‹unit=3, >›a=1)\n",
    "the only one removed": "def area(«unit>»):\n    return 1\narea(‹3>›)\narea()\n",
    "removed from a method": (
        "class C:\n    def m(self«, a>»):\n        pass\n    def n(self):\n        self.m(‹1>›)\n        other.m(1)\n"
    ),
    "in another order": "def area(«a, b>b, a»):\n    return a\narea(‹1, f(2)>f(2), 1›)\narea(a=1, b=2)\n",
    "in another order, of an overridden method": (
        "class C:\n    def m(self, «a, b: int>b: int, a»):\n        return a\n"
        "class D(C):\n    def m(‹self, a, b: str>self, b: str, a›):\n        pass\n"
    ),
    "in another order, of an overridden method with a rest": (
        "class C:\n    def m(self, «a, b>b, a»):\n        pass\nclass D(C):\n    def m(self, a, *b):\n        pass\n"
    ),
    "one of two functions of that name": "def f(a«>, b»): pass\ndef f(a): pass\nb = 1\nf(1)\n",
    "a call that was changed already": "def area(a«, b>»):\n    return a\narea(1«, 2>»)\narea(1‹, 2>›)\n",
    "a function of another scope": (
        "def area(a«, b>»):\n    return a\ndef g():\n    def area(a, b): pass\n    area(1, 2)\narea(1‹, 2>›)\n"
    ),
}
JAVA_CASES = {
    "removed": (
        "class A {\n  int m(int a«, int b>») { return a; }\n"
        "  int k() { return m(1‹, 2>›) + this.m(1‹, 3>›) + o.m(1, 2); }\n}\n"
    ),
    "added, and the local of that name is declared too late": (
        "class A {\n  int m(int a«>, int unit») { return a; }\n"
        "  int k() { m(1); int unit = 2; return m(1‹>, unit›); }\n}\n"
    ),
    "added": (
        "class A {\n  int unit;\n  int m(int a«>, int unit») { return a; }\n  int k() { return m(1‹>, unit›); }\n}\n"
    ),
    "overloads": "class A {\n  int m(int a«, int b>») { return a; }\n  int m() { return m(1); }\n}\n",
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON)
def test_python(marked: str) -> None:
    assert_follows({HOME: marked})


@pytest.mark.parametrize("marked", JAVA_CASES.values(), ids=JAVA_CASES)
def test_java(marked: str) -> None:
    assert_follows({JAVA: marked})


def test_calls_in_other_open_files_follow() -> None:
    assert_follows(
        {HOME: "def area(a«, b>»):\n    return a\n", OTHER: "from home import area\narea(1‹, 2>›)\nother.area(1, 2)\n"}
    )


_RUST = (
    "struct A;\nimpl A {\n    fn m(&self, %s) {}\n    fn k(&mut self, b: u8) { self.m(%s); Self::m(self, %s); }\n}\n"
)
OBJECTS = {
    "Rust, removed": (
        "home.rs",
        _RUST % ("a: u8«, c: u8>», d: u8", "1, ‹2, >›3", "1, ‹2, >›3")
        + "fn f(x: A) { x.m(1, ‹2, >›3); A::m(&x, 1, ‹2, >›3); }\n",
    ),
    "Rust, removed in front": ("home.rs", _RUST % ("«a: u8, >»d: u8", "‹1, >›3", "‹1, >›3")),
    "Rust, added": (
        "home.rs",
        _RUST % ("a: u8«>, b: u8»", "1‹>, b›", "1‹>, b›") + "fn f(x: A, b: u8) { x.m(1‹>, b›); A::m(&x, 1‹>, b›); }\n",
    ),
    "Rust, moved": (
        "home.rs",
        _RUST.replace("(self, ", "(") % ("«a: u8, c: i8>c: i8, a: u8»", "‹1, 2>2, 1›", "‹self, 1, 2>self, 2, 1›"),
    ),
    "Rust, the object": ("home.rs", _RUST.replace("&self, ", "«&self, >»") % ("a: u8", "1", "1")),
    "TypeScript": (
        "home.ts",
        "function f(this: X, a: number«, b: number>», c: number) {}\nf(1, ‹2, >›3);\nf.call(x, 1, 2, 3);\n",
    ),
    "Go": (
        "home.go",
        "package a\n\ntype T struct{}\n\nfunc (t T) m(a int«, b int>», c int) {}\n\nfunc f(t T) {\n\tt.m(1, ‹2, >›3)\n"
        "\tT.m(t, 1, ‹2, >›3)\n}\n",
    ),
    "Python": (
        "home.py",
        "class A:\n    def m(self, a«, b>», c): pass\n    def k(self): self.m(1, ‹2, >›3)\n"
        "def f(x: A):\n    A.m(x, 1, ‹2, >›3)\n"
        "    x.m(1, ‹2, >›3)\n",
    ),
    "Python, of a class": (
        "home.py",
        "class A:\n    @classmethod\n    def m(cls, a«, b>», c): pass\ndef f():\n    A.m(1, ‹2, >›3)\n",
    ),
}


@pytest.mark.parametrize(("name", "marked"), OBJECTS.values(), ids=OBJECTS.keys())
def test_the_object_is_an_argument_where_a_class_is_asked(name: str, marked: str) -> None:
    assert_follows({f"file:///w/{name}": marked}, "parameter")


@pytest.mark.parametrize("uri", ["file:///w/a.js", "file:///w/a.ts"])
def test_private_methods(uri: str) -> None:
    assert_follows({uri: "class A {\n  #m(a«, b>») {}\n  n() { this.#m(1‹, 2>›); this.m(1, 2); }\n}\n"}, "parameter")


@pytest.mark.parametrize(
    ("declared", "implemented"), [("«, b: u8>»", "‹, b: u8>›"), ("‹, b: u8>›", "«, b: u8>»")], ids=["trait", "impl"]
)
def test_methods_of_traits(declared: str, implemented: str) -> None:
    marked = (
        f"trait A {{ fn run(&self, a: u8{declared}); }}\nstruct S;\n"
        f"impl A for S {{ fn run(&self, a: u8{implemented}) {{}} }}\n"
    )
    assert_follows({"file:///w/a.rs": marked}, "parameter")


ELSEWHERE = {
    "python": {
        "shop.py": (
            "class Cart:\n    def total(self, a«, b>»):\n        return a\n\n\ndef load() -> Cart:\n    return Cart()\n"
        ),
        "use.py": (
            "from shop import Cart, load\n\n\ndef f(cart: Cart, other: Other):\n    cart.total(1‹, 2>›)\n"
            "    Cart().total(1‹, 2>›)\n    load().total(1‹, 2>›)\n"
            "    Cart.total(cart, 1‹, 2>›)\n    other.total(1, 2)\n"
        ),
    },
    "typescript": {
        "shop.ts": "export class Cart {\n  total(a: number«, b: number>») { return a; }\n}\n",
        "use.ts": (
            'import { Cart } from "./shop";\n\nexport function f(cart: Cart, other: Other) {\n'
            "  cart.total(1‹, 2>›);\n  new Cart().total(1‹, 2>›);\n  other.total(1, 2);\n}\n"
        ),
    },
    "go": {
        "shop/a.go": "package shop\n\ntype Cart int\n\nfunc (c *Cart) Total(a int«, b int>») int { return a }\n",
        "main.go": (
            'package main\n\nimport "m/shop"\n\n'
            "func f(c *shop.Cart, d Other) {\n\tc.Total(1‹, 2>›)\n\td.Total(1, 2)\n}\n"
        ),
    },
    "rust": {
        "src/shop.rs": "pub struct Cart;\n\nimpl Cart {\n    pub fn total(&self, a: u8«, b: u8>») -> u8 { a }\n}\n",
        "src/main.rs": (
            "use crate::shop::Cart;\n\nfn f(c: &Cart, d: &Other) {\n    c.total(1‹, 2>›);\n"
            "    Cart::total(c, 1‹, 2>›);\n    d.total(1, 2);\n}\n"
        ),
    },
    "c_sharp": {
        "Shop/Cart.cs": "namespace Shop;\n\npublic class Cart\n{\n    public int Total(int a«, int b>») => a;\n}\n",
        "App/P.cs": (
            "using Shop;\n\nclass P\n{\n    int F(Cart c, Other d) => c.Total(1‹, 2>›) + new Cart().Total(1‹, 2>›)"
            " + d.Total(1, 2);\n}\n"
        ),
    },
}


@pytest.mark.parametrize("files", ELSEWHERE.values(), ids=ELSEWHERE)
def test_calls_of_methods_in_other_open_files(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()}, "parameter")
