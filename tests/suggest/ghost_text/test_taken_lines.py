"""Ghost text does not write a label, a declaration or an import a second time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from editahead.suggest.context import place_at
from editahead.suggest.taken_names import taken_keys

from tests.growth import assert_linear
from tests.suggest.documents import document
from tests.suggest.ghost_text.test_continuation import LINE, grown, shown

SWITCH = "switch (s) {{\n    case OPEN:\n        go();\n        break;\n    {}‸\n    }}\n"


@pytest.mark.parametrize(
    ("text", "language_id", "script"),
    [
        (SWITCH.format(""), "java", ["case", "OPEN", ":", LINE]),
        (SWITCH.format("case "), "java", ["OPEN", ":", LINE]),
        (SWITCH.format("case O"), "c", ["OPEN", ":", LINE]),
        (SWITCH.replace("OPEN", "Kind.OPEN").format("case Kind."), "typescript", ["OPEN", ":", LINE]),
        ("match k {\n    Kind::Open => 1,\n    Kind::‸\n}\n", "rust", ["Open", "=>", "1"]),
        ("struct A;\nimpl A {\n    pub fn new() {\n    }\n\n    pub fn ‸\n}\n", "rust", ["new", "(", ")"]),
        ("package p\n\nfunc (q *Q) Close() {\n}\n\nfunc (q *Q) ‸\n", "go", ["Close", "(", ")"]),
        ("class A:\n    def run(self):\n        pass\n\n    def ‸\n", "python", ["run", "(", "self", ")"]),
        ("import os\nimport re\n‸\n", "python", ["import", "os", LINE]),
        ("import { a } from './a';\nimport { b } from './b';\nimport ‸\n", "typescript", "{ a } from './a' ;".split()),
    ],
)
def test_what_is_taken_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, text: str, language_id: str, script: list[str]
) -> None:
    texts = [insert.strip() for insert in shown(grown(monkeypatch, text, script, language_id=language_id))]
    assert all(not insert or insert in ("case", "import", "{", "{ a", "{ a }", "{ a } from") for insert in texts)


@pytest.mark.parametrize(
    ("text", "language_id", "script"),
    [
        (SWITCH.format(""), "java", ["case", "PAID", ":", LINE]),
        (SWITCH.format("case OPEN"), "java", [":", LINE]),
        ("class A:\n    @property\n    def size(self):\n        pass\n\n    @size.setter\n    def ‸\n", "python",
         ["size", "(", "self", ")"]),
        ("class A:\n    def run(self):\n        pass\n\n\nclass B:\n    def ‸\n", "python", ["run", "(", "self", ")"]),
    ],
)  # fmt: skip
def test_what_is_not_taken_is_shown(
    monkeypatch: pytest.MonkeyPatch, text: str, language_id: str, script: list[str]
) -> None:
    assert shown(grown(monkeypatch, text, script, language_id=language_id))


def test_the_lines_beside_are_read_in_linear_time() -> None:
    def work(count: int) -> Callable[[], object]:
        rows = "".join(f"    case {'A' * (at % 7 + 1)}{at}:\n        go();\n" for at in range(count))
        made, byte = document(f"switch (s) {{\n{rows}    case ‸\n}}\n", "c")
        place = place_at(made, byte)
        lines = made.syntax.lines(0, made.syntax.line_count)
        return lambda: taken_keys(lines, place.lines[-1], place.below, "c")

    assert_linear(work, 2_000)
