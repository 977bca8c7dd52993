"""What follows from an edit of C: renames and parameters."""

from __future__ import annotations

import pytest

from .marked_renames import after, assert_follows, followed, outcome, played

HOME = "file:///w/src/till.c"

RENAMES = {
    "a parameter": (
        "int f(struct box *b, int «size>width») {\n  log(b->size, ‹size>width›);\n  return ‹size>width›;\n}\n"
    ),
    "a variable": "int x;\nint f(void) {\n  int *«x>p» = 0;\n  ‹x>p›[1] = *‹x>p›;\n}\nint g(void) { return x; }\n",
    "a function at its definition": (
        "static int ‹f>g›(int);\nint k(void) { return ‹f>g›(1) + o.f; }\nstatic int «f>g»(int a) { return a; }\n"
    ),
    "a function at its prototype": "static int «f>g»(int);\nstatic int ‹f>g›(int a) { return a; }\n",
    "a field": "struct n { int «x>y»; };\nint f(struct n *a, struct m *b) { return a->‹x>y› + b->x; }\n",
    "a type of the name of its struct": (
        "typedef struct ‹n>node› «n>node»;\nstruct ‹n>node› { ‹n>node› *next; };\nint f(‹n>node› *n) { return n->x; }\n"
    ),
    "a macro in other macros": (
        "#define «N>SIZE» 10\n#define AREA(w) ((w) * ‹N>SIZE›)\n#define SAME(N) (N + 1)\n"
        '#define TEXT "N" \\\n  "N"\n#define FIELD(p) ((p)->N + (p).N)\n'
        "#define JOIN(a) a##N + N##a + #N\n#define TWICE ‹N>SIZE› * \\\n  ‹N>SIZE›\n"
    ),
    "a function in a macro": (
        "static int «add>plus»(int a);\n#define ADD(x) do { \\\n  if (x) ‹add>plus›(x); \\\n} while (0)\n"
    ),
    "a macro": "#define «N>SIZE» 10\nint a[‹N>SIZE›];\n#ifdef ‹N>SIZE›\nint b = ‹N>SIZE›;\n#endif\n",
}
FOLLOWS = {
    "a parameter added": (
        "static int f(int a‹>, int b›);\nint g(int b) { return f(1‹>, b›); }\n"
        "static int f(int a«>, int b») { return a; }\n"
    ),
    "a parameter added to a prototype": (
        "int f(int a«>, int b»);\nint g(int b) { return f(1‹>, b›); }\nint f(int a‹>, int b›) { return a; }\n"
    ),
    "a parameter removed": "int f(int a«, char *b>») { return a; }\nint g(void) { return f(1‹, 0>›) + o.f(1, 2); }\n",
    "parameters moved": "int f(«int a, int b>int b, int a») { return a; }\nint g(void) { return f(‹1, 2>2, 1›); }\n",
}


@pytest.mark.parametrize("marked", RENAMES.values(), ids=RENAMES)
def test_uses_follow(marked: str) -> None:
    assert_follows({HOME: marked})


@pytest.mark.parametrize("marked", FOLLOWS.values(), ids=FOLLOWS)
def test_changed_parameters_follow(marked: str) -> None:
    assert followed(played(marked, HOME)) == after(marked)


def test_a_copy_is_renamed_alone() -> None:
    found = outcome(played("int f(void) { return 1; }\nint «f>g»(void) { return 2; }\nint k = f();\n", HOME))
    assert not found.candidates
    assert any("declared again" in one.reason for one in found.refusals)


def test_a_taken_name_is_refused() -> None:
    assert not outcome(played("int f(int «a>b») {\n  int b = 1;\n  return a + b;\n}\n", HOME)).candidates
