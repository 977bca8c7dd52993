"""Shares of the missed-edit check: what is found of what was left out of commits, and what whole commits get."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from editahead.runtime.calibration import Calibration
from editahead.suggest.gate import threshold_for

from editahead_models.evaluate.check.cases import CheckCase, HunkCase
from editahead_models.evaluate.check.data import CheckCases
from editahead_models.evaluate.check.fit import TARGETS, scores
from editahead_models.evaluate.check.left_fit import is_told
from editahead_models.publishing.intervals import pooled

Key = tuple[str, str]  # a project and a commit


def shares(
    cases: CheckCases, weights: Mapping[str, float], calibration: Calibration, rates: Mapping[str, float]
) -> dict[str, Any]:
    """Shares with intervals over projects, by target precision, and how often each kind of leftover is told.

    `found`: of the places of repeated edits left out of a commit. `repeating`, `all`: of whole commits with a report,
    those that repeat an edit and all. `hunks`: of hunks of any kind left out, those that a leftover tells of.
    """
    values = scores(cases.edits, weights)
    surest = [calibration.apply_many(row) if len(row) else row for row in values]
    steps = {f"{target}": _at(cases, surest, target, threshold_for(calibration, target), rates) for target in TARGETS}
    told = Counter(kind for case in cases.hunks if case.hunk for kind in case.kinds)
    disturbed = Counter(kind for case in cases.hunks if not case.hunk for kind in case.kinds)
    kinds = {kind: {"hunks": told[kind], "commits": disturbed[kind]} for kind in sorted(told | disturbed)}
    return {"steps": steps, "kinds": kinds}


def shares_at(found: Mapping[str, Any], target: float) -> dict[str, float]:
    """The shares alone at one target precision, with the number of cases of each."""
    step = found["steps"][f"{target}"]
    return {f"{name}{what}": step[name][key] for name in step for what, key in (("", "share"), (" of", "n"))}


def _at(
    cases: CheckCases, surest: Sequence[Any], target: float, needed: float, rates: Mapping[str, float]
) -> dict[str, Any]:
    repeating, every = dict[Key, bool](), dict[Key, bool]()
    found: list[tuple[str, float, float]] = []
    for case, row in zip(cases.edits, surest, strict=True):
        if case.forgotten:
            hit = bool((case.right & (row >= needed)).any()) or is_told(case.left, rates, target)
            found.append((case.project, float(hit), 1.0))
        else:
            key = (case.project, case.commit)
            repeating[key] = repeating.get(key, False) or bool((row >= needed).any())
            repeating[key] = repeating[key] or is_told(case.left, rates, target)
    for one in _of(cases.hunks, hunk=False):
        key = (one.project, one.commit)
        every[key] = repeating.get(key, False) or is_told(one.kinds, rates, target)
    hunks = [(one.project, float(is_told(one.kinds, rates, target)), 1.0) for one in _of(cases.hunks, hunk=True)]
    rows = {"found": found, "repeating": _rows(repeating), "all": _rows(every), "hunks": hunks}
    return {name: pooled(row).as_json() for name, row in rows.items()}


def _of(cases: Sequence[HunkCase], *, hunk: bool) -> Iterator[HunkCase]:
    return (case for case in cases if case.hunk == hunk)


def _rows(commits: Mapping[Key, bool]) -> list[tuple[str, float, float]]:
    return [(project, float(reported), 1.0) for (project, _), reported in commits.items()]


def projects_in(cases: CheckCases) -> list[str]:
    """The projects that some cases are of."""
    rows: Sequence[CheckCase | HunkCase] = (*cases.edits, *cases.hunks)
    return sorted({case.project for case in rows})
