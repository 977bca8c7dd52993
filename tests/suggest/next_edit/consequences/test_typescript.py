"""What follows from an edit of TypeScript or JavaScript: renames, parameters, imports."""

from __future__ import annotations

from dataclasses import replace

import pytest

from .marked_renames import after, assert_follows, followed, outcome, played

HOME, OTHER = "file:///w/src/shop.ts", "file:///w/src/ui/cart.tsx"

CASES = {
    "a parameter": (
        "function area(«size>width», unit) {\n  log(box.size, ‹size>width›);\n  return ‹size>width› * unit;\n}\n"
    ),
    "a variable": "let x = 1;\nfunction f() {\n  let «x>count» = 2;\n  ‹x>count› += 1;\n}\nprint(x);\n",
    "a shorthand keeps its key": (
        "function send(«text>body») {\n  post({ ‹text>text: body›, text: 1 });\n  return ‹text>body›;\n}\n"
    ),
    "a destructured name keeps its key": "const { ‹a>a: b› } = o;\nrun(«a>b»);\nrun(‹a>b›, { ‹a>a: b› });\n",
    "a method": "class C {\n  «m>n»() { return 1; }\n  k() { return this.‹m>n›() + o.m(); }\n}\nnew C().‹m>n›();\n",
    "a field": "class C {\n  «x>y» = 1;\n  get() { return this.‹x>y› + x; }\n}\n",
    "a function": "function «f>g»() { return ‹f>g›; }\nexport { ‹f>g› };\n",
    "an import": 'import { «load>read» } from "./m";\n‹load>read›(o.load);\n',
    "a word that is a keyword at times": "function f(«type>kind») { return ‹type>kind› + o.type; }\n",
    "a member that is called like a keyword": (
        "class C {\n  «in>zone» = 1;\n  get() { for (a in b) this.‹in>zone›; }\n}\n"
    ),
    "a dollar sign": "const «count$>total$» = of(1);\nuse(‹count$>total$›, count);\n",
    "a dollar sign that comes": "class C {\n  «node>$node» = 1;\n  get() { return this.‹node>$node› + node; }\n}\n",
    "a component": "const «Box>Card» = 1;\nconst x = <‹Box>Card› Box={1}>Box</‹Box>Card›>;\n",
    "an element of the markup": "const «input>field» = 1;\nconst x = <input ref={‹input>field›}></input>;\n",
}
TYPES = {
    "an interface in two places": (
        "interface «I>J» {\n  a: number;\n}\ninterface ‹I>J› {\n  b: number;\n}\nlet i: ‹I>J›;\n"
    ),
    "the second part of an interface": (
        "interface ‹I>J› {\n  a: number;\n}\ninterface «I>J» {\n  b: number;\n}\nlet i: ‹I>J›;\n"
    ),
    "a copy of an interface": ("interface I {\n  a: number;\n}\ninterface «I>J» {\n  a: number;\n}\nlet i: I;\n"),
    "a member of an interface in two places": (
        "interface I {\n  a: number;\n}\ninterface I {\n  «b>c»: number;\n}\n"
        "const i: I = { a: 1, ‹b>c›: 2 };\nuse(i.‹b>c›, i.a);\n"
    ),
    "a member of an enum as a type": (
        "enum E {\n  «Red>Crimson»,\n  Blue,\n}\ntype A = E.‹Red>Crimson› | E.Blue;\n"
        "let a: E.‹Red>Crimson› = E.‹Red>Crimson›;\nimport R = E.‹Red>Crimson›;\n"
    ),
    "a function with a namespace": (
        "function «make>build»() {\n  return ‹make>build›.size;\n}\nnamespace ‹make>build› {\n"
        "  export const size = 1;\n  export type T = number;\n}\nlet t: ‹make>build›.T = ‹make>build›();\n"
    ),
    "a namespace with a function": (
        "export function ‹make>build›() {}\nexport namespace «make>build» {\n  export type T = number;\n}\n"
        "let t: ‹make>build›.T = ‹make>build›();\n"
    ),
    "a class with an interface": ("class «C>D» {\n  x = 1;\n}\ninterface ‹C>D› {\n  y: number;\n}\nnew ‹C>D›().y;\n"),
}
ELSEWHERE = {
    "a name": 'import { ‹load>read›, other } from "../shop";\n‹load>read›(o.load);\n',
    "with its ending": 'import { ‹load>read› } from "../shop.js";\n‹load>read›();\n',
    "under another name": 'import { ‹load>read› as l } from "../shop";\nl();\n',
    "a shorthand": 'import { ‹load>read› } from "../shop";\nuse({ ‹load>load: read› });\n',
    "from another file": 'import { load } from "./shop";\nload();\n',
    "from a package": 'import { load } from "shop";\nload();\n',
    "of its own": "function load() {}\nload();\n",
}


