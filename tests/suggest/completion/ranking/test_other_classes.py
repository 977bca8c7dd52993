"""Names that look like a class of the language, of another file or of an element, and are another one."""

from __future__ import annotations

import pytest
from editahead.analysis.facts.facts import Receiver
from editahead.analysis.resolver.outer_types import outer_type
from editahead.analysis.resolver.resolver import resolver_of
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

from tests.suggest.completion.ranking.project_evidence import Evidence

CASES = {
    "own list": (
        {
            "p/LinkedList.java": (
                "package p;\nclass LinkedList<T> { Node head; Node getFirst() { return head; } int length; }\n"
            ),
            "p/Node.java": "package p;\nclass Node { int key; }\n",
            "p/A.java": "package p;\nclass A { int x; LinkedList<A> kids; }\n",
        },
        "p/M.java",
        "package p;\nclass M {\n  void f(LinkedList<A> l) {\n    l.‸\n  }\n}\n",
        ["getFirst", "head", "length"],
    ),
    "result of an own list": (
        {
            "p/LinkedList.java": (
                "package p;\nclass LinkedList<T> { Node head; Node getFirst() { return head; } int length; }\n"
            ),
            "p/Node.java": "package p;\nclass Node { int key; }\n",
            "p/A.java": "package p;\nclass A { int x; LinkedList<A> kids; }\n",
        },
        "p/M.java",
        "package p;\nclass M {\n  void f(LinkedList<A> l) {\n    l.getFirst().‸\n  }\n}\n",
        ["key"],
    ),
    "field of an own list": (
        {
            "p/LinkedList.java": (
                "package p;\nclass LinkedList<T> { Node head; Node getFirst() { return head; } int length; }\n"
            ),
            "p/Node.java": "package p;\nclass Node { int key; }\n",
            "p/A.java": "package p;\nclass A { int x; LinkedList<A> kids; }\n",
        },
        "p/M.java",
        "package p;\nclass M {\n  void f(A a) {\n    a.kids.‸\n  }\n}\n",
        ["getFirst", "head", "length"],
    ),
    "own set": (
        {"set.ts": "export class Set<T> { own = 1 }\n"},
        "m.ts",
        "import { Set } from './set';\nfunction f(s: Set<string>) {\n  s.‸\n}\n",
        ["own"],
    ),
    "second value of another file": (
        {
            "b.go": (
                "package p\n\ntype A struct{ X int }\ntype B struct{ Y int }\n"
                "func Err() (*A, error) { return nil, nil }\n"
                "func Two() (*A, *B) { return nil, nil }\nfunc (a *A) Pair() (*A, *B) { return nil, nil }\n"
            )
        },
        "a.go",
        "package p\n\nfunc f() {\n\ta, err := Err()\n\terr.‸\n}\n",
        None,
    ),
    "second value of two": (
        {
            "b.go": (
                "package p\n\ntype A struct{ X int }\ntype B struct{ Y int }\n"
                "func Err() (*A, error) { return nil, nil }\nfunc Two() (*A, *B) { return nil, nil }\n"
            )
        },
        "a.go",
        "package p\n\nfunc f() {\n\ta, b := Two()\n\tb.‸\n}\n",
        None,
    ),
    "first value of two": (
        {
            "b.go": (
                "package p\n\ntype A struct{ X int }\ntype B struct{ Y int }\n"
                "func Err() (*A, error) { return nil, nil }\nfunc Two() (*A, *B) { return nil, nil }\n"
            )
        },
        "a.go",
        "package p\n\nfunc f() {\n\ta, b := Two()\n\ta.‸\n}\n",
        ["X"],
    ),
    "member that is taken out": (
        {"b.ts": "export class B { parent: B; name: string }\nexport function makeB(): B {}\n"},
        "m.ts",
        "import { B, makeB } from './b';\nfunction f() {\n  const { parent } = makeB();\n  parent.‸\n}\n",
        ["name", "parent"],
    ),
    "member that is not there": (
        {"b.ts": "export class B { parent: B; name: string }\nexport function makeB(): B {}\n"},
        "m.ts",
        "import { B, makeB } from './b';\nfunction f() {\n  const { name, size } = makeB();\n  size.‸\n}\n",
        None,
    ),
    "element of no list": (
        {"b.ts": "export class B { parent: B; name: string }\nexport function makeB(): B {}\n"},
        "m.ts",
        "import { B, makeB } from './b';\nfunction f() {\n  const [b, setB] = makeB();\n  setB.‸\n}\n",
        None,
    ),
    "type parameter": (
        {"b.ts": "export class B { parent: B; name: string }\n"},
        "m.ts",
        "import { B } from './b';\nfunction f<B>(x: B[]) {\n  x[0].‸\n}\n",
        None,
    ),
    "type parameter of another file": (
        {
            "p/Node.java": "package p;\npublic class Node { int key; }\n",
            "p/Repo.java": "package p;\npublic class Repo<Node> { public Node one() {} }\n",
        },
        "p/M.java",
        "package p;\nclass M {\n  void f(Repo<String> r) {\n    r.one().‸\n  }\n}\n",
        None,
    ),
    "function that is closed": (
        {"b.ts": "export class B { parent: B; name: string }\n"},
        "m.ts",
        "import { B } from './b';\nfunction f(xs: B[], b: string) {\n  const y = xs.map((b) => b.parent); b.‸\n}\n",
        None,
    ),
    "part of a list": (
        {"b.go": "package p\n\ntype A struct{ X int }\n"},
        "a.go",
        "package p\n\nfunc f(xs []A) {\n\txs[1:].‸\n}\n",
        None,
    ),
    "element of a list": (
        {"b.go": "package p\n\ntype A struct{ X int }\n"},
        "a.go",
        "package p\n\nfunc f(xs []A) {\n\txs[1].‸\n}\n",
        ["X"],
    ),
    "function that is a parameter": (
        {"b.ts": "export class B { parent: B; name: string }\nexport function makeB(): B {}\n"},
        "m.ts",
        "import { B, makeB } from './b';\nfunction f(makeB) {\n  const b = makeB();\n  b.‸\n}\n",
        None,
    ),
    "comment in a module": (
        {
            "b.ts": "export class A { wrong = 1 }\n",
            "c.ts": "export class A { right = 1 }\n",
            "index.ts": "export { A } from './c';\n// export { A } from './b';\n",
        },
        "m.ts",
        "import { A } from './index';\nfunction f(a: A) {\n  a.‸\n}\n",
        ["right"],
    ),
    "method without an object": (
        {},
        "a.go",
        "package p\n\ntype A struct{ X int }\n\nfunc () Get() {}\n\nfunc f(a A) {\n\ta.‸\n}\n",
        ["X"],
    ),
    "NUL in a configuration": (
        {"tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*\\u0000"]}}}'},
        "m.ts",
        "import { A } from '@/a';\nfunction f(a: A) {\n  a.‸\n}\n",
        None,
    ),
    "half a sign in a configuration": (
        {"tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*\\ud800"]}}}'},
        "m.ts",
        "import { A } from '@/a';\nfunction f(a: A) {\n  a.‸\n}\n",
        None,
    ),
    "value of a map": (
        {},
        "a.go",
        (
            "package p\n\ntype A struct{ X int }\n\nfunc f(m map[string]A, x any) {\n"
            '\tif a, ok := m["x"]; ok {\n\t\ta.‸\n\t}\n}\n'
        ),
        ["X"],
    ),
    "asynchronous function": (
        {},
        "m.ts",
        "class A { x = 1 }\nfunction f(xs: A[]) {\n  xs.map(async (a) => a.‸)\n}\n",
        ["x"],
    ),
}


