"""Precision of each kind of consequence, measured on commits of the fit projects, in `rates.json`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("rates.json")


@cache
def rates() -> dict[str, dict[str, float]]:
    """Probability by source and kind of change; the empty kind stands for kinds that are not listed."""
    table = json.loads(FILE.read_text(encoding="utf-8"))
    return {source: {kind: float(row["probability"]) for kind, row in rows.items()} for source, rows in table.items()}


def rate(source: str, kind: str) -> float:
    """The probability that the user will make an edit of this kind; 0 where it was not measured."""
    by_kind = rates().get(source, {})
    return by_kind.get(kind, by_kind.get("", 0.0))
