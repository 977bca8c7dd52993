"""Facts of lines: what each line is, whatever stands in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from editahead.suggest.next_edit.places.line_facts import line_facts
from editahead.text.buffer import Buffer
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear

TEXT = b"import os\n\n\ndef total(items):\n    # all of them\n    return sum(a, items)\n    return max(b, order)\n}\n"


def test_what_the_lines_of_a_file_are() -> None:
    facts = line_facts(Buffer(TEXT))
    assert facts.imports.tolist() == [True, *[False] * 8]
    assert facts.declares.tolist() == [False] * 3 + [True] + [False] * 5
    assert facts.comment.tolist() == [False] * 4 + [True] + [False] * 4
    assert facts.words.tolist() == [True, False, False, True, True, True, True, False, False]
    assert facts.indent.tolist() == [0, 0, 0, 0, 4, 4, 4, 0, 0]
    assert facts.word_count.tolist() == [2, 0, 0, 3, 3, 4, 4, 0, 0]
    assert facts.calls.tolist() == [0, 0, 0, 1, 0, 1, 1, 0, 0]


def test_lines_that_are_the_same_but_for_words_have_the_same_shape() -> None:
    shape = line_facts(Buffer(TEXT)).shape.tolist()
    assert shape[5] == shape[6] != shape[3]
    assert shape[1] == shape[2] == 0
    assert line_facts(Buffer(b"  a  = b")).shape[0] == line_facts(Buffer(b"c= long_name")).shape[0]


@pytest.mark.parametrize("line", [b"use a::b;", b"#include <a>", b"from a import b", b"using System;", b'\t"net/http"'])
def test_imports_of_other_languages(line: bytes) -> None:
    assert line_facts(Buffer(line)).imports.tolist() == [True]


@pytest.mark.parametrize(
    "line", [b"pub fn a() {", b"func (r *R) Name() {", b"  public int a() {", b"export class A {", b"async def f():"]
)
def test_declarations_of_other_languages(line: bytes) -> None:
    assert line_facts(Buffer(line)).declares.tolist() == [True]


@pytest.mark.slow
@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_any_text_has_facts_of_every_line(text: str) -> None:
    buffer = Buffer(text.encode())
    facts = line_facts(buffer)
    assert {len(column) for column in facts} == {buffer.line_count}
    assert (facts.indent >= 0).all()


@given(st.lists(st.sampled_from(["a = b(c)", "  x", "", "}", "# é", "\tif (q) {"]), min_size=1, max_size=8))
def test_the_facts_of_a_line_do_not_depend_on_the_others(lines: list[str]) -> None:
    together = line_facts(Buffer("\n".join(lines).encode()))
    for number, line in enumerate(lines):
        alone = line_facts(Buffer(line.encode()))
        assert [column[number] for column in together[1:]] == [column[0] for column in alone[1:]]


def test_the_work_is_linear_in_the_size_of_the_file() -> None:
    def work(size: int) -> Callable[[], object]:
        buffer = Buffer(TEXT * size)
        return lambda: line_facts(buffer)

    assert_linear(work, 1_000)
