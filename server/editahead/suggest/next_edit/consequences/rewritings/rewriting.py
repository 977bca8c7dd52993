"""An expression that was written anew, as a template: what it was and became, with its operands as holes.

`first == None` that became `first is None` says `⟨a⟩ == None` becomes `⟨a⟩ is None`. Operands are the outermost
expressions that stand in both; literals match literals of the same kind alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from editahead.suggest.next_edit.consequences.rewritings.operands import (
    LONGEST,
    WORDS,
    Span,
    held,
    in_row,
    is_expression,
    is_literal,
    is_operand,
    leaves,
    nodes,
    outermost,
)
from editahead.syntax.nodes import Node, node_text
from editahead.text.words import IDENTIFIER

_OPERATORS = frozenset(
    {("==", "is"), ("!=", "is not"), ("==", "==="), ("!=", "!=="), ("is", "=="), ("is not", "!="), ("||", "??")}
)

"""Operators of which one takes the place of the other without a change of what is meant."""
_TO_WORDS = frozenset({("==", "is"), ("!=", "is not")})
"""Those that are right for literals without parts alone."""

_COMMON = frozenset(b"type isinstance len not equals is None null undefined True False true false in Objects".split())
"""Words that mean the same for operands of any type."""
_WORD = re.compile(IDENTIFIER)
_LITERAL = re.compile(rb"[\"'`#\\]|//|/\*")  # texts and comments
_BLANKS = re.compile(rb"\s*\n\s*")
_BREAK = re.compile(rb"([(\[{]) | ([)\]}.])")


class Rewriting(NamedTuple):
    """`old` is the node before the change; `parts` are the texts between the operands afterwards, and their numbers.

    `holes` number the operands by their bytes in the old text, `loose` are those that stand between commas in both.
    `form`: operator (beside a literal that says something), sign (beside anything), swap, shape (another kind of
    expression), or bare (only its operand is left).
    """

    old: Node
    holes: Mapping[Span, int]
    loose: frozenset[int]
    operands: tuple[bytes, ...]
    parts: tuple[bytes | int, ...]
    form: str
    new: Node | None = None
    """What it became; None for what is no operator."""
    is_declared: bool = False
    """Whether a rule states it, for operands of any kind; else it was learned from an edit of the user."""

    @property
    def portable(self) -> bool:
        """Whether it says the same of any operands: it has no word but common ones."""
        fixed = [node.text or b"" for node in leaves(self.old, self.holes) if node.is_named]
        text = b" ".join([*fixed, *(one for one in self.parts if isinstance(one, bytes))])
        return self.is_declared or self.form in ("operator", "sign") or _COMMON.issuperset(_WORD.findall(text))

    @property
    def signature(self) -> str:
        """What is the same for all examples of one rewriting."""
        return f"{_signature(self.old, self.holes)} {self.parts!r}"


def rewriting_of(old: Node, new: Node, *, is_declared: bool = False) -> Rewriting | None:
    """The template of an expression and what it became; None where it says too little to be looked for elsewhere."""
    if not is_expression(old) or new.has_error or old.has_error or not old.children:
        return None
    if max(node.end_byte - node.start_byte for node in (old, new)) > LONGEST:
        return None
    texts = {node.text: node for node in nodes(new) if is_operand(node)}
    if old.text in texts:
        return None
    holes: dict[Span, int] = {}
    numbers: dict[bytes, int] = {}
    tight = set[int]()
    for node in outermost(old, texts):
        number = numbers.setdefault(node.text or b"", len(numbers))
        holes[node.start_byte, node.end_byte] = number
        if not in_row(node):
            tight.add(number)
    parts: list[bytes | int] = []
    at, base, text = 0, new.start_byte, new.text or b""
    roots = [new] if is_operand(new) and new.text in numbers else list(outermost(new, numbers))
    for node in roots:
        number = numbers[node.text or b""]
        parts += [text[at : node.start_byte - base], number]
        at = node.end_byte - base
        if not in_row(node):
            tight.add(number)
    parts.append(text[at:])
    if any(isinstance(one, bytes) and b"\n" in one for one in parts):
        joined = [_in_one_line(one) if isinstance(one, bytes) else one for one in parts]
        if None in joined:
            return None
        parts = [one for one in joined if one is not None]
    form = "shape" if is_declared else _form(old, new, holes, parts)
    if not holes or form is None or {one for one in parts if isinstance(one, int)} != set(numbers.values()):
        return None
    return Rewriting(
        old, holes, frozenset(numbers.values()) - tight, tuple(numbers), tuple(parts), form, new, is_declared
    )


def _in_one_line(part: bytes) -> bytes | None:
    """A part without its line breaks, which may stand inside brackets alone; None where they mean something."""
    if b"\n" not in part:
        return part
    return None if _LITERAL.search(part) else _BREAK.sub(rb"\1\2", _BLANKS.sub(b" ", part))


def _form(old: Node, new: Node, holes: Mapping[Span, int], parts: list[bytes | int]) -> str | None:
    """What kind of rewriting it is; None for one that may be about this very place."""
    order = [one for one in parts if isinstance(one, int)]
    before = [number for _, number in sorted(holes.items())]
    fixed = [node for node in leaves(old, holes) if (node.text or b"")[:1].isalpha() and node.is_named]
    literal = any(is_literal(node) for node in held(old, holes))
    if parts == [b"", order[0] if order else None, b""]:
        return "bare" if fixed and old.type.endswith(("call", "call_expression", "invocation")) else None
    if old.type != new.type:
        return "shape" if fixed or literal else None
    if order != before and sorted(order) == sorted(before):
        signs = [b"".join(one.split()) for one in parts if isinstance(one, bytes)]
        if b"".join(signs) != b"".join(b"".join((node.text or b"").split()) for node in leaves(old, holes)):
            return None  # more than the order is another one
        return "swap" if fixed or any(node.type in WORDS for node in held(old, holes)) else None
    operators = _sign(old), _sign(new)
    if operators not in _OPERATORS or order != before:
        return None
    words = any(node.type in WORDS for node in held(old, holes))
    if operators in _TO_WORDS:
        return "operator" if words else None
    return "sign"


def _sign(node: Node) -> str:
    """The operator of an expression, its words with one blank between them."""
    return " ".join(" ".join(node_text(child).split()) for child in node.children if not child.is_named)


def _signature(node: Node, holes: Mapping[Span, int]) -> str:
    number = holes.get((node.start_byte, node.end_byte))
    if number is not None and is_operand(node):
        return f"<{number} {node.type if is_literal(node) else ''}>"
    return f"({' '.join(_signature(child, holes) for child in node.children)})" if node.children else node_text(node)
