"""TypeScript: `instanceof`, `as`, and elements of containers."""

from __future__ import annotations

HEAD = (
    "class Cart {\n  next: Cart;\n  «total>sum»() { return 1; }\n  own(): Cart { return this; }\n}\n"
    "class Order {\n  total() { return 1; }\n}\nclass Gift extends Cart {}\n"
)


def _written(*lines: str) -> str:
    return HEAD + "\n".join(lines) + "\n"


NARROWED = {
    "if": _written(
        "function f(x: Cart | Order) {",
        "  if (x instanceof Cart) {",
        "    x.‹total>sum›();",
        "  }",
        "  x.total();",
        "}",
    ),
    "if without braces": _written("function f(x) {", "  if (x instanceof Cart) x.‹total>sum›();", "  x.total();", "}"),
    "not, then an exit": _written("function f(x) {", "  if (!(x instanceof Cart)) return;", "  x.‹total>sum›();", "}"),
    "not, then throw": _written(
        "function f(x) {",
        "  if (!(x instanceof Cart)) {",
        "    throw new Error();",
        "  }",
        "  x.‹total>sum›();",
        "}",
    ),
    "not, then continue": _written(
        "function f(xs) {",
        "  for (const x of xs) {",
        "    if (!(x instanceof Cart)) continue;",
        "    x.‹total>sum›();",
        "  }",
        "}",
    ),
    "not, then else": _written(
        "function f(x) {",
        "  if (!(x instanceof Cart)) {",
        "    x.total();",
        "  } else {",
        "    x.‹total>sum›();",
        "  }",
        "}",
    ),
    "and": _written(
        "function f(x, y) {",
        "  if (y && x instanceof Cart && x.‹total>sum›()) x.‹total>sum›();",
        "  return x instanceof Cart && x.‹total>sum›();",
        "}",
    ),
    "not, or": _written(
        "function f(x) {",
        "  if (!(x instanceof Cart) || x.‹total>sum›() > 1) return;",
        "  x.‹total>sum›();",
        "}",
    ),
    "else if": _written(
        "function f(x: Cart | Order) {",
        "  if (x instanceof Order) {",
        "    x.total();",
        "  } else if (x instanceof Cart) {",
        "    x.‹total>sum›();",
        "  } else {",
        "    x.total();",
        "  }",
        "}",
    ),
    "conditional expression": _written("const f = (x) => x instanceof Cart ? x.‹total>sum›() : x.total();"),
    "a member": _written(
        "class Shop {",
        "  x: Cart | Order;",
        "  f() {",
        "    if (this.x instanceof Cart) {",
        "      this.x.‹total>sum›();",
        "    }",
        "    this.x.total();",
        "  }",
        "}",
    ),
    "a member of a name": _written(
        "function f(a) {", "  if (a.x instanceof Cart) {", "    a.x.‹total>sum›();", "    a.y.total();", "  }", "}"
    ),
    "a test of which nothing is known": _written(
        "function f(x: Cart | Order) {", "  if (x instanceof Cart && check(x)) {", "    x.‹total>sum›();", "  }", "}"
    ),
    "in a callback": _written(
        "function f(x: Cart | Order, ys) {",
        "  if (x instanceof Cart) {",
        "    ys.forEach((y) => x.‹total>sum›());",
        "  }",
        "}",
    ),
    "as": _written(
        "function f(x) {", "  (x as Cart).‹total>sum›();", "  const c = x as Cart;", "  c.‹total>sum›();", "}"
    ),
    "a derived class": _written(
        "function f(x: Cart) {", "  if (x instanceof Gift) x.‹total>sum›();", "  x.‹total>sum›();", "}"
    ),
    "a caught error": _written(
        "function f(g) {",
        "  try { g(); } catch (e) {",
        "    if (e instanceof Cart) { e.‹total>sum›(); }",
        "    e.total();",
        "  }",
        "}",
    ),
    "a function of a predicate": _written(
        "function isCart(x: unknown): x is Cart { return true; }",
        "function f(x) {",
        "  if (isCart(x)) x.‹total>sum›();",
        "  x.total();",
        "}",
    ),
}
UNCHANGED = {
    "another object of the name": _written(
        "function f(Object, m: Record<string, Cart>) {", "  Object.values(m)[0].total();", "}"
    ),
    "a key": _written("function f(m: Map<string, Cart>) {", "  for (const [k, c] of m) k.total();", "}"),
    "elements of two classes": _written(
        "function f(cs: Cart[], o: Order) {", "  [...cs, o].forEach((x) => x.total());", "}"
    ),
    "what then gives": _written("function f(p: Promise<Cart>) {", "  p.then((c) => 1).then((n) => n.total());", "}"),
    "after the branch": _written("function f(x) {", "  if (x instanceof Cart) {}", "  x.total();", "}"),
    "else": _written("function f(x) {", "  if (x instanceof Cart) {} else { x.total(); }", "}"),
    "or": _written("function f(x, y) {", "  if (x instanceof Cart || y) x.total();", "}"),
    "the right of or": _written("function f(x) {", "  return x instanceof Cart || x.total();", "}"),
    "not": _written("function f(x) {", "  if (!(x instanceof Cart)) x.total();", "  x.total();", "}"),
    "not, in one branch": _written(
        "function f(x, y) {", "  if (!(x instanceof Cart)) { if (y) return; }", "  x.total();", "}"
    ),
    "reassigned": _written("function f(x, y) {", "  if (x instanceof Cart) { x = y; x.total(); }", "  x.total();", "}"),
    "reassigned in a loop": _written(
        "function f(x, ys) {", "  if (x instanceof Cart) { for (const y of ys) { x.total(); x = y; } }", "}"
    ),
    "reassigned after an exit": _written(
        "function f(x, y) {", "  if (!(x instanceof Cart)) return;", "  x = y;", "  x.total();", "}"
    ),
    "reassigned in a callback": _written(
        "function f(x, y) {",
        "  if (x instanceof Cart) {",
        "    y.then(() => x.total());",
        "  }",
        "  x = y;",
        "}",
    ),
    "another name": _written("function f(x, y) {", "  if (x instanceof Cart) y.total();", "}"),
    "a name of an inner function": _written(
        "function f(x, y) {", "  if (x instanceof Cart) y.each((x) => x.total());", "}"
    ),
    "a name of an inner block": _written(
        "function f(x, y) {", "  if (x instanceof Cart) { const x = y; x.total(); }", "}"
    ),
    "a member of another object": _written("function f(a, b) {", "  if (a.x instanceof Cart) b.x.total();", "}"),
    "a member that is set": _written("function f(a, b) {", "  if (a.x instanceof Cart) { a.x = b; a.x.total(); }", "}"),
    "this of another object": _written(
        "class Shop {",
        "  x: Cart | Order;",
        "  f(g) {",
        "    if (this.x instanceof Cart) {",
        "      g({ h() { return this.x.total(); } });",
        "    }",
        "  }",
        "}",
    ),
    "what a function gives": _written(
        "function load(x): Cart { return new Cart(); }", "function f(x) {", "  if (load(x)) x.total();", "}"
    ),
    "the other operand": _written("function f(x) {", "  return x.total() && x instanceof Cart;", "}"),
    "a loop's end": _written("function f(x) {", "  while (x instanceof Cart) { x = x.next; }", "  x.total();", "}"),
}
CONTAINERS = {
    "Object.values": _written(
        "function f(m: Record<string, Cart>) {",
        "  Object.values(m).forEach((c) => c.‹total>sum›());",
        "  for (const c of Object.values(m)) c.‹total>sum›();",
        "}",
    ),
    "Object.entries": _written(
        "function f(m: Record<string, Cart>) {",
        "  for (const [k, c] of Object.entries(m)) { c.‹total>sum›(); k.total(); }",
        "}",
    ),
    "Array.from": _written(
        "function f(m: Map<string, Cart>, s: Set<Cart>) {",
        "  Array.from(m.values()).forEach((c) => c.‹total>sum›());",
        "  Array.from(s)[0].‹total>sum›();",
        "}",
    ),
    "spread": _written(
        "function f(m: Map<string, Cart>, s: Set<Cart>) {",
        "  [...m.values()].forEach((c) => c.‹total>sum›());",
        "  [...s].find((c) => c.‹total>sum›());",
        "}",
    ),
    "Promise.all": _written(
        "async function f(p: Promise<Cart>[]) {",
        "  const cs = await Promise.all(p);",
        "  cs[0].‹total>sum›();",
        "  for (const c of await Promise.all(p)) c.‹total>sum›();",
        "}",
    ),
    "await": _written("async function f(p: Promise<Cart>) {", "  (await p).‹total>sum›();", "}"),
    "then": _written("function f(p: Promise<Cart>) {", "  p.then((c) => c.‹total>sum›());", "}"),
    "then, of what a function gives": _written(
        "async function load(): Promise<Cart> { return new Cart(); }",
        "load().then((c) => c.‹total>sum›()).then((c) => c.total());",
    ),
    "reduce": _written("function f(cs: Cart[]) {", "  cs.reduce((a, c) => a.total() + c.‹total>sum›(), 0);", "}"),
    "at and pop": _written(
        "function f(cs: Cart[]) {",
        "  cs.at(-1)?.‹total>sum›();",
        "  cs.pop()!.‹total>sum›();",
        "  cs.shift()?.‹total>sum›();",
        "}",
    ),
    "pushed, of two classes": _written(
        "function f() {",
        "  const cs = [];",
        "  cs.push(new Cart());",
        "  cs.push(new Order());",
        "  cs[0].total();",
        "}",
    ),
    "a map of its types": _written(
        "function f(k) {", "  const m = new Map<string, Cart>();", "  m.get(k)!.‹total>sum›();", "}"
    ),
}
_SHOP = (
    "export class Cart {\n  «total>sum»() { return 1; }\n}\nexport class Order {\n  total() { return 1; }\n}\n"
    "export function isCart(x: unknown): x is Cart { return true; }\n"
)
ELSEWHERE = {
    "a class": {
        "shop.ts": _SHOP,
        "main.ts": "import { Cart, Order } from './shop';\nfunction f(x: Cart | Order) {\n"
        "  if (x instanceof Cart) {\n    x.‹total>sum›();\n  }\n  x.total();\n}\n",
    },
    "a predicate": {
        "shop.ts": _SHOP,
        "main.ts": "import { isCart } from './shop';\nfunction f(x) {\n"
        "  if (isCart(x)) {\n    x.‹total>sum›();\n  }\n}\n",
    },
}
