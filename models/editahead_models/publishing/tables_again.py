"""`editahead-models report --product`: the tables of a read made again from its rows; nothing is measured.

For a column that a table did not have: a read of the test projects is not spent on it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from editahead_models.publishing import stored
from editahead_models.publishing.figures import TABLES
from editahead_models.replay.measured_rows import MeasuredRows


def take_in(work: Sequence[Path], docs: Path) -> None:
    """Make the published tables again from the rows of the reads that they came from. Raises ValueError, one line."""
    known = stored.load(docs)
    folders = sorted(path.parent for folder in work for path in folder.glob(f"{known['split'] or '-'}/*/read.json"))
    if not folders:
        raise ValueError(f"no read of what is published in {docs}")
    for folder in folders:
        one, parts = again(known["languages"].get(folder.name), folder)
        stored.store(docs, known["split"], folder.name, one)
        print(f"{folder.name}: {', '.join(parts)}")


def again(entry: Mapping[str, Any] | None, folder: Path) -> tuple[dict[str, Any], list[str]]:
    """An entry with the tables of the parts that a work folder's read measured, and these parts.

    Raises ValueError, one line, where no part is of that read, or the folder has not all of its rows.
    """
    read = json.loads((folder / "read.json").read_text(encoding="utf-8"))["id"]
    of_part = {} if entry is None else {part: _read_of(entry, part) for part in entry["tables"]}
    parts = [part for part, one in of_part.items() if one == read]
    if entry is None or not parts:
        raise ValueError(f"{folder}: nothing that is published of {folder.name} comes from its read {read}")
    rows = MeasuredRows(folder)
    tables = dict(entry["tables"])
    for part in parts:
        measured = list(rows.rows(entry["projects"], part))
        if len(measured) != entry["rows"][part]:
            raise ValueError(f"{folder}: {len(measured)} rows of {part}, and {entry['rows'][part]} were published")
        tables[part] = TABLES[part](measured)
    return {**entry, "tables": tables}, parts


def _read_of(entry: Mapping[str, Any], part: str) -> str:
    return str(entry.get("parts", {}).get(part, entry)["read"])
