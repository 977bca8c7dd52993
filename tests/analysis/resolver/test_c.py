"""The rules of names of C: every occurrence of one binding is marked, and nothing else is."""

from __future__ import annotations

import pytest

from .marked import assert_marked, resolver

CASES = {
    "field of the elements of an array": (
        "struct a { int «x»; struct b y; };\n"
        "static struct a all[] = { { .«x» = 1 }, [2] = { .«x» = 2, .y = { .x = 1 } } };\n"
        "struct a two[1][2] = { { { .«x» = 1 } } }, one = { .«x» = 1 };\nstruct b other[] = { { .x = 1 } };\n"
    ),
    "local": "int f(void) { int «x» = 1; «x»++; return «x» + o.x; }\nvoid g(void) { x(); }\n",
    "declarators": "void f(void) { int i, *«p» = &i, a[3]; «p»[0] = *«p» + a[1]; }\n",
    "an array of pointers": "void f(int n) { char *«a»[n], (*b)[3]; use(«a», b); }\nint a;\n",
    "a pointer to a function": "int (*«h»)(int h) = 0;\nint f(void) { return «h»(1); }\n",
    "in a block it is another": "void f(int «x») { { int x = 2; use(x); } use(«x»); }\n",
    "for": "void f(void) { for (int «i» = 0; «i» < 9; «i»++) { use(«i»); } for (int i = 0;;) { use(i); } }\n",
    "both branches of the preprocessor": (
        "void f(void) {\n#ifdef A\n  int «x» = 1;\n#else\n  long «x» = 2;\n#endif\n  use(«x»);\n}\n"
    ),
    "parameter": "int f(int «x», char *y) { return «x» + *y + o->x; }\nint g(int x) { return x; }\n",
    "parameter of a function that gives a pointer": "char *f(int «x») { return y + «x»; }\nint x;\n",
    "parameter of a pointer to a function": "int f(int (*cb)(int x), int «x») { return cb(«x»); }\n",
    "parameter of a prototype": "int f(int «x», int y[x]);\nint x;\n".replace("y[x]", "y[«x»]"),
    "parameter of old": "int f(«a», b) int «a»; char b; { return «a»; }\n",
    "function and its prototype": (
        "static int «f»(int);\nint g(void) { return «f»(1) + o.f; }\nint «f»(int x) { return x; }\n"
    ),
    "function that gives a pointer": "char *«f»(void);\nchar *«f»(void) { return «f»(); }\n",
    "recursion": "static void «walk»(struct n *n) { «walk»(n->next); n->walk(); }\n",
    "global": "static int «x», y;\nextern int «x»;\nint f(void) { return «x» + y; }\nint g(int x) { return x; }\n",
    "struct": "struct «n» { struct «n» *next; };\nstruct «n» *f(struct «n» *n) { return sizeof(struct «n»); }\n",
    "enum constant": "enum c { «RED», GREEN = «RED» };\nint f(int x) { return x == «RED»; }\n",
    "enum": "enum «c» { RED };\nenum «c» f(enum «c» c) { return c; }\n",
    "type": "typedef unsigned long «ul»;\n«ul» f(«ul» x) { return («ul»)x + sizeof(«ul»); }\n",
    "type of functions": "typedef int (*«fn»)(int a);\nint f(«fn» g) { return g(1); }\n",
    "field": (
        "struct n { int «x»; };\nstruct m { int x; };\n"
        "int f(struct n *a, struct n b, struct m c) { return a->«x» + b.«x» + (*a).«x» + c.x + d->x; }\n"
    ),
    "field of a declared type": (
        "typedef struct { int «x», y; } n;\nint f(n *a, m *b) { a[1].«x» = b->x; return a->«x»; }\n"
    ),
    "field of a type with another name": (
        "typedef struct n n_t;\nstruct n { int «x»; };\ntypedef n_t *np;\n"
        "int f(n_t *a, np b) { return a->«x» + b->«x»; }\n"
    ),
    "field of a field": (
        "struct n { struct n *next; int «x»; };\nint f(struct n *a) { return a->next->«x» + a->«x».x; }\n"
    ),
    "field of a union without a name": (
        "struct n { union { int «u»; float f; }; };\nint f(struct n *a) { return a->«u»; }\n"
    ),
    "fields that are named in a literal": (
        "struct n { int «x», y; };\nstruct n a = { .«x» = 1, .y = 2 };\n"
        "struct m c = { .x = 1 };\nvoid f(void) { g((struct n){ .«x» = 3 }); }\n"
    ),
    "field and variable": "struct n { int x; };\nint «x»;\nint f(struct n *n) { return n->x + «x»; }\n",
    "macro": "#define «N» 10\nint a[«N»];\n#ifdef «N»\nint f(void) { return «N»; }\n#endif\n",
    "macro with parameters": "#define «MAX»(a, b) ((a) > (b) ? (a) : (b))\nint f(int a) { return «MAX»(a, 1); }\n",
    "conditional code": "#if A\nint «x»;\n#elif B\nlong «x»;\n#else\nint y;\n#endif\nint f(void) { return «x»; }\n",
    "for C++ as well": '#ifdef __cplusplus\nextern "C" {\n#endif\nint «f»(void);\n#ifdef __cplusplus\n}\n#endif\n',
    "arguments that are no expressions": (
        "void f(int *«q») { int x; a = container_of(«q», struct s, x); b = data(«q», struct s, q, x) + 1; }\n"
    ),
    "members that macros are given": "void f(int q) { int «x»; a = container_of(q, struct s, x); use(«x»); }\n",
    "a struct that macros are given": (
        "struct «s» { int x; };\nint f(int *q) { int s; return container_of(q, struct «s», x); }\n"
    ),
    "labels are no names": "void f(int «x») { x: use(«x»); goto x; }\n",
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES)
def test_references(marked: str) -> None:
    assert_marked(marked, "c")


def test_declarations_in_conditional_code_are_units_of_their_own() -> None:
    members = "".join(f"#if A{number}\nint x{number};\n#else\n" for number in range(40)) + "#endif\n" * 40
    source = f'#ifndef H\nextern "C" {{\n{members}}}\n#endif\n'
    assert max(len(unit.facts.occurrences) for unit in resolver(source, "c").scopes.facts.units) == 1
