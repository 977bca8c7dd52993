"""How often a consequence of each kind is right, fitted on replays and checked across projects."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from editahead.suggest.next_edit.consequences.rule import rate

from editahead_models.evaluate.consequences.rate_moments import RateRow

PRIOR_WEIGHT = 8.0
"""Replays that the rate of all kinds counts as, where a kind was seen seldom."""
PRECISIONS = (0.5, 0.7, 0.8, 0.9)


def holds(row: RateRow) -> bool:
    """Whether the commit took the old name away at the first candidate, so that something was due there."""
    return row.first != "kept"


def fitted(rows: Iterable[RateRow]) -> dict[str, dict[str, float]]:
    """Probability by kind of change, with what it rests on; ``: of kinds that were not seen."""
    by_kind: dict[str, list[RateRow]] = defaultdict(list)
    by_site: dict[str, list[RateRow]] = defaultdict(list)
    for row in rows:
        by_kind[row.label].append(row)
        by_site[_site(row.label)].append(row)
    everything = [row for found in by_kind.values() for row in found]
    overall = _shrunk(everything, 0.5)
    sites = {site: _shrunk(found, overall) for site, found in by_site.items()}
    table = {"": {"probability": round(overall, 3), "n": len(everything)}}
    for kind in sorted(by_kind):
        found = by_kind[kind]
        table[kind] = {
            "probability": round(_shrunk(found, sites[_site(kind)]), 3),
            "n": len(found),
            "exact": sum(row.first == "right" for row in found),
            "kept": sum(row.first == "kept" for row in found),
        }
    return table


def crossed(rows: Sequence[RateRow]) -> dict[str, dict[str, float]]:
    """What would be shown at each precision, every project judged by rates of the others."""
    rated: list[tuple[RateRow, float]] = []
    for project in sorted({row.project for row in rows}):
        table = fitted(row for row in rows if row.project != project)
        mine = [row for row in rows if row.project == project]
        rated += [(row, table.get(row.label, table[""])["probability"]) for row in mine]
    return _by_precision(rated)


def judged(rows: Iterable[RateRow]) -> dict[str, dict[str, float]]:
    """What is shown at each precision by the shipped rates of the source of the rows."""
    return _by_precision([(row, rate(row.source, row.label)) for row in rows])


def _by_precision(rated: Sequence[tuple[RateRow, float]]) -> dict[str, dict[str, float]]:
    """The share of moments with a candidate that is shown; of those the share where something was due, and exactly."""
    found = {}
    for precision in PRECISIONS:
        shown = [row for row, probability in rated if probability >= precision]
        found[str(precision)] = {
            "shown": _share(len(shown), len(rated)),
            "due": _share(sum(map(holds, shown)), len(shown)),
            "exact": _share(sum(row.first == "right" for row in shown), len(shown)),
        }
    return found


def _site(kind: str) -> str:
    return "/".join(kind.split("/")[1:])


def _shrunk(rows: Sequence[RateRow], prior: float) -> float:
    return (sum(map(holds, rows)) + PRIOR_WEIGHT * prior) / (len(rows) + PRIOR_WEIGHT)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
