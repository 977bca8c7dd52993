"""What a place in a Python file can name, and which functions of the file look like the one that stands there.

Read from tokens, line by line, so that broken code around the place does not matter. Names are ordered by how far from
the function they were last written, nearest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import NamedTuple

from editahead.analysis.function_heads import FunctionHead, first_word, head_at, width_of
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line, Token, TokenKind, names_of

WINDOW = 700  # lines above and below that are looked at
TOP = 150  # lines of the file that are looked at in any case: its imports
NEAR = 120  # lines above and below whose names count as near
_BODY = 40  # tokens of a body


@dataclass(frozen=True)
class FunctionScope:
    """`class_tokens`: the class and its bases. `like`: bytes of the `def` of functions that look like this one."""

    class_tokens: tuple[Token, ...]
    attributes: tuple[str, ...]
    methods: tuple[str, ...]
    module: tuple[str, ...]
    near: tuple[str, ...]
    like: tuple[int, ...]


class _Def(NamedTuple):
    line: int
    width: int
    name: str
    names: tuple[str, ...]  # of its line
    above: str  # the name of the decorator right above it


def scope_of(syntax: SyntaxSnapshot, head: FunctionHead) -> FunctionScope:
    """The names in scope of a function, its own parameters left aside."""
    first, last = max(0, head.line - WINDOW), min(syntax.line_count, head.line + WINDOW)
    rows = list(enumerate(syntax.lines(0, min(TOP, first)))) + list(enumerate(syntax.lines(first, last), first))
    span = _class_span(rows, head)
    me = head.parameters[0].name if head.class_line is not None and head.parameters else "self"
    attributes, methods, module, defs = list[str](), list[str](), list[str](), list[_Def]()
    before = ""
    for at, line in rows:
        word = first_word(line)
        if not word:
            continue
        width = width_of(line)
        if word in ("def", "async"):
            name = _after(line, "def")
            if at != head.line and name:
                defs.append(_Def(at, width, name, names_of(line), before))
            if name and width == 0 and at != head.line:
                module.append(name)
            elif at in span and width == head.width and at != head.line and name:
                methods.append(name)
        elif word in ("import", "from"):
            module += _imported(syntax, at)
        elif width == 0 and (word == "class" or _assigns(line)):
            module.append(_after(line, "class") if word == "class" else word)
        elif at in span and width == head.width and _assigns(line):
            attributes.append(word)
        before = _after(line, "@") if word == "@" else ""
        if at in span:
            attributes += [
                c.text for a, b, c in zip(line, line[1:], line[2:], strict=False) if b.text == "." and a.text == me
            ]
    order = _nearness(syntax, head)
    class_tokens = _code(syntax.line_tokens(head.class_line))[1:] if head.class_line is not None else []
    known = {*attributes, *methods, *module}
    methods_ = dict.fromkeys(methods)
    return FunctionScope(
        tuple(token for token in class_tokens if token.kind is TokenKind.NAME),
        _sorted([name for name in attributes if name not in methods_ and name.isidentifier()], order),
        _sorted(methods, order),
        _sorted(module, order),
        tuple(name for name in order if name not in known and name not in (me, head.name)),
        _like(syntax, head, defs, span),
    )


def body_tokens(syntax: SyntaxSnapshot, def_byte: int) -> list[Token]:
    """The first tokens of a function's body, without docstring, comments and layout."""
    head = head_at(syntax, def_byte)
    if head is None:
        return []
    found: list[Token] = []
    line = syntax.buffer.line_at(head.body_start)
    for at in range(line, min(line + _BODY, syntax.line_count)):
        tokens = syntax.line_tokens(at)
        if at > line and first_word(tokens) and width_of(tokens) <= head.width and first_word(tokens) not in ")]}":
            break
        begin = syntax.buffer.line_span(at)[0]
        found += [t for t in _code(tokens) if begin + t.start >= head.body_start]
        if len(found) >= _BODY:
            break
    return found[:_BODY]


