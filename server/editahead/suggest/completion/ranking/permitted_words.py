"""Where the text beside the cursor leaves room for a few keywords alone, or for nothing.

A name cannot follow a whole operand: behind `f(x)`, `rows[0]`, `"text"` or `2` only an operator or a keyword goes on.
In a row of literals the next item is a literal too.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

from editahead.suggest.completion.ranking.permitted_java import (
    JAVA_CONTROL,
    JAVA_MODIFIERS,
    JAVA_PRIMITIVES,
    JAVA_TOP,
    NOTHING,
    permitted_in_java,
)
from editahead.suggest.completion.ranking.slots import Slot, SlotKind, open_bracket
from editahead.suggest.context import CursorContext
from editahead.syntax.grammar_words import grammar_words
from editahead.syntax.language import Language
from editahead.syntax.tokens import Line, Token, TokenKind, text_tokens

_PYTHON_OPERATORS = frozenset("if else for in is not and or".split())
_PYTHON_PARTS = {  # that only statements with such a first word have behind an operand
    "from": frozenset(("raise", "yield")),
    "as": frozenset(("with", "import", "from", "except", "case", "async")),
}
_PYTHON_VALUES = frozenset(("True", "False", "None"))
_PYTHON_SOFT = frozenset(("match", "case", "type", "print", "exec", "await", "async"))
_PYTHON_HEADS = frozenset(("def", "class"))
_PYTHON_CLAUSES = frozenset(("try", "else", "finally", "except"))
_PYTHON_INFIX = _PYTHON_OPERATORS | frozenset(("as", "import", "from"))
_WORD = re.compile(r"[ \t]+([^\W_]\w*|_\w+|[\"'])")  # right of the cursor and a blank
_BEFORE_OPERAND = {
    "python": frozenset(keyword.kwlist)
    .union(("match", "case", "type"))
    .difference(_PYTHON_VALUES, ("break", "continue", "pass", "else", "try", "finally")),
    "java": JAVA_CONTROL | JAVA_MODIFIERS | JAVA_PRIMITIVES,
}
_OF_A_VALUE = re.compile(r"[ \t]*[-+*/|&]?=[^=>]|\.[^\W\d]|\[\w")  # right of the cursor
_VALUES = frozenset(("self", "this", "super", "cls", "base", "crate", "Self"))
_NUMBER = re.compile(r"(?<!\w)\d\w*$")
_MAX_CHARACTERS = 400  # characters behind the cursor that are looked at
_ROW, _ROW_TOKENS = 4, 24  # literals that make a row, and tokens before the cursor among which they stand


def permitted_words(cursor: CursorContext, slot: Slot, language_id: str, *, at_top: bool) -> frozenset[str] | None:
    """The only words that can stand at the cursor; None where names can. `at_top`: in no scope but the file's."""
    if not cursor.prefix and slot.kind is not SlotKind.MEMBER and cursor.after[:1].isidentifier():
        return NOTHING  # it would become a part of the word that stands there
    if not cursor.prefix and _is_in_row_of_literals(cursor.lines):
        return NOTHING
    if language_id not in ("python", "java"):
        return None
    line = text_tokens(cursor.lines[-1])
    before = not cursor.prefix and slot.kind is not SlotKind.MEMBER and _is_before_operand(cursor.after, language_id)
    if before and open_bracket(cursor.lines)[0] in (None, "{"):  # within others a comma may follow
        return _BEFORE_OPERAND[language_id]
    if not line:
        return _first_of_line(cursor, slot, language_id, at_top=at_top)
    is_touching = bool(cursor.before) and not cursor.before[-1].isspace()
    if _is_literal_end(line[-1], cursor.before):
        return NOTHING if is_touching or language_id == "java" else _behind_operand(line)
    if language_id == "python":
        if not _is_python_operand_end(line):
            return None
        begins = len(line) == 1 and line[0].kind is TokenKind.NAME and open_bracket(cursor.lines)[0] is None
        return NOTHING if is_touching or begins else _behind_operand(line)
    return permitted_in_java(line, cursor.lines[:-1], cursor.after[:_MAX_CHARACTERS], touches=is_touching)


def _is_in_row_of_literals(lines: Sequence[Line]) -> bool:
    """Whether the cursor stands behind the comma of a row of numbers or texts, on this line or the lines above."""
    tokens: list[Token] = []
    for line in reversed(lines[-_ROW_TOKENS:]):
        tokens[:0] = [token for token in text_tokens(line) if token.kind is not TokenKind.COMMENT]
        if len(tokens) >= _ROW_TOKENS:
            break
    if not tokens or tokens[-1].text != ",":
        return False
    literals = 0
    for token in reversed(tokens[-_ROW_TOKENS:]):
        if token.kind in (TokenKind.NUMBER, TokenKind.STRING):
            literals += 1
            if literals == _ROW:
                return True
        elif token.text not in (",", "-", "+"):
            break
    return False


def forbidden_words(cursor: CursorContext, slot: Slot, language: Language) -> frozenset[str]:
    """The keywords where none can stand: behind a dot, and left of an assignment, an index or a member."""
    if slot.kind is SlotKind.MEMBER and language.scopes is not None:
        return language.scopes.keywords - language.scopes.member_words
    if cursor.prefix or _OF_A_VALUE.match(cursor.after[:_MAX_CHARACTERS]) is None:
        return NOTHING
    return grammar_words(language).difference(_VALUES)


def _is_before_operand(after: str, language_id: str) -> bool:
    """Whether a literal stands right of the cursor, or in Python a name: only a keyword or a sign goes before it."""
    following = _WORD.match(after[:_MAX_CHARACTERS])
    if following is None:
        return False
    word = following.group(1)
    return not (word[0].isalpha() or word[0] == "_") or (language_id == "python" and word not in _PYTHON_INFIX)


def _first_of_line(cursor: CursorContext, slot: Slot, language_id: str, *, at_top: bool) -> frozenset[str] | None:
    if slot.kind is not SlotKind.STATEMENT:
        return None
    if language_id == "python":
        return _PYTHON_CLAUSES if not cursor.prefix and cursor.after.strip() == ":" else None
    if at_top and any(token.text == "package" for line in cursor.lines[:-1] for token in line[1:2]):
        return JAVA_TOP
    return None


def _is_literal_end(last: Token, before: str) -> bool:
    """Whether a literal ends before the cursor; a string that is open, or an interpolation in it, does not."""
    if last.kind is TokenKind.STRING:
        return before.rstrip()[-1:] in ("'", '"')
    return _NUMBER.search(before.rstrip()) is not None


def _is_python_operand_end(line: Sequence[Token]) -> bool:
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
