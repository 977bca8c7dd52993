"""Members of a renamed class, «old>new», behind literals, comprehensions, builtins and what functions create."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.growth import assert_linear
from tests.suggest.next_edit.consequences.marked_renames import assert_follows, resolving

PYTHON = (
    "from __future__ import annotations\n\n\nclass Cart:\n    next: Cart\n\n"
    "    def «total>sum»(self) -> int:\n        return 1\n\n    def own(self) -> Cart:\n        return self\n"
    "\n    def parts(self) -> list[Cart]:\n        return []\n\n\nclass Other:\n    cart: Cart\n\n"
    "    def total(self) -> int:\n        return 1\n\n\n"
)
SCRIPT = (
    "class Cart {\n  next: Cart;\n  «total>sum»() { return 1; }\n  self(): Cart { return this; }\n"
    "  parts(): Cart[] { return []; }\n}\nclass Other {\n  total() { return 1; }\n  cart: Cart;\n}\n"
)
CASES = {
    "Main.py: keys of sorting": (
        PYTHON + "def f(cs: list[Cart]):\n    sorted(cs, key=lambda c: c.‹total>sum›())\n"
        "    cs.sort(key=lambda c: c.‹total>sum›())\n"
        "    max(cs, key=lambda c: c.‹total>sum›()).‹total>sum›()\n"
        "    min(cs, key=lambda c: c.‹total>sum›())\n"
    ),
    "Main.py: in comprehensions": (
        PYTHON + "def f(cs: list[Cart], os: list[Other]):\n    a = [c.‹total>sum›() for c in cs if c.‹total>sum›()]\n"
        "    b = [o.total() for o in os]\n    return sum(c.‹total>sum›() for c in cs)\n"
    ),
    "Main.py: what comprehensions give": (
        PYTHON + "def f(os: list[Other]):\n    cs = [o.cart for o in os]\n    cs[0].‹total>sum›()\n    for c in cs:\n"
        "        c.‹total>sum›()\n    ds = [c for c in cs if c.next]\n    ds[0].‹total>sum›()\n"
    ),
    "Main.py: calls in comprehensions": (
        PYTHON + "def f(os: list[Other]):\n    cs = [o.cart.own() for o in os]\n    cs[0].‹total>sum›()\n"
        "    es = [Cart() for _ in os]\n    es[0].‹total>sum›()\n"
    ),
    "Main.py: values of dictionaries": (
        PYTHON + "def f(os: list[Other]):\n    m = {o: o.cart for o in os}\n    m[1].‹total>sum›()\n"
        "    for k, v in m.items():\n        v.‹total>sum›()\n"
    ),
    "Main.py: map and filter": (
        PYTHON + "def f(os: list[Other]):\n    for c in map(lambda o: o.cart, os):\n        c.‹total>sum›()\n"
        "    filter(lambda o: o.total(), os)\n"
        "    list(filter(lambda c: c.‹total>sum›(), [o.cart for o in os]))\n"
    ),
    "Main.py: next": (
        PYTHON + "def f(cs: list[Cart]):\n    c = next(c for c in cs if c.next)\n    c.‹total>sum›()\n"
        "    d = next((c for c in cs if c.next), None)\n    d.‹total>sum›()\n"
        "    next(iter(cs)).‹total>sum›()\n"
    ),
    "Main.py: alternatives": (
        PYTHON + "def f(x: Other):\n    if (c := x.cart):\n        c.‹total>sum›()\n    c2 = x.cart or Cart()\n"
        "    c2.‹total>sum›()\n    c3 = x.cart if x else Cart()\n    c3.‹total>sum›()\n"
    ),
    "Main.py: what is awaited": (
        PYTHON + "async def load() -> Cart:\n    return Cart()\n\n\nasync def f():\n    c = await load()\n"
        "    c.‹total>sum›()\n    (await load()).‹total>sum›()\n"
    ),
    "Main.py: properties": (
        PYTHON + "class Shop:\n    @property\n    def cart(self) -> Cart:\n        return Cart()\n\n\n"
        "def f(s: Shop):\n    s.cart.‹total>sum›()\n    with open_cart() as c:\n        c.total()\n"
    ),
    "Main.py: what functions return": (
        PYTHON + "def make():\n    return Cart()\n\n\ndef f():\n    make().‹total>sum›()\n    c = make()\n"
        "    c.‹total>sum›()\n"
    ),
    "Main.ts: what functions return": (
        SCRIPT + "function make() { return new Cart(); }\nconst mk = () => new Cart();\nfunction f() {\n"
        "  make().‹total>sum›();\n  mk().‹total>sum›();\n}\n"
    ),
    "Main.py: literals": (
        PYTHON + "def f(a: Cart, o: Other):\n    for d in (Cart(), Cart()):\n        d.‹total>sum›()\n    es = [a]\n"
        "    es[0].‹total>sum›()\n    first, *_ = es\n    first.‹total>sum›()\n    for c in [a, o]:\n"
        "        c.total()\n"
    ),
    "Main.ts: literals and alternatives": (
        SCRIPT + "function f(a: Cart, cs: Cart[]) {\n  for (const c of [a]) c.‹total>sum›();\n  const [first] = cs;\n"
        "  first.‹total>sum›();\n  const d = a ?? new Cart();\n  d.‹total>sum›();\n}\n"
    ),
    "Main.py: functions that return two classes": (
        PYTHON + "def make(x):\n    if x:\n        return Other()\n    return Cart()\n\n\ndef f():\n"
        "    make(1).total()\n"
    ),
    "Main.py: functions that may return nothing": (
        PYTHON + "def make(x):\n    if x:\n        return None\n    return Cart()\n\n\ndef f():\n"
        "    make(1).‹total>sum›()\n"
    ),
    "Main.py: async functions": (
        PYTHON + "async def make(x):\n    return Cart()\n\n\nasync def f():\n    c = await make(1)\n"
        "    c.‹total>sum›()\n    make(1).total()\n"
    ),
    "Main.py: methods and properties": (
        PYTHON + "class Shop:\n    def make(self):\n        return Cart()\n\n    @property\n    def cart(self):\n"
        "        return Cart()\n\n\ndef f(s: Shop):\n    s.make().‹total>sum›()\n    s.cart.‹total>sum›()\n"
    ),
    "Main.py: functions that return what others do": (
        PYTHON + "def make():\n    return load()\n\n\ndef load():\n    return Other()\n\n\ndef f():\n"
        "    make().total()\n    load().total()\n"
    ),
    "Main.py: generators": (
        PYTHON + "def make():\n    yield Cart()\n\n\ndef f():\n    for c in make():\n        c.total()\n"
    ),
    "Main.py: alternatives of two classes": (
        PYTHON + "def f(a, b):\n    c = Cart() if a else Other()\n    c.total()\n    d = Other() or Cart()\n"
        "    d.total()\n    e = a or Cart()\n    e.‹total>sum›()\n    g = Cart() if a else None\n"
        "    g.‹total>sum›()\n    h = a and Cart()\n    h.total()\n"
    ),
    "Main.py: literals of two classes": (
        PYTHON + "def f(a: Cart, b: Other):\n    for c in [a, b]:\n        c.total()\n"
        "    for c in [Cart(), Other()]:\n        c.total()\n    xs = [Other(), Other()]\n    xs[0].total()\n"
    ),
    "Main.py: several arguments": (
        PYTHON + "def f(a: list[Cart], b: list[Cart]):\n    max(a, b).total()\n    max(a, b)[0].total()\n"
    ),
    "Main.py: functions of the file": (
        PYTHON + "def max(x):\n    return Other()\n\n\ndef f(a: list[Cart]):\n    max(a).total()\n"
    ),
    "Main.py: several clauses": (
        PYTHON + "def f(os: list[Other], m: dict[str, list[Cart]]):\n"
        "    cs = [c for o in os for c in o.cart.parts()]\n    cs[0].‹total>sum›()\n"
        "    ds = [c for v in m.values() for c in v]\n    ds[0].‹total>sum›()\n"
        "    es = [k for k, v in m.items()]\n    es[0].total()\n"
    ),
    "Main.py: several values": (
        PYTHON + "def two():\n    return Cart(), Other()\n\n\ndef f(a: list[Other]):\n    x, y = two()\n"
        "    x.total()\n    p, q = a\n    p.total()\n"
    ),
    "Main.ts: functions that return two classes": (
        SCRIPT + "function make(x: number) {\n  if (x) { return new Other(); }\n  return new Cart();\n}\n"
        "function f() {\n  make(1).total();\n}\n"
    ),
    "Main.ts: alternatives of two classes": (
        SCRIPT + "function f(a: Other) {\n  const b = a || new Other();\n  b.total();\n"
        "  const c = a ? new Cart() : new Other();\n  c.total();\n}\n"
    ),
}


@pytest.mark.parametrize(("name", "text"), CASES.items(), ids=CASES)
def test_members_of_created_objects_follow(name: str, text: str) -> None:
    assert_follows({f"file:///w/{name.partition(':')[0]}": text})


GROWING = {
    "elements of a literal": lambda size: "x = [" + "a, " * size + "]\nx[0].total()\n",
    "comprehensions": lambda size: "x = " + "[c.next for c in " * size + "carts" + "]" * size + "\nx[0].total()\n",
    "builtins": lambda size: "x = " + "sorted(" * size + "carts" + ")" * size + "\nx[0].total()\n",
    "alternatives": lambda size: "x = " + "a or " * size + "Cart()\nx.total()\n",
    "parameters": lambda size: "x = map(lambda " + ", ".join(f"a{n}" for n in range(size)) + ": a0.next, carts)\n",
    "returns": lambda size: "".join(f"def f{n}():\n    return Cart()\n\n\nf{n}().total()\n" for n in range(size)),
}


@pytest.mark.slow
@pytest.mark.parametrize("written", GROWING.values(), ids=GROWING)
def test_they_are_read_in_linear_time(written: Callable[[int], str]) -> None:
    assert_linear(lambda size: resolving(PYTHON + written(size), "python", "total"), 150)
