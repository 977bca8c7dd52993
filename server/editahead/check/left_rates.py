"""How often a leftover of each kind tells of a missed edit: measured on commits of the fit projects."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("left_rates.json")


@cache
def left_rates() -> dict[str, float]:
    """Probability by kind, if every second change missed an edit."""
    table = json.loads(FILE.read_text(encoding="utf-8"))
    return {kind: float(row["probability"]) for kind, row in table.items()}


def left_rate(kind: str) -> float:
    """The probability that a leftover of this kind tells of a missed edit; 0 where nothing was measured."""
    return left_rates().get(kind, 0.0)
