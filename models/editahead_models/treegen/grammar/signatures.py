"""What Python's own `ast` module says about itself: every node class with the types of its fields, from its signature.

Every class carries its line of the abstract grammar as text; a sum type is the base class of its constructors
(Python's language reference, `ast`: "Abstract Grammar").
"""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

_SIGNATURE = re.compile(r"(?P<name>\w+)(\((?P<fields>.*)\))?", re.DOTALL)
_UNUSED = {"AugLoad", "AugStore", "Param", "Suite", "Index", "ExtSlice", "Interactive", "Expression", "FunctionType"}
_UNUSED |= {"TypeIgnore", "Load", "Store", "Del", "slice", "expr_context", "type_ignore"}
# never chosen: `ctx` follows from the position, the others are marks of comments and of spelling
FIXED = {"ctx", "type_comment", "kind", "type_ignores"}


class Signature(NamedTuple):
    """A class: its sum type (its own name when it is the only constructor) and (field, type with `?` or `*`)."""

    name: str
    left: str
    fields: tuple[tuple[str, str], ...]


def signatures() -> list[Signature]:
    """Every class that makes up programs in the running Python, by sum type and name; without fixed fields."""
    rows = []
    for name, member in vars(ast).items():
        if not (isinstance(member, type) and issubclass(member, ast.AST)) or name in _UNUSED or not member.__doc__:
            continue
        match = _SIGNATURE.fullmatch(member.__doc__)
        if match is None or match["name"] != name:
            continue  # a sum type, or a class that is deprecated
        fields = [tuple(part.split()) for part in (match["fields"] or "").split(",") if part.strip()]
        base = member.__bases__[0].__name__
        kept = tuple((field, kind) for kind, field in fields if field not in FIXED)
        rows.append(Signature(name, name if base == "AST" else base, kept))
    return sorted(rows, key=lambda signature: (signature.left, signature.name))
