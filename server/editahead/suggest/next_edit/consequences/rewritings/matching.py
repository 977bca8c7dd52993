"""Other expressions that are what an example was, and what becomes of them."""

from __future__ import annotations

import re

from editahead.suggest.next_edit.consequences.rewritings.operands import (
    LONGEST,
    WORDS,
    is_literal,
    is_operand,
    leaves,
)
from editahead.suggest.next_edit.consequences.rewritings.rewriting import Rewriting
from editahead.syntax.nodes import Node

_NO_OPERANDS = ("_argument", "splat", "comment", "spread")
_QUOTES = re.compile(rb"[\"'`]")
_BRACKETS = frozenset(b"()[]{},.;")


def rewritten(example: Rewriting, node: Node) -> tuple[bytes, tuple[bytes, ...]] | None:
    """What becomes of another expression by an example, with its operands; None where it is not of that kind."""
    operands: dict[int, bytes] = {}
    if (
        node.end_byte - node.start_byte > LONGEST
        or node.has_error
        or not _matches(example, example.old, node, operands)
    ):
        return None
    if _breaks_quotes(example, operands):
        return None
    text = b"".join(one if isinstance(one, bytes) else operands[one] for one in example.parts)
    return text, tuple(operands[number] for number in range(len(operands)))


def _breaks_quotes(example: Rewriting, operands: dict[int, bytes]) -> bool:
    """Whether an operand that stands in a text means something else between the new quotes."""
    quoted, quote = False, b""
    for one in example.parts:
        if isinstance(one, int) and quoted:
            text = operands[one]
            if quote in text or b"\n" in text or (quote == b"`" and b"${" in text):
                return True
        for sign in _QUOTES.findall(one) if isinstance(one, bytes) else ():
            if not quoted or sign == quote:
                quoted, quote = not quoted, sign
    return False


def anchor_of(example: Rewriting) -> bytes:
    """A text of one line that stands in each such expression: its longest word, else its longest sign."""
    fixed = list(leaves(example.old, example.holes))
    words = [node.text or b"" for node in fixed if (node.text or b"")[:1].isalpha() or node.type in WORDS]
    texts = [text for text in words or [node.text or b"" for node in fixed] if b"\n" not in text]
    literals = [one for one in example.operands if one in (b"None", b"null", b"nil", b"undefined", b"True", b"False")]
    return max([*texts, *literals], key=lambda text: (text[:1].isalpha(), len(text)), default=b"")


def signs_of(example: Rewriting) -> frozenset[bytes]:
    """The words and signs that stand in each such expression, without brackets and commas."""
    texts = (node.text or b"" for node in leaves(example.old, example.holes))
    return frozenset(text for text in texts if not _BRACKETS.issuperset(text))


def _matches(example: Rewriting, one: Node, two: Node, operands: dict[int, bytes]) -> bool:
    """Whether a node is what another one of an example is; `operands` takes what stands in its holes."""
    number = example.holes.get((one.start_byte, one.end_byte))
    if number is not None and is_operand(one):
        fits = two.type == one.type if is_literal(one) else is_operand(two) and not is_literal(two)
        fits = fits or (example.form == "sign" and is_operand(two) and two.type not in WORDS)
        fits = fits or (example.is_declared and is_operand(two))
        if not fits and number in example.loose and two.is_named:
            fits = is_literal(one) == is_literal(two) and not any(part in two.type for part in _NO_OPERANDS)
        fits = fits and not _is_call_of(two, example)
        return fits and operands.setdefault(number, two.text or b"") == (two.text or b"")
    if one.type != two.type or one.child_count != two.child_count:
        return False
    if not one.child_count:
        return one.text == two.text
    return all(_matches(example, a, b, operands) for a, b in zip(one.children, two.children, strict=True))


def _is_call_of(node: Node, example: Rewriting) -> bool:
    """Whether an operand calls what the example itself calls: `type(b)` in `type(a) == type(b)` is no type by name."""
    called = node.child_by_field_name("function") or node.child_by_field_name("name")
    if called is None or not any(part in node.type for part in ("call", "invocation")):
        return False
    return any(leaf.text == called.text for leaf in leaves(example.old, example.holes) if leaf.is_named)
