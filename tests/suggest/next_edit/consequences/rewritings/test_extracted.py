"""What follows from a new helper or constant: the places that it says."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "a helper": (
        "«>def nice(a):\n    return a.b.strip().title()\n\n\n»f(‹x.b.strip().title()>nice(x)›)\n"
        "g(‹y[0].b.strip().title()>nice(y[0])›)\nh(z.c.strip().title())\n"
    ),
    "a helper whose names have letters that are not ASCII": (
        "«>def schön(größe):\n    return größe.b.strip().title()\n\n\n»f(‹x.b.strip().title()>schön(x)›)\n"
    ),
    "a helper of two": "«>def far(a, b):\n    return abs(a.x - b.x)\n\n\n"
    "»d = ‹abs(p.x - q.y.x)>far(p, q.y)›\nabs(p.x - 1)\n",
    "a method": (
        "class A:\n«>    def key(self, a):\n        return self.prefix + str(a)\n\n»    def f(self, b):\n"
        "        return g(‹self.prefix + str(b.c)>self.key(b.c)›)\n"
    ),
    "nothing for a body of two statements": "«>def nice(a):\n    f()\n    return a.b.strip()\n\n\n»g(x.b.strip())\n",
    "nothing for a renamed function": "def «neat>nice»(a):\n    return a.b.strip()\n\n\ng(x.b.strip())\n",
    "nothing for parameters that it does not use": "«>def nice(a, c):\n    return a.b.strip()\n\n\n»g(x.b.strip())\n",
    "nothing inside of another one": (
        "«>def nice(a):\n    return rows[a.x + 1]\n\n\n»f(rows[rows[p.x + 1].x + 1])\ng(‹rows[q.x + 1]>nice(q)›)\n"
    ),
    "no target": "«>def nice(a):\n    return rows[a.x + 1]\n\n\n»y = 1\n"
    "rows[p.x + 1] = 2\ng(‹rows[q.x + 1]>nice(q)›)\n",
    "a number": "«>WAIT = 0.25\n»sleep(‹0.25>WAIT›)\nf(10.25, '0.25')\nOTHER = 0.25\n",
    "nothing above a helper at the module's level": (
        "def g(c=comp(1, 2) + 1):\n    pass\n\n\ny = comp(p, q) + 1\n\n\n«>def far(a, b):\n"
        "    return comp(a, b) + 1\n\n\n»def f(c, d=‹comp(1, 2) + 1>far(1, 2)›):\n"
        "    return ‹comp(c, d) + 1>far(c, d)›\n"
    ),
    "a helper below a function that calls it": (
        "def f(c, d):\n    return ‹comp(c, d) + 1>far(c, d)›\n\n\n«>def far(a, b):\n    return comp(a, b) + 1\n»"
    ),
    "a method of the same object alone": (
        "class A:\n«>    def full(self, a):\n        return comp(self.x, a) + 1\n\n»    def g(self, b):\n"
        "        return ‹comp(self.x, b) + 1>self.full(b)›\n\n\n"
        "class B:\n    def g(self, b):\n        return comp(self.x, b) + 1\n\n\n"
        "def h(self, b):\n    return comp(self.x, b) + 1\n"
    ),
    "nothing for a static method": (
        "class A:\n    @staticmethod\n«>    def full(a, b):\n        return comp(a, b) + 1\n\n»    def g(self, b):\n"
        "        return comp(self.x, b) + 1\n"
    ),
    "nothing for a coroutine": "«>async def far(a, b):\n    return comp(a, b) + 1\n\n\n»x = comp(c, d) + 1\n",
    "nothing outside of the function around a helper": (
        "def f():\n«>    def far(a, b):\n        return comp(a, b) + 1\n\n»    return ‹comp(c, d) + 1>far(c, d)›\n\n\n"
        "x = comp(c, d) + 1\n"
    ),
    "nothing where a name of it means something else": (
        "«>def far(a, b):\n    return comp(a, b) + rate\n\n\n»def g(rate):\n    return comp(1, 2) + rate\n\n\n"
        "def h(comp):\n    return comp(1, 2) + rate\n\n\ndef k():\n    return ‹comp(1, 2) + rate>far(1, 2)›\n"
    ),
    "nothing where a call would be made once for two": (
        "«>def sq(a):\n    return comp(a) * comp(a)\n\n\n»y = comp(next(c)) * comp(next(c))\n"
        "z = ‹comp(d) * comp(d)>sq(d)›\n"
    ),
    "nothing where another function has the name": (
        "«>def far(a, b):\n    return comp(a, b) + 1\n\n\n»def g(far):\n    return comp(1, 2) + 1\n"
    ),
    "a number in a class": (
        "class A:\n«>    WAIT = 250\n»    x = ‹250>WAIT›\n\n    def f(self):\n        return 250\n\n\ny = 250\n"
    ),
    "a number in a function": "def f():\n    x = 250\n«>    WAIT = 250\n»    return ‹250>WAIT›\n\n\ny = 250\n",
    "a number in a branch": "if a:\n«>    WAIT = 250\n»    x = ‹250>WAIT›\ny = 250\n",
    "a number above": "def f(a=250):\n    return ‹250>WAIT›\n\n\nx = 250\n«>WAIT = 250\n»y = ‹250>WAIT›\n",
    "no keyword of a call": "f(\n«>    WAIT=250\n»)\ny = 250\n",
    "no pattern and no type": (
        "«>WAIT = 404\n»x: Literal[404] = ‹404>WAIT›\nY = Literal[404]\nmatch z:\n    case 404:\n        pass\n"
        "    case [404, *_]:\n        pass\n"
    ),
    "in a file with other ends of lines": "«>WAIT = 250\r\n»x = ‹250>WAIT›\r\n",
    "no round number": "«>WAIT = 100\n»sleep(100)\n",
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_places_follow(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "extracted")


def test_a_constant_in_java() -> None:
    marked = "class A {\n«>  static final int WAIT = 250;\n»  void f() {\n    sleep(‹250>WAIT›);\n  }\n}\n"
    assert_follows({"file:///w/Home.java": marked}, "extracted")


OTHERS = {
    "keys and types of TypeScript": (
        "home.ts",
        "«>const WAIT = 250;\n»const x = ‹250>WAIT›;\nconst o = { 250: 'a', b: ‹250>WAIT› };\nlet y: 250;\n"
        "function f(a = ‹250>WAIT›) { return a; }\n",
    ),
    "a member of an enum": ("home.ts", "enum E {\n«>  WAIT = 250,\n»  OTHER = 3,\n}\nconst x = 250;\n"),
    "a method of TypeScript": (
        "home.ts",
        "class A {\n«>  area(w: number, h: number) {\n    return count(w) * h;\n  }\n»"
        "  f(a: number, b: number) { return ‹count(a) * b>this.area(a, b)›; }\n"
        "  g(a: number, b: number) { return go(() => ‹count(a) * b>this.area(a, b)›); }\n"
        "  static h(a: number, b: number) { return count(a) * b; }\n"
        "  k(a: number, b: number) { return function () { return count(a) * b; }; }\n}\nconst x = count(a) * b;\n",
    ),
    "a method of Java": (
        "Home.java",
        "class A {\n«>  int area(int w, int h) {\n    return count(w) * h;\n  }\n»"
        "  int f(int a, int b) { return ‹count(a) * b>area(a, b)›; }\n"
        "  static int g(int a, int b) { return count(a) * b; }\n}\n"
        "class B {\n  int f(int a, int b) { return count(a) * b; }\n}\n",
    ),
    "a constant of a Java class": (
        "Home.java",
        "class A {\n  int f(int x) { return x + 250; }\n  static class B {\n«>    static final int WAIT = 250;\n»"
        "    int g() { return ‹250>WAIT›; }\n  }\n}\nclass C { int h = 250; }\n",
    ),
    "a constant of Rust and its type": (
        "home.rs",
        "«>const WAIT: u32 = 250;\n»fn f(a: [u8; 250], b: usize) -> f64 { match b { 250 => 1.5, _ => b as f64 } }\n"
        "fn g() -> u64 { 250 }\nfn h() { let a: u32 = ‹250>WAIT›; }\n",
    ),
}


@pytest.mark.parametrize(("path", "marked"), OTHERS.values(), ids=OTHERS.keys())
def test_in_other_languages(path: str, marked: str) -> None:
    assert_follows({f"file:///w/{path}": marked}, "extracted")
