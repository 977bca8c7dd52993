"""Regions as tokens: nothing is lost, what stays keeps its bytes, and nonsense is refused."""

from __future__ import annotations

import pytest
from editahead.encode.span_copying.tokens import FIRST, RegionError, RegionTokens
from hypothesis import example, given
from hypothesis import strategies as st

LINES = st.lists(st.text("ab_1 .(\t\"'=é+", max_size=12), min_size=1, max_size=6)
CODE = ["    if x ==  None:", "        return f(x)   ", "", "    return 1"]


@given(LINES)
@example(["", " "])
@example(["  x  ", ""])
@example(["a", "\tb"])
def test_tokens_cover_the_lines_and_give_them_back(lines: list[str]) -> None:
    region = RegionTokens.of(lines)
    assert "".join(region.text[start:end] for start, end in region.spans) == "\n".join(lines)
    assert region.rewrite(region.texts) == "\n".join(lines)


def test_a_token_holds_its_blanks_and_a_line_its_depth() -> None:
    region = RegionTokens.of(CODE)
    assert region.texts[:5] == (FIRST, "if", " x", " ==", "  None")
    assert [text for text in region.texts if text[0] == "\n"] == ["\n+0", "\n+4", "\n", "\n-4"]
    assert region.indent == 4
    deeper = RegionTokens.of(["    " + line if line else line for line in CODE])
    assert deeper.texts == region.texts


def test_what_stays_keeps_its_bytes() -> None:
    region = RegionTokens.of(CODE)
    changed = [" is" if text == " ==" else text for text in region.texts]
    assert region.rewrite(changed).split("\n") == ["    if x is  None:", *CODE[1:]]


def test_lines_come_go_and_move_to_the_depth_that_they_tell() -> None:
    region = RegionTokens.of(CODE)
    body = list(region.texts)
    at = body.index("\n+4")
    grown = [*body[:at], "\n+4", "log", "(", ")", "\n+0", *body[at + 1 :]]
    assert region.rewrite(grown).split("\n") == [
        "    if x ==  None:", "        log()", "        return f(x)   ", "", "    return 1",
    ]  # fmt: skip
    flat = ["\n+0" if text in ("\n+4", "\n-4") else text for text in body]
    assert region.rewrite(flat).split("\n")[1:] == ["    return f(x)   ", "", "    return 1"]
    gone = body[: body.index("\n")]
    assert region.rewrite(gone).split("\n")[0] == CODE[0]


def test_tabs_are_written_where_the_file_has_them() -> None:
    region = RegionTokens.of(["\tif x:", "\t\ty()"])
    grown = [*region.texts, "\n+0", "z", "(", ")"]
    assert region.rewrite(grown, tabs=True).split("\n") == ["\tif x:", "\t\ty()", "\t\tz()"]


@pytest.mark.parametrize("texts", [[], ["x"], [FIRST, "x", "\nfour"], ["\n+x"]])
def test_tokens_that_are_no_lines_are_refused(texts: list[str]) -> None:
    with pytest.raises(RegionError):
        RegionTokens.of(["a"]).rewrite(texts)


@given(LINES, st.lists(st.sampled_from(["\n+0", "\n+4", "\n-8", "\n", "x", " y", "("]), max_size=8))
def test_any_rewriting_of_lines_gives_lines(lines: list[str], more: list[str]) -> None:
    text = RegionTokens.of(lines).rewrite([FIRST, *more])
    assert text.count("\n") == sum(token.startswith("\n") for token in more)
