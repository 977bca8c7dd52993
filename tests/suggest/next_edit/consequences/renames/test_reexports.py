"""Renamed names «old>new» that other files hand on, bring in whole, or name in strings of tests, ‹old>new›."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

FUNCTION = "export function «load>fetchAll»(): void {}\n"
CLASS = "export class Cart {\n  «total>sum»(): number { return 1; }\n}\n"
USE = 'import { ‹load>fetchAll› } from "./index";\n‹load>fetchAll›();\n'
MEMBER = 'import { Cart } from "./index";\nfunction f(c: Cart) { return c.‹total>sum›(); }\n'
PYTHON = "def «load>fetch_all»():\n    pass\n"
PYTHON_CLASS = "class Cart:\n    def «total>sum_up»(self):\n        return 1\n"
PYTHON_USE = "from shop import ‹load>fetch_all›\n‹load>fetch_all›()\n"
PYTHON_MEMBER = "from shop import Cart\nCart().‹total>sum_up›()\n"

FOLLOWED = {
    "all of a script": {"a.ts": FUNCTION, "index.ts": 'export * from "./a";\n', "use.ts": USE},
    "all, through two files": {
        "lib/a.ts": FUNCTION,
        "lib/index.ts": "export * from './a';\n",
        "index.ts": "export * from './lib';\n",
        "use.ts": USE,
    },
    "all of another script": {
        "a.ts": FUNCTION,
        "index.ts": 'export * from "./b";\n',
        "use.ts": 'import { load } from "./index";\nload();\n',
    },
    "all, but another thing of the name": {
        "a.ts": FUNCTION,
        "index.ts": 'export * from "./a";\nexport { load } from "./b";\n',
        "use.ts": 'import { load } from "./index";\nload();\n',
    },
    "a namespace of all": {
        "a.ts": FUNCTION,
        "index.ts": 'export * as a from "./a";\n',
        "use.ts": 'import { load } from "./index";\nload();\n',
    },
    "a member of a class, all handed on": {"cart.ts": CLASS, "index.ts": 'export * from "./cart";\n', "use.ts": MEMBER},
    "a member of a class that is named": {
        "cart.ts": CLASS,
        "index.ts": 'export { Cart } from "./cart";\n',
        "use.ts": MEMBER,
    },
    "a member of a type that is named": {
        "cart.ts": "export interface Cart {\n  «total>sum»(): number;\n}\n",
        "index.ts": 'export type { Cart } from "./cart";\n',
        "use.ts": MEMBER,
    },
    "a member of a class that is imported before": {
        "cart.ts": CLASS,
        "index.ts": 'import { Cart } from "./cart";\nexport { Cart };\n',
        "use.ts": MEMBER,
    },
    "a member of a default export that is named": {
        "cart.ts": CLASS.replace("export class", "export default class"),
        "index.ts": 'export { default as Cart } from "./cart";\n',
        "use.ts": MEMBER,
    },
    "a member of another class of the name": {
        "cart.ts": CLASS,
        "index.ts": 'export { Basket as Cart } from "./cart";\n',
        "use.ts": 'import { Cart } from "./index";\nfunction f(c: Cart) { return c.total(); }\n',
    },
    "a member behind a function that is handed on": {
        "cart.ts": f"{CLASS}export function open(): Cart {{ return new Cart(); }}\n",
        "index.ts": 'export * from "./cart";\n',
        "use.ts": 'import { open } from "./index";\nopen().‹total>sum›();\n',
    },
    "a class that a pattern takes from a module": {
        "cart.js": "class Cart {\n  «total>sum»() { return 1; }\n}\nmodule.exports = { Cart };\n",
        "use.js": 'const { Cart } = require("./cart");\nnew Cart().‹total>sum›();\nother.total();\n',
    },
    "a class that a pattern takes from another module": {
        "cart.js": "class Cart {\n  «total>sum»() { return 1; }\n}\nmodule.exports = { Cart };\n",
        "use.js": 'const { Cart } = require("./basket");\nnew Cart().total();\n',
    },
    "a package with a star": {
        "shop/cart.py": PYTHON,
        "shop/__init__.py": "from .cart import *\n",
        "use.py": PYTHON_USE,
    },
    "a member, a package with a star": {
        "shop/cart.py": PYTHON_CLASS,
        "shop/__init__.py": "from .cart import *\n",
        "use.py": PYTHON_MEMBER,
    },
    "a member of a class of a package": {
        "shop/cart.py": PYTHON_CLASS,
        "shop/__init__.py": "from .cart import Cart\n",
        "use.py": PYTHON_MEMBER,
    },
    "a member of a class of another package": {
        "shop/cart.py": PYTHON_CLASS,
        "shop/__init__.py": "from .basket import Cart\n",
        "use.py": "from shop import Cart\nCart().total()\n",
    },
    "a static member by its bare name": {
        "A.cs": "namespace N { static class A { public static void «Load>Fetch»() {} } }\n",
        "B.cs": "using static N.A;\nclass B { void F() { ‹Load>Fetch›(); other.Load(); } }\n",
        "C.cs": "using static N.D;\nclass C { void F() { Load(); } }\n",
    },
    "a test that replaces it by its path": {
        "shop/cart.py": PYTHON,
        "test_cart.py": (
            'from unittest import mock\nimport shop.cart\n@mock.patch("shop.cart.‹load>fetch_all›")\n'
            'def test(m):\n    say("shop.cart.load")\n'
        ),
    },
    "a test that replaces it where it is imported": {
        "shop/cart.py": PYTHON,
        "shop/view.py": "from shop.cart import ‹load>fetch_all›\ndef show():\n    return ‹load>fetch_all›()\n",
        "test_view.py": (
            "from unittest.mock import patch\ndef test(monkeypatch):\n"
            "    monkeypatch.setattr('shop.view.‹load>fetch_all›', None)\n"
            "    with patch('shop.view.‹load>fetch_all›'), patch('shop.other.load'):\n        pass\n"
        ),
    },
    "a test that replaces a member of its class": {
        "shop/cart.py": "class «Cart>Basket»:\n    pass\n",
        "test_cart.py": 'import shop.cart\nfrom unittest import mock\nmock.patch("shop.cart.‹Cart>Basket›.total")\n',
    },
    "keys of a module that a test replaces": {
        "a.ts": FUNCTION,
        "a.test.ts": (
            'import { ‹load>fetchAll› } from "./a";\njest.mock("./a", () => ({\n  ...jest.requireActual("./a"),\n'
            '  ‹load>fetchAll›: jest.fn(() => ({ load: 1 })),\n  other: { load: "," },\n}));\n'
            'jest.mock("./b", () => ({ load: jest.fn() }));\n'
        ),
        "b.test.ts": 'const load = vi.fn();\nvi.mock("./a", async () => ({ ‹load>fetchAll: load› }));\n',
    },
    "a member through `super` of Python": {
        "shop/cart.py": PYTHON_CLASS,
        "shop/big.py": (
            "from .cart import Cart\nclass Big(Cart):\n    def ‹total>sum_up›(self):\n"
            "        return super().‹total>sum_up›() + other().total()\n"
        ),
    },
    "a keyword of a method": {
        "shop/cart.py": "class Cart:\n    def total(self, «tax>rate»):\n        return ‹tax>rate›\n",
        "use.py": "from shop.cart import Cart\nCart().total(‹tax>rate›=3)\nother().total(tax=3)\n",
    },
    "a keyword of a static method": {
        "A.cs": "namespace N;\npublic static class A { public static int F(int «size>width») => ‹size>width›; }\n",
        "B.cs": "namespace N;\nclass B { int G() => A.F(‹size>width›: 1) + C.F(size: 1); }\n",
    },
    "a spy on an object": {
        "api.ts": "export const api = {\n  «load>fetchAll»() { return 1; },\n};\n",
        "api.test.ts": (
            'import { api } from "./api";\njest.spyOn(api, "‹load>fetchAll›").mockReturnValue(2);\n'
            'jest.spyOn(other, "load");\nlog(api, "load");\n'
        ),
    },
    "a spy on a module": {
        "a.ts": FUNCTION,
        "a.test.ts": "import * as a from './a';\nvi.spyOn(a, '‹load>fetchAll›');\n",
    },
}


@pytest.mark.parametrize("texts", FOLLOWED.values(), ids=FOLLOWED)
def test_what_is_handed_on(texts: dict[str, str]) -> None:
    assert_follows({f"file:///w/{path}": text for path, text in texts.items()})
