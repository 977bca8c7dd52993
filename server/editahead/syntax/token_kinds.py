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
    """What a name declares at this place; USE and ATTRIBUTE_USE declare nothing."""

    USE = 0
    ATTRIBUTE_USE = 1
    CLASS = 2
    FUNCTION = 3
    PARAMETER = 4
    ARGUMENT = 5
    VARIABLE = 6
    ATTRIBUTE = 7

    @property
    def declares(self) -> bool:
        """True when a name in this role becomes known to the file."""
        return self >= Role.CLASS
