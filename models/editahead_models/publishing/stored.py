"""docs/results/data/product.json, and the pages that are written from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from editahead_models.publishing import summary
from editahead_models.publishing.page import page
from editahead_models.report.results import write_page

NAME = "product"


def load(folder: Path) -> dict[str, Any]:
    """What is stored in a folder of results; an empty table where nothing is."""
    path = folder / "data" / f"{NAME}.json"
    if not path.exists():
        return {"split": "", "languages": {}}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def store(folder: Path, split: str, language: str, entry: dict[str, Any]) -> Path:
    """Store what was measured of one language, beside the others of the same split."""
    found = load(folder)
    others = found["languages"] if found["split"] == split else {}
    data = folder / "data" / f"{NAME}.json"
    data.parent.mkdir(parents=True, exist_ok=True)
    table = {"split": split, "languages": {**others, language: entry}}
    data.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return data


def write(docs: Path, data: Path) -> Path | None:
    """Write the page into a folder of results, and the blocks of the pages above it. None without figures."""
    target = write_page(docs, data, NAME, page)
    if target is not None:
        summary.write(docs.resolve().parents[1], load(docs))
    return target
