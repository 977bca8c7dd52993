"""The parameters of functions that a list of completions offers, from their declarations in the file.

Nor can any parameter of a head be used in it, neither in a default value nor in an annotation, nor be declared twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from editahead.analysis.signatures import Declared, function_named
from editahead.suggest.context import CursorContext
from editahead.suggest.types import Completions, Document
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.tokens import Line, Token, TokenKind, text_tokens

MAX_ITEMS = 20  # of a list whose declarations are looked up
_MAX_BYTES = 512 << 10  # of the file that are searched
_MAX_LOOKUPS = 60  # occurrences of the names, followed by a bracket
_OBJECTS = ("self", "cls")
# Before the name: an import, a decorator, a declaration. None of them is a call.
_NO_CALL = re.compile(
    rb"^\s*(?:from|import|use|export\s*\{)\b|@[\w.]*\Z|\b(?:def|class|fn|func|function|get|set|instanceof|extends)\s+\Z"
)
_LINES = 40  # of a head, on each side of the cursor
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_MAX_CHARACTERS = 400  # characters behind the cursor that are looked at
_STATEMENTS = frozenset("def class return if elif else for while with try except import from raise async".split())
_NEXT = re.compile(r",\s*\*{0,2}([^\W\d]\w*)\s*(?=[:=,)]|$)")


def with_parameters(completions: Completions, document: Document) -> Completions:
    """Add the parameters of functions and methods that the file declares, where a call can begin.

    The tree is read for a bounded number of names; functions that share a name but not their parameters get none.
    """
    table, data = document.syntax.language.scopes, document.syntax.buffer.data
    line_start = data.rfind(b"\n", 0, completions.start) + 1
    names = {item.label for item in completions.items[:MAX_ITEMS] if item.kind == "function"}
    is_called = data[completions.end : completions.end + 1] in (b"(", b"<")
    if table is None or not names or is_called or _NO_CALL.search(data[line_start : completions.start]):
        return completions
    is_member = data[: completions.start].endswith((b".", b"->", b"::"))
    rows = _declarations(document, table, names)
    items = []
    for item in completions.items:
        variants = {_arguments(declared, data, is_member=is_member) for declared in rows.get(item.label, ())}
        arguments = variants.pop() if len(variants) == 1 and item.kind == "function" else None
        items.append(item if arguments is None else replace(item, arguments=arguments))
    return replace(completions, items=tuple(items))


def _declarations(document: Document, table: ScopeTable, names: set[str]) -> dict[str, list[Declared]]:
    """The functions of some names that the file declares."""
    data = document.syntax.buffer.data
    pattern = rb"(?<![\w$])(?:%s)(?=\s*(?:<[^<>()]*>\s*)?\()" % b"|".join(re.escape(name.encode()) for name in names)
    rows: dict[str, list[Declared]] = {}
    for count, match in enumerate(re.finditer(pattern, data[:_MAX_BYTES])):
        if count == _MAX_LOOKUPS:
            break
        declared = function_named(document.syntax, table, match.start())
        if declared is not None:
            rows.setdefault(declared.name, []).append(declared)
    return rows


def _arguments(declared: Declared, data: bytes, *, is_member: bool) -> tuple[str, ...] | None:
    """The arguments that a call must have, `name=name` of a keyword; None of a method without its object."""
    items = list(declared.parameters.items)
    if items and (items[0].form == "object" or items[0].name in _OBJECTS):
        if not is_member:
            return None
        del items[0]
    arguments, is_keyword = list[str](), False
    for item in items:
        if item.form == "plain" and not item.optional and item.name:
            arguments.append(f"{item.name}={item.name}" if is_keyword else item.name)
        is_keyword |= item.form in ("rest", "separator") and data[item.start : item.end].startswith(b"*")
    return tuple(arguments)


def head_parameters(cursor: CursorContext) -> frozenset[str] | None:
    """The names of the function and of its parameters, as far as they are written; None outside a head."""
    before = _before(cursor.lines)
    if before is None:
        return None
    after = cursor.after[:_MAX_CHARACTERS]
    below = () if _is_closed(after) else _below(cursor.below)
    return frozenset((*before, *_NEXT.findall(after), *below))


def _before(lines: Sequence[Line]) -> list[str] | None:
    """The names that stand before the cursor; None where no head of a function is open."""
    names: list[str] = []
    depth = 0
    behind = ""  # the following token at the depth of the parameters
    for line in reversed(lines[-_LINES:]):
        tokens = text_tokens(line)
        for at in range(len(tokens) - 1, -1, -1):
            text = tokens[at].text
            if text in _CLOSING:
                depth += 1
            elif text in _OPENING and depth:
                depth -= 1
            elif text in _OPENING:
                if text == "(" and _is_head(tokens[:at]):
                    return [*names, *(token.text for token in tokens[at - 1 : at])]
                names = []  # they stood in brackets inside the head
            elif depth == 0:
                begins = (tokens[at - 1].text if at else "") in ("(", ",", "*", "**", "")
                if tokens[at].kind is TokenKind.NAME and begins and behind in (":", "=", ","):
                    names.append(text)
            behind = text if depth == 0 else behind
        if tokens and tokens[0].text in _STATEMENTS:
            return None  # no head continues beyond it
    return None


def _is_head(tokens: Sequence[Token]) -> bool:
    texts = [token.text for token in tokens]
    return texts[-2:-1] == ["def"] or (texts[-1:] == ["]"] and "def" in texts[:2])


def _is_closed(after: str) -> bool:
    depth = 0
    for letter in after:
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if depth < 0:
            return True
    return False


def _below(lines: Sequence[Line]) -> Iterator[str]:
    """Parameters on the lines below the cursor's, up to the end of the head."""
    depth, before = 0, ","
    for line in lines[:_LINES]:
        for token in line:
            if token.kind in (TokenKind.NEWLINE, TokenKind.COMMENT) or not token.text:
                continue
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
            if depth < 0 or (token is line[0] and token.text in _STATEMENTS):
                return
            if depth == 0 and token.kind is TokenKind.NAME and before in (",", "*", "**"):
                yield token.text
            before = token.text
