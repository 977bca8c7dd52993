"""The new name of a name that is typed over: that which the user gave to the same name elsewhere in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from editahead.suggest.context import CursorContext
from editahead.suggest.types import Completion, Document

EXACT, EXACT_BEGUN = 0.88, 0.97
"""How often it is that name, with nothing of it and with a letter typed: least of four languages (`models/LOG.md`)."""


class RenamedName(NamedTuple):
    """A new name, and the letters of it that are missing at the cursor."""

    name: str
    missing: str


def renamed_name(document: Document, cursor: CursorContext) -> RenamedName | None:
    """The name that replaced the same old name most recently; None if the typed letters or the rest do not fit it."""
    history = document.history
    latest = [*history.settled[-1:], *([history.pending] if history.pending is not None else [])]
    if not any(edit.removed.strip() and edit.start <= cursor.end and edit.end >= cursor.start for edit in latest):
        return None
    from editahead.suggest.next_edit.consequences.name_changes import renamings, typed_name  # rarely needed

    data = document.syntax.buffer.data
    changed = typed_name(history, data, cursor.end)
    if changed is None or not changed[1].startswith(cursor.prefix):
        return None
    old, word = changed
    rest = word[len(cursor.prefix) :]
    for renaming in renamings(history, data):
        new = renaming.new
        fits = new.startswith(cursor.prefix) and new.endswith(rest) and len(new) > len(word)
        if renaming.old == old and fits:
            return RenamedName(new, new[len(cursor.prefix) : len(new) - len(rest)])
    return None


def with_renamed_name(
    name: str, prefix: str, ranked: Iterable[Completion], make: Callable[[str], Completion]
) -> Iterator[Completion]:
    """The ranked items behind that of a renamed name, with probabilities that leave it its own."""
    own = EXACT_BEGUN if prefix else EXACT
    yield replace(make(name), probability=own)
    for item in ranked:
        if item.label != name:
            yield replace(item, probability=item.probability * (1 - own))
