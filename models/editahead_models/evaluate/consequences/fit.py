"""How often a consequence of each kind is right, fitted on replays and checked across projects."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from editahead.suggest.next_edit.consequences.rates import rate

PRIOR_WEIGHT = 8.0
"""Replays that the rate of all kinds counts as, where a kind was seen seldom."""
MOST_OF_PROJECT = 4
PRECISIONS = (0.5, 0.7, 0.8, 0.9)
Row = Mapping[str, Any]


def balanced(rows: Iterable[Row]) -> list[Row]:
    """Of each project the first moments of each kind, `MOST_OF_PROJECT` at most: no project decides on a rate alone."""
    counts, kept = Counter[tuple[str, str]](), list[Row]()
    for row in rows:
        key = row["project"], row["label"]
        counts[key] += 1
        if counts[key] <= MOST_OF_PROJECT:
            kept.append(row)
    return kept


def holds(row: Row) -> bool:
    """Whether the commit took the old name away at the first candidate, so that something was due there."""
    return row["first"] != "kept"


def fitted(rows: Iterable[Row]) -> dict[str, dict[str, float]]:
    """Probability by kind of change, with what it rests on; ``: of kinds that were not seen."""
    by_kind: dict[str, list[Row]] = defaultdict(list)
    by_site: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row["first"]:
            by_kind[row["label"]].append(row)
            by_site[_site(row["label"])].append(row)
    everything = [row for found in by_kind.values() for row in found]
    overall = _shrunk(everything, 0.5)
    sites = {site: _shrunk(found, overall) for site, found in by_site.items()}
    table = {"": {"probability": round(overall, 3), "n": len(everything)}}
    for kind in sorted(by_kind):
        found = by_kind[kind]
        table[kind] = {
            "probability": round(_shrunk(found, sites[_site(kind)]), 3),
            "n": len(found),
            "exact": sum(row["first"] == "right" for row in found),
            "kept": sum(row["first"] == "kept" for row in found),
        }
    return table


def crossed(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """What would be shown at each precision, every project judged by rates of the others."""
    rated: list[tuple[Row, float]] = []
    for project in sorted({row["project"] for row in rows}):
        table = fitted(row for row in rows if row["project"] != project)
        mine = [row for row in rows if row["project"] == project and row["first"]]
        rated += [(row, table.get(row["label"], table[""])["probability"]) for row in mine]
    return _by_precision(rated)


def judged(source: str, rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """What is shown at each precision by the shipped rates of a generator."""
    return _by_precision([(row, rate(source, row["label"])) for row in rows if row["first"]])


def _by_precision(rated: Sequence[tuple[Row, float]]) -> dict[str, dict[str, float]]:
    """The share of moments with a candidate that is shown; of those the share where something was due, and exactly."""
    found = {}
    for precision in PRECISIONS:
        shown = [row for row, probability in rated if probability >= precision]
        found[str(precision)] = {
            "shown": _share(len(shown), len(rated)),
            "due": _share(sum(map(holds, shown)), len(shown)),
            "exact": _share(sum(row["first"] == "right" for row in shown), len(shown)),
        }
    return found


def _site(kind: str) -> str:
    return "/".join(kind.split("/")[1:])


def _shrunk(rows: Sequence[Row], prior: float) -> float:
    return (sum(map(holds, rows)) + PRIOR_WEIGHT * prior) / (len(rows) + PRIOR_WEIGHT)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
