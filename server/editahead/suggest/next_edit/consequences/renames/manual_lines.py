"""Lines that may belong to a rename and cannot be resolved: the reason lists them, and no edit is offered."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import islice

from editahead.analysis.signatures import path_to
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding
from editahead.suggest.types import Document
from editahead.syntax.scope_table import ScopeKind
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.words import whole_word, word_offsets

MAX_OCCURRENCES, MAX_LISTED = 300, 5  # occurrences of the old name that are checked, and lines that are listed
_MAX_SPACE = 8  # bytes before `##`
_MACRO_BODIES = frozenset({"preproc_arg"})
_QUOTES = b"\"'`"
_REFLECTION = re.compile(
    rb"\b(?:getattr|setattr|hasattr|delattr|attrgetter|methodcaller|getDeclaredField|getDeclaredMethod|getField|getMethod|"
    rb"GetField|GetMethod|GetProperty|FieldByName|MethodByName)\s*\([^;{}]*\Z"
)
_SUBSCRIPT = re.compile(rb"[\w$)\]]\s*\[\s*\Z")


def find_manual_lines(
    document: Document, renamed: RenamedBinding, unbound_offsets: Collection[int], followed: Collection[int]
) -> list[int]:
    """The zero-based lines of the declaring document that the user has to check.

    They hold the members at `unbound_offsets`, names in strings of reflection, or bodies of macros, without those that
    are `followed`.
    """
    buffer = document.syntax.buffer
    offsets = {*unbound_offsets, *_unresolved_offsets(document, renamed)}.difference(followed)
    return [buffer.line_at(offset) for offset in sorted(offsets)]


def macro_body_offsets(syntax: SyntaxSnapshot, renamed: RenamedBinding) -> list[int]:
    """The offsets of the old name of a file-level declaration in bodies of macros, if it means nothing else there.

    Members, parameters of the macro, operands of `#` and words in strings do not count.
    """
    resolver, old = renamed.resolver, renamed.renaming.old
    is_global = resolver.scopes.kind(renamed.binding.scope) is ScopeKind.MODULE
    if not is_global or not syntax.count(b"#define") or len(resolver.meanings(old)) > 1:
        return []
    offsets, data, word = list[int](), syntax.buffer.data, whole_word(old)
    for offset in islice(whole_words(syntax, old), MAX_OCCURRENCES):
        path, shift = path_to(syntax, offset)
        body = next((number for number, node in enumerate(path) if node.type in _MACRO_BODIES), 0)
        if not body:
            continue
        parameters = path[body - 1].child_by_field_name("parameters")
        before = data[path[body].start_byte + shift : offset].rstrip()
        end = offset + len(old.encode())
        is_pasted = data[end : end + _MAX_SPACE].lstrip().startswith(b"##")
        is_other = is_pasted or before.endswith((b".", b"->", b"::", b"#")) or before.count(b'"') % 2
        if not is_other and (parameters is None or not word.search(parameters.text or b"")):
            offsets.append(offset)
    return offsets


def format_note(followed: int, lines: list[int]) -> str:
    """The end of a reason that lists the lines to check by hand; empty without lines."""
    if not lines:
        return ""
    listed = ", ".join(str(line + 1) for line in lines[:MAX_LISTED]) + (", ..." if len(lines) > MAX_LISTED else "")
    return f" in {followed} of {followed + len(lines)} places; the rest by hand: line {listed}"


def _unresolved_offsets(document: Document, renamed: RenamedBinding) -> Iterator[int]:
    """Yield the offsets of the old name in strings of reflection and in bodies of macros."""
    syntax, data = document.syntax, document.syntax.buffer.data
    is_member = renamed.resolver.scopes.kind(renamed.binding.scope) is ScopeKind.CLASS
    has_macros = syntax.count(b"#define") > 0
    if not is_member and not has_macros:
        return
    subscripts = renamed.resolver.table.classes.members_need_receiver
    for offset in islice(whole_words(syntax, renamed.renaming.old), MAX_OCCURRENCES):
        if has_macros and any(node.type in _MACRO_BODIES for node in path_to(syntax, offset)[0]):
            yield offset
            continue
        quote = data[offset - 1 : offset]
        end = offset + len(renamed.renaming.old.encode())
        if not is_member or not quote or quote not in _QUOTES or data[end : end + 1] != quote:
            continue
        before = data[syntax.buffer.line_span(syntax.buffer.line_at(offset))[0] : offset - 1]
        is_member_access = _REFLECTION.search(before) or (subscripts and _SUBSCRIPT.search(before))
        if is_member_access and syntax.region_at(offset) is Region.STRING:
            yield offset


def whole_words(syntax: SyntaxSnapshot, name: str) -> Iterator[int]:
    """Yield the offsets of a name in the parts of a text that hold it, in order."""
    for first, data in syntax.parts_with(name.encode()):
        yield from (first + offset for offset in word_offsets(data, name))
