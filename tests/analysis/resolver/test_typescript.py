"""The rules of names of TypeScript alone: declarations that merge, and enums as types."""

from __future__ import annotations

import pytest

from .marked import assert_marked

PARTS = {
    "two interfaces": "interface «I» { a: number }\ninterface «I» { b: number }\nlet i: «I»;\n",
    "a member of the second interface": (
        "interface I { a: number }\ninterface I { «b»: number }\nfunction f(i: I, j: J) { return i.«b» + j.b; }\n"
    ),
    "a member of the first interface": (
        "interface I { «a»: number }\ninterface I { b: number }\nconst i: I = { «a»: 1, b: 2 };\n"
    ),
    "a method of both interfaces": (
        "interface I { «m»(x: string): void }\ninterface I { «m»(x: number): void }\nfunction f(i: I) { i.«m»(1); }\n"
    ),
    "a base of the second interface": (
        "interface A { «a»: number }\ninterface I { b: number }\ninterface I extends A { c: I }\n"
        "function f(i: I) { return i.«a» + i.c.«a»; }\n"
    ),
    "type parameters of two interfaces": (
        "interface I<«T»> { a: «T» }\ninterface I<«T»> { b: «T» }\nlet t: T;\nfunction f<T>(i: I<T>) {}\n"
    ),
    "a class and an interface": ("class «C» { m() { return new «C»(); } }\ninterface «C» { a: number }\nlet c: «C»;\n"),
    "a member of the interface of a class": (
        "class C { m() { return this.«a»; } }\ninterface C { «a»: number }\nnew C().«a»;\nnew D().a;\n"
    ),
    "a class and its copy": (
        "class C { m() { return this.«a»; } «a» = 1 }\nclass C { a = 2; m() { return this.a; } }\n"
        "interface C { a: number }\n"
    ),
    "an interface of an inner scope": (
        "interface I { «a»: number }\nfunction f(i: I) { interface I { b: number }\n  let j: I; return j.b + j.a; }\n"
        "function g(i: I) { return i.«a»; }\n"
    ),
}


@pytest.mark.parametrize("marked", PARTS.values(), ids=PARTS)
def test_declarations_of_one_class(marked: str) -> None:
    assert_marked(marked, "typescript")


ENUMS = {
    "a member as a type": (
        "enum E { «Red», Blue }\nlet x: E.«Red» = E.«Red»;\ntype A = E.«Red» | E.Blue | F.Red;\n"
        "function f(a: Map<string, E.«Red»>): E.«Red» { return E.«Red»; }\ntype Red = number;\n"
    ),
    "a member in the values of its enum": (
        "const B = 1;\nenum E { «A» = 1, B = «A» << 1, C = «A» | B }\nenum F { D = A | B }\nuse(E.«A», A);\n"
    ),
    "an enum of types": "enum «E» { Red }\nlet x: «E».Red = «E».Red;\nfunction f(E: F, a: «E».Red) { E.Red; }\n",
    "a field of a class is no type": "class C { «Red» = 1 }\nlet x: C.Red;\nnew C().«Red»;\n",
}


@pytest.mark.parametrize("marked", ENUMS.values(), ids=ENUMS)
def test_members_of_enums_as_types(marked: str) -> None:
    assert_marked(marked, "typescript")


NAMESPACES = {
    "a function and a namespace": (
        "function «f»() { return «f».x; }\nnamespace «f» { export const x = 1; export type T = 1 }\n"
        "«f»();\nlet t: «f».T;\nimport X = «f».T;\nexport { «f» };\n"
    ),
    "a namespace and functions of inner scopes": (
        "function «f»() {}\nnamespace «f» {}\nfunction g() { function f() {}\n  f(); }\n"
        "function h(f) { f(); }\n«f»();\n"
    ),
    "a function and a namespace of an inner scope": (
        "function f() {}\nfunction g() { function «f»() {}\n  namespace «f» {}\n  «f»(); }\nf();\n"
    ),
    "a function, an interface and a namespace": (
        "declare function «f»(): «f»;\ninterface «f» { a: 1 }\ndeclare namespace «f» {}\nlet a: «f» = «f»();\n"
    ),
    "a function and an interface": "function «f»() {}\ninterface f { a: 1 }\n«f»();\nlet a: f;\n",
    "a variable and a namespace": "const «x» = 1;\nnamespace x { export type T = 1 }\nuse(«x»);\nlet t: x.T;\n",
    "a class and a namespace": "class «C» {}\nnamespace «C» { export type T = 1 }\nnew «C»();\nlet t: «C».T, c: «C»;\n",
    "an enum and a namespace": "enum «E» { A }\nnamespace «E» { export const x = 1 }\n«E».x;\nlet t: «E».A = «E».A;\n",
    "an interface and a namespace": "interface «I» { a: 1 }\nnamespace «I» { export const x = 1 }\nlet i: «I»;\n",
    "two namespaces": "namespace «N» { export const x = 1 }\nnamespace «N» { export const y = 1 }\nimport X = «N».x;\n",
    "another name": "namespace N { export const x = 1 }\nimport «X» = N.x;\nlet t: «X» = «X»;\n",
}


@pytest.mark.parametrize("marked", NAMESPACES.values(), ids=NAMESPACES)
def test_namespaces_and_what_they_are_one_with(marked: str) -> None:
    assert_marked(marked, "typescript")
