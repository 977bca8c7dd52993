"""The names that a function may use: those that its file binds around it, and the attributes of its object.

Read from tokens, statement by statement, so that broken code around the function does not matter. A name counts only
if a statement certainly binds it; names of wildcard imports and names for type checkers only do not count.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from editahead.analysis.function_heads import FunctionHead, head_at, width_of
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Token, TokenKind

WINDOW, TOP = 4000, 400  # lines that are read: around the function, and at the head of the file
_MAX_LINES = 200  # of a statement
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_STARTS = frozenset("class def async if elif else try except finally for while with import from return @".split())
_BLOCKS = frozenset("class def async if elif else try except finally for while with match case".split())
_SCOPES = frozenset({"class", "def"})


class _Statement(NamedTuple):
    line: int
    width: int
    tokens: Sequence[Token]
    around: tuple[tuple[int, str], ...]  # lines and words of the blocks that hold it, outermost first

    @property
    def scope(self) -> int | None:
        """The line of the innermost function or class that holds it; None in the module."""
        return next((line for line, word in reversed(self.around) if word in _SCOPES), None)


@dataclass
class UsableNames:
    """Readable `names`, `parameters` included; the `attributes` of the method's object, called by its `self_names`."""

    parameters: set[str]
    names: set[str]
    attributes: set[str] = field(default_factory=set)
    self_names: set[str] = field(default_factory=set)


def usable_names(syntax: SyntaxSnapshot, head: FunctionHead) -> UsableNames:
    """The names that a function may use, its own parameters included."""
    statements = list(_statements(syntax, head.line))
    parameters = {parameter.name for parameter in head.parameters}
    usable = UsableNames(parameters, set(parameters))
    owner = next((line for line, _, word in head.around if word == "class"), None)
    functions = [line for line, _, word in head.around if word in ("def", "async")]
    inner = [line for line in functions if owner is None or line > owner]
    heads = {line: _head(syntax, line) for line in inner}
    for parent in heads.values():
        usable.names |= {parameter.name for parameter in parent.parameters} if parent is not None else set()
    never = {
        statement.line
        for statement in statements
        if statement.tokens[0].text == "if" and "TYPE_CHECKING" in _texts([statement.tokens])
    }
    for statement in statements:
        if (statement.scope is None or statement.scope in functions) and never.isdisjoint(
            line for line, _ in statement.around
        ):
            usable.names |= set(bound(statement.tokens))
    if owner is not None:
        method = head if not inner else heads[min(inner)]
        if method is not None and method.parameters and "staticmethod" not in _texts(method.decorators):
            usable.self_names = {method.parameters[0].name}
        _attributes(usable, statements, owner, set())
    return usable


