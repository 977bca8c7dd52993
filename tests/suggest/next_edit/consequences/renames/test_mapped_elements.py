"""Members of a renamed class, «old>new», behind what functions give for the elements of a sequence: `map`, `sort`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.growth import assert_linear
from tests.suggest.next_edit.consequences.marked_renames import assert_follows, resolving

CASES: dict[str, str] = {}
JAVA_HEAD = (
    "package app;\n\nimport java.util.*;\nimport java.util.stream.*;\n\nclass Main {\n"
    "    static class Cart {\n        Cart next;\n        int «total>sum»() { return 1; }\n"
    "        Cart self() { return this; }\n        List<Cart> parts() { return null; }\n    }\n"
    "    static class Other {\n        int total() { return 1; }\n    }\n"
)
CASES |= {
    "Main.java: stream map": (
        JAVA_HEAD + "    int f(List<Cart> cs) {\n        return cs.stream().mapToInt(c -> c.‹total>sum›()).sum();\n"
        "    }\n}\n"
    ),
    "Main.java: stream filter map": (
        JAVA_HEAD + "    int f(List<Cart> cs) {\n"
        "        return cs.stream().filter(c -> c.‹total>sum›() > 1).mapToInt(c -> c.‹total>sum›()).sum();\n"
        "    }\n}\n"
    ),
    "Main.java: stream map self": (
        JAVA_HEAD + "    int f(List<Cart> cs) {\n"
        "        return cs.stream().map(c -> c.self()).mapToInt(c -> c.‹total>sum›()).sum();\n    }\n}\n"
    ),
    "Main.java: stream map ref": (
        JAVA_HEAD + "    int f(List<Cart> cs) {\n"
        "        return cs.stream().map(Cart::self).mapToInt(c -> c.‹total>sum›()).sum();\n    }\n}\n"
    ),
    "Main.java: stream findFirst": (
        JAVA_HEAD
        + "    int f(List<Cart> cs) {\n        return cs.stream().findFirst().get().‹total>sum›();\n    }\n}\n"
    ),
    "Main.java: stream orElse": (
        JAVA_HEAD + "    int f(List<Cart> cs) {\n"
        "        return cs.stream().findFirst().orElseThrow().‹total>sum›()\n"
        "            + cs.stream().findFirst().orElse(null).‹total>sum›();\n"
        "    }\n}\n"
    ),
    "Main.java: forEach": (
        JAVA_HEAD + "    void f(List<Cart> cs) {\n        cs.forEach(c -> c.‹total>sum›());\n"
        "        cs.forEach(c -> { c.‹total>sum›(); });\n    }\n}\n"
    ),
    "Main.java: stream forEach": (
        JAVA_HEAD + "    void f(List<Cart> cs) {\n        cs.stream().forEach(c -> c.‹total>sum›());\n    }\n}\n"
    ),
    "Main.java: sort": (
        JAVA_HEAD + "    void f(List<Cart> cs) {\n        cs.sort((a, b) -> a.‹total>sum›() - b.‹total>sum›());\n"
        "        cs.sort(Comparator.comparingInt(Cart::‹total>sum›));\n    }\n}\n"
    ),
    "Main.java: removeIf": (
        JAVA_HEAD + "    void f(List<Cart> cs) {\n        cs.removeIf(c -> c.‹total>sum›() == 0);\n    }\n}\n"
    ),
    "Main.java: iterator": (
        JAVA_HEAD + "    void f(List<Cart> cs) {\n        Iterator<Cart> it = cs.iterator();\n"
        "        while (it.hasNext()) {\n            it.next().‹total>sum›();\n        }\n    }\n}\n"
    ),
    "Main.java: other stays": (
        JAVA_HEAD
        + "    int f(List<Other> cs) {\n        return cs.stream().mapToInt(c -> c.total()).sum();\n    }\n}\n"
    ),
    "Main.java: map to other stays": (
        JAVA_HEAD + "    int f(List<Cart> cs) {\n"
        "        return cs.stream().map(c -> new Other()).mapToInt(c -> c.total()).sum();\n    }\n}\n"
    ),
    "Main.java: flatMap": (
        JAVA_HEAD + "    int f(List<Cart> cs) {\n"
        "        return cs.stream().flatMap(c -> c.parts().stream()).mapToInt(p -> p.‹total>sum›()).sum();\n"
        "    }\n}\n"
    ),
    "Main.java: optional map": (
        JAVA_HEAD + "    int f(Optional<Cart> o) {\n        o.ifPresent(c -> c.‹total>sum›());\n"
        "        return o.filter(c -> c.‹total>sum›() > 1).map(c -> c.‹total>sum›()).orElse(0);\n    }\n}\n"
    ),
    "Main.java: future": (
        JAVA_HEAD + "    void f(java.util.concurrent.CompletableFuture<Cart> s) throws Exception {\n"
        "        s.get().‹total>sum›();\n        s.join().‹total>sum›();\n"
        "        s.thenApply(c -> c.‹total>sum›()).join();\n        s.thenAccept(c -> c.‹total>sum›());\n"
        "    }\n}\n"
    ),
}
TS_HEAD = (
    "class Cart {\n  next: Cart;\n  «total>sum»() { return 1; }\n  self(): Cart { return this; }\n"
    "  parts(): Cart[] { return []; }\n}\nclass Other {\n  total() { return 1; }\n  cart: Cart;\n}\n"
)
CASES |= {
    "main.ts: map": (
        TS_HEAD + "function f(cs: Cart[]) {\n  cs.map((c) => c.self()).forEach((c) => c.‹total>sum›());\n"
        "  cs.map((c) => c.next).map((c) => c.‹total>sum›());\n"
        "  cs.filter((c) => c.next).map((c) => c.next).filter((c) => c.‹total>sum›() > 1);\n}\n"
    ),
    "main.ts: map var": (
        TS_HEAD + "function f(os: Other[]) {\n  const cs = os.map((o) => o.cart);\n  cs[0].‹total>sum›();\n"
        "  for (const c of cs) c.‹total>sum›();\n  os.map((o) => o.total());\n"
        "  os.map((o) => o.cart)[0].‹total>sum›();\n}\n"
    ),
    "main.ts: new": (
        TS_HEAD + "function f(ns: number[]) {\n  ns.map((n) => new Cart()).forEach((c) => c.‹total>sum›());\n"
        "  ns.map((n) => new Other()).forEach((c) => c.total());\n"
        "  ns.map((n) => n).forEach((c) => c.total());\n}\n"
    ),
    "main.ts: flat": (
        TS_HEAD + "function f(cs: Cart[]) {\n  cs.flatMap((c) => c.parts()).forEach((c) => c.‹total>sum›());\n}\n"
    ),
    "main.ts: reduce": (
        TS_HEAD + "function f(cs: Cart[]) {\n  return cs.reduce((sum, c) => sum + c.‹total>sum›(), 0);\n}\n"
    ),
    "main.ts: sort": (
        TS_HEAD + "function f(cs: Cart[]) {\n  cs.sort((a, b) => a.‹total>sum›() - b.‹total>sum›());\n"
        "  cs.forEach((c, i) => i.total());\n}\n"
    ),
    "main.ts: further parameters": (
        TS_HEAD + "function f(cs: Cart[], i: Cart) {\n  cs.map((c, i) => c.next).forEach((c) => c.‹total>sum›());\n"
        "  cs.map((c, i) => i).forEach((c) => c.total());\n}\n"
    ),
    "main.ts: a parameter with a type": (
        TS_HEAD + "function f(cs: Cart[]) {\n  cs.map((c: Cart, i) => i.total());\n"
        "  cs.map((c: Cart, i) => i).forEach((x) => x.total());\n  cs.sort((a: Cart, b) => b.‹total>sum›());\n}\n"
    ),
    "main.ts: patterns as parameters": (
        TS_HEAD + "function f(cs: Cart[]) {\n  cs.forEach(({ next }) => next.total());\n"
        "  cs.forEach(([a]) => a.total());\n  cs.map(({ own }) => own).forEach((c) => c.total());\n}\n"
    ),
    "main.ts: shadow": (
        TS_HEAD + "function f(cs: Cart[], c: Other) {\n  cs.map(() => c).forEach((x) => x.total());\n"
        "  cs.map((x) => c).forEach((x) => x.total());\n}\n"
    ),
}
CS_HEAD = (
    "using System.Linq;\nusing System.Collections.Generic;\n\nclass Cart\n{\n    public Cart Next;\n"
    "    public int «Total>Sum»() => 1;\n    public Cart Self() => this;\n"
    "    public List<Cart> Parts() => null;\n}\n\nclass Other\n{\n    public int Total() => 1;\n"
    "    public Cart Cart;\n}\n\nclass M\n{\n"
)
CASES |= {
    "Main.cs: select": (
        CS_HEAD + "    int F(List<Cart> cs, List<Other> os) {\n"
        "        var a = os.Select(o => o.Cart).Sum(c => c.‹Total>Sum›());\n"
        "        var b = os.Select(o => o.Total()).Sum();\n        var d = os.Select(o => o.Cart).ToList();\n"
        "        d[0].‹Total>Sum›();\n        foreach (var e in os.Select(o => o.Cart)) e.‹Total>Sum›();\n"
        "        return os.Select(o => o.Cart).First().‹Total>Sum›()\n"
        "            + cs.SelectMany(c => c.Parts()).Sum(p => p.‹Total>Sum›());\n"
        "    }\n}\n"
    ),
}
RS_HEAD = (
    "struct Cart { next: Box<Cart> }\n\nimpl Cart {\n    fn «total>sum»(&self) -> i32 { 1 }\n"
    "    fn own(&self) -> Cart { todo!() }\n    fn parts(&self) -> Vec<Cart> { vec![] }\n}\n\n"
    "struct Other { cart: Cart }\n\nimpl Other {\n    fn total(&self) -> i32 { 1 }\n}\n\n"
)
CASES |= {
    "main.rs: map": (
        RS_HEAD + "fn f(cs: Vec<Cart>, os: Vec<Other>) {\n    os.iter().map(|o| o.total()).sum::<i32>();\n"
        "    os.into_iter().map(|o| o.cart).map(|c| c.‹total>sum›()).sum::<i32>();\n"
        "    cs.iter().map(|c| c.own()).for_each(|c| { c.‹total>sum›(); });\n"
        "    cs.iter().flat_map(|c| c.parts()).map(|c| c.‹total>sum›()).sum::<i32>();\n}\n"
    ),
    "main.rs: option": (
        RS_HEAD + "fn f(o: Option<Other>) -> i32 {\n    let c = o.map(|o| o.cart).unwrap();\n    c.‹total>sum›()\n}\n"
    ),
    "main.rs: sort": (
        RS_HEAD + "fn f(mut cs: Vec<Cart>) {\n    cs.sort_by(|a, b| a.‹total>sum›().cmp(&b.‹total>sum›()));\n}\n"
    ),
}
CARTS = "class Cart {{ next: Cart; all: Cart[]; total() {{}} }}\nfunction f(cs: Cart[]) {{\n{}}}\n"
CHAINS = {
    "chains": lambda size: "cs" + ".map((c) => c.next)" * size + ".forEach((c) => c.total())",
    "nested functions": lambda size: "cs" + ".map((c) => c.all" * size + ")" * size,
    "lines": lambda size: "cs.map((c) => c.next).map((c) => c.total());\n" * size,
}


@pytest.mark.parametrize(("name", "text"), CASES.items(), ids=CASES)
def test_members_of_mapped_elements_follow(name: str, text: str) -> None:
    assert_follows({f"file:///w/{name.partition(':')[0]}": text})


@pytest.mark.parametrize("written", CHAINS.values(), ids=CHAINS)
def test_they_are_resolved_in_linear_time(written: Callable[[int], str]) -> None:
    assert_linear(lambda size: resolving(CARTS.format(written(size)), "typescript", "total"), 60)
