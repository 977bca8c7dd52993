"""Consequences of a renamed declaration for the text about it: docstrings and comments that name it as code.

A word of plain English is never one: it must stand between backticks, in a field that names a parameter (`:param x:`,
`@param x`), or before a colon in the list of arguments of a docstring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE
from editahead.analysis.signatures import path_to
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.renames.rename_verdict import Renamed
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import path_of
from editahead.suggest.next_edit.consequences.types import Consequence, Moment
from editahead.suggest.types import Document
from editahead.syntax.scope_table import ScopeKind
from editahead.syntax.snapshot import Region
from editahead.text.edits import ByteEdit
from editahead.text.words import WORD_BYTES, whole_word

SOURCE = "mention"
MAX_LOOKED, MAX_MENTIONS = 300, 30
"""Places of the old name that are looked at, and mentions that are given."""
COMMENT_SIGNS = (b"//", b"/*", b"* ", b"*", b"*/", b"@")
MAX_ABOVE = 4000
"""Bytes above a function in which the comment about it stands."""
_PATH = rb"[~!]?(?:(?:[$" + WORD_BYTES + rb"]+\.)*(?:%s)\.)?"
_IN_TICKS = rb"`{1,2}%s(?P<name>%s)(?:\(\))?`{1,2}"
FIELD = rb":(?:param|parameter|arg|argument|key|keyword|type|ivar|cvar|var|vartype)\b[^:\n]*?\s(?P<name>%s)[ \t]*:"
TAG = rb"[@\\](?:param|arg|tparam)\s+(?:\{[^}\n]*\}\s*)?\[?(?P<name>%s)(?![$" + WORD_BYTES + rb"])"
LISTED = rb"^[ \t]*(?P<name>%s)[ \t]*(?:\([^)\n]*\)[ \t]*)?:"
_OBJECTS = (b"self", b"cls", b"this")
_LISTED_KINDS = frozenset({"parameter", "field"})


def mentions(
    moment: Moment, home: Document, renamed: Renamed, group: str, delta_before: tuple[tuple[int, int], ...]
) -> Iterator[Consequence]:
    """The mentions of a renamed declaration in its own file, from the line of the cursor on, then from the top.

    `delta_before` are (byte of the version before, bytes that the text grew by there).
    """
    old, new, kind = renamed.renaming.old, renamed.renaming.new, renamed.names.kind(renamed.binding)
    data = home.syntax.buffer.data
    start, end = _span(renamed, data, delta_before)
    patterns = _patterns(old.encode(), kind, _owners(home, renamed))
    found: list[int] = []
    word = whole_word(old)
    for number, one in enumerate(word.finditer(data, start, end)):
        if number >= MAX_LOOKED or len(found) >= MAX_MENTIONS:
            break
        moment.check()
        if _is_mention(home, one.start(), patterns):
            found.append(one.start())
    pattern = f"{SOURCE} {old} -> {new} {group}"
    here = moment.byte if home is moment.document else 0
    line_start = data.rfind(b"\n", 0, min(here, len(data))) + 1
    for at in sorted(found, key=lambda byte: (byte < line_start, byte)):
        buffer = home.syntax.buffer
        line = buffer.line_at(at)
        key = f"{pattern} @ {' '.join(buffer.line_text(line).split())}"
        if not_rejected(moment.document, key).passed and not_rejected(moment.document, pattern).passed:
            edit = ByteEdit(at, at + len(old.encode()), new.encode())
            like = buffer.line_at(renamed.renaming.places[-1].start)
            reason = f"`{old}` is now `{new}`, and this text names it"
            own = group.replace("rename", SOURCE, 1)
            yield Consequence(SOURCE, home, edit, own, kind, reason, len(renamed.done), like, key, pattern)


def _owners(home: Document, renamed: Renamed) -> tuple[bytes, ...]:
    """What may stand before the name and a dot: its class or the object, or its module; `shutil.rmtree` is another."""
    scopes, ref = renamed.names.scopes, renamed.binding.scope
    if ref == MODULE_SCOPE:
        path = path_of(home.uri)
        return ((path.parent if path.stem == "__init__" else path).stem.encode(),)
    owner = scopes.local(ref) if scopes.kind(ref) is ScopeKind.CLASS else None
    return (*_OBJECTS, owner.name.encode()) if owner is not None else ()


def _patterns(old: bytes, kind: str, owners: tuple[bytes, ...]) -> tuple[re.Pattern[bytes], ...]:
    """The forms in which a line names a declaration as code; the last ones are of parameters and fields alone."""
    name = re.escape(old)
    path = _PATH % b"|".join(map(re.escape, owners)) if owners else b""
    ticks = re.compile(_IN_TICKS % (path, name))
    if kind not in _LISTED_KINDS:
        return (ticks,)
    return (ticks, re.compile(FIELD % name), re.compile(TAG % name), re.compile(LISTED % name))


def _is_mention(home: Document, at: int, patterns: tuple[re.Pattern[bytes], ...]) -> bool:
    """Whether the word at a byte is named as code by the comment or docstring that it stands in."""
    buffer = home.syntax.buffer
    start, end = buffer.line_span(buffer.line_at(at))
    line = buffer.data[start:end]
    hits = [
        number for number, one in enumerate(patterns) if any(m.start("name") == at - start for m in one.finditer(line))
    ]
    if not hits:
        return False
    region = home.syntax.region_at(at + 1)
    if region is Region.COMMENT:
        return hits != [3]  # `name: text` in a comment is a heading
    return region is Region.STRING and _is_docstring(home, at)


def _is_docstring(home: Document, at: int) -> bool:
    """Whether a string at a byte is a statement of its own."""
    path, _ = path_to(home.syntax, at)
    strings = home.syntax.language.string_nodes
    outer = next((number for number, node in enumerate(path) if node.type in strings), 0)
    return outer > 0 and path[outer - 1].type == "expression_statement"


def _span(renamed: Renamed, data: bytes, delta_before: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """The bytes of the current text in which the declaration is spoken of: its function with the comment above it.

    A class for its members; the whole file for what the module declares.
    """
    scopes, ref = renamed.names.scopes, renamed.binding.scope
    if ref == MODULE_SCOPE:
        return 0, len(data)
    inner = [scope for scope in scopes.around(ref) if scopes.kind(scope) in (ScopeKind.FUNCTION, ScopeKind.CLASS)]
    if not inner:
        return 0, len(data)
    first, last = (_now(byte, delta_before) for byte in scopes.span(inner[0]))
    above = data[max(0, first - MAX_ABOVE) : first].split(b"\n")
    row = len(above) - 1
    while row > 0 and above[row - 1].lstrip()[:2] in COMMENT_SIGNS:
        row -= 1
    return max(0, first - sum(len(line) + 1 for line in above[row:]) + 1), last


def _now(byte: int, delta_before: tuple[tuple[int, int], ...]) -> int:
    return byte + sum(grown for at, grown in delta_before if at < byte)
