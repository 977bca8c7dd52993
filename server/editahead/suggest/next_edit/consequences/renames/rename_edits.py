"""The edit that renames one place, with the labels by which it is rated, grouped and turned down."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.renames.rename_verdict import Renamed, site_of
from editahead.suggest.next_edit.consequences.types import Consequence, Moment
from editahead.suggest.types import Document
from editahead.text.edits import ByteEdit

SOURCE = "rename"


def kind_of(renamed: Renamed) -> str:
    """The class of a renaming, by which its consequences are rated."""
    times = "again" if len(renamed.done) > 1 else "once"
    return f"{renamed.names.kind(renamed.binding)}/{site_of(renamed)}/{times}"


def group_of(uri: str, renamed: Renamed) -> str:
    """What the consequences of one renaming share."""
    binding = renamed.binding
    span = renamed.names.scopes.span(binding.scope)[0] if binding.scope[0] >= 0 or binding.scope[1] else 0
    text = f"{uri} {binding.name} {renamed.renaming.new} {binding.namespace.value} {span} {binding.at}"
    return f"{SOURCE}-{blake2b(text.encode(), digest_size=4).hexdigest()}"


def shorthand_of(renamed: Renamed, at: NameAt, text: bytes, start: int) -> str:
    """What a name of the file that declares it stands for besides what is renamed; in `text` it stands at `start`.

    Importers follow what the file declares, so that an export keeps its name only where it hands on an import. What is
    imported keeps its name where the file binds its own to something else as well: `except ImportError: a = None`.
    """
    if at.occurrence.shorthand == "export":
        return "export" if renamed.names.kind(renamed.binding) == "import" else ""
    if at.occurrence.kind == "import" and text[max(0, start - 16) : start].split()[-1:] != [b"as"]:
        declared = renamed.names.declarations(renamed.binding)
        kinds = {one.occurrence.kind for one in declared if at in declared}  # else it follows what the file declares
        return "import" if kinds - {"import"} else ""
    return at.occurrence.shorthand


def rename_candidate(
    moment: Moment,
    home: Document,
    target: Document,
    renamed: Renamed,
    kind: str,
    start: int,
    *,
    shorthand: str,
    note: str = "",
) -> Iterator[Consequence]:
    """The edit that renames one place, unless it was turned down.

    A shorthand becomes a key and a name, an export keeps the name by which other files import it, and an import that
    of what it imports. `note` ends the reason.
    """
    renaming, buffer = renamed.renaming, target.syntax.buffer
    group = group_of(home.uri, renamed)
    pattern = f"{SOURCE} {renaming.old} -> {renaming.new} {group}"
    text = " ".join(buffer.line_bytes(buffer.line_at(start)).decode("utf-8", "replace").split())
    key = f"{pattern} @ {text}"
    if not_rejected(moment.document, key).passed and not_rejected(moment.document, pattern).passed:
        old, new = renaming.old, renaming.new
        table = target.syntax.language.scopes
        sign = table.literals.key_sign if table is not None else ": "
        forms = {"name": f"{old}{sign}{new}", "key": f"{new}{sign}{old}", "export": f"{new} as {old}"}
        forms["import"] = f"{old} as {new}"
        edit = ByteEdit(start, start + len(old.encode()), forms.get(shorthand, new).encode())
        reason = f"`{old}` is now `{new}`{note}"
        like = home.syntax.buffer.line_at(renaming.places[-1].start)
        yield Consequence(SOURCE, target, edit, group, kind, reason, len(renamed.done), like, key, pattern)