@pytest.mark.parametrize(("files", "path", "text", "members"), CASES.values(), ids=CASES)
def test_the_class_that_is_meant_is_known(
    evidence: Evidence, files: dict[str, str], path: str, text: str, members: list[str] | None
) -> None:
    found = evidence(files, path, text)[0]
    assert (sorted(found) if found is not None else None) == members


def test_an_answer_does_not_depend_on_what_was_asked_before() -> None:
    rows = "".join(f"  const b{n} = b{n - 1}.next;\n" for n in range(1, 30))
    text = f"class A {{\n  next: A;\n}}\nfunction f(b0: A) {{\n{rows}}}\n"
    language = by_id("typescript")
    assert language is not None
    known = list[list[bool]]()
    for order in ([], [12, 8], [29, 3]):
        names = resolver_of(SyntaxSnapshot.open(Buffer(text.encode()), language))
        assert names is not None
        places = [names.names(f"b{n}")[0] for n in range(1, 30)]
        asked = [(names.scopes.placed(at.unit, at.occurrence.scope), at) for at in places]
        for number in order:
            scope, at = asked[number - 1]
            receiver = Receiver("name", at.occurrence.name, at.end + 1)
            outer_type(names, receiver, at.unit, scope)
        receivers = [(Receiver("name", at.occurrence.name, at.end + 1), at.unit, scope) for scope, at in asked]
        known.append([names.members.class_of(*one) is not None for one in receivers])
    assert known[0] == known[1] == known[2]
    assert sum(known[0]) >= 10
