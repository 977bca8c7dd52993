"""Behind a dot stand members: no name of another file that this one uses free."""

from __future__ import annotations

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.types import Shown

from tests.suggest.next_edit.consequences.marked_renames import played

FREE = {
    "a type of TypeScript": (
        "file:///w/a.ts",
        "function total(orders: Order[]) {\n  let sum = 0;\n  for (const order of orders) {\n    sum += order.‸\n",
        "Order",
    ),
    "a type of Rust": (
        "file:///w/a.rs",
        "fn total(orders: &[Order]) -> u32 {\n    let mut sum = 0;\n    for order in orders {\n        x(order.‸\n",
        "Order",
    ),
}


@pytest.fixture(scope="module")
def engine() -> Engine:
    """The shipped models."""
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


@pytest.mark.parametrize("place", FREE)
def test_a_name_that_stands_free_is_not_listed_behind_a_dot(engine: Engine, place: str) -> None:
    uri, text, name = FREE[place]
    document = played(text.replace("‸", ""), uri)
    decision = engine.complete(document, len(text[: text.index("‸")].encode()), Cancel())
    assert isinstance(decision, Shown)
    assert name not in [item.label for item in decision.value.items]