def _code(line: Line) -> list[Token]:
    return [token for token in line if token.kind not in (TokenKind.NEWLINE, TokenKind.COMMENT)]


def _after(line: Line, word: str) -> str:
    """The name behind a word on a line; empty where none stands there."""
    return next((b.text for a, b in pairwise(line) if a.text == word and b.kind is TokenKind.NAME), "")


def _assigns(line: Line) -> bool:
    code = _code(line)
    return len(code) > 2 and code[0].kind is TokenKind.NAME and code[1].text in ("=", ":")


def _class_span(rows: Sequence[tuple[int, Line]], head: FunctionHead) -> range:
    """The lines of the class around a method; empty for a function."""
    first = head.class_line
    if first is None:
        return range(0)
    width = next(w for line, w, _ in head.around if line == first)
    last = first + 1
    for at, line in rows:
        if at > first and line and line[0].kind is TokenKind.NEWLINE:
            word = first_word(line) if line[0].end <= width else "inside"
            if word and line[0].end <= width and word not in ")]}":
                break
            last = at + 1
    return range(first + 1, last)


def _imported(syntax: SyntaxSnapshot, at: int) -> Iterator[str]:
    """The names that an import statement binds, its lines in parentheses too."""
    tokens = list[Token]()
    for line in range(at, min(at + 60, syntax.line_count)):
        tokens += _code(syntax.line_tokens(line))
        if not any(t.text == "(" for t in tokens) or any(t.text == ")" for t in tokens):
            break
    texts = [token.text for token in tokens]
    start = texts.index("import") + 1 if "import" in texts else len(texts)
    bound = last_word = ""
    for text in [*texts[start:], ","]:
        if text in (",", ")"):
            if bound:
                yield bound
            bound = ""
        elif text.isidentifier() and text != "as" and (not bound or texts[0] == "from" or last_word == "as"):
            bound = text
        last_word = text


def _nearness(syntax: SyntaxSnapshot, head: FunctionHead) -> dict[str, int]:
    """Names by the distance of the line that is nearest, near lines only."""
    above = syntax.lines(max(0, head.line - NEAR), head.line)[::-1]
    below = syntax.lines(head.line + 1, head.line + 1 + NEAR)
    order: dict[str, int] = {}
    sides = ([line for line in side if names_of(line)] for side in (above, below))  # empty lines are no distance
    for pair in zip_longest(*sides, fillvalue=()):
        for line in pair:
            for name in names_of(line):
                order.setdefault(name, len(order))
    return order


def _sorted(names: Sequence[str], order: dict[str, int]) -> tuple[str, ...]:
    """Each once; those that stand near first, the others in the order of the file."""
    return tuple(sorted(dict.fromkeys(names), key=lambda name: order.get(name, len(order))))


def _like(syntax: SyntaxSnapshot, head: FunctionHead, defs: Sequence[_Def], span: range) -> tuple[int, ...]:
    """The two functions most like this one: same name, words, parameters, decorator, class; then the nearest."""
    words, parameters = set(head.name.split("_")) - {""}, {one.name for one in head.parameters} - {"self", "cls"}
    decorator = next((t.text for row in head.decorators[:1] for t in row if t.kind is TokenKind.NAME), "")
    ranked = []
    for one in defs:
        shared = len(words & set(one.name.split("_")))
        same = 2.0 * len(parameters & set(one.names)) / (len(parameters) + max(0, len(one.names) - 2) or 1)
        score = shared + same + 3.0 * (one.name == head.name) + (one.above == decorator) * (2.0 if decorator else 0.5)
        score += (one.line in span) * 1.0 if span else (one.width == head.width) * 1.0
        ranked.append((-score, abs(one.line - head.line), one))
    ranked.sort(key=lambda row: row[:2])
    return tuple(syntax.buffer.line_span(one.line)[0] + one.width for _, _, one in ranked[:2])
