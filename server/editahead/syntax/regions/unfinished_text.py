"""Whether the end of an unfinished line stands in a string, in a comment, or in code that a string interpolates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

_QUOTE = re.compile(r"\"\"\"|'''|\"|'")
_PREFIX = re.compile(r"(?<!\w)[a-zA-Z]{1,2}$")
_SIGN = re.compile(r"\\.|\"\"\"|'''|\"|'|#|//|\{\{|[{}()\[\]:!]")
_LIFETIME = re.compile(r"'(?!\\|[^'\\]')")
_WITH_LIFETIMES = frozenset({"rust"})
FORMAT_PREFIXES = {"python": frozenset({"f", "fr", "rf", "t", "tr", "rt"})}
"""What stands before a quote, in small letters, that makes `{` open an interpolation."""


class Region(str, Enum):
    """Where a byte stands."""

    CODE = "code"
    COMMENT = "comment"
    STRING = "string"


@dataclass(slots=True)
class _Open:
    """What is open: a string by its quote, an interpolation (None), or the format behind its colon (an empty quote)."""

    quote: str | None
    formatted: bool = False
    brackets: int = 0  # that an interpolation has opened


def region_at_end(text: str, language_id: str, line_comment: str | None) -> Region:
    """Where the end of a text stands that begins in code."""
    prefixes, stack = FORMAT_PREFIXES.get(language_id, frozenset[str]()), list[_Open]()
    for match in _SIGN.finditer(text):
        sign, top = match.group(), stack[-1] if stack else None
        if sign[0] == "\\":
            continue
        if top is None or top.quote is None:
            if sign in ("#", "//"):
                if top is None and sign == line_comment:
                    return Region.COMMENT
            elif language_id in _WITH_LIFETIMES and _LIFETIME.match(text, match.start()):
                continue
            elif _QUOTE.fullmatch(sign):
                prefix = _PREFIX.search(text, max(0, match.start() - 3), match.start())
                stack.append(_Open(sign, prefix is not None and prefix.group().lower() in prefixes))
            elif top is not None:
                _in_interpolation(stack, top, sign, text[match.end() : match.end() + 1])
        else:
            _in_string(stack, top, sign)
    if stack and stack[-1].quote is not None:
        return Region.STRING
    return Region.CODE


def _in_interpolation(stack: list[_Open], top: _Open, sign: str, after: str) -> None:
    if sign in ("(", "[", "{", "{{"):
        top.brackets += len(sign)
    elif sign in (")", "]", "}") and top.brackets:
        top.brackets -= 1
    elif sign == "}":
        stack.pop()
    elif sign in (":", "!") and not top.brackets and after != "=":
        stack.append(_Open("", formatted=True))


def _in_string(stack: list[_Open], top: _Open, sign: str) -> None:
    if top.quote == "":  # the format of an interpolation
        if sign == "}":
            del stack[-2:]
            return
        outer = next((at for at in range(len(stack) - 1, -1, -1) if stack[at].quote == sign), None)
        if outer is not None and _QUOTE.fullmatch(sign):
            del stack[outer:]
            return
    elif sign == top.quote:
        stack.pop()
        return
    if top.formatted and sign == "{":
        stack.append(_Open(None))
