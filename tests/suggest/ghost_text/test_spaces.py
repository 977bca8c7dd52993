"""Where the place says more than the neighbour: spaces in elements of JSX and before braces in Go; ends in brackets."""

from __future__ import annotations

import pytest
from editahead.suggest.ghost_text.ghost_text import syntax_gate
from editahead.suggest.ghost_text.length import Length

from tests.suggest.documents import document
from tests.suggest.ghost_text.test_continuation import grown


@pytest.mark.parametrize(
    ("text", "language_id", "script", "insert"),
    [
        ("const a = 1;\nconst b = 2;\nconst v = <li c‸\n", "tsx", ["className", "=", "{", "task"], "lassName={task"),
        ("const a = 1;\nconst v = (\n  <li\n    id={a}\n    onClick‸\n", "tsx", ["onClick", "=", "{"], "={"),
        ("const a = { b };\nconst v = <em>{‸}</em>;\n", "tsx", ["task", ".", "name"], "task.name"),
        ("const v = <em>{a}</‸\n", "javascript", ["em", ">"], "em>"),
        ("const a = b < c; const d‸\n", "tsx", ["d", "=", "1"], " = 1"),
        ("package p\n\nvar a = T{}\nvar b = T{}\n\nfunc f() {\n\tif q‸\n}\n", "go", ["q", "{"], " {"),
        ("package p\n\nvar a = T{}\n\nfunc f() {\n\treturn func() e‸\n}\n", "go", ["error", "{"], "rror {"),
        ("package p\n\nvar a = T{}\nvar b = g(func() {\n\tfor range q‸\n})\n", "go", ["q", "{"], " {"),
        ("package p\n\nfunc f() {\n\tif a {\n\t}\n\tif b {\n\t}\n\treturn &Q‸\n}\n", "go", ["Queue", "{"], "ueue{"),
    ],
)
def test_spaces(monkeypatch: pytest.MonkeyPatch, text: str, language_id: str, script: list[str], insert: str) -> None:
    state = grown(monkeypatch, text, script, language_id=language_id)
    assert state.insert(len(script)) == insert


def test_no_colon_ends_a_comprehension_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    text, script = "def f(self):\n    return [a for a in self.rows.‸]\n", ["values", "(", ")", ":"]
    made, byte = document(text, "python")
    state = grown(monkeypatch, text, script)
    passed = [syntax_gate(made, byte, state, Length(n, state.insert(n), 0.9)).passed for n in (3, 4)]
    assert passed == [True, False]


def test_a_colon_may_stand_in_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def f(rows, at):\n    return rows[at‸]\n"
    made, byte = document(text, "python")
    state = grown(monkeypatch, text, ["at", ":"])
    assert syntax_gate(made, byte, state, Length(2, state.insert(2), 0.9)).passed
