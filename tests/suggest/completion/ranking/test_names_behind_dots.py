"""Behind a dot no variable in scope is listed, unless it is a member elsewhere or any object may have it."""

from __future__ import annotations

import pytest
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.types import Shown

from tests.suggest.documents import document

LOOP = "def overdue(invoices, today, name):\n    for invoice in invoices:\n        if invoice.‸\n"
GO = (
    "package p\n\nfunc (c Cart) Total() int {{\n\tsum := 0\n\tfor _, item := range load() {{\n"
    "\t\tsum += item.‸\n\t}}\n\treturn sum\n}}\n{}"
)
SCRIPT = (
    "function overdue(invoices, today) {{\n  for (const invoice of invoices) {{\n    if (invoice.‸) {{}}\n  }}\n}}\n{}"
)


def labels(engine: Engine, text: str, language_id: str) -> set[str]:
    made, at = document(text, language_id)
    decision = engine.complete(made, at, Cancel())
    return {item.label for item in decision.value.items} if isinstance(decision, Shown) else set()


@pytest.mark.parametrize(
    ("text", "language_id", "names"),
    [
        pytest.param(LOOP, "python", {"invoice", "invoices", "overdue", "today"}, id="python"),
        pytest.param(GO.format(""), "go", {"Total", "sum", "item", "c"}, id="go"),
        pytest.param(SCRIPT.format(""), "javascript", {"invoice", "invoices", "overdue", "today"}, id="javascript"),
        pytest.param(SCRIPT.format(""), "typescript", {"invoice", "invoices", "overdue", "today"}, id="typescript"),
    ],
)
def test_a_name_of_the_scope_is_no_member(engine: Engine, text: str, language_id: str, names: set[str]) -> None:
    listed = labels(engine, text, language_id)
    assert listed
    assert not listed & names


def test_it_is_one_where_it_stands_behind_a_dot(engine: Engine) -> None:
    assert "today" in labels(engine, f"{LOOP}\n\nprint(clock.today)\n", "python")
    assert "Total" in labels(engine, GO.format("\nfunc f(a any) int { return a.Total() }\n"), "go")
    assert "today" in labels(engine, LOOP.replace("invoice.‸", "invoice.today < other.‸"), "python")


def test_it_is_one_where_any_object_may_have_it(engine: Engine) -> None:
    assert "name" in labels(engine, LOOP, "python")


def test_a_new_field_may_be_called_like_a_parameter(engine: Engine) -> None:
    assert "today" in labels(engine, "class A:\n    def __init__(self, today):\n        self.‸\n", "python")
