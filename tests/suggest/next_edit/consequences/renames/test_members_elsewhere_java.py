"""Members of a renamed class of Java, «old>new», in other files: behind factories, chains and elements."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

CART = (
    "package shop;\n\npublic class Cart {\n    private int n;\n    public int «total>sum»() { return n; }\n"
    "    public static Cart of(int n) { return new Cart(); }\n    public Cart self() { return this; }\n"
    "    public static final Cart EMPTY = new Cart();\n"
    "    public static Builder builder() { return new Builder(); }\n    public static class Builder {\n"
    "        public Cart build() { return new Cart(); }\n"
    "        public Builder total(int n) { return this; }\n    }\n}\n"
)
HEAD = "package app;\n\nimport shop.Cart;\n\nclass Main {\n"
BODIES = {
    "factory var": "    int f() {\n        var c = Cart.of(1);\n        return c.‹total>sum›();\n    }\n",
    "factory chain": "    int f() {\n        return Cart.of(1).‹total>sum›();\n    }\n",
    "typed local": "    int f() {\n        Cart c = Cart.of(1);\n        return c.‹total>sum›();\n    }\n",
    "self chain": "    int f(Cart c) {\n        return c.self().‹total>sum›();\n    }\n",
    "constant": "    int f() {\n        return Cart.EMPTY.‹total>sum›();\n    }\n",
    "builder": "    int f() {\n        return Cart.builder().total(1).build().‹total>sum›();\n    }\n",
    "builder var": ("    int f() {\n        var c = Cart.builder().build();\n        return c.‹total>sum›();\n    }\n"),
    "field": (
        "    private final Cart cart = Cart.of(2);\n    int f() {\n"
        "        return cart.‹total>sum›() + this.cart.‹total>sum›();\n    }\n"
    ),
    "list for": (
        "    int f(java.util.List<Cart> cs) {\n        int s = 0;\n"
        "        for (Cart c : cs) s += c.‹total>sum›();\n        for (var d : cs) s += d.‹total>sum›();\n"
        "        return s + cs.get(0).‹total>sum›();\n    }\n"
    ),
    "method ref": (
        "    int f(java.util.List<Cart> cs) {\n        return cs.stream().mapToInt(Cart::‹total>sum›).sum();\n    }\n"
    ),
    "lambda stream": (
        "    int f(java.util.List<Cart> cs) {\n"
        "        return cs.stream().mapToInt(c -> c.‹total>sum›()).sum();\n    }\n"
    ),
    "foreach lambda": "    void f(java.util.List<Cart> cs) {\n        cs.forEach(c -> c.‹total>sum›());\n    }\n",
    "own method result": (
        "    Cart load() { return Cart.of(1); }\n    int f() {\n"
        "        return load().‹total>sum›() + this.load().‹total>sum›();\n    }\n"
    ),
    "subclass": (
        "    static class Big extends Cart {\n        @Override\n"
        "        public int ‹total>sum›() { return super.‹total>sum›() * 2; }\n    }\n"
    ),
    "not other": "    int f(Other c) {\n        return c.total();\n    }\n",
    "optional": (
        "    int f(java.util.Optional<Cart> cs) {\n"
        "        return cs.get().‹total>sum›() + cs.map(c -> c.‹total>sum›()).orElse(0);\n    }\n"
    ),
    "map value": ('    int f(java.util.Map<String, Cart> cs) {\n        return cs.get("a").‹total>sum›();\n    }\n'),
    "array": "    int f(Cart[] cs) {\n        return cs[0].‹total>sum›();\n    }\n",
    "try res": (
        "    int f() {\n        try (Cart c = Cart.of(1)) {\n            return c.‹total>sum›();\n        }\n    }\n"
    ),
}
FILES = {
    "through a third file": {
        "shop/Cart.java": CART,
        "shop/Store.java": (
            "package shop;\n\npublic class Store {\n    public Cart load() { return Cart.of(1); }\n"
            "    public static Store open() { return new Store(); }\n}\n"
        ),
        "app/Main.java": (
            "package app;\n\nimport shop.Store;\n\nclass Main {\n    int f(Store s) {\n"
            "        return s.load().‹total>sum›() + Store.open().load().‹total>sum›();\n    }\n}\n"
        ),
    },
    "components of a record": {
        "shop/Point.java": (
            "package shop;\n\npublic record Point(int «x>left», int y) {\n    int d() { return ‹x>left› + y; }\n}\n"
        ),
        "app/Main.java": (
            "package app;\n\nimport shop.Point;\n\nclass Main {\n"
            "    int f(Point p) { return p.‹x>left›() + p.y(); }\n}\n"
        ),
    },
    "an implemented method": {
        "shop/Price.java": ("package shop;\n\npublic interface Price {\n    int «amount>value»();\n}\n"),
        "app/Main.java": (
            "package app;\n\nimport shop.Price;\n\nclass Main implements Price {\n    @Override\n"
            "    public int ‹amount>value›() { return 1; }\n"
            "    int g() { return ‹amount>value›() + this.‹amount>value›(); }\n}\n"
        ),
    },
    "the same package": {
        "shop/Cart.java": CART,
        "shop/Main.java": (
            "package shop;\n\nclass Main {\n    int f() {\n        return Cart.of(1).‹total>sum›();\n    }\n}\n"
        ),
    },
    "an overload by its number of arguments": {
        "shop/Cart.java": (
            "package shop;\n\npublic class Cart {\n    public int «total>sum»() { return 1; }\n"
            "    public int total(int n) { return n; }\n    public static Cart of() { return new Cart(); }\n"
            "}\n"
        ),
        "app/Main.java": (
            HEAD + "    int f() {\n        return Cart.of().‹total>sum›() + Cart.of().total(1);\n    }\n}\n"
        ),
    },
    "a private method": {
        "shop/Cart.java": (
            "package shop;\n\npublic class Cart {\n    private int «total>sum»() { return 1; }\n"
            "    public static Cart of() { return new Cart(); }\n}\n"
        ),
        "app/Main.java": (HEAD + "    int f() {\n        return Cart.of().total();\n    }\n}\n"),
    },
    "a method that overrides another": {
        "shop/Cart.java": (
            "package shop;\n\npublic class Cart extends Base {\n    @Override\n"
            "    public int «total>sum»() { return 1; }\n    public static Cart of() { return new Cart(); }\n"
            "}\n"
        ),
        "shop/Base.java": ("package shop;\n\npublic class Base {\n    public int total() { return 0; }\n}\n"),
        "app/Main.java": (HEAD + "    int f() {\n        return Cart.of().total();\n    }\n}\n"),
    },
    "a class of that name in the file": {
        "shop/Cart.java": CART,
        "app/Main.java": (
            "package app;\n\nclass Cart {\n    int total() { return 1; }\n"
            "    static Cart of() { return new Cart(); }\n}\n\nclass Main {\n"
            "    int f() { return Cart.of().total() + new Cart().total(); }\n}\n"
        ),
    },
    "a class of that name in another package": {
        "shop/Cart.java": CART,
        "app/Main.java": (
            "package app;\n\nimport other.Cart;\n\nclass Main {\n    int f() { return Cart.of(1).total(); }\n}\n"
        ),
    },
    "all names of another package": {
        "shop/Cart.java": CART,
        "app/Main.java": (
            "package app;\n\nimport other.*;\n\nclass Main {\n"
            "    int f(Cart c) { return Cart.of(1).total() + c.total(); }\n}\n"
        ),
    },
    "all names of the package": {
        "shop/Cart.java": CART,
        "app/Main.java": (
            "package app;\n\nimport shop.*;\n\nclass Main {\n"
            "    int f(Cart c) { return Cart.of(1).‹total>sum›() + c.‹total>sum›(); }\n}\n"
        ),
    },
    "a qualified name": {
        "shop/Cart.java": CART,
        "app/Main.java": ("package app;\n\nclass Main {\n    int f() { return shop.Cart.of(1).‹total>sum›(); }\n}\n"),
    },
    "no import": {
        "shop/Cart.java": CART,
        "app/Main.java": ("package app;\n\nclass Main {\n    int f() { return Cart.of(1).total(); }\n}\n"),
    },
    "a derived class has the new name": {
        "shop/Cart.java": CART,
        "app/Main.java": (
            HEAD + "    static class Big extends Cart {\n        int sum() { return 1; }\n"
            "        int g() { return total(); }\n    }\n}\n"
        ),
    },
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_members_behind_objects_of_the_class(body: str) -> None:
    assert_follows({"file:///w/shop/Cart.java": CART, "file:///w/app/Main.java": f"{HEAD}{body}}}\n"})


@pytest.mark.parametrize("files", FILES.values(), ids=FILES)
def test_what_a_file_sees_of_the_class(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()})
