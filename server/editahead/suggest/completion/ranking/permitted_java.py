"""Where Java leaves room for a few keywords alone, or for nothing: behind operands, heads and declared names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from editahead.suggest.completion.ranking.slots import DOTS
from editahead.syntax.tokens import Line, Token, TokenKind, text_tokens

NOTHING = frozenset[str]()
JAVA_OPERATORS = frozenset(("instanceof", "throws", "implements", "default"))
_TYPES = {  # what goes on behind the name of a type
    "class": frozenset(("extends", "implements", "permits")),
    "interface": frozenset(("extends", "permits")),
    "enum": frozenset(("implements",)),
}
JAVA_TOP = frozenset("package import public class interface enum record abstract final sealed strictfp".split())
JAVA_MODIFIERS = frozenset(
    "public protected private static final abstract synchronized native default transient volatile strictfp".split()
)
JAVA_PRIMITIVES = frozenset("int long double float boolean char byte short".split())
JAVA_CONTROL = frozenset("if for while switch catch synchronized try return assert yield throw new else case".split())
_REST = "package import class interface enum extends implements throws instanceof do finally break continue void"
_WORDS = JAVA_MODIFIERS.union(JAVA_PRIMITIVES, JAVA_CONTROL, _REST.split())
_BEFORE_BRACKETS = frozenset(("if", "while", "for", "switch"))
_DECLARATION = re.compile(r"\s*[^\W\d][\w.]*(<[^()=;]*>)?(\[\])*\s+[^\W\d]\w*\s*[(=;]")
_LINES_BACK = 20  # to the head that a bracket closes


def permitted_in_java(
    line: Sequence[Token], above: Sequence[Line], after: str, *, touches: bool
) -> frozenset[str] | None:
    """The only words that can stand behind the tokens of a line, with what stands `above` and right of the cursor."""
    texts = [token.text for token in line]
    if texts[-1] in _BEFORE_BRACKETS:
        return NOTHING
    if len(texts) > 1 and texts[-2] in _TYPES and line[-1].kind is TokenKind.NAME:
        return NOTHING if touches else _TYPES[texts[-2]]
    if texts[-1] == "[":
        return NOTHING if texts[-2:-1] and texts[-2] in JAVA_PRIMITIVES and "new" not in texts[-3:-2] else None
    if texts[-1] == "]" and texts[-2:-1] != ["["]:
        return NOTHING if touches else JAVA_OPERATORS
    if texts[-1] == ")" and _is_call_end(line, above):
        return NOTHING if touches else JAVA_OPERATORS
    if not touches and _is_declaration_end(line):
        return NOTHING
    if line[-1].kind is TokenKind.NAME and _is_operand_end(texts):
        return frozenset(("instanceof",))
    if JAVA_MODIFIERS.issuperset(texts) and _DECLARATION.match(after):
        return JAVA_MODIFIERS.difference(texts)
    return None


def _is_declaration_end(line: Sequence[Token]) -> bool:
    """Whether a type and a new name end here: only a sign goes on."""
    if len(line) < 2 or line[-1].kind is not TokenKind.NAME or line[-1].text in _WORDS:
        return False
    at = len(line) - 2
    while at > 1 and line[at - 1].text in DOTS:
        at -= 2
    if at and line[at - 1].text == "@":  # `@Nullable Object`: the name is still to come
        return False
    return line[-2].text in JAVA_PRIMITIVES or (line[-2].kind is TokenKind.NAME and line[-2].text not in _WORDS)


def _is_operand_end(texts: Sequence[str]) -> bool:
    """Whether the name at the end is a value: behind `=` or `return` or in a condition, where no binding begins."""
    if texts[-1] in JAVA_CONTROL:  # in broken code they are names
        return False
    begins = max((at for at, text in enumerate(texts) if text in ("=", "return")), default=-1)
    if begins < 0 and texts[:2] in (["if", "("], ["while", "("]):
        begins = 1
    return begins >= 0 and not {"(", "{", ";", "->", "instanceof", "case"}.intersection(texts[begins + 1 :])


def _is_call_end(line: Sequence[Token], above: Sequence[Line]) -> bool:
    """Whether the bracket at the end closes the arguments or the parameters behind a name, and not an annotation's."""
    texts = [token.text for token in line]
    if texts.count(")") > texts.count("("):  # it was opened above
        line = [
            token
            for row in (*above[-_LINES_BACK:], line)
            for token in text_tokens(row)
            if token.kind is not TokenKind.COMMENT
        ]
    depth = 0
    for at in range(len(line) - 1, -1, -1):
        depth += (line[at].text == ")") - (line[at].text == "(")
        if depth == 0:
            break
    else:
        return False
    at -= 1
    if at >= 0 and line[at].text == ">":
        return True  # `new List<>()`
    if at < 0 or line[at].kind is not TokenKind.NAME or line[at].text in JAVA_CONTROL:
        return False
    while at > 1 and line[at - 1].text in DOTS:
        at -= 2
    return at == 0 or line[at - 1].text != "@"
