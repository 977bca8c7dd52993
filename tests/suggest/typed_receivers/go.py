"""Go: switches of types, and assertions of types."""

from __future__ import annotations

HEAD = (
    "package app\n\ntype Cart struct{ Next *Cart }\n\nfunc (c *Cart) «Total>Sum»() int { return 1 }\n\n"
    "type Order struct{}\n\nfunc (o *Order) Total() int { return 1 }\n\n"
)


def _written(*lines: str) -> str:
    return HEAD + "\n".join(line.replace("    ", "\t") for line in lines) + "\n"


NARROWED = {
    "switch": _written(
        "func f(x any) {",
        "    switch c := x.(type) {",
        "    case *Cart:",
        "        c.‹Total>Sum›()",
        "    case *Order:",
        "        c.Total()",
        "    }",
        "}",
    ),
    "switch of the same name": _written(
        "func f(x any) {", "    switch x := x.(type) {", "    case Cart:", "        x.‹Total>Sum›()", "    }", "}"
    ),
    "switch, and a function": _written(
        "func f(x any) {",
        "    switch c := x.(type) {",
        "    case *Cart:",
        "        go func() { c.‹Total>Sum›() }()",
        "    }",
        "}",
    ),
    "assertion": _written(
        "func f(x any) {", "    x.(*Cart).‹Total>Sum›()", "    c := x.(*Cart)", "    c.‹Total>Sum›()", "}"
    ),
    "assertion with a result": _written(
        "func f(x any) {", "    if c, ok := x.(*Cart); ok {", "        c.‹Total>Sum›()", "    }", "}"
    ),
}
UNCHANGED = {
    "made of another type": _written(
        "func f() {", "    m := make(map[string]*Order)", '    m["a"].Total()', "    make(m).Total()", "}"
    ),
    "several types": _written(
        "func f(x any) {", "    switch c := x.(type) {", "    case *Cart, *Order:", "        c.Total()", "    }", "}"
    ),
    "default": _written(
        "func f(x any) {",
        "    switch c := x.(type) {",
        "    case *Cart:",
        "    default:",
        "        c.Total()",
        "    }",
        "}",
    ),
    "without a name": _written(
        "func f(x any, c any) {",
        "    switch x.(type) {",
        "    case *Cart:",
        "        c.Total()",
        "        x.Total()",
        "    }",
        "}",
    ),
    "reassigned": _written(
        "func f(x any, y any) {",
        "    switch c := x.(type) {",
        "    case *Cart:",
        "        c := y",
        "        c.Total()",
        "    }",
        "}",
    ),
    "after the switch": _written(
        "func f(x any, c any) {", "    switch c := x.(type) {", "    case *Cart:", "    }", "    c.Total()", "}"
    ),
}
CONTAINERS = {
    "appended": _written(
        "func f() {", "    cs := []*Cart{}", "    cs = append(cs, &Cart{})", "    cs[0].‹Total>Sum›()", "}"
    ),
    "range": _written(
        "func f(cs []*Cart, m map[string]*Cart) {",
        "    for _, c := range cs {",
        "        c.‹Total>Sum›()",
        "    }",
        "    for _, c := range m {",
        "        c.‹Total>Sum›()",
        "    }",
        '    if c, ok := m["a"]; ok {',
        "        c.‹Total>Sum›()",
        "    }",
        "}",
    ),
    "made": _written(
        "func f() {",
        "    m := make(map[string]*Cart)",
        '    m["a"].‹Total>Sum›()',
        "    cs := make([]*Cart, 1)",
        "    cs[0].‹Total>Sum›()",
        "}",
    ),
}
ELSEWHERE = {
    "a class": {
        "shop.go": HEAD,
        "main.go": "package app\n\nfunc f(x any) {\n\tswitch c := x.(type) {\n\tcase *Cart:\n\t\tc.‹Total>Sum›()\n"
        "\tcase *Order:\n\t\tc.Total()\n\t}\n}\n",
    },
}
