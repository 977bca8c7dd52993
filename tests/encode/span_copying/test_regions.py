"""Regions: the function where it is small enough, as much around the place as fits elsewhere."""

from __future__ import annotations

from editahead.encode.span_copying.tokens import line_texts, region_around, token_counts
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from hypothesis import given
from hypothesis import strategies as st

TEXT = (
    """import os


class A:
    def small(self):
        x = 1
        return x

    def large(self):
"""
    + "".join(f"        value_{n} = self.f({n})\n" for n in range(40))
    + """

def last():
    pass
"""
)


def snapshot(text: str = TEXT, language: str = "python") -> SyntaxSnapshot:
    found = by_id(language)
    assert found is not None
    return open_snapshot(Buffer.from_text(text), found)


def test_a_small_function_is_the_region() -> None:
    syntax = snapshot()
    for line in (4, 5, 6):
        assert region_around(syntax, line, line + 1, 60) == (4, 7)


def test_of_a_large_function_as_much_as_fits_around_the_place() -> None:
    syntax = snapshot()
    low, high = region_around(syntax, 20, 21, 60) or (0, 0)
    assert 9 <= low <= 20 < high <= 49
    assert sum(token_counts(syntax, low, high)) <= 60
    assert sum(token_counts(syntax, low - 1, high + 1)) > 60
    low, high = region_around(syntax, 9, 10, 60) or (0, 0)
    assert low == 8
    assert line_texts(syntax, 8, 9) == ["    def large(self):"]


def test_outside_any_function_the_lines_around() -> None:
    assert region_around(snapshot("a = 1\n\nb = 2\n"), 2, 3, 50) == (0, 4)
    assert region_around(snapshot("a = 1\nb = 2\n" * 50), 10, 11, 12) == (9, 12)
    assert region_around(snapshot("x\ny\n", "rust"), 0, 1, 50) == (0, 3)


def test_lines_that_do_not_fit_are_no_region() -> None:
    assert region_around(snapshot(), 10, 40, 60) is None


@given(st.text("a =(\n:", max_size=60), st.integers(-2, 12), st.integers(0, 4), st.integers(1, 30))
def test_a_region_holds_its_lines_and_fits(text: str, first: int, more: int, limit: int) -> None:
    syntax = snapshot(text)
    found = region_around(syntax, first, first + more, limit)
    first = min(max(0, first), syntax.line_count - 1)
    if found is not None:
        low, high = found
        assert 0 <= low <= first < high <= syntax.line_count
        assert sum(token_counts(syntax, low, high)) <= limit
