"""What follows from a changed type: the field, what is stored in it, and its getters."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

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
}  # fmt: skip


@pytest.mark.parametrize(("name", "marked"), TEXTS.values(), ids=TEXTS.keys())
def test_types_agree(name: str, marked: str) -> None:
    assert_follows({f"file:///w/{name}": marked}, "type")
