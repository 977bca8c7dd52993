"""Rust: patterns, and elements of containers."""

from __future__ import annotations

HEAD = (
    "use std::collections::HashMap;\n\nstruct Cart { next: Option<Box<Cart>> }\n\nimpl Cart {\n"
    "    fn «total>sum»(&self) -> i32 { 1 }\n}\n\n"
    "struct Order {}\n\nimpl Order {\n    fn total(&self) -> i32 { 1 }\n}\n\n"
)


def _written(*lines: str) -> str:
    return HEAD + "\n".join(lines) + "\n"


NARROWED = {
    "if let": _written("fn f(x: Option<Cart>) {", "    if let Some(c) = x {", "        c.‹total>sum›();", "    }", "}"),
    "if let of a reference": _written(
        "fn f(x: &Option<Cart>) {",
        "    if let Some(ref c) = x {",
        "        c.‹total>sum›();",
        "    }",
        "    if let Some(c) = &x { c.‹total>sum›(); }",
        "}",
    ),
    "let else": _written(
        "fn f(x: Option<Cart>) {", "    let Some(c) = x else { return };", "    c.‹total>sum›();", "}"
    ),
    "match": _written(
        "fn f(x: Option<Cart>) -> i32 {",
        "    match x {",
        "        Some(c) => c.‹total>sum›(),",
        "        None => 0,",
        "    }",
        "}",
    ),
    "while let": _written(
        "fn f(mut xs: Vec<Cart>) {", "    while let Some(c) = xs.pop() {", "        c.‹total>sum›();", "    }", "}"
    ),
    "if let of a result": _written(
        "fn f(x: Result<Cart, Order>) {",
        "    if let Ok(c) = x {",
        "        c.‹total>sum›();",
        "    } else if let Err(e) = x {",
        "        e.total();",
        "    }",
        "}",
    ),
}
UNCHANGED = {
    "another content": _written(
        "fn f(x: Option<Order>) {", "    if let Some(c) = x {", "        c.total();", "    }", "}"
    ),
}
CONTAINERS = {
    "pairs": _written(
        "fn f(m: HashMap<String, Cart>, cs: Vec<Cart>) {",
        "    for (k, c) in &m { c.‹total>sum›(); k.total(); }",
        "    for (i, c) in cs.iter().enumerate() { c.‹total>sum›(); i.total(); }",
        "}",
    ),
}
