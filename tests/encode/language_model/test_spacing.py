"""Tokens back to text."""

from __future__ import annotations

import pytest
from editahead.encode.language_model.vocabulary import (
    depth_after,
    has_space,
    newline_text,
    next_depth,
    spacing_key,
    spacing_of,
    token_of,
)
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Role, Token, TokenKind
from editahead.text.buffer import Buffer
from editahead.text.memo import forget_texts

KEYWORDS = frozenset({"def", "return"})


def make(text: str, previous: Token | None = None) -> Token:
    return token_of(text, 0, previous, KEYWORDS)


def test_kinds_of_predicted_texts() -> None:
    assert make("return").kind is TokenKind.KEYWORD
    assert make("value").kind is TokenKind.NAME
    assert make("12").kind is TokenKind.NUMBER
    assert make("'a'").kind is TokenKind.STRING
    assert make('r"a"').kind is TokenKind.STRING
    assert make("==").kind is TokenKind.OPERATOR
    assert make("name", make(".")).role is Role.ATTRIBUTE_USE


def test_the_learnt_table_goes_before_habit() -> None:
    left, right = make("="), make("value")
    assert has_space({}, left, right, 0)
    table = {spacing_key(left, right, 1): False}
    assert not has_space(table, left, right, 1)
    assert has_space(table, left, right, 0)


def test_neighbours_of_a_file_have_the_space_that_they_nearly_always_have() -> None:
    text = b"a = {b}\nc = {d}\ne = { f }\ng = {h}\ni = {j}\nk=l\n"
    language = by_id("javascript")
    assert language is not None
    syntax = SyntaxSnapshot.open(Buffer(text), language)
    table = spacing_of([syntax.line_tokens(line) for line in range(syntax.line_count)])
    opening, name, sign = make("{"), make("z"), make("=")
    assert not has_space(table, opening, name, 0)  # four of five
    assert has_space(table, sign, opening, 0)
    assert has_space(table, name, sign, 0)
    assert spacing_key(sign, name, 0) in table  # `k=l` alone
    assert spacing_key(make("["), name, 0) not in table
    mixed = [syntax.line_tokens(0), syntax.line_tokens(2)]
    assert spacing_key(opening, name, 0) not in spacing_of(mixed)  # one of two: what was learnt elsewhere decides


def test_counted_lines_change_no_table() -> None:
    language = by_id("python")
    assert language is not None
    syntax = SyntaxSnapshot.open(Buffer(b"a=1\nb=f(c=2,\n  d=3)\ne = 4\nf=5\n"), language)
    lines = [syntax.line_tokens(line) for line in range(syntax.line_count)]
    for first, last in ((0, 4), (0, 4), (0, 5), (1, 5), (0, 3), (2, 5)):
        again = spacing_of(lines[first:last])
        forget_texts()
        assert spacing_of(lines[first:last]) == again


@pytest.mark.parametrize("text", ["x = (\n  1,\n  2)\n", "", "\n\n", "f(\n"])
def test_blank_lines_and_open_brackets_have_no_neighbours_across_lines(text: str) -> None:
    language = by_id("python")
    assert language is not None
    syntax = SyntaxSnapshot.open(Buffer(text.encode()), language)
    table = spacing_of([syntax.line_tokens(line) for line in range(syntax.line_count)])
    assert spacing_key(make("("), make("1"), 1) not in table


def test_habit_glues_brackets_dots_and_commas() -> None:
    for left, right in ((".", "name"), ("(", "x"), ("f", "("), ("x", ","), ("x", ":"), ("x", ")")):
        assert not has_space({}, make(left), make(right), 0)
    for left, right in ((",", "x"), ("return", "x"), ("x", "==")):
        assert has_space({}, make(left), make(right), 0)


def test_bracket_depth_never_falls_below_zero() -> None:
    line = tuple(make(text) for text in ")(f(["[0:])
    assert depth_after([line]) == 3
    assert next_depth(0, make(")")) == 0
    assert depth_after([(make("'('"),)]) == 0


def test_new_lines_carry_the_indentation() -> None:
    assert newline_text("<line+1>", 1, 4, False) == "\n" + " " * 8
    assert newline_text("<line-2>", 1, 4, False) == "\n"
    assert newline_text("<line+0>", 2, 4, True) == "\n\t\t"
