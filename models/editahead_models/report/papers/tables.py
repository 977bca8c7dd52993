"""Tables of a page: measured figures, each beside the printed one where the paper has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from editahead_models.report.papers.stored import Group, Row, value_of
from editahead_models.report.results import table

Spec = Mapping[str, Any]
NOTHING = "-"
SHORT = "*"
"""Behind a figure of a run that ended before it had enough."""


def tables(spec: Spec, groups: Mapping[str, Group], is_enough: Callable[[Row], bool]) -> Iterator[str]:
    """The table of a part, once for each of its groups that has rows."""
    for name in spec.get("groups", [spec.get("group", "")]):
        group = groups.get(name) or Group(name, name, {})
        lines = [_line(spec["columns"], entry, group, is_enough) for entry in _entries(spec, group)]
        if "groups" in spec:
            yield f"### {name}\n"
        yield table([spec.get("head", ""), *(column["title"] for column in spec["columns"])], lines)


def _entries(spec: Spec, group: Group) -> list[Spec]:
    """The rows of a table as it lists them, else all rows of the group that are as `where` says."""
    if "rows" in spec:
        return [entry if isinstance(entry, Mapping) else {"label": entry} for entry in spec["rows"]]
    where = spec.get("where", {})
    label = spec.get("label", "")
    chosen = {key: row for key, row in group.rows.items() if all(row.get(name) == it for name, it in where.items())}
    chosen = {key: row for key, row in chosen.items() if key.startswith(spec.get("begins", ""))}
    return [{"label": row.get(label, key), "row": key} for key, row in chosen.items()]


def _line(columns: Sequence[Spec], entry: Spec, group: Group, is_enough: Callable[[Row], bool]) -> list[str]:
    fields = {"row": entry["label"], **entry}
    printed = entry.get("printed")
    cells = [str(entry["label"])]
    for number, column in enumerate(columns):
        row = group.rows.get(column.get("key", "{row}").format(**fields))
        value = None if row is None else value_of(row, column.get("path", NOTHING).format(**fields))
        here = shown(value, column)
        if value is not None and row is not None and column.get("marked") and not is_enough(row):
            here += SHORT
        if printed is None or number >= len(printed):
            cells.append(here)
            continue
        there = shown(printed[number], {"plain": True})
        cells.append(f"{here} / {there}" if "path" in column else there)
    return cells


def shown(value: Any, column: Spec) -> str:
    """A figure as its column writes it: times `scale`, with so many `digits`; an interval as its two ends."""
    if value is None or value == "":
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " to ".join(shown(end, column) for end in value)
    if isinstance(value, (int, float)):
        value *= column.get("scale", 1)
        return f"{value:g}" if column.get("plain") else f"{value:,.{column.get('digits', 1)}f}"
    return str(value)
