"""What follows from a deleted line: other lines that only call the same function."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PYTHON = {
    "prints": "def f():\n    a = 1\n«    print(a, 1)\n>»    b = 2\n‹    print(b)\n>›    return print(a)\n",
    "prints of other functions": (
        "def f():\n    a = 1\n«    print(a)\n>»    b = 2\n\ndef g():\n    c = 1\n‹    print(c)\n>›    d = 2\n"
    ),
    "calls of a method that prints": "a = 1\n«log.debug('a', a)\n>»b = 2\n‹log.debug('b', b)\n>›log.info(c)\n",
    "nothing for one call of another function": "a = 1\n«add(a)\n>»b = 2\nadd(b)\n",
    "two calls of another function": "a = 1\n«add(a)\n>»b = 2\n«add(b)\n>»c = 3\n‹add(c)\n>›d = 4\n",
    "nothing for what was replaced": "a = 1\n«print(a)>show(a)»\nb = 2\nprint(b)\n",
    "calls of a name with letters that are not ASCII": (
        "a = 1\n«prüfe(a)\n>»b = 2\n«prüfe(b)\n>»c = 3\n‹prüfe(c)\n>›d = 4\nfe(d)\n"
    ),
    "nothing for a part of a line": "a = 1\nx = «print(a) + >»1\nb = 2\nprint(b)\n",
    "nothing for other statements": "a = 1\n«b = print(a)\n>»b = 2\nprint(b)\n",
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_siblings_of_a_deleted_line_go(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "sibling")


def test_in_javascript() -> None:
    assert_follows(
        {"file:///w/home.js": "const a = 1;\n«console.log(a);\n>»const b = 2;\n‹console.log(b);\n>›f(b);\n"}, "sibling"
    )


def test_deleted_lines_count_as_examples() -> None:
    made = assert_follows(
        {"file:///w/home.py": "«print(1)\n>»a = 1\n«print(a)\n>»b = 2\nc = 3\n‹print(b)\n>›"}, "sibling"
    )
    assert [(one.examples, one.kind) for one in made.candidates if one.source == "sibling"] == [(2, "print/file/again")]
