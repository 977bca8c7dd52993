"""Classes that may have members which no declaration tells, found in the text alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from editahead.check.given_elsewhere import derived_classes

from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class A(Base): ...\nclass B[T](x.Base, C): ...\n", ["A", "B"]),
        ("class A (Base): ...\nclass B [T] (Base): ...\n", ["A", "B"]),
        ("class A(Bases): ...\nclass Base: ...\nx = Base()\n", []),
    ],
)
def test_what_is_derived_from_a_class(text: str, expected: list[str]) -> None:
    assert list(derived_classes(text.encode(), "Base")) == expected


def test_blanks_behind_a_class_cost_what_they_are() -> None:
    def work(n: int) -> Callable[[], object]:
        data = b"class A" + b" " * n + b"= Base"
        return lambda: list(derived_classes(data, "Base"))

    assert_linear(work, 20_000)
