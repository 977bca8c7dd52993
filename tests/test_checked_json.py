"""A wrong JSON value is one line: the field, what was expected, what was found."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from editahead.checked_json import FieldError, checked
from msgspec import Meta


class Point(msgspec.Struct):
    x: Annotated[float, Meta(ge=0)]
    kind: str = "plain"


class Drawing(msgspec.Struct):
    version: Literal[1, 2]
    points: dict[str, tuple[Point, ...]] = {}
    axes: dict[str, dict[str, tuple[int | str, ...]]] = {}


def test_what_fits_is_taken_as_it_is() -> None:
    found = checked({"version": 2, "points": {"a": [{"x": 1}]}, "free": None}, Drawing)
    assert found == Drawing(2, {"a": (Point(1.0),)})


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ([], "the value: expected a JSON object, found an empty list"),
        ({}, "version: expected a whole number, found nothing"),
        ({"version": "1"}, "version: expected a whole number, found '1'"),
        ({"version": True}, "version: expected a whole number, found True"),
        ({"version": 3}, "version: expected one of 1, 2, found 3"),
        ({"version": 1, "points": 7}, "points: expected a JSON object, found 7"),
        ({"version": 1, "points": {"a": [], "b": {}}}, "points.b: expected a list, found an object"),
        ({"version": 1, "points": {"a": [{"x": 1}], "b": [{"x": 2}, {"x": -1}]}},
         "points.b[1].x: expected a number >= 0.0, found -1"),
        ({"version": 1, "points": {"b": [{}]}}, "points.b[0].x: expected a value, found nothing"),
        ({"version": 1, "axes": {"in": {"q": ["t"], "k": [1, 1.5]}}},
         "axes.in.k[1]: expected a whole number or a string, found 1.5"),
        ({"version": 1, "\ud800": 1}, "the value: expected text in Unicode, found half of a surrogate pair"),
        ({"version": "x" * 200}, "version: expected a whole number, found '" + "x" * 58 + "…"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(raw: Any, text: str) -> None:
    with pytest.raises(FieldError) as caught:
        checked(raw, Drawing)
    assert str(caught.value) == text
    assert "\n" not in text


def test_a_wrong_choice_in_an_object_without_fields_is_named() -> None:
    with pytest.raises(FieldError, match=r"^python: expected another value, found 'loud'$"):
        checked({"python": "loud"}, dict[str, float | Literal["quiet", "eager"]])
