"""The stand-in of the cursor's line where brackets delimit blocks, so that the text around it keeps its structure.

The line may open brackets that the text below closes, or the text above may have opened brackets that are not closed
yet. Both follow from the counts of brackets; only where these differ is the text near the line read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

NAME = "__"  # the name that a stand-in uses or declares
_CLOSER = {"(": ")", "[": "]", "{": "}"}
_OPENER = {closer: opener for opener, closer in _CLOSER.items()}
_BRACKET = re.compile(rb"[][(){}]")
_READ = 20_000  # bytes above and below the line in which its brackets are looked for
_MAX_BRACKETS = 50  # brackets that are opened or closed
_FIELD = re.compile(rb"\s*(?!default\b)\w+\s*:(?![:=])")  # what the body of a literal begins with
_HEADS = {
    **{word: f"{word} {NAME}() " for word in ("func", "fn", "function")},
    **{word: f"{word} {NAME} " for word in ("class", "interface", "struct", "impl", "trait", "enum", "namespace")},
    **{word: f"{word} ({NAME}) " for word in ("if", "switch", "match")},
}
_WORD = re.compile(rb"[a-z]+")
_FUNCTION = {"go": "func() ", "rust": "|| ", "java": "() -> ", "c_sharp": "() => ", "cpp": "[] "}
_LITERAL = {"go": "struct{}", "rust": "Self ", "c_sharp": "new() "}
_SCRIPT = "function() "  # of the other languages, all of which are kinds of JavaScript
_ENDS_STATEMENTS = frozenset({"c", "cpp", "java", "c_sharp"})  # so a closed call is none yet
_LUA_HEADS = {
    "function": f"function {NAME}()", "local": f"local function {NAME}()", "if": f"if {NAME} then",
    "for": f"for {NAME} in {NAME} do", "while": f"while {NAME} do", "repeat": "repeat", "do": "do",
}  # fmt: skip
_LUA_MIDDLE = {"else": "else", "elseif": f"elseif {NAME} then", "end": "end", "until": f"until {NAME}"}


class StandIn(NamedTuple):
    """Text instead of a line, and text behind the end of the file."""

    line: bytes
    end: bytes


def head_word(text: bytes) -> str:
    """The first word of a line that tells of what its braces are the body; empty where none does."""
    return next((word for match in _WORD.finditer(text) if (word := match[0].decode()) in _HEADS), "")


def lua_statement(line: str, bracket: str | None, *, opens: bool) -> str:
    """What stands for a line of Lua, whose blocks end with their last statement, so that a blank line is in none.

    `bracket`: that which is open before the line; `opens`: the text below is indented deeper.
    """
    if bracket is not None:
        return f"{NAME}," if bracket == "{" else NAME
    words = re.findall(r"\w+", line)
    first = words[0] if words else ""
    if first in _LUA_MIDDLE:
        return _LUA_MIDDLE[first]
    if opens and "function" in words and first not in ("function", "local"):
        return f"local {NAME} = function()"
    return _LUA_HEADS.get(first, f"{NAME}()") if opens else f"{NAME}()"


def stand_in(before: bytes, after: bytes, head: str, language_id: str, count: Callable[[bytes], int]) -> StandIn:
    """What stands for a line between two texts. `head`: its `head_word`; `count`: of a bracket in both texts."""
    open_after = {opener: count(opener.encode()) - count(closer.encode()) for opener, closer in _CLOSER.items()}
    needed = {opener: -count for opener, count in open_after.items() if count < 0}
    missing = {opener: count for opener, count in open_after.items() if count > 0}
    line = _opening(_closed_below(after, needed), after, head, language_id) if needed else ""
    return StandIn(line.encode(), _closing(before, missing, language_id).encode() if missing else b"")


def _closed_below(after: bytes, needed: Mapping[str, int]) -> str:
    """The brackets that the line must have opened, outermost first: those closed first below, as many as are needed."""
    needed_counts, depth, brackets = dict(needed), dict.fromkeys(_CLOSER, 0), ""
    for match in _BRACKET.finditer(after[:_READ]):
        bracket = match[0].decode()
        if bracket in _CLOSER:
            depth[bracket] += 1
            continue
        opener = _OPENER[bracket]
        if depth[opener]:
            depth[opener] -= 1
        elif needed_counts.get(opener, 0):
            needed_counts[opener] -= 1
            brackets = opener + brackets
        else:
            break
        if not any(needed_counts.values()) or len(brackets) == _MAX_BRACKETS:
            break
    return brackets


def _opening(brackets: str, after: bytes, head: str, language_id: str) -> str:
    """Code that opens brackets: a declaration, a block, a call, or a function or a literal inside a call."""
    code = ""
    for bracket in brackets:
        if bracket != "{":
            code += NAME
        elif not code:
            code += _HEADS.get(head, "")
        elif _FIELD.match(after) is not None:
            code += _LITERAL.get(language_id, "")
        else:
            code += _FUNCTION.get(language_id, _SCRIPT)
        code += bracket
    return code


def _closing(before: bytes, missing: Mapping[str, int], language_id: str) -> str:
    """Brackets for what is not closed yet: a file that ends in the middle of a method has its scopes too."""
    braces = "}" * missing["{"] if 0 < missing.get("{", 0) <= _MAX_BRACKETS else ""
    if language_id in _ENDS_STATEMENTS:
        return braces
    stack: list[str] = []
    for match in _BRACKET.finditer(before[-_READ:]):
        bracket = match[0].decode()
        if bracket in _CLOSER:
            stack.append(bracket)
        elif stack and stack[-1] == _OPENER[bracket]:
            stack.pop()
    missing_counts, closers = dict(missing), ""
    for bracket in reversed(stack):
        if missing_counts.get(bracket, 0) and len(closers) < _MAX_BRACKETS:
            missing_counts[bracket] -= 1
            closers += _CLOSER[bracket]
    return closers + braces[: missing_counts.get("{", 0)]
