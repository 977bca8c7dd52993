"""Tables of a page: stored figures, each beside the printed one where a paper has it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from editahead_models.report.pages.stored import COLON, Group, Row, value_of
from editahead_models.report.results import LANGUAGE_NAMES, in_order, table
from editahead_models.wilson_interval import wilson

Spec = Mapping[str, Any]
NOTHING = "-"
NARROW = 0.04
SHORT = "*"
"""Behind a figure of a run that ended before it had enough."""


def tables(
    spec: Spec, groups: Mapping[str, Group], is_enough: Callable[[Row], bool] = lambda row: True, key: str = ""
) -> Iterator[str]:
    """The table of a part, once for each of its groups; all cells are of the row `key` where one is given."""
    for name in spec.get("groups", [spec.get("group", "")]):
        group = groups.get(name) or Group(name, name, {})
        columns = [*spec.get("columns", ()), *_across(spec.get("across"), group)]
        lines = [_line(columns, entry, group, is_enough, key) for entry in _entries(spec, group, key)]
        if "groups" in spec:
            yield f"### {name}\n"
        yield table([spec.get("head", ""), *(column["title"] for column in columns)], lines)


def _across(column: Spec | None, group: Group) -> Iterator[Spec]:
    """A column for each row of the group: its languages."""
    for key in in_order(group.rows) if column is not None else ():
        yield {"title": LANGUAGE_NAMES[key], "key": key, **(column or {})}


def _entries(spec: Spec, group: Group, key: str) -> list[Spec]:
    """The rows of a table: as listed, the keys of what stands at a path, or all rows that are as `where` says."""
    if "rows" in spec:
        return [entry if isinstance(entry, Mapping) else {"label": entry} for entry in spec["rows"]]
    if "rows_of" in spec:
        chosen = [group.rows[key]] if key else group.rows.values()
        found = dict.fromkeys(name for row in chosen for name in value_of(row, spec["rows_of"]) or ())
        labels = spec.get("labels", {})
        names = labels or (list(found) if spec.get("unsorted") else sorted(filter(None, found)))
        return [{"label": labels.get(name, name), "row": name} for name in names]
    where = spec.get("where", {})
    label = spec.get("label", "")
    rows = {name: row for name, row in group.rows.items() if all(row.get(part) == it for part, it in where.items())}
    rows = {name: row for name, row in rows.items() if name.startswith(spec.get("begins", ""))}
    return [{"label": row.get(label, LANGUAGE_NAMES.get(name, name)), "row": name} for name, row in rows.items()]


def _line(columns: Sequence[Spec], entry: Spec, group: Group, is_enough: Callable[[Row], bool], key: str) -> list[str]:
    fields = {"row": entry["label"], **entry}
    fields["row"] = fields["row"].replace(":", COLON)
    printed = entry.get("printed")
    cells = [str(entry["label"])]
    for number, column in enumerate(columns):
        row = group.rows.get(column.get("key", key or "{row}").format(**fields))
        here = _judged(row, entry) if column.get("reached") else _cell(row, column, fields)
        if here != NOTHING and row is not None and column.get("marked") and not is_enough(row):
            here += SHORT
        if printed is None or number >= len(printed):
            cells.append(here)
            continue
        there = shown(printed[number], {"plain": True})
        cells.append(f"{here} / {there}" if "path" in column else there)
    return cells


def _cell(row: Row | None, column: Spec, fields: Mapping[str, Any]) -> str:
    """The figure of a column, or several with a slash between; an interval behind it where the column has one."""

    def at(path: str) -> Any:
        return None if row is None else value_of(row, path.format(**fields))

    if "text" in column:
        return str(column["text"]).format(**fields)
    if "paths" in column:
        return " / ".join(shown(at(path), column) for path in column["paths"])
    value = at(column.get("path", fields.get("path", NOTHING)))
    if "wilson" in column and value is not None:
        count = at(column["wilson"])
        interval = wilson(round(value * count), count) if count else None
        return shown({"share": value, "interval": interval, "n": count}, column)
    if "interval" in column and value is not None:
        return shown({"share": value, "interval": at(column["interval"]) or None, "n": 1}, column)
    return shown(value, {**column, **fields})


def _judged(row: Row | None, entry: Spec) -> str:
    """Whether the figure of an entry reaches its bound, `most` or `least`."""
    value = None if row is None else value_of(row, entry["path"])
    if value is None or math.isnan(value):
        return NOTHING
    figure = value * entry.get("scale", 1)
    return "yes" if entry.get("least", figure) <= figure <= entry.get("most", figure) else "**no**"


def shown(value: Any, column: Spec) -> str:
    """A figure as its column writes it: times `scale`, with so many `digits` and a `unit`.

    An interval as its two ends; a share of cases in percent, with its interval and, by `of`, their number.
    """
    if value is None or value == "":
        return NOTHING
    if isinstance(value, Mapping):
        if not value["n"]:
            return "no case"
        low, high = value["interval"] or (None, None)
        bounds = "" if low is None or high is None else f" ({_ends(low, high)})"
        of = f" of {value['n']:,}" if column.get("of") else ""
        return f"{100 * value['share']:.1f} %{bounds}{of}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " to ".join(shown(end, column) for end in value)
    if isinstance(value, (int, float)):
        value *= column.get("scale", 1)
        number = f"{value:g}" if column.get("plain") else f"{value:,.{column.get('digits', 1)}f}"
        return f"{number}{column.get('unit', '')}"
    return str(value)


def _ends(low: float, high: float) -> str:
    """The ends of an interval in percent, with a decimal where it is narrow."""
    digits = 1 if high - low < NARROW else 0
    return f"{100 * low:.{digits}f} to {100 * high:.{digits}f}"
