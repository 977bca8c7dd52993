"""What commented-out code is: comments that look like code, are read as code, and tell no tool what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

MAX_LINES, LONGEST = 40, 300
"""Lines of one piece of code, and bytes of one line."""
_SIGNS = frozenset({"#", "//"})
_CODE = re.compile(
    r"""\s*(?:
    (?!\d)[\w.\[\]"'$]+(?:\s*:\s*[\w.\[\], ]+)?\s*(?:[-+*/|&]|:)?=(?![=>])\s*\S.*   # an assignment
    | (?:await\s+|return\s+)?[\w.$]+\(.*\)\s*[;,]?                           # a call
    | (?:return|raise|throw|assert|del|yield|import|from|const|let|var|new)\s+[\w("'\[{.].*[\w)"'\]};]
    | (?:if|for|while|elif|with|def|class|else|try|except|switch|catch)\b.*[:{]
    | [})\]]+[;,]?
    | @[\w.]+(?:\(.*\))?
    )\s*""",
    re.VERBOSE,
)
_DIRECTIVE = re.compile(
    r"""\s*(?:
    (?:pylint|mypy|pyright|ruff|isort|fmt|yapf|vim?|ex|pragma|type|lint|coding|cython|clippy|rustfmt|spotless|jshint|
       jslint|tslint|swiftlint|cspell|codespell|bandit|doctest|globals?|webpack\w+)\s*:
    | (?:noqa|nosec|nolint\w*|nosonar|noinspection|eslint|prettier-ignore|biome-ignore|deno-lint|clang-format|cppcheck|
       checkstyle|iwyu|fallthrough|(?:end)?region)\b
    | (?:istanbul|c8|v8)\s+ignore\b | (?:sourceMappingURL|sourceURL|language)=\S
    | @(?:ts-|flow|noflow|jsx|formatter|license|preserve|vite|babel) | \+build\b | -\*- | go:\w | export\s+\w+$
    )""",
    re.VERBOSE | re.IGNORECASE,
)


@lru_cache(maxsize=64)
def line_pattern(language: Language) -> re.Pattern[bytes] | None:
    """Lines that are a comment alone: the blanks before it, and its text; None in a language with other signs."""
    sign = language.line_comment
    if sign not in _SIGNS:
        return None
    return re.compile(rb"^([ \t]*)" + re.escape(sign.encode()) + rb"(?![!/#:-])[ \t]?([^\r\n]*)", re.MULTILINE)


def is_directive(line: str) -> bool:
    """Whether the text of a comment tells a tool what to do."""
    return _DIRECTIVE.match(line) is not None


def looks_like_code(line: str) -> bool:
    """Whether the text of a comment may be a line of code."""
    return _CODE.fullmatch(line) is not None


def is_commented_code(text: bytes, language: Language) -> bool:
    """Whether a text is comments alone that contain code."""
    pattern = line_pattern(language)
    lines = [line for line in text.split(b"\n") if line.strip()]
    if pattern is None or not 0 < len(lines) <= MAX_LINES or any(len(line) > LONGEST for line in lines):
        return False
    found = [pattern.match(line if line[:1] in b" \t" else line.lstrip()) for line in lines]
    insides = [one.group(2).decode("utf-8", "replace") for one in found if one is not None]
    return len(insides) == len(lines) and not any(map(is_directive, insides)) and is_code(insides, language)


def is_code(lines: Sequence[str], language: Language) -> bool:
    """Whether most lines look like code, the first one among them, and all are read as code without an error."""
    like = [looks_like_code(line) for line in lines if line.strip()]
    if not like or not like[0] or sum(like) * 2 <= len(like):
        return False
    least = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    text = "\n".join(line[least:] for line in lines)
    if text.rstrip().endswith(":"):
        text += "\n    pass"
    texts = (f"{before}{text}{behind}\n" for before, behind in language.frames)
    return any(SyntaxSnapshot.open(Buffer(one.encode()), language).error_count(with_lines=False) == 0 for one in texts)
