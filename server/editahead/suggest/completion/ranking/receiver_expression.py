"""The expression before a dot as the resolver reads it: only names, members, calls and elements."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from editahead.analysis.facts.facts import Receiver
from editahead.suggest.completion.ranking.slots import opening_of
from editahead.syntax.construct_tables import AWAITED, ELEMENT, ITEM
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.tokens import Line, Token, TokenKind
from editahead.text.words import is_name

_LINES_BACK = 20  # of an expression in brackets
_MAX_TOKENS = 200
_SUFFIXES = frozenset("!?")  # `a!.b`, `a?.b`
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def receiver_text(lines: Sequence[Line], dots: Sequence[str]) -> str:
    """The expression that ends before the last token, a dot; empty where none does."""
    tokens = _tokens(lines)
    at = len(tokens) - 1
    if at < 1 or tokens[at].text not in dots:
        return ""
    while at > 0:
        at = _start_of_operand(tokens, at - 1)
        if at < 0:
            return ""
        if at == 0 or tokens[at - 1].text not in dots:
            break
        at -= 1
    if at > 0 and tokens[at - 1].text == "new":
        at -= 1
    return " ".join(token.text for token in tokens[at:-1])


def _tokens(lines: Sequence[Line]) -> list[Token]:
    """The last tokens of the last lines, without line breaks."""
    last: list[Token] = []
    for line in reversed(lines[-_LINES_BACK:]):
        last[:0] = [token for token in line if token.kind not in (TokenKind.NEWLINE, TokenKind.COMMENT) and token.text]
        if len(last) > _MAX_TOKENS:
            break
    return last[-_MAX_TOKENS:]


def _start_of_operand(tokens: Sequence[Token], at: int) -> int:
    """Where the name, literal, call or bracket begins that ends at a token; -1 where none does."""
    while at >= 0:
        token = tokens[at]
        if token.text in _SUFFIXES and at > 0:
            at -= 1
            continue
        if token.text in _CLOSING or token.text == ">":
            at = opening_of(tokens, at)
            before = tokens[at - 1] if at > 0 else None
            joined = before is not None and (before.kind is TokenKind.NAME or before.text in ("super", "this", ">"))
            if at >= 0 and (joined or (before is not None and before.text in _CLOSING)):
                at -= 1
                continue
            return at
        if token.kind is TokenKind.STRING:
            return _start_of_string(tokens, at)
        literal = token.kind is TokenKind.NUMBER
        return at if literal or token.kind is TokenKind.NAME or token.text in ("super", "this", "self") else -1
    return -1


def _start_of_string(tokens: Sequence[Token], at: int) -> int:
    """Where a string begins, which may be a row of pieces around expressions."""
    if tokens[at].text.strip("\"'"):
        return at
    quote, last = tokens[at].text, at
    if len(quote) > 1 and len(quote) != 3:
        return at  # an empty text
    while at > 0:
        at -= 1
        if tokens[at].kind is TokenKind.STRING and tokens[at].text.endswith(quote):
            return at
    return last


_SIGNS = frozenset((".", "->", "?.", "::"))
_CLOSER = {"(": ")", "<": ">", "[": "]"}
_RANGES = frozenset((":", "..", "..="))  # several elements
_AWAIT = "await"
_MAX_DEPTH = 4  # expressions in brackets


def receiver_expression(text: str, start: int, table: ScopeTable) -> Receiver | None:
    """The expression of some tokens that stand apart by blanks; None where it has another form.

    `start`: the byte at which its names are looked up, in the coordinates of the facts.
    """
    return _expression(text.split(), start, table, 0)


def _expression(words: Sequence[str], start: int, table: ScopeTable, depth: int) -> Receiver | None:
    creates = words[:1] == ["new"]
    words = words[creates:]
    if not words or depth > _MAX_DEPTH:
        return None
    receiver, at = _first(words, start, table, depth)
    while receiver is not None and at < len(words):
        word = words[at]
        if word in table.layers.suffixes:
            receiver, at = Receiver("step", table.layers.suffixes[word], base=receiver), at + 1
        elif word == "." and words[at + 1 : at + 2] == ["("] and "type_assertion_expression" in table.types.casts:
            end = _closing(words, at + 1)
            receiver, at = _type(words[at + 2 : end], start) if end > 0 else None, end + 1  # `a.(*A)`
        elif word in _SIGNS and at + 1 < len(words) and is_name(words[at + 1]):
            receiver, at = _member(receiver, words[at + 1], start, table), at + 2
        elif word in _CLOSER:
            end = _closing(words, at)
            if end < 0:
                return None
            if word == "(":
                inner, given = words[at + 1 : end], None
                if (name := "".join(words[: min(at, _MAX_DEPTH)])) in table.layers.passing:  # `Object.values(a)`
                    argument = _expression(inner, start, table, depth + 1)
                    given = Receiver("passed", name, start, argument) if argument is not None else None
                given = given or _mapped(inner, receiver, start, table, depth)
                receiver, creates = given or _called(receiver, table, created=creates), False
            elif word == "[":
                several = not _RANGES.isdisjoint(words[at:end])
                receiver = Receiver("step", ITEM, base=receiver) if table.layers.subscripts and not several else None
            at = end + 1
        else:
            return None
    return receiver


def _first(words: Sequence[str], start: int, table: ScopeTable, depth: int) -> tuple[Receiver | None, int]:
    """What an expression begins with, and the number of the word behind it."""
    first = words[0]
    if first in table.classes.this_nodes or first in ("this", "super"):
        return Receiver("this" if first != "super" else "super", first, start), 1
    if is_name(first):
        return Receiver("name", first, start), 1
    end = _closing(words, 0) if first == "(" else -1
    if end < 0:
        return None, 0
    inner = words[1:end]
    if inner[:1] == [_AWAIT] and AWAITED in table.layers.wrappers.values():
        awaited = _expression(inner[1:], start, table, depth + 1)
        return (Receiver("step", AWAITED, base=awaited) if awaited is not None else None), end + 1
    cast, casts = _closing(inner, 0) if inner[:1] == ["("] else -1, table.types.casts
    following = inner[cast + 1] if 0 < cast < len(inner) - 1 and "cast_expression" in casts else ""
    if is_name(following) or following == "(":
        return _type(inner[1:cast], start), end + 1  # `((A) a)`
    if "as" in inner[:-1] and "as_expression" in casts:
        return _type(inner[inner.index("as") + 1 :], start), end + 1
    return _expression(inner, start, table, depth + 1), end + 1


def _type(words: Sequence[str], start: int) -> Receiver | None:
    """The class that some words name: `A`, `*a.A`; None of any other type."""
    names = words[1:] if words[:1] == ["*"] else words
    if not names or any(is_name(word) == bool(at % 2) or (at % 2 and word != ".") for at, word in enumerate(names)):
        return None
    typed = Receiver("name" if len(names) > 1 else "type", names[0], start)
    for name in names[2::2]:
        typed = Receiver("attribute", name, start, typed)
    return typed


def _member(base: Receiver, name: str, start: int, table: ScopeTable) -> Receiver:
    """A member of an expression, or `a.await` where that is written so."""
    if name == _AWAIT and AWAITED in table.layers.wrappers.values():
        return Receiver("step", AWAITED, base=base)
    return Receiver("attribute", name, start, base)


def _called(callee: Receiver, table: ScopeTable, *, created: bool) -> Receiver:
    """The call of an expression; of a bare name, in languages without functions of a module, that of a method."""
    if callee.kind == "name" and table.method_calls and not created:
        callee = Receiver("attribute", callee.name, callee.start, Receiver("this"))
    if callee.kind == "attribute" and callee.name in table.types.factories and callee.base is not None:
        return callee.base  # `A::new()`
    return Receiver("call", base=callee)


def _mapped(words: Sequence[str], method: Receiver, start: int, table: ScopeTable, depth: int) -> Receiver | None:
    """What a method gives that maps elements by a function of these words: `( o ) => o . cart`, `| o | o . cart`."""
    if method.kind != "attribute" or method.base is None or method.name not in table.layers.mapping:
        return None
    element = Receiver("step", ELEMENT, base=method.base)
    arrow = next((at for at, word in enumerate(words) if at and word in _ARROWS), 0)
    parameters = [word for word in words[:arrow] if is_name(word)]
    given = _expression(words[arrow + 1 :], start, table, depth + 1) if parameters else None
    if given is None:
        return None
    return given.with_first(parameters, element).mapped(table.layers.mapping[method.name])


def _closing(words: Sequence[str], at: int) -> int:
    """The number of the word that closes a bracket; -1 where none does."""
    opening, depth = words[at], 0
    for number in range(at, len(words)):
        depth += (words[number] == opening) - (words[number] == _CLOSER[opening])
        if depth == 0:
            return number
    return -1


_ARROWS = frozenset(("=>", "->", "|"))


def with_elements(receiver: Receiver, lines: Sequence[Line], dots: Sequence[str], table: ScopeTable) -> Receiver:
    """A receiver whose first name stands for an element that a method visits; any other receiver unchanged.

    It is the parameter of a function on the cursor's line: `all.map((item) => item.`.
    """
    if receiver.kind == "name":
        return _element(receiver, lines, dots, table) or receiver
    if receiver.base is None or receiver.kind not in ("attribute", "call", "mapped", "step"):
        return receiver
    return receiver._replace(base=with_elements(receiver.base, lines, dots, table))


def _element(named: Receiver, lines: Sequence[Line], dots: Sequence[str], table: ScopeTable) -> Receiver | None:
    line = lines[-1] if lines and table.layers.visiting else ()
    words = [token.text for token in line]
    for at in range(len(words) - 2, 2, -1):
        if words[at] != named.name:
            continue
        arrow = at + 1 + (words[at + 1] == ")")
        is_parameter = arrow < len(words) and words[arrow] in _ARROWS
        opening = at - 1 - (words[at - 2] in ("(", "async") or words[at - 1] == "|")
        opening -= words[opening] == "async"
        method = opening - 1
        is_visited = is_parameter and method > 0 and words[opening] == "(" and words[method] in table.layers.visiting
        if not is_visited or not _is_open(words[opening:]):
            continue
        text = receiver_text([*lines[:-1], line[:method]], dots)
        through = receiver_expression(text, named.start, table) if text else None
        return Receiver("step", ELEMENT, base=through) if through is not None else None
    return None


def _is_open(words: Sequence[str]) -> bool:
    """Whether the bracket that some words begin with is not closed in them."""
    depths = accumulate((word == "(") - (word == ")") for word in words)
    return all(depth > 0 for depth in depths)
