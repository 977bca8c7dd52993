"""Renames of members whose object has a type that other declarations, values and expressions give it."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

WRITTEN = {
    "home.ts": (
        "class A {\n  «open>begin»() {}\n}\nclass B {\n  a: A;\n  other;\n"
        "  constructor(a: A, b: C) {\n    this.a = b.a;\n    this.other = b;\n  }\n"
        "  m() { this.a.‹open>begin›(); this.other.open(); }\n}\n"
        "function f(b: B) {\n  let a: A = make();\n  a = b.any;\n  a.‹open>begin›();\n  b.a.‹open>begin›();\n"
        "  let c: C = new A();\n  c.open();\n}\n"
    ),
    "home.py": (
        "class A:\n    def «open>begin»(self): ...\n\ndef f(a: A, b: A):\n    a = make(a)\n    a.open()\n"
        "    b.‹open>begin›()\n"
    ),
}
CASES = [
    pytest.param(name, text, id=f"{name}: {group}")
    for group, texts in (("written", WRITTEN),)
    for name, text in texts.items()
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), CASES)
def test_members_of_inferred_types_follow(name: str, text: str) -> None:
    assert_follows({f"file:///w/{name}": text})
