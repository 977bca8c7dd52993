"""Figures of trained models: taken in from the folders of runs, stored as JSON, and read as rows by name."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from editahead_models.report.results import LANGUAGE_NAMES, in_order, rounded

Row = Mapping[str, Any]
Found = dict[str, Any]
COLON = "\0"
CELL = ("task", "family", "hidden", "rate", "seed")
"""What runs of `train synthetic` are told apart by; POMP has no settings."""


@dataclass(frozen=True)
class Group:
    """Rows of stored files. Of groups about the same thing (`of`), the first with all rows of a claim decides it."""

    name: str
    of: str
    rows: dict[str, Row]


def value_of(row: Any, path: str) -> Any:
    """What stands at a path of keys joined by colons; None where nothing does.

    A key of a list is the `name` or `run` of an entry. A key that holds a colon has COLON in its place.
    """
    for part in path.split(":") if path else ():
        key = part.replace(COLON, ":")
        if isinstance(row, list):
            row = next((entry for entry in row if key in (entry.get("name"), entry.get("run"))), None)
        else:
            row = row.get(key) if isinstance(row, Mapping) else None
    return row


def groups_of(sources: Sequence[Mapping[str, Any]], data: Path) -> dict[str, Group]:
    """The groups that the sources of a page name; files that are not there give no rows."""
    found: dict[str, Group] = {}
    for source in sources:
        name = source["group"]
        group = found.setdefault(name, Group(name, source.get("of", name), {}))
        path = data / f"{source['file']}.json"
        if path.exists():
            entries = value_of(json.loads(path.read_text(encoding="utf-8")), source.get("rows", ""))
            group.rows.update(_rows(entries or {}, source))
    return found


def _rows(entries: Any, source: Mapping[str, Any]) -> dict[str, Row]:
    """Rows by name: as they are stored, or by the template `key`; `best` chooses between those of one name."""
    if "name" in source:
        return {source["name"]: entries}
    if isinstance(entries, Mapping):
        return in_order(entries) if entries.keys() <= LANGUAGE_NAMES.keys() else dict(entries)
    rows: dict[str, Row] = {}
    for entry in entries:
        key, best = source["key"].format(**entry), source.get("best", "")
        if key not in rows or value_of(entry, best) > value_of(rows[key], best):
            rows[key] = entry
    return rows


def take_in(runs: Path, data: Path) -> Counter[str]:
    """Store the figures of all runs below a folder, by what they are of; how many of each file.

    What was stored of other rows stays, but for rows of a table of language models that read other data.
    """
    taken: Counter[str] = Counter()
    for path in sorted(runs.rglob("metrics.json")):
        run = rounded(json.loads(path.read_text(encoding="utf-8")))
        for file, store in _stores(run):
            target = data / f"{file}.json"
            found: Found = json.loads(target.read_text(encoding="utf-8")) if target.exists() else {}
            store(found, run)
            data.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
            taken[file] += 1
    return taken


def _stores(run: Row) -> Iterator[tuple[str, Any]]:
    """The file that a run's figures belong to, and what puts them into it."""
    if {"row", "language", "data_hash"} <= run.keys():
        yield f"language-models-{run['language']}", _store_language_model
    elif "task" in run:
        yield "edit-models", lambda found, run: _replace(found, "cells", run, CELL)
    elif "corpus" in run:
        yield "edit-models", lambda found, run: _replace(found, "mined", run, ("family", "data"))
    elif {"searches", "editor"} & run.keys():
        yield "copyspan", lambda found, run: _replace(found, "runs", run, ("name", "row"))


def _store_language_model(found: Found, run: Row) -> None:
    rows = {name: row for name, row in found.get("rows", {}).items() if row["data_hash"] == run["data_hash"]}
    found["rows"] = rows | {run["row"]: run}


def _replace(found: Found, name: str, run: Row, keys: Sequence[str]) -> None:
    """Put a run in the place of the stored one with the same keys, or behind the others."""
    mine = [run.get(key) for key in keys]
    found[name] = [entry for entry in found.get(name, ()) if [entry.get(key) for key in keys] != mine] + [run]
