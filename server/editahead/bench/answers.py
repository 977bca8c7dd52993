"""Parsing of the answers of any server, as an editor reads them; invalid answers count as empty."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from editahead.recording.session_file import edit_of_change
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

_NAME = re.compile(r"[^\W\d]\w*")
_SOURCE = re.compile(r"[\w-]{1,32}")
_BROKEN = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError)


@dataclass(frozen=True, slots=True)
class Offered:
    """A completion item: the inserted name, and its probability if the server sends it."""

    name: str
    probability: float | None


@dataclass(frozen=True, slots=True)
class OfferedEdit:
    """Ghost text or a next edit, as an edit of the buffer, and its probability if the server sends it."""

    edit: ByteEdit
    probability: float | None
    source: str = ""  # of a next edit, if the server names it


def completions(result: Any, prefix: str) -> list[Offered]:
    """Return the items of `textDocument/completion` that a menu would show for a prefix, in its order.

    A menu hides what does not begin with the typed letters (case counts for nothing), and sorts by `sortText`.
    """
    items = result.get("items") if isinstance(result, Mapping) else result
    rows: list[tuple[str, int, Offered]] = []
    for number, item in enumerate(items if isinstance(items, list) else []):
        try:
            label = str(item["label"])
            edit = item.get("textEdit")
            new = str(edit["newText"] if edit else item.get("insertText") or label)
            seen = str(item.get("filterText") or label).lstrip(" •")
            name = _NAME.match(new.lstrip("@."))
            if name and seen.lower().startswith(prefix.lower()):
                row = Offered(name.group(), _probability(item.get("data")))
                rows.append((str(item.get("sortText") or label), number, row))
        except _BROKEN:
            continue
    rows.sort(key=lambda row: row[:2])
    first: dict[str, Offered] = {}
    for *_, offered in rows:
        first.setdefault(offered.name, offered)
    return list(first.values())


def ghost_text(result: Any, buffer: Buffer, cursor: int) -> OfferedEdit | None:
    """Return the first item of `textDocument/inlineCompletion`, or None."""
    items: Any = result.get("items") if isinstance(result, Mapping) else result
    try:
        item = items[0]
        text = item["insertText"]
        new = text["value"] if isinstance(text, Mapping) else text
        if item.get("range") is None:
            edit = ByteEdit(cursor, cursor, str(new).encode("utf-8", "replace"))
        else:
            edit = edit_of_change(buffer, {"range": item["range"], "text": new})
        return _proposed(edit, item, buffer)
    except _BROKEN:
        return None


def next_edit(result: Any, buffer: Buffer) -> OfferedEdit | None:
    """Return the first of the `edits` of `editahead/nextEdit` or `textDocument/copilotInlineEdit`, or None."""
    try:
        item = result["edits"][0]
        return _proposed(edit_of_change(buffer, item), item, buffer)
    except _BROKEN:
        return None


def _proposed(edit: ByteEdit, item: Mapping[str, Any], buffer: Buffer) -> OfferedEdit | None:
    small = edit.trim(buffer.data)
    source = item.get("source")
    named = source if isinstance(source, str) and _SOURCE.fullmatch(source) else ""
    return None if small.is_noop(buffer.data) else OfferedEdit(small, _probability(item), named)


def _probability(holder: object) -> float | None:
    value = holder.get("probability") if isinstance(holder, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        probability = float(value)  # a text in the data of a completion
    except ValueError:
        return None
    return probability if 0.0 <= probability <= 1.0 else None
