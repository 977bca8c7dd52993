"""models/results/product.json, and the pages that are written from it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from editahead_models.publishing import summary
from editahead_models.publishing.page import derive
from editahead_models.publishing.parts import OTHER_SERVER, PARTS
from editahead_models.publishing.sizes import USED
from editahead_models.report.pages.page import write as write_pages
from editahead_models.report.results import data_of

NAME = "product"
MISSED_AIMS = "missed-aims"
SAME = ("projects", "sizes", "seed")
"""What reads must have in common whose parts stand beside each other."""
SOURCE = ("read", "commit", "date", "bundles")
"""What a part that is kept says of the read that measured it."""


def load(folder: Path) -> dict[str, Any]:
    """What is stored in a folder of results; an empty table where nothing is."""
    path = data_of(folder) / f"{NAME}.json"
    if not path.exists():
        return {"split": "", "languages": {}}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def store(folder: Path, split: str, language: str, entry: dict[str, Any]) -> Path:
    """Store what was measured of one language, beside the others of the same split."""
    found = load(folder)
    others = found["languages"] if found["split"] == split else {}
    data = data_of(folder) / f"{NAME}.json"
    data.parent.mkdir(parents=True, exist_ok=True)
    table = {"split": split, "languages": {**others, language: entry}}
    data.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return data


def check_alike(before: Mapping[str, Any] | None, now: Mapping[str, Any], parts: Sequence[str]) -> None:
    """Raise ValueError, one line, where parts of an earlier read would stand beside those of other projects or sizes.

    To be asked before `parts` are measured: a read of the test projects counts, whatever becomes of it.
    """
    kept = [part for part in before["tables"] if part not in parts] if before is not None else []
    for name in SAME:
        if kept and before is not None and _of(before, name, kept) != _of(now, name, kept):
            raise ValueError(f"the parts {', '.join(kept)} were measured with other {name}: measure all parts")


def _of(entry: Mapping[str, Any], name: str, parts: Iterable[str]) -> Any:
    """What parts of a read must have in common with another one: of the sizes those that they depend on."""
    value = entry[name]
    used = {size for part in parts for size in USED[part]}
    return {size: count for size, count in value.items() if size in used} if name == "sizes" else value


def with_other_parts(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> dict[str, Any]:
    """What was measured now, beside the parts of an earlier read that is `check_alike`; each part knows its read."""
    kept = [part for part in before["tables"] if part not in now["tables"]] if before is not None else []
    if before is None or not kept:
        return dict(now)
    tables, rows = ({**before[kind], **now[kind]} for kind in ("tables", "rows"))
    earlier = before.get("parts", {})
    if {*now["tables"]} <= {OTHER_SERVER}:  # nothing of ours was measured: that read stands beside ours
        first, sources = before, {**earlier, **{part: _source(now) for part in now["tables"]}}
    else:
        first, sources = now, {part: earlier.get(part, _source(before)) for part in kept}
    return {
        **first,
        "sizes": {**before["sizes"], **_of(now, "sizes", now["tables"])},
        "truth": now["truth"] or before["truth"],
        "missing": list(dict.fromkeys([*_still_missing(before["missing"], now["tables"]), *now["missing"]])),
        "rows": {part: rows[part] for part in PARTS if part in rows},
        "tables": {part: tables[part] for part in PARTS if part in tables},
        "parts": sources,
    }


def _still_missing(lines: Sequence[str], measured: Collection[str]) -> list[str]:
    """What an earlier read could not measure, without the failures of parts that were measured since."""
    return [line for line in lines if not any(f" ({part}: " in line for part in measured)]


def _source(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: entry[name] for name in SOURCE}


def write(docs: Path, data: Path) -> list[Path]:
    """Write the pages of a folder of results that show the product's figures, and the blocks of the pages above it.

    The page of missed aims repeats them, so it is written together with the product's own page.
    """
    if not (data / f"{NAME}.json").exists():
        return []
    pages = write_pages(docs, data, [NAME, MISSED_AIMS], derive)
    summary.write(docs.resolve().parents[1], load(docs))
    return pages
