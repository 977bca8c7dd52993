"""Java: `instanceof`, casts, and elements of containers."""

from __future__ import annotations

HEAD = (
    "package app;\n\nimport java.util.*;\nimport java.util.stream.*;\n\nclass Main {\n"
    "    static class Cart {\n        int «total>sum»() { return 1; }\n        Cart own() { return this; }\n    }\n"
    "    static class Order {\n        int total() { return 1; }\n    }\n"
)


def _written(*lines: str) -> str:
    return HEAD + "\n".join(f"    {line}" for line in lines) + "\n}\n"


NARROWED = {
    "a pattern": _written(
        "void f(Object x) {", "    if (x instanceof Cart c) {", "        c.‹total>sum›();", "    }", "}"
    ),
    "a pattern, negated": _written(
        "int f(Object x) {", "    if (!(x instanceof Cart c)) return 0;", "    return c.‹total>sum›();", "}"
    ),
    "a cast": _written("int f(Object x) {", "    return ((Cart) x).‹total>sum›();", "}"),
    "a cast to a variable": _written("int f(Object x) {", "    var c = (Cart) x;", "    return c.‹total>sum›();", "}"),
    "a label": _written(
        "int f(Object x) {",
        "    return switch (x) {",
        "        case Cart c -> c.‹total>sum›();",
        "        case Order c -> c.total();",
        "        default -> 0;",
        "    };",
        "}",
    ),
    "and": _written("boolean f(Object x) {", "    return x instanceof Cart c && c.‹total>sum›() > 1;", "}"),
}
UNCHANGED = {
    "an entry and its key": _written(
        "void f(Map<String, Cart> m) {",
        "    for (var e : m.entrySet()) { e.total(); e.getKey().total(); }",
        "    m.forEach((k, c) -> k.total());",
        "}",
    ),
    "a cast to another class": _written("int f(Object x) {", "    return ((Order) x).total();", "}"),
    "without a pattern": _written(
        "int f(Order x) {", "    if (((Object) x) instanceof Cart) return x.total();", "    return 0;", "}"
    ),
}
CONTAINERS = {
    "entrySet": _written(
        "void f(Map<String, Cart> m) {",
        "    for (Map.Entry<String, Cart> e : m.entrySet()) e.getValue().‹total>sum›();",
        "    for (var e : m.entrySet()) e.getValue().‹total>sum›();",
        "}",
    ),
    "entrySet, streamed": _written(
        "int f(Map<String, Cart> m) {",
        "    return m.entrySet().stream().mapToInt(e -> e.getValue().‹total>sum›()).sum();",
        "}",
    ),
    "values": _written("void f(Map<String, Cart> m) {", "    for (var c : m.values()) c.‹total>sum›();", "}"),
    "map forEach": _written(
        "void f(Map<String, Cart> m) {",
        "    m.forEach((k, c) -> c.‹total>sum›());",
        "    m.forEach((c, k) -> c.total());",
        "}",
    ),
    "List.of": _written(
        "void f() {",
        "    var cs = List.of(new Cart());",
        "    cs.get(0).‹total>sum›();",
        "    for (var c : List.of(new Cart(), new Cart())) c.‹total>sum›();",
        "    Arrays.asList(new Cart()).forEach(c -> c.‹total>sum›());",
        "}",
    ),
    "List.of other things": _written(
        "void f() {", "    var cs = List.of(new Cart(), new Order());", "    cs.get(0).total();", "}"
    ),
    "Optional.of": _written(
        "void f(Cart x) {",
        "    Optional.of(x).get().‹total>sum›();",
        "    Optional.ofNullable(x).ifPresent(c -> c.‹total>sum›());",
        "}",
    ),
    "Map.of": _written("void f() {", '    var m = Map.of("a", new Cart());', '    m.get("a").‹total>sum›();', "}"),
    "findFirst": _written("int f(List<Cart> cs) {", "    return cs.stream().findFirst().get().‹total>sum›();", "}"),
    "reduce": _written(
        "void f(List<Cart> cs) {",
        "    cs.stream().reduce((a, c) -> c.‹total>sum›() > 1 ? a : c).get().‹total>sum›();",
        "}",
    ),
    "added": _written(
        "void f() {",
        "    var cs = new ArrayList<Cart>();",
        "    cs.add(new Cart());",
        "    cs.get(0).‹total>sum›();",
        "}",
    ),
}
