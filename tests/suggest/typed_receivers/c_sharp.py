"""C#: `is`, `case`, `as`, and elements of containers."""

from __future__ import annotations

HEAD = (
    "using System.Linq;\nusing System.Collections.Generic;\n\nclass Cart\n{\n"
    "    public int «Total>Sum»() => 1;\n    public Cart Own() => this;\n}\n\n"
    "class Order\n{\n    public int Total() => 1;\n}\n\nclass M\n{\n"
)


def _written(*lines: str) -> str:
    return HEAD + "\n".join(f"    {line}" for line in lines) + "\n}\n"


NARROWED = {
    "is": _written("void F(object x) {", "    if (x is Cart c) {", "        c.‹Total>Sum›();", "    }", "}"),
    "is not": _written("int F(object x) {", "    if (x is not Cart c) return 0;", "    return c.‹Total>Sum›();", "}"),
    "is, negated": _written(
        "int F(object x) {", "    if (!(x is Cart c)) return 0;", "    return c.‹Total>Sum›();", "}"
    ),
    "is and": _written("bool F(object x) => x is Cart c && c.‹Total>Sum›() > 1;"),
    "is braces": _written("bool F(object x) => x is Cart { } c && c.‹Total>Sum›() > 1;"),
    "case": _written(
        "void F(object x) {",
        "    switch (x) {",
        "        case Cart c:",
        "            c.‹Total>Sum›();",
        "            break;",
        "        case Order c:",
        "            c.Total();",
        "            break;",
        "    }",
        "}",
    ),
    "an arm": _written("int F(object x) => x switch { Cart c => c.‹Total>Sum›(), Order o => o.Total(), _ => 0 };"),
    "as": _written(
        "void F(object x) {",
        "    var c = x as Cart;",
        "    c.‹Total>Sum›();",
        "    (x as Cart).‹Total>Sum›();",
        "    (x as Cart)?.‹Total>Sum›();",
        "}",
    ),
    "a cast": _written(
        "void F(object x) {", "    ((Cart)x).‹Total>Sum›();", "    var c = (Cart)x;", "    c.‹Total>Sum›();", "}"
    ),
}
UNCHANGED = {
    "pairs and keys": _written(
        "void F(Dictionary<string, Cart> m) {",
        "    foreach (var p in m) { p.Total(); p.Key.Total(); }",
        "    foreach (var k in m.Keys) k.Total();",
        "}",
    ),
    "what another map holds": _written(
        "void F(Dictionary<string, Order> m) {", '    if (m.TryGetValue("a", out var c)) c.Total();', "}"
    ),
    "elements of another class": _written("int F(List<Cart> xs) => xs.OfType<Order>().Sum(c => c.Total());"),
    "another class": _written("int F(object x) => x is Order c ? c.Total() : 0;"),
    "a cast to another class": _written("int F(object x) => ((Order)x).Total();"),
}
CONTAINERS = {
    "values": _written(
        "void F(Dictionary<string, Cart> m) {",
        "    foreach (var c in m.Values) c.‹Total>Sum›();",
        "    m.Values.First().‹Total>Sum›();",
        '    m["a"].‹Total>Sum›();',
        "}",
    ),
    "pairs": _written(
        "void F(Dictionary<string, Cart> m) {",
        "    foreach (var p in m) p.Value.‹Total>Sum›();",
        "    foreach (KeyValuePair<string, Cart> p in m) p.Value.‹Total>Sum›();",
        "}",
    ),
    "TryGetValue": _written(
        "void F(Dictionary<string, Cart> m) {",
        '    if (m.TryGetValue("a", out var c)) c.‹Total>Sum›();',
        '    if (m.TryGetValue("a", out Cart d)) d.‹Total>Sum›();',
        "}",
    ),
    "First": _written(
        "void F(List<Cart> cs) {",
        "    cs.First().‹Total>Sum›();",
        "    cs.FirstOrDefault(c => c.‹Total>Sum›() > 1).‹Total>Sum›();",
        "    cs.Where(c => c.‹Total>Sum›() > 1).OrderBy(c => c.‹Total>Sum›()).Last().‹Total>Sum›();",
        "}",
    ),
    "OfType": _written(
        "void F(List<object> xs) {",
        "    foreach (var c in xs.OfType<Cart>()) c.‹Total>Sum›();",
        "    xs.OfType<Cart>().First().‹Total>Sum›();",
        "    xs.Cast<Cart>().Sum(c => c.‹Total>Sum›());",
        "    xs.OfType<Order>().Sum(c => c.Total());",
        "}",
    ),
    "Select with an index": _written("int F(List<Cart> cs) => cs.Select((c, i) => c.‹Total>Sum›()).Sum();"),
    "an array": _written(
        "void F(Cart[] cs) {", "    cs[0].‹Total>Sum›();", "    cs.ToDictionary(c => c.‹Total>Sum›());", "}"
    ),
}
