"""Members of a renamed class, «old>new», behind what other files declare: results of functions, constants, members."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from editahead.analysis.resolver.resolver import Resolver
from editahead.suggest.next_edit.consequences.renames.objects_elsewhere import ExportedClass, Objects

from tests.growth import assert_linear
from tests.suggest.next_edit.consequences.marked_renames import assert_follows, outcome, played

FILES = {
    "results of functions of Python": {
        "shop.py": (
            "class Cart:\n    def «total>sum»(self):\n        return 1\n\n\ndef load() -> Cart:\n    return Cart()\n"
        ),
        "use.py": (
            "from shop import load\nimport shop\n\ncart = load()\ncart.‹total>sum›()\nload().‹total>sum›()\n"
            "shop.load().‹total>sum›()\nother = shop.load()\nother.‹total>sum›()\nmine = own()\nmine.total()\n"
            "\n\nclass A:\n    def __init__(self):\n        self.cart = load()\n\n    def f(self):\n"
            "        return self.cart.‹total>sum›()\n"
        ),
    },
    "results and constants of TypeScript": {
        "shop.ts": (
            "export class Cart {\n  «total>sum»() { return 1; }\n}\n"
            "export function load(): Cart { return new Cart(); }\n"
            "export async function fetchCart(): Promise<Cart> { return load(); }\n"
            "export const carts: Cart[] = [];\nexport const main = new Cart();\n"
        ),
        "use.ts": (
            'import { load, fetchCart, carts, main } from "./shop";\nimport * as shop from "./shop";\n'
            "\nconst cart = load();\ncart.‹total>sum›();\nload().‹total>sum›();\nshop.load().‹total>sum›();\n"
            "main.‹total>sum›();\nasync function f() {\n  const c = await fetchCart();\n  c.‹total>sum›();\n"
            "  for (const d of carts) d.‹total>sum›();\n  carts[0].‹total>sum›();\n"
            "  carts.map((e) => e.‹total>sum›());\n}\nother().total();\n"
        ),
    },
    "the base of a class of TypeScript": {
        "shop.ts": "export class Cart {\n  «total>sum»() { return 1; }\n}\n",
        "use.ts": (
            'import { Cart } from "./shop";\n\nclass Big extends Cart {\n'
            "  all() { return super.‹total>sum›() + this.‹total>sum›(); }\n}\n"
            "class Other extends Shop {\n  all() { return super.total(); }\n}\n"
        ),
    },
    "results of functions of Go": {
        "shop/cart.go": (
            "package shop\n\ntype Cart struct{ N int }\n\nfunc (c *Cart) «Total>Sum»() int { return 1 }\n\n"
            "func New() *Cart { return &Cart{} }\n\nfunc Load() (*Cart, error) { return nil, nil }\n"
        ),
        "main.go": (
            "package main\n\n"
            'import "m/shop"\n'
            "\nfunc f() {\n\tc := shop.New()\n\tc.‹Total>Sum›()\n\tshop.New().‹Total>Sum›()\n"
            "\td, err := shop.Load()\n\tif err != nil {\n\t\treturn\n\t}\n\td.‹Total>Sum›()\n"
            "\te := other.New()\n\te.Total()\n}\n"
        ),
    },
    "results of functions of Rust": {
        "src/shop.rs": (
            "pub struct Cart;\n\nimpl Cart {\n    pub fn new() -> Self { Cart }\n"
            "    pub fn «total>sum»(&self) -> i32 { 1 }\n}\n\npub fn load() -> Cart { Cart }\n"
        ),
        "src/main.rs": (
            "use crate::shop::{load, Cart};\n\nfn f() {\n    let c = load();\n    c.‹total>sum›();\n"
            "    let d = Cart::new();\n    d.‹total>sum›();\n    load().‹total>sum›();\n    let e = own();\n"
            "    e.total();\n}\n"
        ),
    },
    "results of methods of C#": {
        "Shop/Cart.cs": (
            "namespace Shop;\n\npublic class Cart\n{\n    public int «Total>Sum»() => 1;\n"
            "    public static Cart Load() => new Cart();\n}\n"
        ),
        "App/P.cs": (
            "using Shop;\n\nclass P\n{\n    void F()\n    {\n        var c = Cart.Load();\n"
            "        c.‹Total>Sum›();\n        Cart.Load().‹Total>Sum›();\n        var d = new Cart();\n"
            "        d.‹Total>Sum›();\n        var e = Own();\n        e.Total();\n    }\n}\n"
        ),
    },
    "results of functions and methods of C++, without their bodies": {
        "shop.hpp": (
            "class Cart {\n public:\n  int «total>sum»();\n  static Cart load();\n};\nCart make();\nOther other();\n"
            "int f() { return make().‹total>sum›() + other().total(); }\n"
        ),
        "main.cpp": (
            '#include "shop.hpp"\n\nint g() {\n  auto c = make();\n  auto d = Cart::load();\n'
            "  return c.‹total>sum›() + d.‹total>sum›() + make().‹total>sum›() + other().total();\n}\n"
        ),
    },
    "members of members": {
        "shop.py": (
            "class Item:\n    def «price>cost»(self):\n        return 1\n\n\nclass Cart:\n"
            "    def __init__(self):\n        self.first = Item()\n        self.items: list[Item] = []\n"
        ),
        "use.py": (
            "from shop import Cart\n\n\ndef f(cart: Cart):\n    cart.first.‹price>cost›()\n"
            "    for item in cart.items:\n        item.‹price>cost›()\n    cart.items[0].‹price>cost›()\n"
        ),
    },
    "members over three files": {
        "item.py": ("class Item:\n    def «price>cost»(self):\n        return 1\n"),
        "cart.py": (
            "from item import Item\n\n\nclass Cart:\n    def __init__(self):\n        self.first = Item()\n\n"
            "    def make(self) -> Item:\n        return self.first\n"
        ),
        "use.py": (
            "from cart import Cart\n\n\ndef f(cart: Cart):\n    cart.first.‹price>cost›()\n"
            "    cart.make().‹price>cost›()\n    other.price()\n"
        ),
    },
}


@pytest.mark.parametrize("files", FILES.values(), ids=FILES)
def test_members_behind_what_other_files_declare(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()})


@pytest.mark.parametrize(("name", "is_resolved"), [("load", True), ("open", False)])
def test_files_that_name_nothing_of_the_class_are_not_resolved(
    name: str, is_resolved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolved: list[str] = []
    initialise = Objects.__init__

    def counted(objects: Objects, resolver: Resolver, class_: ExportedClass, uri: str) -> None:
        resolved.append(uri)
        initialise(objects, resolver, class_, uri)

    monkeypatch.setattr(Objects, "__init__", counted)
    shop = "class Cart:\n    def «total>sum»(self):\n        pass\n\n\ndef load() -> Cart:\n    pass\n"
    others = tuple(played(f"from shop import {name}\n\n{name}().total()\n", f"file:///w/{n}.py") for n in range(5))
    outcome(replace(played(shop, "file:///w/shop.py"), others=others))
    assert len(resolved) == (5 if is_resolved else 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        "def f{n}():\n    load().total()\n    own{n}().total()\n\n",
        "def f{n}():\n    a{n} = load()\n    a{n}.total()\n\n",
    ],
    ids=["results", "variables"],
)
def test_they_are_found_in_linear_time(body: str) -> None:
    shop = "class Cart:\n    def «total>sum»(self):\n        pass\n\n\ndef load() -> Cart:\n    pass\n"

    def work(size: int) -> Callable[[], object]:
        head = "from shop import load\n\n\n"
        other = played(head + "".join(body.format(n=n) for n in range(size)), "file:///w/use.py")
        document = replace(played(shop, "file:///w/shop.py"), others=(other,))
        assert len(outcome(document).candidates) >= size
        return lambda: outcome(document)

    assert_linear(work, 100)
