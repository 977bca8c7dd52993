"""Cases of the missed-edit check of many projects, kept in one file a project so that fitting can be done again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from editahead.check.features import CHECK_FEATURES
from editahead.check.git import CheckError

from editahead_models.data.mine_edits import EXTENSIONS
from editahead_models.data.projects import Project
from editahead_models.data.repeat_mining import small_commits
from editahead_models.evaluate.check_cases import CheckCase, cases_of
from editahead_models.evaluate.project_files import project_files

NEWEST = 2000
"""Commits of a project, newest first, from which those to read are drawn."""


def collect(mirror: Path, out: Path, split: str, *, commits: int, seed: int = 5) -> list[CheckCase]:
    """Cases of all projects of a split that are below `mirror`; finished files in `out` are kept."""

    def make(project: Project, language: str, target: Path) -> None:
        save(target, project_cases(project.path, project.name, EXTENSIONS[language], commits=commits, seed=seed))

    files = project_files(mirror, out, split, "reading", make)
    return [case for target, name, _ in files for case in load(target, name)]


def project_cases(repository: Path, name: str, extension: str, *, commits: int, seed: int) -> list[CheckCase]:
    """The cases of one project's drawn commits; a commit that git cannot compare is passed over."""
    names = [commit for commit, _ in small_commits(repository, extension, NEWEST)]
    random.Random(seed).shuffle(names)
    found: list[CheckCase] = []
    for commit in names[:commits]:
        try:
            found += cases_of(repository, name, commit, random.Random(f"{seed}:{commit}"))
        except CheckError:
            continue
    return found


def save(path: Path, cases: Sequence[CheckCase]) -> None:
    """Write cases as flat arrays."""
    part = path.with_suffix(".part.npz")
    np.savez_compressed(
        part,
        names=np.asarray(CHECK_FEATURES),
        commits=np.asarray([case.commit for case in cases], dtype=np.str_),
        head=np.asarray([(len(case.right), case.examples, case.forgotten) for case in cases], dtype=np.int64).reshape(
            -1, 3
        ),
        features=np.concatenate([np.zeros((0, len(CHECK_FEATURES))), *(case.features for case in cases)]),
        right=np.concatenate([np.zeros(0, dtype=np.bool_), *(case.right for case in cases)]),
    )
    part.rename(path)


def load(path: Path, project: str) -> list[CheckCase]:
    """Read them again. ValueError, one line, for cases of other features."""
    with np.load(path, allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    if tuple(arrays["names"].tolist()) != tuple(CHECK_FEATURES):
        raise ValueError(f"{path}: cases of other features than today's; give another folder, or delete this file")
    found: list[CheckCase] = []
    at = 0
    for commit, (size, examples, forgotten) in zip(arrays["commits"].tolist(), arrays["head"].tolist(), strict=True):
        x, right = (arrays[name][at : at + size] for name in ("features", "right"))
        found.append(CheckCase(project, commit, examples, bool(forgotten), x, right))
        at += size
    return found
