"""Cases of the missed-edit check of many projects, kept in one file a project so that fitting can be done again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from editahead.check.git import CheckError
from editahead.check.search import CHECK_FEATURES
from editahead.syntax.language import by_id

from editahead_models.data.mining.commits import small_commits
from editahead_models.data.mining.mine_edits import EXTENSIONS
from editahead_models.data.projects import Project
from editahead_models.evaluate.check.cases import CheckCase, HunkCase, cases_of
from editahead_models.evaluate.fitting.project_files import project_rows

SEED = 5
"""Which commits are drawn."""
_OTHERS = {"cpp": ".cpp"}
NEWEST = 2000
"""Commits of a project, newest first, from which those to read are drawn."""


class CheckCases(NamedTuple):
    """Cases of repeated edits, and cases of hunks."""

    edits: list[CheckCase]
    hunks: list[HunkCase]


def collect(
    mirror: Path, out: Path, split: str, *, commits: int, seed: int = SEED, languages: Sequence[str] = tuple(EXTENSIONS)
) -> CheckCases:
    """Cases of all projects of a split that are below `mirror`; finished files in `out` are kept."""

    def make(project: Project, language: str) -> list[CheckCases]:
        return [project_cases(project.path, project.name, extension_of(language), commits=commits, seed=seed)]

    found = CheckCases([], [])
    kept = project_rows(mirror, out, split, "reading", make, features=CHECK_FEATURES, languages=languages)
    for (cases,), _ in kept:
        found.edits.extend(cases.edits)
        found.hunks.extend(cases.hunks)
    return found


def extension_of(language_id: str) -> str:
    """The ending of most files of a language. Raises ValueError for one that is not known."""
    language = by_id(language_id)
    if language is None:
        raise ValueError(f"there is no language {language_id}: name one of `editahead doctor`")
    return (EXTENSIONS | _OTHERS).get(language_id) or language.extensions[0]


def project_cases(repository: Path, name: str, extension: str, *, commits: int, seed: int) -> CheckCases:
    """The cases of one project's drawn commits; a commit that git cannot compare is passed over."""
    names = [commit for commit, _ in small_commits(repository, extension, NEWEST)]
    random.Random(seed).shuffle(names)
    found = CheckCases([], [])
    for commit in names[:commits]:
        try:
            for case in cases_of(repository, name, commit, random.Random(f"{seed}:{commit}")):
                if isinstance(case, CheckCase):
                    found.edits.append(case)
                else:
                    found.hunks.append(case)
        except CheckError:
            continue
    return found
