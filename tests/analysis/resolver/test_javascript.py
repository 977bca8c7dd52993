"""The rules of names of JavaScript and TypeScript: every occurrence of one binding is marked, and nothing else is."""

from __future__ import annotations

import pytest

from .marked import assert_marked, resolver

BOTH = {
    "local": "function f() { const «x» = 1; return «x»; }\nx;\n",
    "parameter": "function f(«x», y) { return «x» + o.x + y; }\n",
    "default of a parameter": "function f(«x», y = «x») {}\nvar x;\n",
    "block": "function f() { let «x» = 1; { let x = 2; x++; } «x»++; }\n",
    "use before the declaration": "function f() { return g(); function g() { return «x»; } }\nconst «x» = 1;\n",
    "var goes to the function": "function f() { if (a) { var «x» = 1; } return «x»; }\nvar x;\n",
    "assignment declares nothing": "let «x»;\nfunction f() { «x» = 1; }\nfunction g(x) { x = 2; }\n",
    "arrow": "const x = 1;\nconst f = «x» => «x» + 1;\nconst g = (x, y) => x + y;\n",
    "for": "for (let «i» = 0; «i» < 9; «i»++) { «i»; }\nfor (let i = 0; ; ) {}\n",
    "for of": "for (const «i» of all) { «i».run(); }\ni;\n",
    "for of an older variable": "let «i»;\nfor («i» of all) { «i».run(); }\n",
    "catch": "try { } catch («e») { throw «e»; }\ntry { } catch (e) { throw e; }\n",
    "destructured": "const { a, b: «x», ...rest } = o;\n«x»(a, rest, o.x);\n",
    "shorthand": "const { «x» } = o;\nsend({ «x» });\nsend({ x: 1 });\n",
    "destructured parameter": "function f({ «x» = 1 }, [y]) { return «x» + y; }\n",
    "array pattern": "const [«x», [y]] = o;\n«x»(y);\n",
    "function": "function «f»() { return «f»(); }\n«f»();\no.f();\n",
    "function expression": "const a = function «f»() { «f»(); };\nf();\n",
    "class": "class «A» { static make() { return new «A»(); } }\nclass B extends «A» {}\n",
    "method": "class A { «m»() { return this.«m»() + o.m(); } }\nm();\n",
    "method of the base": "class A { «m»() {} }\nclass B extends A { n() { this.«m»(); super.«m»(); } }\n",
    "method of a new object": "class A { «m»() {} }\nconst a = new A();\na.«m»();\nb.m();\n",
    "field": "class A { «x» = 1; get() { return this.«x»; } }\n",
    "field by assignment": (
        "class A { constructor() { this.«x» = 1; } get() { return this.«x»; } }\nclass B { n() { this.x; } }\n"
    ),
    "methods see no members": "class A { x = 1; get() { return «x»; } }\nlet «x»;\n«x»++;\n",
    "private field": "class A { #x = 1; get() { return this.#x; } }\nconst «y» = 1;\n«y»++;\n",
    "object": "const o = { «x»: 1, get() { return this.«x»; } };\nx;\n",
    "this of an object belongs to its functions": (
        "class A {\n  constructor() { this.«x» = 1; }\n"
        "  m() { send({ x: this.«x», f: () => this.«x», g() { return this.x; }, h: function () { this.x; } }); }\n}\n"
    ),
    "this of functions in an object": (
        "class A {\n  x = 1;\n  m() {\n"
        "    return { «x»: this.x, f: () => this.x, g() { return { y: () => this.«x» }; } };\n  }\n}\n"
    ),
    "import": 'import { a, b as «x» } from "./m";\n«x»(a);\n',
    "default import": 'import «D» from "./m";\nnew «D»();\n',
    "namespace import": 'import * as «ns» from "./m";\n«ns».a();\n',
    "export": "const «x» = 1;\nexport { «x» };\nexport { y as x } from 'z';\n",
    "export of a declaration": "export class «A» {}\nexport default new «A»();\n",
    "labels are no names": "const «x» = 1;\nx: while («x») { break x; }\n",
    "template": "const «x» = 1;\nrun(`a ${«x»} x`);\n",
}
TYPES = {
    "type parameter": "class A<«T»> { x: «T»; m(y: «T»): «T» { return y; } }\nfunction f<T>(x: T) {}\n",
    "type parameter of a class whose base has one": (
        "class A<T> { x: T }\nclass B<«T»> extends A<«T»> { y: «T»; m(z: «T») {} }\nclass C extends A<T> { t: T }\n"
    ),
    "type parameter of a base": "class A<«T»> { x: «T» }\nclass B<T> extends A<T> { y: T }\n",
    "type and value": "interface «P» { a: number }\nconst P = 1;\nfunction f(x: «P») {}\n",
    "class as a type": "class «A» {}\nconst a: «A» = new «A»();\nlet b: B.A;\n",
    "alias": "type «U»<V> = V | Map<string, V>;\nlet u: «U»<number>;\n",
    "member of a typed parameter": "class A { «x»: number; }\nfunction f(a: A, b: B) { return a.«x» + b.x; }\n",
    "member of an interface": "interface I { «k»: string; n(): void }\nfunction f(i: I) { i.«k»; i.n(); }\n",
    "enum": "enum E { «One», Two }\nuse(E.«One», E.Two);\nOne;\n",
    "typed import": 'import type { «T» } from "x";\nlet a: «T»;\n',
    "optional parameter": "function f(«x»?: number) { return «x»; }\n",
    "signature": "declare function «df»(a: number): void;\n«df»(1);\n",
    "parameter of a signature": "interface I { n(«p»: number): asserts «p» is 1 }\n",
    "predicate": "function f(«x»: any): «x» is string { return «x» !== 1; }\n",
    "keyof": "function f<T, «K» extends keyof T>(o: T, k: «K») {}\n",
    "property of what a loop counts": (
        "class A { «x» = 1 }\nfunction f(rows: A[], all: Map<string, A>, pairs: A[][]) {\n"
        "  for (const [n, a] of rows.entries()) use(a.«x», n.x);\n  for (const [k, b] of all) use(b.«x», k.x);\n"
        "  for (const [k, c] of all.entries()) use(c.«x», k.x);\n  for (const [n, d] of pairs) use(d.x);\n}\n"
    ),
    "abstract class": "abstract class «A» { abstract k(): void }\nclass B extends «A» {}\n",
}


@pytest.mark.parametrize("language_id", ["javascript", "typescript", "tsx"])
@pytest.mark.parametrize("marked", BOTH.values(), ids=BOTH)
def test_references(marked: str, language_id: str) -> None:
    assert_marked(marked, language_id)


@pytest.mark.parametrize("marked", TYPES.values(), ids=TYPES)
def test_references_of_types(marked: str) -> None:
    assert_marked(marked, "typescript")


@pytest.mark.parametrize("language_id", ["javascript", "tsx"])
def test_references_in_jsx(language_id: str) -> None:
    marked = 'const «Foo» = 1;\nconst x = <«Foo» Foo="a" b={«Foo»}><«Foo».Bar/></«Foo»>;\n'
    assert_marked(marked, language_id)


def test_the_key_of_a_shorthand_is_told() -> None:
    names = resolver("const { x } = o;\nsend({ x }, { x: x });\n", "typescript")
    assert [one.occurrence.shorthand for one in names.names("x")] == ["name", "key", "name", "key", "", ""]
