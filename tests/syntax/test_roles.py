"""What a name declares, and its type, in both languages with scope rules."""

from __future__ import annotations

import pytest
from editahead.syntax.language import by_id, by_path
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Role, TokenKind
from editahead.text.buffer import Buffer


def role(language_id: str, text: str, name: str) -> tuple[Role, str | None]:
    """Role and type of the first token with that name."""
    language = by_id(language_id)
    assert language is not None
    tokens = SyntaxSnapshot.open(Buffer(text.encode()), language).tokens()
    found = next(token for token in tokens if token.kind is TokenKind.NAME and token.text == name)
    return found.role, found.type_name


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("class A: pass", "A", (Role.CLASS, None)),
        ("def f(): pass", "f", (Role.FUNCTION, None)),
        ("def f(a): pass", "a", (Role.PARAMETER, None)),
        ("def f(a: dict[str, int]): pass", "a", (Role.PARAMETER, "dict")),
        ("def f(a: int = 1): pass", "a", (Role.PARAMETER, "int")),
        ("def f(*rest): pass", "rest", (Role.PARAMETER, None)),
        ("f(key=1)", "key", (Role.ARGUMENT, None)),
        ("x = 1", "x", (Role.VARIABLE, "int")),
        ("x = Thing()", "x", (Role.VARIABLE, "Thing")),
        ("x = Thing(\n    1)", "x", (Role.VARIABLE, "Thing")),
        ("x: dict[\n    str, int] = {}", "x", (Role.VARIABLE, "dict")),
        ("def f(a\n: int): pass", "a", (Role.PARAMETER, None)),  # only broken code reads so
        ("x = a.b.Thing()", "x", (Role.VARIABLE, "Thing")),
        ("x = call()", "x", (Role.VARIABLE, None)),
        ("a, (b, *c) = y", "c", (Role.VARIABLE, None)),
        ("for i in y: pass", "i", (Role.VARIABLE, None)),
        ("with y as z: pass", "z", (Role.VARIABLE, None)),
        ("[q for q in y]", "y", (Role.USE, None)),
        ("class A:\n    x = 1\n", "x", (Role.ATTRIBUTE, "int")),
        ("self.x = []", "x", (Role.ATTRIBUTE, "list")),
        ("y.x()", "x", (Role.ATTRIBUTE_USE, None)),
        ("import os", "os", (Role.USE, None)),
    ],
)
def test_python(text: str, name: str, expected: tuple[Role, str | None]) -> None:
    assert role("python", text, name) == expected


@pytest.mark.parametrize(
    ("body", "name", "expected"),
    [
        ("int n;", "n", (Role.ATTRIBUTE, "builtin")),
        ("Map<String, X> m = y();", "m", (Role.ATTRIBUTE, "Map")),
        ("void f() {}", "f", (Role.FUNCTION, None)),
        ("void f(java.util.List<T> xs) {}", "xs", (Role.PARAMETER, "List")),
        ("void f() { var v = 1; }", "v", (Role.VARIABLE, None)),
        ("void f() { long[] v = y; }", "v", (Role.VARIABLE, "builtin")),
        ("void f() { for (Item i : y) {} }", "i", (Role.VARIABLE, "Item")),
        ("void f() { y(q -> 1); }", "q", (Role.PARAMETER, None)),
        ("void f() { y.g(); }", "g", (Role.ATTRIBUTE_USE, None)),
        ("void f() { g(); }", "g", (Role.USE, None)),
    ],
)
def test_java(body: str, name: str, expected: tuple[Role, str | None]) -> None:
    assert role("java", f"class A {{ {body} }}", name) == expected


def test_languages_by_name_and_by_path() -> None:
    assert by_path("src/Main.java") is by_id("java")
    assert by_path("a/b.PY") is by_id("python")
    assert by_id("csharp") is by_id("c_sharp")
    assert by_id("klingon") is None
    assert by_path("Makefile") is None


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("class A {}", "A", (Role.CLASS, None)),
        ("function f(a: number) {}", "f", (Role.FUNCTION, None)),
        ("function f(a: Box<string>) {}", "a", (Role.PARAMETER, "Box")),
        ("const f = a => 1", "a", (Role.PARAMETER, None)),
        ("const x: shop.Order = y", "x", (Role.VARIABLE, "Order")),
        ("const { a: { b } } = y", "b", (Role.VARIABLE, None)),
        ("const { a: { b } } = y", "a", (Role.USE, None)),
        ("class A { m() {} }", "m", (Role.FUNCTION, None)),
        ("class A { x: Box = 1 }", "x", (Role.ATTRIBUTE, "Box")),
        ("this.x = 1", "x", (Role.ATTRIBUTE, None)),
        ("a.x(1)", "x", (Role.ATTRIBUTE_USE, None)),
        ("x = 1", "x", (Role.USE, None)),
        ("for (const i of y) {}", "i", (Role.VARIABLE, None)),
        ("enum E { One }", "One", (Role.ATTRIBUTE, None)),
        ("type U = 1", "U", (Role.CLASS, None)),
    ],
)
def test_typescript(text: str, name: str, expected: tuple[Role, str | None]) -> None:
    assert role("typescript", text, name) == expected
