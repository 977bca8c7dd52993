"""What follows from a changed type: the field, what is stored in it, and its getters."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows, outcome, played

TEXTS = {
    "a Java field": (
        "Home.java",
        "class A {\n  private «int>long» x;\n  private int y;\n  A(‹int>long› x, int y) { this.x = x; this.y = y; }\n"
        "  ‹int>long› getX() { return x; }\n  int getY() { return this.y; }\n"
        "  void setX(‹int>long› value) { x = value; }\n"
        "  int twice() { int x = 3; return x * 2; }\n}\n",
    ),
    "a Java getter": (
        "Home.java",
        "class A {\n  ‹int>long› x;\n  «int>long» getX() { return this.x; }\n  void f(int x) { g(x); }\n}\n",
    ),
    "a Java parameter": ("Home.java", "class A {\n  ‹int>long› x;\n  A(«int>long» x) { this.x = x; }\n}\n"),
    "another type": ("Home.java", "class A {\n  «int>long» x;\n  A(short x) { this.x = x; }\n}\n"),
    "Python": (
        "home.py",
        "class A:\n    def __init__(self, x: «int>float», y: int):\n        self.x: ‹int>float› = x\n"
        "        self.y: int = y\n\n"
        "    def get(self) -> int:\n        return self.x + 1\n",
    ),
    "a Python field": (
        "home.py",
        "class A:\n    x: «int>float»\n\n    def get(self) -> ‹int>float›:\n        return self.x\n\n"
        "    def put(self, x: ‹int>float› = 0):\n        self.x = x\n",
    ),
    "TypeScript": (
        "home.ts",
        "class A {\n  x: «number>string»;\n  constructor(x‹: number>: string›) {\n    this.x = x;\n  }\n"
        "  get()‹: number>: string› {\n    return this.x;\n  }\n}\n",
    ),
    "what hides a Java field": (
        "Home.java",
        "class A {\n  private «int>long» x;\n  int parsed(String t) { int x = t.length(); return x; }\n"
        "  void set(int y) { int x; x = y; }\n  int each() { for (int x : rows) { return x; } }\n"
        "  void put(int y) { y = 3; x = y; }\n  A a = new A() { int get() { return x; } };\n"
        "  ‹int>long› get() { return x; }\n}\n",
    ),
    "an override in Java": (
        "Home.java",
        "class A {\n  private «int>long» x;\n  @Override public int hashCode() { return x; }\n"
        "  @Override\n  public void setX(int x) { this.x = x; }\n}\n",
    ),
    "names without an object in Python": (
        "home.py",
        "class A:\n    x: «int>float»\n\n    def get(self) -> int:\n        x = g()\n        return x\n\n"
        "    def put(self, y: int):\n        x = y\n\n"
        "    def round(self, y: int):\n        y = f(y)\n        self.x = y\n",
    ),
    "Python functions that return something else": (
        "home.py",
        "class A:\n    x: «int>float»\n\n    async def one(self) -> int:\n        return self.x\n\n"
        "    def two(self) -> int:\n        yield 1\n        return self.x\n\n"
        "    @typing.override\n    def three(self) -> int:\n        return self.x\n",
    ),
    "a parameter of two fields": (
        "home.py",
        "class A:\n    x: int\n    y: int\n\n    def put(self, a: «int>str»):\n"
        "        self.x = a\n        self.y = a\n",
    ),
    "names without an object in TypeScript": (
        "home.ts",
        "class A {\n  x: «number>string»;\n  get(): number { const x = 3; return x; }\n"
        "  override one(): number { return this.x; }\n  async two(): number { return this.x; }\n"
        "  three(): number { go(() => { return this.x; }); }\n"
        "  four() { return { g(): number { return this.x; } }; }\n}\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "marked"), TEXTS.values(), ids=TEXTS.keys())
def test_types_agree(name: str, marked: str) -> None:
    assert_follows({f"file:///w/{name}": marked}, "type")


@pytest.mark.parametrize(
    ("written", "follows"),
    [("float", True), ("Row", True), ("list[Row]", True), ("Lis", False), ("rows.Ro", False), ("list[Ro]", False)],
)
def test_nothing_follows_while_the_type_is_typed(written: str, follows: bool) -> None:
    head = "from rows import Row\n\n\nclass A:\n    x: "
    document = played(f"{head}«int>{written}»\n\n    def get(self) -> int:\n        return self.x\n")
    for byte, wanted in ((len(head) + len(written), follows), (0, True)):
        assert bool([one for one in outcome(document, byte).candidates if one.source == "type"]) == wanted
