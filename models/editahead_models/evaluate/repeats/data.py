"""Cases of repeated edits of many projects, kept in one file a project so that fitting can be done again."""

from __future__ import annotations

import random
from pathlib import Path

from editahead.suggest.next_edit.repeats.pattern_features import FEATURES
from editahead.syntax.language import by_id

from editahead_models.data.mining.commits import commits_of
from editahead_models.data.mining.mine_edits import EXTENSIONS
from editahead_models.data.projects import Project
from editahead_models.evaluate.fitting.project_files import project_rows
from editahead_models.evaluate.repeats.cases import Case, cases

NEWEST = 2000
"""Commits of a project, newest first, from which those to replay are drawn."""


def project_cases(project: Project, language_id: str, *, commits: int, seed: int) -> list[Case]:
    """The cases of one project's drawn commits."""
    language = by_id(language_id)
    assert language is not None
    found: list[Case] = []
    drawn = commits_of(project.path, EXTENSIONS[language_id], newest=NEWEST, limit=commits, seed=seed)
    for commit in drawn:
        rng = random.Random(f"{seed}:{commit.name}")
        found += cases(commit, project.name, language, rng)
    return found


def collect(mirror: Path, out: Path, split: str, *, commits: int, seed: int = 5) -> list[Case]:
    """Cases of all projects of a split that are below `mirror`; one file a project in `out`, finished ones are kept."""

    def make(project: Project, language: str) -> list[Case]:
        return project_cases(project, language, commits=commits, seed=seed)

    kept = project_rows(mirror, out, split, "replaying", make, features=FEATURES)
    return [case for cases_of_project, _ in kept for case in cases_of_project]
