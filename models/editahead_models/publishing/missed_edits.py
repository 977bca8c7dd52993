"""`editahead check` on commits: with one of several equal edits left out, and as they were made."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from editahead.check.git import CheckError
from editahead.check.leftover import left_rates
from editahead.check.search import CHECK_FEATURES
from editahead.runtime.bundle import Bundle
from editahead.runtime.edit_model.pattern_scorer import PatternScorer
from editahead.suggest.gate import threshold_for

from editahead_models.data.mining.commits import small_commits
from editahead_models.data.projects import Project
from editahead_models.evaluate.check.cases import CheckCase, cases_of
from editahead_models.evaluate.check.data import NEWEST
from editahead_models.evaluate.check.fit import scores
from editahead_models.evaluate.check.left_fit import is_told
from editahead_models.replay.measured_rows import Row

PRECISION = 0.8
"""The setting of `editahead check`."""
READ = 8
"""Commits that are read for each one that is wanted: most repeat no edit."""


def measure(model: PatternScorer, project: Project, extension: str, commits: int, seed: int) -> Iterator[Row]:
    """A row for each edit that one of `commits` commits repeats.

    It says how many places are reported, and whether the one left out is among them.
    """
    weights, calibration = dict(model.models[1].weights), model.calibration(2)
    needed = threshold_for(calibration, PRECISION)
    names = [name for name, _ in small_commits(project.path, extension, NEWEST)]
    random.Random(seed).shuffle(names)
    for name in names[: READ * commits]:
        if commits <= 0:
            return
        try:
            found = cases_of(project.path, project.name, name, random.Random(f"{seed}:{name}"))
            cases = [case for case in found if isinstance(case, CheckCase)]
        except CheckError:  # git cannot compare it
            continue
        commits -= bool(cases)
        for case, raw in zip(cases, scores(cases, weights), strict=True):
            reported = calibration.apply_many(raw) >= needed if len(raw) else case.right
            told = is_told(case.left, left_rates(), PRECISION)
            yield {
                "commit": case.commit,
                "forgotten": case.forgotten,
                "reported": int(reported.sum()) + told,
                "found": bool((reported & case.right).any()) or told,
            }


def check_model(bundles: Sequence[Bundle]) -> PatternScorer | None:
    """The model of the check: that of the first bundle that holds one."""
    for bundle in bundles:
        found = PatternScorer.of_check(bundle, CHECK_FEATURES) or PatternScorer.of_bundle(bundle, CHECK_FEATURES)
        if found is not None:
            return found
    return None
