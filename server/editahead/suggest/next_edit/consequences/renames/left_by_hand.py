"""Places that may belong to a rename and that no scope knows: the reason names them, and nothing is written there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import islice

from editahead.analysis.signatures import path_to
from editahead.suggest.next_edit.consequences.renames.rename_verdict import Renamed
from editahead.suggest.types import Document
from editahead.syntax.scope_table import ScopeKind
from editahead.syntax.snapshot import Region
from editahead.text.words import whole_word

MAX_LOOKED, MAX_LISTED = 300, 5
"""Places of the old name that are looked at, and lines that are listed."""
_MACRO_BODIES = frozenset({"preproc_arg"})
_QUOTES = b"\"'`"
_REFLECTION = re.compile(
    rb"\b(?:getattr|setattr|hasattr|delattr|attrgetter|methodcaller|getDeclaredField|getDeclaredMethod|getField|getMethod|"
    rb"GetField|GetMethod|GetProperty|FieldByName|MethodByName)\s*\([^;{}]*\Z"
)
_SUBSCRIPT = re.compile(rb"[\w$)\]]\s*\[\s*\Z")


def lines_by_hand(home: Document, renamed: Renamed, unbound: Collection[int]) -> list[int]:
    """The zero-based lines of such places in the file that declares the name; `unbound` are members of unknown objects.

    They are the strings by which reflection names a member, and the bodies of macros.
    """
    buffer = home.syntax.buffer
    found = {*unbound, *_in_texts(home, renamed)}
    return [buffer.line_at(start) for start in sorted(found)]


def format_note(followed: int, lines: list[int]) -> str:
    """What a reason says of the places that are left; empty where none is."""
    if not lines:
        return ""
    listed = ", ".join(str(line + 1) for line in lines[:MAX_LISTED]) + (", ..." if len(lines) > MAX_LISTED else "")
    return f" in {followed} of {followed + len(lines)} places; the rest by hand: line {listed}"


def _in_texts(home: Document, renamed: Renamed) -> Iterator[int]:
    syntax, data = home.syntax, home.syntax.buffer.data
    is_member = renamed.names.scopes.kind(renamed.binding.scope) is ScopeKind.CLASS
    has_macros = b"#define" in data
    if not is_member and not has_macros:
        return
    subscripts = renamed.names.table.classes.members_need_receiver
    for match in islice(whole_word(renamed.renaming.old).finditer(data), MAX_LOOKED):
        start = match.start()
        if has_macros and any(node.type in _MACRO_BODIES for node in path_to(syntax, start)[0]):
            yield start
            continue
        quote = data[start - 1 : start]
        if not is_member or not quote or quote not in _QUOTES or data[match.end() : match.end() + 1] != quote:
            continue
        before = data[syntax.buffer.line_span(syntax.buffer.line_at(start))[0] : start - 1]
        is_named = _REFLECTION.search(before) or (subscripts and _SUBSCRIPT.search(before))
        if is_named and syntax.region_at(start) is Region.STRING:
            yield start
