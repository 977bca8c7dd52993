"""Tokens back to text."""

from __future__ import annotations

from editahead.encode.language_model.spacing import (
    depth_after,
    has_space,
    newline_text,
    next_depth,
    spacing_key,
    token_of,
)
from editahead.syntax.tokens import Role, Token, TokenKind

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
