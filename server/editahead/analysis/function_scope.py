"""The names in scope of a Python function, and the functions of its file that are most similar to it.

Read from tokens, line by line, so that broken code around the function does not matter. Names are ordered by the
distance from the function to their nearest occurrence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import NamedTuple

from editahead.analysis.function_heads import FunctionHead, first_word, head_at, width_of
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line, Token, TokenKind, names_of

WINDOW = 700  # lines above and below that are read
TOP = 150  # lines at the head of the file that are always read: its imports
NEAR = 120  # lines above and below whose names count as near
_BODY = 40  # tokens of a body


@dataclass(frozen=True)
class FunctionScope:
    """The names in scope of a function.

    `class_tokens`: its class and the bases. `like`: the bytes of the `def` of the most similar functions.
    """

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
    names: tuple[str, ...]  # on its line
    decorator: str  # the name of the decorator on the line above


def scope_of(syntax: SyntaxSnapshot, head: FunctionHead) -> FunctionScope:
    """The names in scope of a function, without its own parameters."""
    first, last = max(0, head.line - WINDOW), min(syntax.line_count, head.line + WINDOW)
    rows = list(enumerate(syntax.lines(0, min(TOP, first)))) + list(enumerate(syntax.lines(first, last), first))
    span = _class_span(rows, head)
    self_name = head.parameters[0].name if head.class_line is not None and head.parameters else "self"
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
        elif width == 0 and (word == "class" or _is_assignment(line)):
            module.append(_after(line, "class") if word == "class" else word)
        elif at in span and width == head.width and _is_assignment(line):
            attributes.append(word)
        before = _after(line, "@") if word == "@" else ""
        if at in span:
            triples = zip(line, line[1:], line[2:], strict=False)
            attributes += [c.text for a, b, c in triples if b.text == "." and a.text == self_name]
    order = _nearness(syntax, head)
    class_tokens = _code(syntax.line_tokens(head.class_line))[1:] if head.class_line is not None else []
    other = {*attributes, *methods, *module, self_name, head.name}
    method_names = set(methods)
    return FunctionScope(
        tuple(token for token in class_tokens if token.kind is TokenKind.NAME),
        _sorted([name for name in attributes if name not in method_names and name.isidentifier()], order),
        _sorted(methods, order),
        _sorted(module, order),
        tuple(name for name in order if name not in other),
        _most_similar(syntax, head, defs, span),
    )


def body_tokens(syntax: SyntaxSnapshot, def_byte: int) -> list[Token]:
    """The first tokens of a function's body, without docstring, comments and layout."""
    head = head_at(syntax, def_byte)
    if head is None:
        return []
    body: list[Token] = []
    line = syntax.buffer.line_at(head.body_start)
    for at in range(line, min(line + _BODY, syntax.line_count)):
        tokens = syntax.line_tokens(at)
        if at > line and first_word(tokens) and width_of(tokens) <= head.width and first_word(tokens) not in ")]}":
            break
        begin = syntax.buffer.line_span(at)[0]
        body += [t for t in _code(tokens) if begin + t.start >= head.body_start]
        if len(body) >= _BODY:
            break
    return body[:_BODY]


def _code(line: Line) -> list[Token]:
    return [token for token in line if token.kind not in (TokenKind.NEWLINE, TokenKind.COMMENT)]


def _after(line: Line, word: str) -> str:
    """The name behind a word on a line; empty where there is none."""
    return next((b.text for a, b in pairwise(line) if a.text == word and b.kind is TokenKind.NAME), "")


def _is_assignment(line: Line) -> bool:
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
    """Yield the names that an import statement binds, on all its lines."""
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
    """The names of near lines, ranked by the distance of the nearest line with the name."""
    above = syntax.lines(max(0, head.line - NEAR), head.line)[::-1]
    below = syntax.lines(head.line + 1, head.line + 1 + NEAR)
    order: dict[str, int] = {}
    sides = ([line for line in side if names_of(line)] for side in (above, below))  # blank lines do not count
    for pair in zip_longest(*sides, fillvalue=()):
        for line in pair:
            for name in names_of(line):
                order.setdefault(name, len(order))
    return order


def _sorted(names: Sequence[str], order: dict[str, int]) -> tuple[str, ...]:
    """The distinct names: near names by rank, then the others in text order."""
    return tuple(sorted(dict.fromkeys(names), key=lambda name: order.get(name, len(order))))


def _most_similar(syntax: SyntaxSnapshot, head: FunctionHead, defs: Sequence[_Def], span: range) -> tuple[int, ...]:
    """The two most similar functions by name, words, parameters, decorator and class; of equal ones the nearest."""
    words = set(head.name.split("_")) - {""}
    parameters = {parameter.name for parameter in head.parameters} - {"self", "cls"}
    decorator = next((t.text for row in head.decorators[:1] for t in row if t.kind is TokenKind.NAME), "")

    def rank(other: _Def) -> tuple[float, int]:
        overlap = 2.0 * len(parameters & set(other.names)) / (len(parameters) + max(0, len(other.names) - 2) or 1)
        score = len(words & set(other.name.split("_"))) + overlap + 3.0 * (other.name == head.name)
        score += (other.decorator == decorator) * (2.0 if decorator else 0.5)
        score += (other.line in span) * 1.0 if span else (other.width == head.width) * 1.0
        return -score, abs(other.line - head.line)

    return tuple(syntax.buffer.line_span(other.line)[0] + other.width for other in sorted(defs, key=rank)[:2])
