"""Fields of format strings in plain strings: `"{name}"` without the prefix `f` is not formatted."""

from __future__ import annotations

import re

from editahead.analysis.signatures import path_to
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

_PLACEHOLDER = re.compile(rb"%[-+ #0]{0,5}[\d.*]{0,10}[a-zA-Z]|%\(")
_FIELD = re.compile(rb"\{[^{}]{1,200}\}")
_PREFIX = re.compile(rb"[a-zA-Z]*")
_FORMATTED = frozenset("fFtT")


def puts_field_in_plain_text(syntax: SyntaxSnapshot, edit: ByteEdit) -> bool:
    """Whether an edit replaces `%s` by `{name}` in a Python string without the prefix `f`."""
    data = syntax.buffer.data
    if syntax.language.id != "python" or _FIELD.search(edit.new) is None:
        return False
    if _PLACEHOLDER.search(edit.old_bytes(data)) is None:
        return False
    path, offset = path_to(syntax, edit.start)
    text = next((node for node in reversed(path) if node.type == "string"), None)
    if text is None or edit.start <= text.start_byte + offset:
        return False  # the edit writes the prefix as well
    prefix = _PREFIX.match(data, text.start_byte + offset)
    return prefix is None or _FORMATTED.isdisjoint(prefix[0].decode())
