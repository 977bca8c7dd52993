"""How often a consequence of each kind is right: shares measured on commits of the fit projects, in `rates.json`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("rates.json")


@cache
def rates() -> dict[str, dict[str, float]]:
    """Probability by source and kind of change; `` (no kind) stands for kinds that are not listed."""
    table = json.loads(FILE.read_text(encoding="utf-8"))
    return {source: {kind: float(row["probability"]) for kind, row in rows.items()} for source, rows in table.items()}


def rate(source: str, kind: str) -> float:
    """The probability that a candidate of this kind is one of the edits still to come; 0 where nothing was measured."""
    known = rates().get(source, {})
    return known.get(kind, known.get("", 0.0))
