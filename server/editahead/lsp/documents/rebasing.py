"""Rebasing of answers over edits since the request; answers that conflict with these are dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from editahead.suggest.types import Completions
from editahead.text.edits import ByteEdit, rebase


def rebase_edit(edit: ByteEdit, typed: Sequence[ByteEdit] | None) -> ByteEdit | None:
    """Rebase an edit over `typed` (in order), into coordinates of the text after them; None on conflict."""
    if typed is None:
        return None
    moved: ByteEdit | None = edit
    for over in typed:
        if moved is None:
            return None
        moved = rebase(moved, over)
    return moved


def rebase_cursor(byte: int, typed: Sequence[ByteEdit]) -> int:
    """Rebase a cursor position over `typed`; text typed at the cursor moves it to the right."""
    for edit in typed:
        if edit.old_end <= byte:
            byte += edit.delta
        elif edit.start < byte:
            byte = edit.new_end
    return byte


def rebase_completions(completions: Completions, typed: Sequence[ByteEdit] | None) -> Completions | None:
    """Rebase completions over `typed`; None where they no longer fit.

    Clients position a late answer themselves, as of the request: so the replaced range keeps its length and
    only moves with edits before it. Text typed at its end filters the items.
    """
    if typed is None:
        return None
    start, end, more = completions.start, completions.end, b""
    for edit in typed:
        if edit.old_end <= start and not (edit.start == start == edit.old_end):
            start, end = start + edit.delta, end + edit.delta
        elif edit.start == edit.old_end == end + len(more):
            more += edit.new
        elif edit.start <= end + len(more):
            return None
    if not typed:
        return completions
    highest = min(edit.start for edit in typed)  # an import is put in above all that was typed, or not at all
    kept = (
        replace(item, import_from="", import_edit=None)
        if item.import_edit is not None and item.import_edit.start >= highest else item
        for item in completions.items
    )  # fmt: skip
    completions = replace(completions, items=tuple(kept))
    text = more.decode("utf-8", "replace")
    at = end - start
    items = tuple(
        item
        for item in completions.items
        if item.label.encode("utf-8")[at : at + len(more)].decode("utf-8", "replace").casefold() == text.casefold()
    )
    # The typed text may be a whole word now: editors accept the first item, which must not be longer then.
    items = tuple(sorted(items, key=lambda item: len(item.label.encode("utf-8")) > at + len(more)))
    longer = any(len(item.label.encode("utf-8")) > at + len(more) for item in items)
    return replace(completions, items=items, start=start, end=end, complete=False) if longer else None
