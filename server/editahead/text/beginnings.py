"""Entries of a table that begin with the typed letters; each further letter filters the previous result."""

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

    Cached by the identity of the table, which must not change.
    """
    if not prefix:
        return table
    source, others = table, []
    for entry in tuple(_kept):
        cached_table, cached_prefix, part = entry
        if cached_table is not table:
            others.append(entry)
        elif cached_prefix == prefix:
            return part
        elif prefix.startswith(cached_prefix):
            source = part
    part = {key: value for key, value in source.items() if key.startswith(prefix)}
    _kept[:] = [(table, prefix, part), *others[: TABLES_KEPT - 1]]
    return part
