"""Keys of literals whose class the file declares: all of them and nothing else, with a model and without one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.without_model import complete_without_model
from editahead.suggest.engine import Engine
from editahead.suggest.types import Shown

from tests.growth import assert_linear
from tests.suggest.completion.test_ranked_words import opened

PROPS = "interface Props {\n  width: number;\n  heading?: string;\n  draw(): void;\n}\nlet seen = 1;\n"
POINT = "package p\n\ntype Point struct {\n\tx int\n\theight int\n}\n\nfunc (p Point) Size() int { return 1 }\n\n"
RUST = "struct Point {\n    x: u8,\n    height: u8,\n}\nimpl Point {\n    fn size(&self) {}\n}\n"
C_SHARP = "class Base {\n  public int Depth;\n}\nclass Point : Base {\n  public int X { get; set; }\n  void M() {}\n"
ALL = frozenset({"width", "heading", "draw"})
OF_TAGS = frozenset({"key", "ref"})
KEYS = {
    "of a variable": ("a.ts", PROPS + "const p: Props = {\n  ‸\n};\n", ALL),
    "of a variable, on its line": ("a.ts", PROPS + "const p: Props = { ‸ };\n", ALL),
    "begun": ("a.ts", PROPS + "const p: Props = { he‸ };\n", {"heading"}),
    "behind others": ("a.ts", PROPS + "const p: Props = {\n  width: seen,\n  draw() {},\n  ‸\n};\n", {"heading"}),
    "before others": ("a.ts", PROPS + "const p: Props = {\n  ‸\n  heading: 'a',\n};\n", {"width", "draw"}),
    "of an argument": ("a.ts", PROPS + "function f(n: number, p: Props) {}\nf(1, { ‸ });\n", ALL),
    "of an argument, over lines": (
        "a.ts", PROPS + "const f = (p: Props) => {};\nf({\n  width: 1,\n  ‸\n});\n", ALL - {"width"},
    ),
    "of a result": ("a.ts", PROPS + "function f(): Props {\n  return { ‸ };\n}\n", ALL),
    "of a base too": (
        "a.ts", PROPS + "interface Q extends Props { more: number }\nconst q: Q = { ‸ };\n", ALL | {"more"},
    ),
    "of an interface in several blocks": (
        "a.ts",
        PROPS + "interface Props extends More { depth: 1 }\ninterface More { more: 1 }\nconst p: Props = { ‸ };\n",
        ALL | {"depth", "more"},
    ),
    "of a partial class of C#": (
        "a.cs", "partial class A {\n  public int X;\n}\npartial class A {\n  public int Y;\n"
        "  A F() {\n    return new A { ‸ };\n  }\n}\n", {"X", "Y"},
    ),
    "of a member": ("a.ts", PROPS + "interface Q { p: Props }\nconst q: Q = {\n  p: {\n    ‸\n  },\n};\n", ALL),
    "of a tag": ("a.tsx", PROPS + "const Box = (p: Props) => null;\nconst b = <Box ‸ />;\n", ALL | OF_TAGS),
    "of a tag with others": (
        "a.tsx", PROPS + "const Box = (p: Props) => null;\nconst b = <Box width={1} key={2} ‸></Box>;\n",
        ALL - {"width"} | {"ref"},
    ),
    "of Go": ("a.go", POINT + "var a = Point{\n\t‸\n}\n", {"x", "height"}),
    "of Go with an embedded type": (
        "a.go", "package p\n\ntype A struct {\n\tsync.Mutex\n\tx int\n}\n\nvar a = A{‸}\n", {"Mutex", "x"},
    ),
    "of elements in Go": ("a.go", POINT + "var a = []*Point{{x: 1, ‸}}\n", {"height"}),
    "of Rust": ("a.rs", RUST + "fn f() -> Point {\n    Point {\n        x: 1,\n        ‸\n    }\n}\n", {"height"}),
    "of a pattern in Rust": ("a.rs", RUST + "fn f(p: Point) {\n    let Point { ‸ } = p;\n}\n", {"x", "height"}),
    "of a pattern": ("a.ts", PROPS + "function f({ width, ‸ }: Props) {}\n", ALL - {"width"}),
    "of a pattern of a variable": ("a.ts", PROPS + "function f(p: Props) {\n  const { ‸ } = p;\n}\n", ALL),
    "of C#": ("a.cs", C_SHARP + "  Point F() {\n    return new Point { ‸ };\n  }\n}\n", {"Depth", "X"}),
}  # fmt: skip
OTHERS = {
    "a value": ("a.ts", PROPS + "const p: Props = {\n  width: ‸\n};\n"),
    "an argument of a value": ("a.ts", PROPS + "const p: Props = { width: f(a, ‸) };\n"),
    "a statement of a method": ("a.ts", PROPS + "const p: Props = {\n  draw() {\n    ‸\n  },\n};\n"),
    "any key": ("a.ts", PROPS + "interface Q { a: 1; [key: string]: number }\nconst q: Q = { ‸ };\n"),
    "a mapped type": ("a.ts", PROPS + "type Q = { [K in keyof Props]: 1 };\nconst q: Q = { ‸ };\n"),
    "a base elsewhere": ("a.ts", PROPS + "interface Q extends Far { a: 1 }\nconst q: Q = { ‸ };\n"),
    "no class": ("a.ts", PROPS + "const q = { ‸ };\n"),
    "the name of a tag": ("a.tsx", PROPS + "const Box = (p: Props) => null;\nconst b = <‸ />;\n"),
    "the value of an attribute": ("a.tsx", PROPS + "const Box = (p: Props) => null;\nconst b = <Box width={‸} />;\n"),
    "a map": ("a.go", POINT + "var a = map[string]Point{\n\t‸\n}\n"),
    "a map type": ("a.go", POINT + "type M map[string]Point\n\nvar a = M{\n\t‸\n}\n"),
    "a slice type": ("a.go", POINT + "type L []Point\n\nvar a = L{‸}\n"),
    "values by their place": ("a.go", POINT + "var a = Point{1, ‸}\n"),
    "values in C": ("a.c", "struct Point { int x; };\nint seen;\nstruct Point p = { ‸ };\n"),
    "values in C++": ("a.cpp", "struct Point { int x; };\nint seen;\nPoint p{‸};\n"),
    "a type of functions": ("a.ts", PROPS + "type F = (width: number) => void;\nconst f: F = { ‸ };\n"),
    "a block": ("a.rs", RUST + "fn f() {\n    let seen = 1;\n    if seen == 1 {\n        ‸\n    }\n}\n"),
}


@pytest.fixture(params=["with a model", "without one"])
def offered(request: pytest.FixtureRequest, engine: Engine) -> Callable[[str, str], set[str]]:
    def labels(path: str, text: str) -> set[str]:
        made, byte = opened(text, path)
        if request.param == "with a model":
            found = engine.complete(made, byte, Cancel())
        else:
            found = complete_without_model(DocumentCaches(words_of), made, byte, Cancel())
        return {item.label for item in found.value.items} if isinstance(found, Shown) else set()

    return labels


@pytest.mark.parametrize(("path", "text", "keys"), KEYS.values(), ids=KEYS)
def test_keys_are_offered_and_nothing_else(
    offered: Callable[[str, str], set[str]], path: str, text: str, keys: set[str]
) -> None:
    assert offered(path, text) == keys


@pytest.mark.parametrize(("path", "text"), OTHERS.values(), ids=OTHERS)
def test_other_names_are_offered_elsewhere(offered: Callable[[str, str], set[str]], path: str, text: str) -> None:
    known = {"ts": "seen", "tsx": "Box", "go": "Point", "rs": "seen", "c": "seen", "cpp": "seen"}[
        path.rpartition(".")[2]
    ]
    before, _, after = text.partition("‸")
    assert offered(path, f"{before}{known[:2]}‸{after}") >= {known}


def test_long_literals_cost_no_more_than_their_length() -> None:
    def work(size: int) -> Callable[[], object]:
        rows = "".join(f"  key{number}: {number},\n" for number in range(size))
        made, byte = opened(f"interface A {{ width: number }}\nconst a: A = {{\n{rows}  ‸\n}};\n", "a.ts")
        return lambda: complete_without_model(DocumentCaches(words_of), made, byte, Cancel())

    assert_linear(work, 300)
