"""Edits of docstrings and comments that mention a renamed declaration as code.

A mention stands between backticks, in a field that names a parameter (`:param x:`,
`@param x`), or before a colon in the list of arguments of a docstring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE
from editahead.analysis.signatures import path_to
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import path_of
from editahead.suggest.next_edit.consequences.types import Consequence, Moment
from editahead.suggest.types import Document
from editahead.syntax.scope_table import ScopeKind
from editahead.syntax.snapshot import Region
from editahead.text.edits import ByteEdit
from editahead.text.words import WORD_BYTES, whole_word

SOURCE = "mention"
MAX_OCCURRENCES, MAX_MENTIONS = 300, 30
"""Occurrences of the old name that are checked, and mentions that are offered."""
COMMENT_SIGNS = (b"//", b"/*", b"* ", b"*", b"*/", b"@")
MAX_ABOVE = 4000
"""Bytes above a function that are searched for its comment."""
_PATH = rb"[~!]?(?:(?:[$" + WORD_BYTES + rb"]+\.)*(?:%s)\.)?"
_IN_TICKS = rb"`{1,2}%s(?P<name>%s)(?:\(\))?`{1,2}"
FIELD = rb":(?:param|parameter|arg|argument|key|keyword|type|ivar|cvar|var|vartype)\b[^:\n]*?\s(?P<name>%s)[ \t]*:"
TAG = rb"[@\\](?:param|arg|tparam)\s+(?:\{[^}\n]*\}\s*)?\[?(?P<name>%s)(?![$" + WORD_BYTES + rb"])"
LISTED = rb"^[ \t]*(?P<name>%s)[ \t]*(?:\([^)\n]*\)[ \t]*)?:"
_OBJECTS = (b"self", b"cls", b"this")
_LISTED_KINDS = frozenset({"parameter", "field"})


def find_mentions(
    moment: Moment, document: Document, renamed: RenamedBinding, group: str, growth_before: tuple[tuple[int, int], ...]
) -> Iterator[Consequence]:
    """Edits of the mentions of a renamed declaration in its own file, from the line of the cursor on, then above.

    `growth_before` holds (offset in the text before the renaming, bytes added there).
    """
    old, new, kind = renamed.renaming.old, renamed.renaming.new, renamed.resolver.kind(renamed.binding)
    data = document.syntax.buffer.data
    start, end = _search_span(renamed, data, growth_before)
    patterns = _patterns(old.encode(), kind, _owners(document, renamed))
    offsets: list[int] = []
    word = whole_word(old)
    for number, match in enumerate(word.finditer(data, start, end)):
        if number >= MAX_OCCURRENCES or len(offsets) >= MAX_MENTIONS:
            break
        moment.check()
        if _is_mention(document, match.start(), patterns):
            offsets.append(match.start())
    pattern = f"{SOURCE} {old} -> {new} {group}"
    cursor = moment.byte if document is moment.document else 0
    line_start = data.rfind(b"\n", 0, min(cursor, len(data))) + 1
    for offset in sorted(offsets, key=lambda byte: (byte < line_start, byte)):
        buffer = document.syntax.buffer
        line = buffer.line_at(offset)
        key = f"{pattern} @ {' '.join(buffer.line_text(line).split())}"
        if not_rejected(moment.document, key).passed and not_rejected(moment.document, pattern).passed:
            edit = ByteEdit(offset, offset + len(old.encode()), new.encode())
            like = buffer.line_at(renamed.renaming.changes[-1].start)
            reason = f"`{old}` is now `{new}`, and this text names it"
            mention_group = group.replace("rename", SOURCE, 1)
            yield Consequence(
                SOURCE, document, edit, mention_group, kind, reason, len(renamed.replaced), like, key, pattern, True
            )


def _owners(document: Document, renamed: RenamedBinding) -> tuple[bytes, ...]:
    """Qualifiers of a mention of the declaration: its class or `self`, or its module."""
    scopes, ref = renamed.resolver.scopes, renamed.binding.scope
    if ref == MODULE_SCOPE:
        path = path_of(document.uri)
        return ((path.parent if path.stem == "__init__" else path).stem.encode(),)
    owner = scopes.local(ref) if scopes.kind(ref) is ScopeKind.CLASS else None
    return (*_OBJECTS, owner.name.encode()) if owner is not None else ()


def _patterns(old: bytes, kind: str, owners: tuple[bytes, ...]) -> tuple[re.Pattern[bytes], ...]:
    """Patterns of mentions; all but the first are for parameters and fields."""
    name = re.escape(old)
    path = _PATH % b"|".join(map(re.escape, owners)) if owners else b""
    ticks = re.compile(_IN_TICKS % (path, name))
    if kind not in _LISTED_KINDS:
        return (ticks,)
    return (ticks, re.compile(FIELD % name), re.compile(TAG % name), re.compile(LISTED % name))


def _is_mention(document: Document, offset: int, patterns: tuple[re.Pattern[bytes], ...]) -> bool:
    """Whether the word at an offset is a mention in a comment or docstring."""
    buffer = document.syntax.buffer
    start, end = buffer.line_span(buffer.line_at(offset))
    line = buffer.data[start:end]
    matching = [
        number
        for number, pattern in enumerate(patterns)
        if any(match.start("name") == offset - start for match in pattern.finditer(line))
    ]
    if not matching:
        return False
    region = document.syntax.region_at(offset + 1)
    if region is Region.COMMENT:
        return matching != [3]  # `name: text` in a comment is a heading
    return region is Region.STRING and _is_docstring(document, offset)


def _is_docstring(document: Document, offset: int) -> bool:
    """Whether the string at an offset is a statement of its own."""
    path, _ = path_to(document.syntax, offset)
    strings = document.syntax.language.string_nodes
    outer = next((number for number, node in enumerate(path) if node.type in strings), 0)
    return outer > 0 and path[outer - 1].type == "expression_statement"


def _search_span(renamed: RenamedBinding, data: bytes, growth_before: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """The span of the current text to search for mentions: the enclosing function or class with the comment above it.

    The whole file for module-level declarations.
    """
    scopes, ref = renamed.resolver.scopes, renamed.binding.scope
    if ref == MODULE_SCOPE:
        return 0, len(data)
    enclosing = [scope for scope in scopes.around(ref) if scopes.kind(scope) in (ScopeKind.FUNCTION, ScopeKind.CLASS)]
    if not enclosing:
        return 0, len(data)
    first, last = (_current_offset(offset, growth_before) for offset in scopes.span(enclosing[0]))
    lines_above = data[max(0, first - MAX_ABOVE) : first].split(b"\n")
    first_row = len(lines_above) - 1
    while first_row > 0 and lines_above[first_row - 1].lstrip()[:2] in COMMENT_SIGNS:
        first_row -= 1
    return max(0, first - sum(len(line) + 1 for line in lines_above[first_row:]) + 1), last


def _current_offset(offset: int, growth_before: tuple[tuple[int, int], ...]) -> int:
    return offset + sum(growth for changed_at, growth in growth_before if changed_at < offset)
