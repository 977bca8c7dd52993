"""Python: `isinstance`, `match`, and elements of containers."""

from __future__ import annotations

HEAD = (
    "class Cart:\n    def «total>sum»(self) -> int:\n        return 1\n\n"
    "    def own(self) -> 'Cart':\n        return self\n\n\n"
    "class Order:\n    def total(self) -> int:\n        return 1\n\n\n"
    "class Gift(Cart):\n    pass\n\n\n"
)


def _written(*lines: str) -> str:
    return HEAD + "\n".join(lines) + "\n"


NARROWED = {
    "if": _written("def f(x):", "    if isinstance(x, Cart):", "        x.‹total>sum›()", "    x.total()"),
    "not, then an exit": _written(
        "def f(x):", "    if not isinstance(x, Cart):", "        return", "    x.‹total>sum›()"
    ),
    "not, then raise": _written(
        "def f(x):", "    if not isinstance(x, Cart):", "        raise TypeError(x)", "    x.‹total>sum›()"
    ),
    "not, then continue": _written(
        "def f(xs):",
        "    for x in xs:",
        "        if not isinstance(x, Cart):",
        "            continue",
        "        x.‹total>sum›()",
        "    x.total()",
    ),
    "not, then else": _written(
        "def f(x):",
        "    if not isinstance(x, Cart):",
        "        x.total()",
        "    else:",
        "        x.‹total>sum›()",
    ),
    "assert": _written("def f(x):", "    x.total()", "    assert isinstance(x, Cart)", "    x.‹total>sum›()"),
    "assert with a message": _written("def f(x):", "    assert isinstance(x, Cart), x.total()", "    x.‹total>sum›()"),
    "assert in a block": _written(
        "def f(x, y):", "    if y:", "        assert isinstance(x, Cart)", "        x.‹total>sum›()", "    x.total()"
    ),
    "and": _written(
        "def f(x):",
        "    if isinstance(x, Cart) and x.‹total>sum›():",
        "        x.‹total>sum›()",
        "    return isinstance(x, Cart) and x.‹total>sum›() or x.total()",
    ),
    "not, or": _written(
        "def f(x):",
        "    if not isinstance(x, Cart) or x.‹total>sum›() > 1:",
        "        return",
        "    x.‹total>sum›()",
    ),
    "elif": _written(
        "def f(x):",
        "    if isinstance(x, Order):",
        "        x.total()",
        "    elif isinstance(x, Cart):",
        "        x.‹total>sum›()",
        "    else:",
        "        x.total()",
    ),
    "conditional expression": _written("def f(x):", "    return x.‹total>sum›() if isinstance(x, Cart) else x.total()"),
    "comprehension": _written("def f(xs):", "    return [x.‹total>sum›() for x in xs if isinstance(x, Cart)]"),
    "while": _written("def f(x):", "    while isinstance(x, Cart):", "        x.‹total>sum›()"),
    "a member": _written(
        "class Shop:",
        "    def f(self):",
        "        if isinstance(self.x, Cart):",
        "            self.x.‹total>sum›()",
        "            self.y.total()",
        "        self.x.total()",
    ),
    "of the object": _written(
        "class Shop:",
        "    def f(self, other):",
        "        if not isinstance(other, Cart):",
        "            return False",
        "        return other.‹total>sum›() == 1",
    ),
    "a derived class": _written(
        "def f(x: Cart):", "    if isinstance(x, Gift):", "        x.‹total>sum›()", "    x.‹total>sum›()"
    ),
    "class pattern": _written(
        "def f(x):",
        "    match x:",
        "        case Cart():",
        "            x.‹total>sum›()",
        "        case Order():",
        "            x.total()",
    ),
    "class pattern with a name": _written(
        "def f(x):",
        "    match x:",
        "        case Cart() as c:",
        "            c.‹total>sum›()",
        "        case Order() as c:",
        "            c.total()",
    ),
}
UNCHANGED = {
    "a starred target": _written("def f():", "    a, *b = 1, Cart(), 2", "    b.total()"),
    "a pair": _written("def f(xs: dict[str, Cart]):", "    for x in xs.items():", "        x.total()"),
    "after the branch": _written("def f(x):", "    if isinstance(x, Cart):", "        pass", "    x.total()"),
    "else": _written("def f(x):", "    if isinstance(x, Cart):", "        pass", "    else:", "        x.total()"),
    "or": _written("def f(x, y):", "    if isinstance(x, Cart) or y:", "        x.total()"),
    "several classes": _written("def f(x):", "    if isinstance(x, (Cart, Order)):", "        x.total()"),
    "not": _written("def f(x):", "    if not isinstance(x, Cart):", "        x.total()", "    x.total()"),
    "not, in one branch": _written(
        "def f(x, y):",
        "    if not isinstance(x, Cart):",
        "        if y:",
        "            return",
        "    x.total()",
    ),
    "reassigned": _written(
        "def f(x, y):", "    if isinstance(x, Cart):", "        x = y", "        x.total()", "    x.total()"
    ),
    "reassigned in a loop": _written(
        "def f(x, ys):",
        "    if isinstance(x, Cart):",
        "        for y in ys:",
        "            x.total()",
        "            x = y",
    ),
    "reassigned by a loop": _written(
        "def f(x, ys):", "    if isinstance(x, Cart):", "        for x in ys:", "            x.total()"
    ),
    "reassigned after an exit": _written(
        "def f(x, y):",
        "    if not isinstance(x, Cart):",
        "        return",
        "    x = y",
        "    x.total()",
    ),
    "another name": _written("def f(x, y):", "    if isinstance(x, Cart):", "        y.total()"),
    "a name of an inner function": _written(
        "def f(x):", "    if isinstance(x, Cart):", "        return lambda x: x.total()"
    ),
    "a member of another object": _written(
        "def f(a, b):", "    if isinstance(a.x, Cart):", "        b.x.total()", "        x.total()"
    ),
    "a member that is set": _written(
        "def f(a, b):", "    if isinstance(a.x, Cart):", "        a.x = b", "        a.x.total()"
    ),
    "a member of an object that is set": _written(
        "def f(a, b):", "    if isinstance(a.x, Cart):", "        a = b", "        a.x.total()"
    ),
    "another function": _written("def f(x, isinstance):", "    if isinstance(x, Cart):", "        x.total()"),
    "an assertion of the opposite": _written("def f(x):", "    assert not isinstance(x, Cart)", "    x.total()"),
    "a test of something else": _written("def f(x):", "    if issubclass(x, Cart):", "        x.total()"),
    "unions of patterns": _written(
        "def f(x):", "    match x:", "        case Cart() | Order():", "            x.total()"
    ),
    "a pattern with a name for its part": _written(
        "def f(x):", "    match x:", "        case Cart(y=Cart() as c) as d:", "            d.y.total()"
    ),
    "an assertion in a function": _written(
        "def f(x):", "    def g():", "        assert isinstance(x, Cart)", "    x.total()"
    ),
    "the other operand": _written("def f(x):", "    return x.total() and isinstance(x, Cart)"),
}
CONTAINERS = {
    "appended, of two classes": _written(
        "def f():", "    xs = []", "    xs.append(Cart())", "    xs.append(Order())", "    xs[0].total()"
    ),
    "a tuple": _written("def f():", "    a, b = Cart(), 1", "    a.‹total>sum›()", "    b.total()"),
    "a tuple in brackets": _written(
        "def f():", "    (a, b) = (Cart(), Order())", "    a.‹total>sum›()", "    b.total()"
    ),
    "enumerate": _written(
        "def f(xs: list[Cart]):", "    for i, x in enumerate(xs):", "        x.‹total>sum›()", "        i.total()"
    ),
    "zip": _written(
        "def f(xs: list[Cart], ys: list[Order]):",
        "    for x, y in zip(xs, ys):",
        "        x.‹total>sum›()",
        "        y.total()",
        "    for y, x in zip(ys, xs):",
        "        x.‹total>sum›()",
        "        y.total()",
    ),
    "items": _written(
        "def f(xs: dict[str, Cart]):", "    for k, x in xs.items():", "        x.‹total>sum›()", "        k.total()"
    ),
    "items in a comprehension": _written(
        "def f(xs: dict[str, Cart]):", "    return {k: x.‹total>sum›() for k, x in xs.items()}"
    ),
    "values": _written("def f(xs: dict[str, Cart]):", "    for x in list(xs.values()):", "        x.‹total>sum›()"),
    "setdefault": _written("def f(xs: dict[str, Cart], k):", "    xs.setdefault(k, Cart()).‹total>sum›()"),
}
_SHOP = (
    "class Cart:\n    def «total>sum»(self) -> int:\n        return 1\n\n\n"
    "class Order:\n    def total(self) -> int:\n        return 1\n"
)
ELSEWHERE = {
    "a class": {
        "shop.py": _SHOP,
        "main.py": "from shop import Cart, Order\n\n\ndef f(x, y: Order):\n    if isinstance(x, Cart):\n"
        "        x.‹total>sum›()\n    x.total()\n    if isinstance(x, Order):\n        x.total()\n",
    },
    "a member of a module": {
        "shop.py": _SHOP,
        "main.py": "import shop\n\n\ndef f(x):\n    if not isinstance(x, shop.Cart):\n        return\n"
        "    x.‹total>sum›()\n",
    },
    "a declared class": {
        "shop.py": "class Base:\n    pass\n\n\n" + _SHOP,
        "main.py": "from shop import Base, Cart\n\n\ndef f(x: Base):\n    if isinstance(x, Cart):\n"
        "        x.‹total>sum›()\n    x.total()\n",
    },
    "a member": {
        "shop.py": _SHOP,
        "main.py": "from shop import Cart\n\n\nclass M:\n    def f(self):\n        assert isinstance(self.x, Cart)\n"
        "        self.x.‹total>sum›()\n",
    },
}
