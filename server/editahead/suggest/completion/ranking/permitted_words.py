"""Where the text beside the cursor leaves room for a few keywords alone, or for nothing.

A name cannot follow a whole operand: behind `f(x)`, `rows[0]`, `"text"` or `2` only an operator or a keyword goes on.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

from editahead.suggest.completion.ranking.slots import DOTS, Slot, SlotKind
from editahead.suggest.context import CursorContext
from editahead.syntax.tokens import Token, TokenKind

NOTHING = frozenset[str]()
_PYTHON_OPERATORS = frozenset("if else for in is not and or".split())
_PYTHON_PARTS = {  # that only statements with such a first word have behind an operand
    "from": frozenset(("raise", "yield")),
    "as": frozenset(("with", "import", "from", "except", "case", "async")),
}
_PYTHON_VALUES = frozenset(("True", "False", "None"))
_PYTHON_SOFT = frozenset(("match", "case", "type", "print", "exec", "await", "async"))
_PYTHON_HEADS = frozenset(("def", "class"))
_PYTHON_CLAUSES = frozenset(("try", "else", "finally", "except"))
_JAVA_OPERATORS = frozenset(("instanceof", "throws", "implements", "default"))
_JAVA_TOP = frozenset("package import public class interface enum record abstract final sealed strictfp".split())
_JAVA_MODIFIERS = frozenset(
    "public protected private static final abstract synchronized native default transient volatile strictfp".split()
)
_JAVA_PRIMITIVES = frozenset("int long double float boolean char byte short".split())
_JAVA_CONTROL = frozenset("if for while switch catch synchronized try return assert yield throw new else case".split())
_JAVA_DECLARATION = re.compile(r"\s*[^\W\d][\w.]*(<[^()=;]*>)?(\[\])*\s+[^\W\d]\w*\s*[(=;]")
_NUMBER = re.compile(r"(?<!\w)\d\w*$")
_AT_MOST = 400  # characters behind the cursor that are looked at


def permitted_words(place: CursorContext, slot: Slot, language_id: str, *, at_top: bool) -> frozenset[str] | None:
    """The only words that can stand at the cursor; None where names can. `at_top`: in no scope but the file's."""
    if not place.prefix and slot.kind is not SlotKind.MEMBER and place.after[:1].isidentifier():
        return NOTHING  # it would become a part of the word that stands there
    if language_id not in ("python", "java"):
        return None
    line = [token for token in place.lines[-1] if token.kind is not TokenKind.NEWLINE and token.text]
    if not line:
        return _first_of_line(place, slot, language_id, at_top=at_top)
    touches = bool(place.before) and not place.before[-1].isspace()
    if _ends_literal(line[-1], place.before):
        return NOTHING if touches or language_id == "java" else _behind_operand(line)
    if language_id == "python":
        if not _ends_python_operand(line):
            return None
        return NOTHING if touches else _behind_operand(line)
    return _in_java(line, place.after[:_AT_MOST], touches=touches)


def _first_of_line(place: CursorContext, slot: Slot, language_id: str, *, at_top: bool) -> frozenset[str] | None:
    if slot.kind is not SlotKind.STATEMENT:
        return None
    if language_id == "python":
        return _PYTHON_CLAUSES if not place.prefix and place.after.strip() == ":" else None
    if at_top and any(token.text == "package" for line in place.lines[:-1] for token in line[1:2]):
        return _JAVA_TOP
    return None


def _ends_literal(last: Token, before: str) -> bool:
    """Whether a literal ends before the cursor; a string that is open, or an interpolation in it, does not."""
    if last.kind is TokenKind.STRING:
        return before.rstrip()[-1:] in ("'", '"')
    return _NUMBER.search(before.rstrip()) is not None


def _ends_python_operand(line: Sequence[Token]) -> bool:
    last = line[-1]
    if last.kind is TokenKind.NAME:
        return not (keyword.iskeyword(last.text) or (len(line) == 1 and last.text in _PYTHON_SOFT))
    return last.text in (")", "]", "}") or last.text in _PYTHON_VALUES


def _behind_operand(line: Sequence[Token]) -> frozenset[str]:
    """What goes on behind an operand in Python; nothing behind the head of a function or class."""
    texts = [token.text for token in line]
    depth = sum(text in ("(", "[", "{") for text in texts) - sum(text in (")", "]", "}") for text in texts)
    if depth == 0 and not _PYTHON_HEADS.isdisjoint(texts[:2]):
        return NOTHING
    if texts[0] == "from" and "import" not in texts:
        return frozenset(("import",))
    return _PYTHON_OPERATORS.union(word for word, first in _PYTHON_PARTS.items() if texts[0] in first)


def _in_java(line: Sequence[Token], after: str, *, touches: bool) -> frozenset[str] | None:
    texts = [token.text for token in line]
    if texts[-1] == "[":
        return NOTHING if texts[-2:-1] and texts[-2] in _JAVA_PRIMITIVES and "new" not in texts[-3:-2] else None
    if texts[-1] == "]" and texts[-2:-1] != ["["]:
        return NOTHING if touches else _JAVA_OPERATORS
    if texts[-1] == ")" and _ends_call(line):
        return NOTHING if touches else _JAVA_OPERATORS
    if line[-1].kind is TokenKind.NAME and _ends_java_operand(texts):
        return frozenset(("instanceof",))
    if _JAVA_MODIFIERS.issuperset(texts) and _JAVA_DECLARATION.match(after):
        return _JAVA_MODIFIERS.difference(texts)
    return None


def _ends_java_operand(texts: Sequence[str]) -> bool:
    """Whether the name at the end is a value: behind `=` or `return` or in a condition, where no binding begins."""
    if texts[-1] in _JAVA_CONTROL:  # in broken code they are names
        return False
    begins = max((at for at, text in enumerate(texts) if text in ("=", "return")), default=-1)
    if begins < 0 and texts[:2] in (["if", "("], ["while", "("]):
        begins = 1
    return begins >= 0 and not {"(", "{", ";", "->", "instanceof", "case"}.intersection(texts[begins + 1 :])


def _ends_call(line: Sequence[Token]) -> bool:
    """Whether the bracket at the end closes the arguments or the parameters behind a name, and not an annotation's."""
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
    if at < 0 or line[at].kind is not TokenKind.NAME or line[at].text in _JAVA_CONTROL:
        return False
    while at > 1 and line[at - 1].text in DOTS:
        at -= 2
    return at == 0 or line[at - 1].text != "@"