@pytest.mark.parametrize("uri", ["file:///w/a.tsx", "file:///w/a.jsx"])
@pytest.mark.parametrize("marked", CASES.values(), ids=CASES)
def test_uses_follow(marked: str, uri: str) -> None:
    assert_follows({uri: marked})


@pytest.mark.parametrize("marked", TYPES.values(), ids=TYPES)
def test_uses_of_types_follow(marked: str) -> None:
    assert_follows({HOME: marked})


@pytest.mark.parametrize("other", ELSEWHERE.values(), ids=ELSEWHERE)
def test_other_open_files(other: str) -> None:
    home = "export function «load>read»() {}\n‹load>read›();\n"
    other_language = OTHER.replace(".tsx", ".ts")
    assert_follows({HOME: home, other_language: other})


def test_a_taken_name_is_refused() -> None:
    found = outcome(played("function f(«a>b») {\n  const b = 1;\n  return a + b;\n}\n", HOME))
    assert not found.candidates
    assert any("exists in a scope that uses it" in one.reason for one in found.refusals)


FOLLOWS = {
    "a parameter added": "function f(a: number«>, b: string») {}\nfunction g(b: string) { f(1‹>, b›); }\n",
    "a parameter removed": "function f(a, «b>») {}\nf(1‹, 2>›);\n",
    "a parameter of a method": "class A { m(a, «b>») {} }\nnew A().m(1‹, 2>›);\n",
    "one of several imports": 'import { a‹, b>› } from "./x";\na();\n«b();\n>»',
    "the only import": '‹import { b } from "./x";\n>›a();\n«b();\n>»',
    "a default import": '‹import b from "./x";\n>›a();\n«b();\n>»',
    "a namespace": '‹import * as b from "./x";\n>›a();\n«b.c();\n>»',
    "an import for its effects": 'import "./b";\na();\n«b();\n>»',
    "a name beside a default import": 'import a, { b } from "./x";\na();\n«b();\n>»',
}
MISSING = {
    "beside other names": (
        'import { a‹>, load› } from "./x";\na();\n«>load();\n»',
        'import { load } from "./x";\nload();\n',
    ),
    "a line of its own": (
        'import { a } from "./a";\n‹>import { load } from "x";\n›a();\n«>load();\n»',
        'import { load } from "x";\nload();\n',
    ),
    "in the style of the file": (
        'import { a } from "./a"\n‹>import { load } from "x"\n›a()\n«>load()\n»',
        'import { load } from "x";\nload();\n',
    ),
    "of a module that is written otherwise from there": (
        'import { a } from "./a";\na();\n«>load();\n»',
        'import D from "x";\nconst load = D;\n',
    ),
}


@pytest.mark.parametrize("marked", FOLLOWS.values(), ids=FOLLOWS)
def test_parameters_and_imports_follow(marked: str) -> None:
    assert followed(played(marked, HOME)) == after(marked)


@pytest.mark.parametrize(("marked", "other"), MISSING.values(), ids=MISSING)
def test_missing_imports_follow(marked: str, other: str) -> None:
    first, second = played(marked, HOME), played(other, "file:///w/src/other.ts")
    (edit,) = [one.edit for one in outcome(replace(first, others=(second,))).candidates] or [None]
    data = first.syntax.buffer.data
    if edit is not None:
        data = data[: edit.start] + edit.new + data[edit.old_end :]
    assert data.decode() == after(marked)
