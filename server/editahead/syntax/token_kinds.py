"""Kinds of tokens and roles of names, the same for every language."""

from __future__ import annotations

from enum import IntEnum


class TokenKind(IntEnum):
    """What a token is, the same for every language."""

    NAME = 0
    KEYWORD = 1
    NUMBER = 2
    STRING = 3
    OPERATOR = 4
    NEWLINE = 5
    COMMENT = 6


class Role(IntEnum):
    """What an occurrence of a name declares; USE and ATTRIBUTE_USE declare nothing."""

    USE = 0
    ATTRIBUTE_USE = 1
    CLASS = 2
    FUNCTION = 3
    PARAMETER = 4
    ARGUMENT = 5
    VARIABLE = 6
    ATTRIBUTE = 7

    @property
    def is_declaration(self) -> bool:
        """Whether a name in this role is declared by it."""
        return self >= Role.CLASS
