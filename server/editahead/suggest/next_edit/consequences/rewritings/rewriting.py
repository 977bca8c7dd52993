"""An expression that was written anew, as a template: what it was and became, with its operands as holes.

`first == None` that became `first is None` says `⟨a⟩ == None` becomes `⟨a⟩ is None`. Operands are the outermost
expressions that stand in both; literals match literals of the same kind alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from editahead.syntax.nodes import Node, node_text

MAX_NODES, LONGEST = 200, 400
"""Nodes and bytes of an expression that is compared."""
_OPERANDS = frozenset(
    "identifier attribute call subscript parenthesized_expression list tuple dictionary set "
    "field_access method_invocation array_access this object_creation_expression "
    "member_expression call_expression subscript_expression array object template_string undefined "
    "selector_expression index_expression field_expression macro_invocation self "
    "member_access_expression invocation_expression element_access_expression".split()
)
_LITERALS = ("string", "integer", "float", "number", "literal", "none", "true", "false", "null", "nil")
_WORDS = frozenset({"none", "null", "null_literal", "nil", "true", "false", "undefined"})
"""Literals that say something by themselves."""
_ROWS = frozenset({"argument_list", "arguments"})
_NO_OPERANDS = ("_argument", "splat", "comment", "spread")
_OPERATORS = frozenset(
    {("==", "is"), ("!=", "is not"), ("==", "==="), ("!=", "!=="), ("is", "=="), ("is not", "!="), ("||", "??")}
)
"""Operators of which one takes the place of the other without a change of what is meant."""
_TO_WORDS = frozenset({("==", "is"), ("!=", "is not")})
"""Those that are right for literals without parts alone."""

_COMMON = frozenset(b"type isinstance len not equals is None null undefined True False true false in Objects".split())
"""Words that mean the same for operands of any type."""
_BRACKETS = frozenset(b"()[]{},.;")
_WORD = re.compile(rb"[^\W\d]\w*")
_Span = tuple[int, int]


class Rewriting(NamedTuple):
    """`old` is the node before the change; `parts` are the texts between the operands afterwards, and their numbers.

    `holes` number the operands by their bytes in the old text, `loose` are those that stand between commas in both.
    `form`: operator (beside a literal that says something), sign (beside anything), swap, shape (another kind of
    expression), or bare (only its operand is left).
    """

    old: Node
    holes: Mapping[_Span, int]
    loose: frozenset[int]
    operands: tuple[bytes, ...]
    parts: tuple[bytes | int, ...]
    form: str

    @property
    def portable(self) -> bool:
        """Whether it says the same of any operands: it has no word but common ones."""
        fixed = [node.text or b"" for node in _leaves(self.old, self.holes) if node.is_named]
        text = b" ".join([*fixed, *(one for one in self.parts if isinstance(one, bytes))])
        return self.form in ("operator", "sign") or _COMMON.issuperset(_WORD.findall(text))

    @property
    def signature(self) -> str:
        """What is the same for all examples of one rewriting."""
        return f"{_signature(self.old, self.holes)} {self.parts!r}"


def rewriting_of(old: Node, new: Node) -> Rewriting | None:
    """The template of an expression and what it became; None where it says too little to be looked for elsewhere."""
    if not _is_expression(old) or new.has_error or old.has_error or not old.children:
        return None
    if max(node.end_byte - node.start_byte for node in (old, new)) > LONGEST:
        return None
    texts = {node.text: node for node in _nodes(new) if _is_operand(node)}
    if old.text in texts:
        return None
    holes: dict[_Span, int] = {}
    numbers: dict[bytes, int] = {}
    tight = set[int]()
    for node in _outermost(old, texts):
        number = numbers.setdefault(node.text or b"", len(numbers))
        holes[node.start_byte, node.end_byte] = number
        if not _in_row(node):
            tight.add(number)
    parts: list[bytes | int] = []
    at, base, text = 0, new.start_byte, new.text or b""
    roots = [new] if _is_operand(new) and new.text in numbers else list(_outermost(new, numbers))
    for node in roots:
        number = numbers[node.text or b""]
        parts += [text[at : node.start_byte - base], number]
        at = node.end_byte - base
        if not _in_row(node):
            tight.add(number)
    parts.append(text[at:])
    form = _form(old, new, holes, parts)
    if not holes or form is None or {one for one in parts if isinstance(one, int)} != set(numbers.values()):
        return None
    return Rewriting(old, holes, frozenset(numbers.values()) - tight, tuple(numbers), tuple(parts), form)


def operands_named(root: Node, names: Sequence[str]) -> dict[tuple[int, int], int]:
    """The bytes of each use of some names in an expression, with their numbers."""
    known = {name.encode(): number for number, name in enumerate(names)}
    found = (node for node in _nodes(root) if node.text in known and _is_operand(node))
    return {(node.start_byte, node.end_byte): known[node.text or b""] for node in found}


def rewritten(example: Rewriting, node: Node) -> tuple[bytes, tuple[bytes, ...]] | None:
    """What becomes of another expression by an example, with its operands; None where it is not of that kind."""
    operands: dict[int, bytes] = {}
    if (
        node.end_byte - node.start_byte > LONGEST
        or node.has_error
        or not _matches(example, example.old, node, operands)
    ):
        return None
    text = b"".join(one if isinstance(one, bytes) else operands[one] for one in example.parts)
    return text, tuple(operands[number] for number in range(len(operands)))


def anchor_of(example: Rewriting) -> bytes:
    """A text of one line that stands in each such expression: its longest word, else its longest sign."""
    leaves = list(_leaves(example.old, example.holes))
    words = [node.text or b"" for node in leaves if (node.text or b"")[:1].isalpha() or node.type in _WORDS]
    texts = [text for text in words or [node.text or b"" for node in leaves] if b"\n" not in text]
    literals = [one for one in example.operands if one in (b"None", b"null", b"nil", b"undefined", b"True", b"False")]
    return max([*texts, *literals], key=lambda text: (text[:1].isalpha(), len(text)), default=b"")


def signs_of(example: Rewriting) -> frozenset[bytes]:
    """The words and signs that stand in each such expression, without brackets and commas."""
    texts = (node.text or b"" for node in _leaves(example.old, example.holes))
    return frozenset(text for text in texts if not _BRACKETS.issuperset(text))


def _form(old: Node, new: Node, holes: Mapping[_Span, int], parts: list[bytes | int]) -> str | None:
    """What kind of rewriting it is; None for one that may be about this very place."""
    order = [one for one in parts if isinstance(one, int)]
    before = [number for _, number in sorted(holes.items())]
    fixed = [node for node in _leaves(old, holes) if (node.text or b"")[:1].isalpha() and node.is_named]
    literal = any(_is_literal(node) for node in _held(old, holes))
    if parts == [b"", order[0] if order else None, b""]:
        return "bare" if fixed and old.type.endswith(("call", "call_expression", "invocation")) else None
    if old.type != new.type:
        return "shape" if fixed or literal else None
    if order != before and sorted(order) == sorted(before):
        signs = [b"".join(one.split()) for one in parts if isinstance(one, bytes)]
        if b"".join(signs) != b"".join(b"".join((node.text or b"").split()) for node in _leaves(old, holes)):
            return None  # more than the order is another one
        return "swap" if fixed or any(node.type in _WORDS for node in _held(old, holes)) else None
    operators = _sign(old), _sign(new)
    if operators not in _OPERATORS or order != before:
        return None
    words = any(node.type in _WORDS for node in _held(old, holes))
    if operators in _TO_WORDS:
        return "operator" if words else None
    return "sign"


def _sign(node: Node) -> str:
    """The operator of an expression, its words with one blank between them."""
    return " ".join(" ".join(node_text(child).split()) for child in node.children if not child.is_named)


def _matches(example: Rewriting, one: Node, two: Node, operands: dict[int, bytes]) -> bool:
    number = example.holes.get((one.start_byte, one.end_byte))
    if number is not None and _is_operand(one):
        fits = two.type == one.type if _is_literal(one) else _is_operand(two) and not _is_literal(two)
        fits = fits or (example.form == "sign" and _is_operand(two))
        if not fits and number in example.loose and two.is_named:
            fits = _is_literal(one) == _is_literal(two) and not any(part in two.type for part in _NO_OPERANDS)
        return fits and operands.setdefault(number, two.text or b"") == (two.text or b"")
    if one.type != two.type or one.child_count != two.child_count:
        return False
    if not one.child_count:
        return one.text == two.text
    return all(_matches(example, a, b, operands) for a, b in zip(one.children, two.children, strict=True))


def _outermost(root: Node, texts: Mapping[bytes, object] | Mapping[bytes | None, object]) -> Iterator[Node]:
    """The outermost operands below a node of which the text is one of some."""
    stack = list(reversed(root.children))
    for _ in range(MAX_NODES):
        if not stack:
            return
        node = stack.pop()
        if _is_operand(node) and node.text in texts:
            yield node
        else:
            stack.extend(reversed(node.children))


def _nodes(root: Node) -> Iterator[Node]:
    stack = [root]
    for _ in range(MAX_NODES):
        if not stack:
            return
        node = stack.pop()
        yield node
        stack.extend(node.children)


def _leaves(root: Node, holes: Mapping[_Span, int]) -> Iterator[Node]:
    """The leaves that are no part of an operand."""
    stack = [root]
    while stack:
        node = stack.pop()
        if (node.start_byte, node.end_byte) in holes and _is_operand(node):
            continue
        if not node.children:
            yield node
        stack.extend(reversed(node.children))


def _held(root: Node, holes: Mapping[_Span, int]) -> Iterator[Node]:
    """The operands themselves."""
    return (node for node in _nodes(root) if (node.start_byte, node.end_byte) in holes and _is_operand(node))


def _signature(node: Node, holes: Mapping[_Span, int]) -> str:
    number = holes.get((node.start_byte, node.end_byte))
    if number is not None and _is_operand(node):
        return f"<{number} {node.type if _is_literal(node) else ''}>"
    return f"({' '.join(_signature(child, holes) for child in node.children)})" if node.children else node_text(node)


def _is_literal(node: Node) -> bool:
    return node.type in _WORDS or (node.is_named and any(part in node.type for part in _LITERALS))


def _is_operand(node: Node) -> bool:
    """Whether a node is an expression that can stand anywhere, and not the name of a member or of what is called."""
    if not node.is_named or (node.type not in _OPERANDS and not _is_literal(node)):
        return False
    parent = node.parent
    if parent is None or node.type not in ("identifier", "attribute", "member_expression", "selector_expression"):
        return True
    for field in ("function", "name", "attribute", "property", "field", "constructor"):
        named = parent.child_by_field_name(field)
        if named is not None and named.id == node.id:
            return False
    return True


def _is_expression(node: Node) -> bool:
    """Whether a node is an expression that is more than an operand's name or an item of a row."""
    ending = ("_operator", "_expression", "call", "subscript", "_invocation", "_access", "attribute", "_literal")
    return node.is_named and node.type.endswith(ending) and not node.type.startswith(("assignment", "augmented"))


def _in_row(node: Node) -> bool:
    return node.parent is not None and node.parent.type in _ROWS
