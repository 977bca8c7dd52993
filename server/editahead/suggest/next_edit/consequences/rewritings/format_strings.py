"""Python's f-strings in place of `%` and `.format(...)`: what a formatted text becomes, where that is the same text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from editahead.syntax.nodes import Node, node_text

LONGEST = 300
"""Characters of a formatted text."""
_PERCENT = re.compile(r"%(?:%|([#0 +-]*)(\d*)((?:\.\d+)?)([sdrifxXeg]))")
_FIELD = re.compile(r"\{\{|\}\}|\{(\w*)(![rsa])?(:[^{}]*)?\}")
_PLAIN = re.compile(r"""(['"])(?!\1\1)(?:(?!\1).)*\1""", re.DOTALL)
_TEXTS = re.compile(r"%[sr]")
_NAMED_CHARACTER = "\\N{"
_UNFIT = re.compile(r"[\\#{}\n]|\blambda\b|:=")
_SPLATS = frozenset({"list_splat", "dictionary_splat"})
_DOES = frozenset({"call", "await", "yield", "named_expression"})
_MAX_NODES = 200


def is_formatting(node: Node) -> bool:
    """Whether a node is a text with `%` or `.format(...)`."""
    return _percent(node) is not None or _format(node) is not None


def formatted(node: Node, *, known: bool = False) -> bytes | None:
    """The f-string that says the same; None where there is none, or another way is plainer.

    `known`: whoever wrote the text knows what is put in. Else `%d` takes only what is a whole number for certain, as it
    cuts others, and `%s` no name alone, which may be a tuple of several.
    """
    if node.has_error or node.end_byte - node.start_byte > LONGEST:
        return None
    pair = _percent(node)
    if pair is not None:
        if pair[1].type == "identifier" and not known and _TEXTS.search(pair[0]):
            return None
        return _with(pair[0], list(_percent_parts(pair[0], _items(pair[1]), known)))
    pair = _format(node)
    if pair is not None:
        return _with(pair[0], list(_format_parts(pair[0], pair[1].named_children)))
    return None


def _percent(node: Node) -> tuple[str, Node] | None:
    """The text and what is put into it by `%`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type != "binary_operator" or left is None or right is None or left.type != "string":
        return None
    signs = [child.type for child in node.children if not child.is_named]
    text = node_text(left)
    return (text, right) if signs == ["%"] and _is_plain(text) else None


def _format(node: Node) -> tuple[str, Node] | None:
    """The text and the arguments of `.format(...)`."""
    called, row = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type != "call" or called is None or row is None or called.type != "attribute":
        return None
    text, name = called.child_by_field_name("object"), called.child_by_field_name("attribute")
    if text is None or name is None or text.type != "string" or name.text != b"format" or row.type != "argument_list":
        return None
    return (node_text(text), row) if _is_plain(node_text(text)) else None


def _is_plain(text: str) -> bool:
    """Whether a text has plain quotes, and no braces that name a character."""
    return _PLAIN.fullmatch(text) is not None and _NAMED_CHARACTER not in text


def _items(node: Node) -> Sequence[Node]:
    """What `%` puts in, one by one."""
    return node.named_children if node.type == "tuple" else [node]


def _percent_parts(text: str, items: Sequence[Node], known: bool) -> Iterator[str | None]:
    """The parts of the f-string; None for one that cannot be said."""
    at, given = 0, 0
    inner = text[1:-1]
    for found in _PERCENT.finditer(inner):
        yield _escaped(inner[at : found.start()])
        at = found.end()
        if found.group() == "%%":
            yield "%"
            continue
        flags, width, places, kind = found.groups()
        item = items[given] if given < len(items) else None
        value = _value(item, text[0]) if item is not None else None
        given += 1
        if item is None or (kind in "dixX" and places) or (kind in "di" and not known and not _is_whole(item)):
            yield None
            continue
        how = f"{'0' if '0' in flags else ''}{width}{places}"
        if value is None or flags.strip("0") or (how and kind not in "dfxXeg"):
            yield None
        else:
            form = f":{how}{kind}" if how or kind not in "sdri" else "!r" if kind == "r" else ""
            yield f"{{{value}{form}}}"
    rest = inner[at:]
    yield _escaped(rest) if "%" not in rest and given == len(items) else None


def _is_whole(node: Node) -> bool:
    """Whether a value is a whole number for certain."""
    called = node.child_by_field_name("function") if node.type == "call" else None
    return node.type == "integer" or (called is not None and called.text == b"len")


def _runs_alike(order: Sequence[int], items: Sequence[Node]) -> bool:
    """Whether what the arguments do is done once, and in the same order, where they are put in in some order."""
    doing = [number for number in order if number >= 0 and _does(items[number])]
    return doing == sorted(set(doing))


def _does(node: Node) -> bool:
    """Whether an expression does something each time that it is run."""
    stack = [node]
    for _ in range(_MAX_NODES):
        if not stack:
            return False
        node = stack.pop()
        if node.type in _DOES:
            return True
        stack.extend(node.named_children)
    return True


def _format_parts(text: str, items: Sequence[Node]) -> Iterator[str | None]:
    at, given = 0, 0
    order = list[int]()
    inner = text[1:-1]
    names = {
        node_text(key): number
        for number, item in enumerate(items)
        if (key := item.child_by_field_name("name")) is not None
    }
    places = [number for number, item in enumerate(items) if item.type != "keyword_argument"]
    if any(item.type in _SPLATS or "comment" in item.type for item in items):
        yield None
    for found in _FIELD.finditer(inner):
        rest = inner[at : found.start()]
        yield rest if "{" not in rest and "}" not in rest else None
        at = found.end()
        if found.group() in ("{{", "}}"):
            yield found.group()
            continue
        name, sign, how = found.groups("")
        number = int(name) if name.isdigit() else given
        given += not name
        which = places[number] if (name.isdigit() or not name) and number < len(places) else names.get(name)
        item = items[which] if which is not None else None
        inside = item.child_by_field_name("value") if item is not None and item.type == "keyword_argument" else item
        value = _value(inside, text[0]) if inside is not None else None
        order.append(which if which is not None else -1)
        yield f"{{{value}{sign}{how}}}" if value is not None else None
    rest = inner[at:]
    fits = set(order) == set(range(len(items))) and _runs_alike(order, items)
    yield rest if "{" not in rest and "}" not in rest and fits else None


def _value(node: Node, quote: str) -> str | None:
    """An expression as it stands between the braces of a text with these quotes."""
    text = node_text(node)
    if _UNFIT.search(text) or text.startswith("{") or node.type in (*_SPLATS, "tuple", "conditional_expression"):
        return None
    if quote in text:
        other = "'" if quote == '"' else '"'
        if other in text:
            return None
        text = text.replace(quote, other)
    return text


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _with(text: str, parts: Sequence[str | None]) -> bytes | None:
    """The parts between the quotes of a text; None where one of them cannot be said, or nothing is put in."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or not any(part.startswith("{") and part[1:2] != "{" for part in known):
        return None
    return f"f{text[0]}{''.join(known)}{text[0]}".encode()