def bound(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the names that a statement binds, including those of a block on the same line (`with a as b: c = 1`)."""
    for part in _split(tokens, ";"):
        first = part[0].text if part else ""
        if first == "async" and len(part) > 1:
            part, first = part[1:], part[1].text
        if first in _SCOPES:
            if len(part) > 1 and part[1].text.isidentifier():
                yield part[1].text
        elif first in ("import", "from"):
            yield from _imported([token.text for token in part])
        elif first in _BLOCKS:
            header, *rest = _split(part, ":", once=True)
            yield from _header(first, header)
            yield from bound(rest[0]) if rest else ()
        else:
            yield from _assigned(part)


def _attributes(usable: UsableNames, statements: Sequence[_Statement], owner: int, seen: set[int]) -> None:
    """Add the attributes of the class on a line, and of its bases that this file or Python itself declares."""
    seen.add(owner)
    for statement in statements:
        if statement.scope == owner:
            usable.attributes |= {*bound(statement.tokens), *_declared(statement.tokens)}
        if any(line == owner for line, _ in statement.around):
            texts = [token.text for token in statement.tokens]
            for name, dot, attribute in zip(texts, texts[1:], texts[2:], strict=False):
                if dot == "." and name in ("self", "cls", *usable.self_names) and attribute.isidentifier():
                    usable.attributes.add(attribute)
        elif statement.line == owner:
            for base in (token.text for token in statement.tokens[2:] if token.kind is TokenKind.NAME):
                builtin = getattr(builtins, base, None)
                usable.attributes |= set(dir(builtin)) if isinstance(builtin, type) else set()
                for other in statements:
                    texts = [token.text for token in other.tokens[:2]]
                    if texts == ["class", base] and other.scope is None and other.line not in seen:
                        _attributes(usable, statements, other.line, seen)


def _statements(syntax: SyntaxSnapshot, line: int) -> Iterator[_Statement]:
    """Yield the statements near a line and at the top of the file, with the blocks around each."""
    first, last = max(0, line - WINDOW), min(syntax.line_count, line + WINDOW)
    for start, stop in ((0, min(TOP, first)), (first, last)):
        yield from _statements_between(syntax, start, stop)


def _statements_between(syntax: SyntaxSnapshot, start: int, stop: int) -> Iterator[_Statement]:
    stack: list[tuple[int, int, str]] = []  # width, line, word
    pending: list[Token] = []
    first = width = depth = 0
    for at, tokens in enumerate(syntax.lines(start, stop), start):
        code = [token for token in tokens if token.kind not in (TokenKind.NEWLINE, TokenKind.COMMENT)]
        if not code:
            continue
        is_unclosed = code[0].text in _STARTS and width_of(tokens) <= width
        if pending and (depth <= 0 or is_unclosed or at - first > _MAX_LINES):
            yield from _statement(stack, first, width, pending)
            pending, depth = [], 0
        if not pending:
            first, width = at, width_of(tokens)
        pending += code
        depth += sum((token.text in _OPEN) - (token.text in _CLOSE) for token in code)
    if pending:
        yield from _statement(stack, first, width, pending)


def _statement(stack: list[tuple[int, int, str]], line: int, width: int, tokens: list[Token]) -> Iterator[_Statement]:
    """Yield the statement unless it has no parent block; push the block that it opens onto the stack."""
    while stack and stack[-1][0] >= width:
        stack.pop()
    if stack or width == 0:
        yield _Statement(line, width, tokens, tuple((at, word) for _, at, word in stack))
    words = [token.text for token in tokens[:2]]
    word = words[-1] if words[0] == "async" else words[0]
    if word in _BLOCKS:
        stack.append((width, line, word))


def _head(syntax: SyntaxSnapshot, line: int) -> FunctionHead | None:
    return head_at(syntax, syntax.buffer.line_span(line)[0] + width_of(syntax.line_tokens(line)))


def _texts(rows: Sequence[Sequence[Token]]) -> set[str]:
    return {token.text for row in rows for token in row}


def _split(tokens: Sequence[Token], mark: str, *, once: bool = False) -> list[Sequence[Token]]:
    """The tokens between marks outside brackets; `once`: split at the first mark only."""
    depth, parts, start = 0, list[Sequence[Token]](), 0
    for at, token in enumerate(tokens):
        depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if depth == 0 and token.text == mark and not (once and parts):
            parts.append(tokens[start:at])
            start = at + 1
    return [*parts, tokens[start:]]


def _imported(texts: Sequence[str]) -> Iterator[str]:
    """Yield the names that an import binds: of a dotted module its first part."""
    if "import" not in texts:
        return
    is_plain = texts[0] == "import"
    row: list[str] = []
    for text in [*texts[texts.index("import") + 1 :], ","]:
        if text in ("(", ")"):
            continue
        if text != ",":
            row.append(text)
            continue
        name = row[-1] if "as" in row else row[0] if row and (is_plain or len(row) == 1) else ""
        if name.isidentifier():
            yield name
        row = []


def _header(word: str, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the names that the first line of a block binds: targets of `for`, of `as` and of walruses."""
    texts = [token.text for token in tokens]
    if word == "for" and "in" in texts:
        yield from _targets(tokens[1 : texts.index("in")])
    if word in ("with", "except"):
        for part in _split(tokens, ","):
            numbers = [at for at, token in enumerate(part) if token.text == "as"]
            yield from _targets(part[numbers[-1] + 1 :]) if numbers else ()
    yield from _walruses(tokens)


def _assigned(tokens: Sequence[Token]) -> Iterator[str]:
    *targets, _ = _split(tokens, "=")
    for target in targets:
        yield from _targets(_split(target, ":", once=True)[0])
    yield from _walruses(tokens)


def _walruses(tokens: Sequence[Token]) -> Iterator[str]:
    yield from (a.text for a, b in pairwise(tokens) if b.text == ":=" and a.kind is TokenKind.NAME)


def _targets(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the names of a target: alone, in a list, in brackets, with a star; attributes and items bind no name."""
    for part in _split(tokens, ","):
        texts = [token.text for token in part]
        if texts[:1] == ["*"]:
            part, texts = part[1:], texts[1:]
        if len(texts) == 1 and part[0].kind is TokenKind.NAME:
            yield texts[0]
        elif len(texts) > 2 and (texts[0], texts[-1]) in (("(", ")"), ("[", "]")):
            yield from _targets(part[1:-1])


def _declared(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the attribute that `name: annotation` declares in a class."""
    if len(tokens) > 2 and tokens[0].kind is TokenKind.NAME and tokens[1].text == ":":
        yield tokens[0].text
