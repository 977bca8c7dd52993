"""Entries of a table that begin with the typed letters; a further letter reads only what the one before left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from editahead.text.memo import on_forget

Value = TypeVar("Value")

TABLES_KEPT = 12
_kept: list[tuple[Mapping[str, Any], str, Mapping[str, Any]]] = []  # (table, prefix, its part), the latest first
on_forget(_kept.clear)


def beginning_with(table: Mapping[str, Value], prefix: str) -> Mapping[str, Value]:
    """The entries whose keys begin with a prefix, in the order of the table.

    Remembered for the very table, which must not change: a key of a longer prefix begins with the shorter one too.
    """
    if not prefix:
        return table
    source, others = table, []
    for entry in tuple(_kept):
        known, before, part = entry
        if known is not table:
            others.append(entry)
        elif before == prefix:
            return part
        elif prefix.startswith(before):
            source = part
    part = {key: value for key, value in source.items() if key.startswith(prefix)}
    _kept[:] = [(table, prefix, part), *others[: TABLES_KEPT - 1]]
    return part
