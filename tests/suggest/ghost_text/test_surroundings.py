"""What stands around ghost text: the rest of the line, the lines below, brackets, syntax."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from editahead.suggest.context import place_at
from editahead.suggest.ghost_text.ghost_text import syntax_gate
from editahead.suggest.ghost_text.length import Length
from editahead.suggest.ghost_text.surroundings import (
    RestOfLine,
    first_code,
    is_repetition_of,
    is_written_below,
    missing_closers,
    parse_gate,
    rest_of,
)
from editahead.suggest.taken_names import texts_of
from editahead.suggest.types import Reason

from tests.suggest.documents import document


@pytest.mark.parametrize(
    ("text", "rest", "closing"),
    [
        ("x = ‸", RestOfLine(), True),
        ("x = ‸   \ny", RestOfLine(), True),
        ("f(‸)", RestOfLine((")",)), True),
        ("if f(‸): pass", RestOfLine((")", ":", "pass")), False),
        ("if f(‸):", RestOfLine((")", ":")), True),
        ("x = ‸  # why", RestOfLine((), True), True),
        ("x = f(‸)  # why", RestOfLine((")",), True), True),
        ("x = ‸y + 1", RestOfLine(("y", "+", "1")), False),
        ("x = a‸ $ b", RestOfLine(("$", "b")), False),
    ],
)
def test_the_rest_of_the_line(text: str, rest: RestOfLine, closing: bool) -> None:
    made, byte = document(text)
    found = rest_of(made, place_at(made, byte))
    assert found == rest
    assert found.is_closing is closing


def test_lines_are_compared_by_their_tokens() -> None:
    made, _ = document("self.a = 1\n\n# words\nself.b = 2  # more\n)\n‸")
    lines = made.syntax.lines(0, 5)
    below = first_code(lines[1:])
    assert below == lines[3]
    assert texts_of(below) == ("self", ".", "b", "=", "2")
    assert is_repetition_of(lines[3], below, whole=True)
    assert not is_repetition_of(lines[0], below, whole=True)
    assert is_repetition_of(lines[3][:3], below, whole=False)
    assert not is_repetition_of(lines[3][:3], below, whole=True)
    assert not is_repetition_of(lines[4], lines[4], whole=True), "a bracket alone says nothing"
    assert first_code([]) == ()


@pytest.mark.parametrize(
    ("texts", "closers"),
    [(["f", "(", "a"], ")"), (["f", "(", "[", "x", "]", "{"], "})"), ([")", "("], ")"), (["'('"], ""), ([], "")],
)
def test_missing_closers(texts: list[str], closers: str) -> None:
    assert missing_closers(texts) == closers


BODY = "class A:\n    def f(self):\n        ‸\n        return x\n\nb = 2\n"
JAVA = "class A {\n  int f(int q) {\n    ‸\n    return q;\n  }\n}\n"


@pytest.mark.parametrize(
    ("text", "language_id", "insert", "closers", "passes"),
    [
        (BODY, "python", "x = f(a, ", ")", True),
        (BODY, "python", "x = f(a)", "", True),
        (BODY, "python", "x = f(a))", "", False),
        (BODY, "python", "x = self.", "", True),
        (BODY, "python", "if x", "", True),
        (BODY, "python", "for x in", "", True),
        (BODY, "python", "for x", "", True),
        (BODY, "python", "x = [y for y", "]", True),
        (BODY, "python", "x = a if b", "", True),
        (BODY, "python", "from a", "", True),
        (BODY, "python", "def g", "", True),
        (BODY, "python", "x = a + ", "", True),
        (BODY, "python", "x y", "", False),
        (BODY, "python", "return return", "", False),
        (JAVA, "java", "int x = q", "", True),
        (JAVA, "java", "int x", "", True),
        (JAVA, "java", "if (q > 1) {", "}", True),
        (JAVA, "java", "if (q", ")", True),
        (JAVA, "java", "foo(q, ", ")", True),
        (JAVA, "java", "}", "", False),
        (JAVA, "java", "foo)", "", False),
        ("x = 1 ‸ 2", "lua", "+", "", True),
    ],
)
def test_syntax_with_the_suggestion(text: str, language_id: str, insert: str, closers: str, passes: bool) -> None:
    made, byte = document(text, "python" if language_id == "lua" else language_id)
    reading = parse_gate(replace(made, language_id=language_id), byte, insert, closers)
    assert reading.passed is passes, reading
    assert reading.reason is Reason.PARSES_WORSE


def test_a_file_that_is_broken_anyway_may_stay_so() -> None:
    made, byte = document("x = (\ny = ‸\n")
    assert parse_gate(made, byte, "z", "").passed


GOES_ON = {
    "a property before others": ("typescript", "const point = {\n  ‸\n  y: 1,\n};\n", "x"),
    "a field before others": ("go", "package a\n\nvar b = box{\n\t‸\n\tHeight: 1,\n}\n", "Width"),
    "names that are bound": ("go", "package a\n\nfunc f() {\n\t‸\n}\n", "one, err"),
    "a pattern of a match": ("rust", "fn f(n: u8) {\n    match n {\n        ‸\n        _ => {}\n    }\n}\n", "0"),
    "an argument before others": ("c", "void f(void) {\n  g(‸\n    other);\n}\n", "first"),
}


@pytest.mark.parametrize(("language_id", "marked", "insert"), GOES_ON.values(), ids=GOES_ON)
def test_a_line_that_goes_on_passes(language_id: str, marked: str, insert: str) -> None:
    made, byte = document(marked, language_id)
    closers = missing_closers(re.findall(r"\w+|\S", insert))
    assert parse_gate(made, byte, insert, closers).passed
    assert not parse_gate(made, byte, f"{insert}))", closers).passed


@pytest.mark.parametrize(
    ("text", "insert", "passes"),
    [
        ("f(() => {\n  g(() => {\n    a;\n  }‸\n  });\n});\n", ");", False),
        ("f(() => {\n  g(() => {\n    a;\n‸\n  });\n});\n", "  });", False),
        ("f(() => {\n  g(() => {\n    a;\n  }‸\n});\n", ");", True),
        ("f(() => {\ng(() => {\na;\n‸\n});\n", "});", True),
        ("f(() => {\n  g(() => {\n    a;‸\n  });\n});\n", "\n  });", False),
    ],
    ids=["the rest of a line", "a line", "of an inner call", "without indentation", "a further line"],
)
def test_what_the_line_below_closes_is_closed_where_it_is_missing_alone(text: str, insert: str, passes: bool) -> None:
    made, byte = document(text, "typescript")
    tokens = [SimpleNamespace(text=text) for text in re.findall(r"\s*\S", insert)]
    state: Any = SimpleNamespace(cursor=place_at(made, byte), tokens=tokens, rest=RestOfLine())
    assert syntax_gate(made, byte, state, Length(len(tokens), insert, 0.9)).passed is passes


@pytest.mark.parametrize(
    ("text", "insert", "expected"),
    [
        ("class A {\n    int F(E x) => x switch {\n        E‸\n        E.A => 1,\n    };\n}\n", ".A => 1,", True),
        ("class A {\n    int F(E x) => x switch {\n        E‸\n        E.A => 1,\n    };\n}\n", ".B => 1,", False),
        ("class A {\n    p‸\n    public string A { get; set; }\n}\n", "ublic string A { get; set; }", True),
        ("class A {\n    ‸;\n    int a ;\n}\n", "int a", True),
        ("class A {\n    p‸\n}\n", "\n    }", False),
        ("if (a)\n        b‸\n    bc();\n", "c()", False),
    ],
)
def test_lines_are_compared_by_their_letters(text: str, insert: str, expected: bool) -> None:
    made, byte = document(text, "c_sharp")
    assert is_written_below(made, place_at(made, byte), insert) is expected
