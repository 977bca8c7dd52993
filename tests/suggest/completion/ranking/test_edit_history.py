"""Names that the last edits put in are likelier where the next edit is typed."""

from __future__ import annotations

import pytest
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.types import Completion, Shown
from editahead.text.coalesced_edits import CoalescedEdit, HistoryView

from tests.suggest.documents import document

CODE = """def run(first_limit, second_limit, third_limit, fourth_limit):
    total = first_limit + second_limit
    total += third_limit + fourth_limit
    check(‸)
    return total
"""
NAMES = ("first_limit", "second_limit", "third_limit", "fourth_limit")


def listed(engine: Engine, *edits: CoalescedEdit, pending: CoalescedEdit | None = None) -> tuple[Completion, ...]:
    made, at = document(CODE)
    made, at = document(CODE, history=HistoryView(made.syntax.buffer, edits, pending, 0))
    decision = engine.complete(made, at, Cancel())
    assert isinstance(decision, Shown)
    return decision.value.items


def put_in(name: str) -> CoalescedEdit:
    start = CODE.index(name)
    return CoalescedEdit(start, b"", name.encode(), 0.0)


def probability(items: tuple[Completion, ...], name: str) -> float:
    return next((item.probability for item in items if item.label == name), 0.0)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_was_just_put_in_is_likelier(engine: Engine, name: str) -> None:
    before, after = listed(engine), listed(engine, put_in(name))
    assert probability(after, name) > probability(before, name)
    assert [item.label for item in after].index(name) == 0 or probability(after, name) > 2 * probability(before, name)
    assert sum(item.probability for item in after) <= 1 + 1e-6


def test_what_is_still_being_typed_tells_nothing(engine: Engine) -> None:
    assert listed(engine, pending=put_in("fourth_limit")) == listed(engine)
