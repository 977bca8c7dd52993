"""What follows from commented-out code that was deleted: the rest of it."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "lines of code": "a = 1\n«# a = sum(b)\n>»b = 2\n‹# print(b)\n>›# The sum of all.\nc = 3\n",
    "a piece with prose behind it": "«# a = 1\n>»b = 2\n‹# if b:\n#     return c\n>›# This is why.\nc = 3\n",
    "nothing for prose": "«# The sum of all.\n>»b = 2\n# print(b)\n",
    "nothing for deleted code": "«a = 1\n>»b = 2\n# print(b)\n",
    "nothing for what says how": "«# a = 1\n>»b = 2\n# noqa: E501\n# type: ignore\n#: b = 1\n#!x = 1\n",
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_commented_out_code_goes(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "commented")


def test_in_java() -> None:
    marked = "class A {\n«  // f(x);\n>»  int a;\n‹  // return g();\n>›  // The number of rows.\n  int b;\n}\n"
    assert_follows({"file:///w/Home.java": marked}, "commented")
