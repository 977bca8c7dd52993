"""Terminals: which texts each kind takes."""

from __future__ import annotations

import keyword
import re

_FLOAT = re.compile(r"(\d+\.\d*|\d*\.\d+|\d+)(e[+-]?\d+)?|inf")
_INT = re.compile(r"\d+|x[0-9a-f]+")

# kinds whose closed lists and copies are shared
BASE = {"free_name": "name", "text": "str", "spec": "str", "some_text": "str"}


def base_kind(kind: str) -> str:
    """The kind without additional constraints: `free_name` (not `_`) is a `name`."""
    return BASE.get(kind, kind)


def is_valid_text(kind: str, text: str) -> bool:
    """Whether a terminal of this kind may be this text. Unknown kinds take any."""
    if kind == "name":
        return text.isidentifier() and not keyword.iskeyword(text)
    if kind == "free_name":
        return text != "_" and is_valid_text("name", text)
    if kind == "dotted":
        return all(is_valid_text("name", part) for part in text.split("."))
    if kind == "int":
        return _INT.fullmatch(text) is not None
    if kind in ("float", "imag"):
        return _FLOAT.fullmatch(text) is not None
    if kind in ("text", "spec", "some_text"):
        return text != ""
    if kind == "bytes":
        return all(ord(character) < 256 for character in text)
    return True
