"""A renamed member of TypeScript in object literals, «old>new», by the types that their contexts expect, ‹old>new›."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.growth import assert_linear
from tests.suggest.next_edit.consequences.marked_renames import assert_follows, outcome, played

ROW = "export interface Row {\n  «n>count»: number;\n  k?: string;\n}\n"
IMPORT = 'import {{ {name} }} from "./row";\n\n'
CONTEXTS = {
    "a variable": "const r: Row = { ‹n>count›: 1 };\nconst s: Row | null = { ‹n>count›: 1 };\nconst t = { n: 1 };\n",
    "elements": "const rs: Row[] = [{ ‹n>count›: 1 }, { ‹n>count›: 2 }];\nconst ns: Other[] = [{ n: 1 }];\n",
    "generic sequences": "const rs: Array<Row> = [{ ‹n>count›: 1 }];\nconst ss: readonly Row[] = [{ ‹n>count›: 1 }];\n",
    "sequences of sequences": "const rs: Row[][] = [[{ ‹n>count›: 1 }]];\nconst ss: Row[] = [[{ n: 1 }]];\n",
    "choices": "const r: Row = c ? { ‹n>count›: 1 } : { ‹n>count›: 2 };\nconst s: Row = c ?? { ‹n>count›: 1 };\n",
    "values of a map": "const m: Record<string, Row> = { a: { ‹n>count›: 1 }, n: { ‹n>count›: 2 } };\n",
    "what is pushed": "const rs: Row[] = [];\nrs.push({ ‹n>count›: 1 });\nother.push({ n: 1 });\n",
    "values that are set": 'let m: Map<string, Row>;\nm.set("a", { ‹n>count›: 1 });\no.set("a", { n: 1 });\n',
    "results": (
        "function f(): Row[] {\n  return [{ ‹n>count›: 1 }];\n}\n"
        "async function g(): Promise<Row> {\n  return { ‹n>count›: 1 };\n}\n"
        "const h = (r: Row): Row => ({ ...r, ‹n>count›: r.‹n>count› });\n"
    ),
    "what is mapped": (
        "function f(xs: number[]): Row[] {\n  return xs.map((x) => ({ ‹n>count›: x }));\n}\n"
        "function g(xs: number[]): Row[] {\n  return xs.fold((x) => ({ n: x }));\n}\n"
    ),
    "assignments": "let r: Row;\nr = { ‹n>count›: 3 };\nlet o: Other;\no = { n: 3 };\n",
    "fields": "class A {\n  r: Row = { ‹n>count›: 1 };\n  f() {\n    this.r = { ‹n>count›: 2 };\n  }\n}\n",
    "an argument": "function f(r: Row) {\n  return r.‹n>count›;\n}\nf({ ‹n>count›: 1 });\ng({ n: 1 });\n",
    "type arguments": "const r = useState<Row>({ ‹n>count›: 1 });\nconst s = post<Row>(url, { n: 1 });\n",
    "an implementing class": "class A implements Row {\n  ‹n>count› = 1;\n  f = () => this.‹n>count›;\n}\n",
}
NAMESPACES = {
    "methods and fields": (
        "const api = {\n  «load>fetchAll»(a) {\n    return this.‹load>fetchAll›(a - 1);\n  },\n  size: 2,\n};\n"
        "api.‹load>fetchAll›(api.size);\nother.load(1);\n"
    ),
    "one that is given more members": (
        "const api = { «load>fetchAll»: (a) => a, more: {} };\napi.more = api.‹load>fetchAll›(2);\napi.more.load(1);\n"
    ),
    "one that is replaced": "let api = { «load>fetchAll»() {} };\napi = other();\napi.load();\n",
    "another object under the name": (
        "const api = { «load>fetchAll»() {} };\nfunction f(api) {\n  api.load();\n}\napi.‹load>fetchAll›();\n"
    ),
}
FILES = {
    "an alias": {
        "row.ts": "export type Row = {\n  «n>count»: number;\n};\n",
        "use.ts": 'import { Row } from "./row";\n\nexport const r: Row = { ‹n>count›: 1 };\nlog(r.‹n>count›);\n',
    },
    "an argument of an imported function": {
        "row.ts": "interface Row {\n  «n>count»: number;\n}\nexport function load(url: string, row: Row) {}\n",
        "use.ts": 'import { load } from "./row";\n\nload("/", { ‹n>count›: 1 });\nsave("/", { n: 1 });\n',
    },
    "an argument of a method and of a constructor": {
        "row.ts": (
            "interface Row {\n  «n>count»: number;\n}\n"
            "export class Rows {\n  constructor(row: Row) {}\n  add(row: Row) {}\n}\n"
        ),
        "use.ts": (
            'import { Rows } from "./row";\n\nconst rows = new Rows({ ‹n>count›: 1 });\n'
            "rows.add({ ‹n>count›: 2 });\nother.add({ n: 2 });\n"
        ),
    },
    "a member of a member": {
        "row.ts": (
            "export interface Item {\n  «n>count»: number;\n}\n"
            "export interface Row {\n  items: Item[];\n  first: Item;\n}\n"
        ),
        "use.ts": (
            'import { Row } from "./row";\n\nconst r: Row = { items: [{ ‹n>count›: 1 }], first: { ‹n>count›: 2 } };\n'
        ),
    },
    "attributes of a tag": {
        "card.tsx": (
            "interface Props {\n  «title>name»: string;\n}\n"
            "export function Card(props: Props) {\n  return <b title={props.‹title>name›} />;\n}\n"
        ),
        "use.tsx": (
            'import { Card } from "./card";\n\n'
            'export const App = () => <div title="x"><Card ‹title>name›="a" /><Other title="b" /></div>;\n'
        ),
    },
    "a field of a derived class": {
        "home.py": "class Base:\n    «limit>most» = 1\n",
        "use.py": (
            "from home import Base\n\n\nclass Sub(Base):\n    ‹limit>most› = 2\n\n    def f(self):\n"
            "        return self.‹limit>most›\n\n\nclass Other:\n    limit = 3\n"
        ),
    },
    "no field that hides that of an embedded struct": {
        "shop/cart.go": "package shop\n\ntype Cart struct {\n\t«Total>Sum» int\n}\n",
        "main.go": (
            'package main\n\nimport "m/shop"\n\ntype Big struct {\n\tshop.Cart\n\tTotal string\n}\n\n'
            "func f(b Big) string {\n\treturn b.Total\n}\n"
        ),
    },
    "no variable of C++ that hides another": {
        "cart.hpp": "class Cart {\n public:\n  int «total>sum»;\n};\n",
        "big.cpp": (
            '#include "cart.hpp"\n\nclass Big : public Cart {\n  long total;\n  long f() { return total; }\n};\n'
        ),
    },
    "no field that hides another": {
        "Base.java": "class Base {\n  int «limit>most» = 1;\n}\n",
        "Sub.java": "class Sub extends Base {\n  int limit = 2;\n  int f() { return limit; }\n}\n",
    },
}


@pytest.mark.parametrize("text", CONTEXTS.values(), ids=CONTEXTS)
def test_literals_of_the_file(text: str) -> None:
    assert_follows({"file:///w/row.ts": ROW + text})


@pytest.mark.parametrize("text", CONTEXTS.values(), ids=CONTEXTS)
def test_literals_of_another_file(text: str) -> None:
    assert_follows({"file:///w/row.ts": ROW, "file:///w/use.ts": IMPORT.format(name="Row") + text})


@pytest.mark.parametrize("uri", ["a.ts", "a.js"])
@pytest.mark.parametrize("text", NAMESPACES.values(), ids=NAMESPACES)
def test_literals_as_namespaces(text: str, uri: str) -> None:
    assert_follows({uri: text})


@pytest.mark.parametrize("files", FILES.values(), ids=FILES)
def test_members_of_another_file(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("head", "entry"),
    [
        ("const rows: Row[] = [\n", "  { n: {n} },\n"),
        ("const rows: Record<string, Row> = {\n", "  a{n}: { n: {n} },\n"),
        ("const rows: Row[] = [];\n", "rows.push({ n: {n} });\n"),
    ],
    ids=["elements", "values", "calls"],
)
def test_literals_are_found_in_linear_time(head: str, entry: str) -> None:
    end = {"[\n": "];\n", "{\n": "};\n"}.get(head[-2:], "")

    def work(size: int) -> Callable[[], object]:
        body = "".join(entry.replace("{n}", str(n)) for n in range(size))
        other = played(IMPORT.format(name="Row") + head + body + end, "file:///w/use.ts")
        document = replace(played(ROW, "file:///w/row.ts"), others=(other,))
        assert len(outcome(document).candidates) >= size
        return lambda: outcome(document)

    assert_linear(work, 100)
