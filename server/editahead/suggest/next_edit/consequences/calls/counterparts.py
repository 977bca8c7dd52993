"""Declarations that agree with a changed function: what a method overrides or implements, a header and its source.

Two declarations of the same name agree if they had the same parameters and are tied: a class names the other in its
header, a method of Go has the parameters of an interface's method in its package, and C declares what it defines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from editahead.analysis.signatures import Declared, Row, function_named, path_to
from editahead.suggest.next_edit.consequences.calls.changed_functions import ChangedFunction
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import node_text

MAX_OCCURRENCES = 200
"""Occurrences of the name that are examined in each document."""
MAX_HEADER = 2_000
"""Bytes of a class before its body."""
_WORD = re.compile(r"\w+")
_BODY = re.compile(r"\{|:\s*(?:#[^\n]*)?\n")
_TRAITS = frozenset({"trait_item", "impl_item"})
_C_FAMILY = frozenset({"c", "cpp"})


class _Owner(NamedTuple):
    """What a function belongs to: a class by its name (may be empty), and the words before its body.

    `kind`: the type of its node, `interface_type` and `method_declaration` of Go among them.
    """

    name: str
    words: frozenset[str]
    kind: str


def counterparts(moment: Moment, changed: ChangedFunction) -> Iterator[tuple[Document, Declared]]:
    """The declarations in open files that still have the former parameters of a changed function."""
    origin, now = changed.document, changed.now
    old, owner = _texts(changed.before.parameters, changed.earlier), _owner_of(origin, now.name_start)
    if owner is None:
        return
    for target in (moment.document, *moment.document.others):
        if not _is_same_language(origin, target):
            continue
        for byte in islice(target.syntax.occurrences(now.name.encode()), MAX_OCCURRENCES):
            moment.check()
            table = target.syntax.language.scopes
            is_itself = target.uri == origin.uri and byte == now.name_start
            other = function_named(target.syntax, table, byte) if table is not None and not is_itself else None
            if other is None or _texts(other.parameters, target.syntax.buffer.data) != old:
                continue
            theirs = _owner_of(target, byte)
            if theirs is not None and _is_tied(origin, owner, target, theirs, old):
                yield target, other


def _texts(row: Row, data: bytes) -> tuple[str, ...]:
    """The parameters with single blanks, without default values."""
    texts = (data[item.start : item.end].partition(b"=")[0] for item in row.items)
    return tuple(" ".join(text.decode("utf-8", "replace").split()) for text in texts)


def _is_same_language(origin: Document, target: Document) -> bool:
    ours, theirs = origin.syntax.language.id, target.syntax.language.id
    return ours == theirs or {ours, theirs} <= _C_FAMILY


def _owner_of(document: Document, byte: int) -> _Owner | None:
    """What the function whose name is at a byte belongs to; None where the syntax does not tell."""
    table = document.syntax.language.scopes
    path, _ = path_to(document.syntax, byte)
    if table is None or len(path) < 2:
        return None
    if path[-2].type == "qualified_identifier":  # `A::size`, outside of its class
        return _Owner(node_text(path[-2]).split("::")[-2].strip(), frozenset(), "qualified")
    for node in reversed(path):
        if node.type in ("interface_type", "method_declaration") and document.syntax.language.id == "go":
            return _Owner("", frozenset(), node.type)
        if node.type in table.classes.bodies or node.type in _TRAITS:
            name = node.child_by_field_name("name")
            header = _BODY.split(node_text(node)[:MAX_HEADER], maxsplit=1)[0]
            return _Owner(node_text(name) if name is not None else "", frozenset(_WORD.findall(header)), node.type)
    return _Owner("", frozenset(), "")


def _is_tied(origin: Document, owner: _Owner, target: Document, other: _Owner, parameters: tuple[str, ...]) -> bool:
    language, is_origin = origin.syntax.language.id, origin.uri == target.uri
    if language == "go":
        is_pair = {owner.kind, other.kind} == {"interface_type", "method_declaration"}
        return is_pair and bool(parameters) and _folder(origin) == _folder(target)
    if language in _C_FAMILY and owner.name == other.name:
        return is_origin or _is_included(origin, target) or _is_included(target, origin)
    if is_origin and owner == other:
        return False
    return (bool(owner.name) and owner.name in other.words) or (bool(other.name) and other.name in owner.words)


def _folder(document: Document) -> str:
    return document.uri.rpartition("/")[0]


def _is_included(header: Document, source: Document) -> bool:
    """Whether a file of C includes another file, by the last part of its path."""
    name = re.escape(header.uri.rpartition("/")[2].encode())
    line = rb'^[ \t]*#[ \t]*include[ \t]*["<](?:[^">\n]*/)?' + name + rb'[">]'
    return re.search(line, source.syntax.buffer.data, re.MULTILINE) is not None
