"""Cases of repeated edits of many projects, kept in one file so that fitting can be done again."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from editahead.suggest.next_edit.repeats.pattern_features import FEATURES
from editahead.syntax.language import by_id

from editahead_models.data.mining.commits import commits_of
from editahead_models.data.mining.mine_edits import EXTENSIONS
from editahead_models.data.projects import Project
from editahead_models.evaluate.fitting.project_files import project_files
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

    def make(project: Project, language: str, target: Path) -> None:
        save(target, project_cases(project, language, commits=commits, seed=seed))

    files = project_files(mirror, out, split, "replaying", make)
    return [case for target, name, language in files for case in load(target, name, language)]


def save(path: Path, found: Sequence[Case]) -> None:
    """Write cases as flat arrays."""
    sizes = [len(case.right) for case in found]
    part = path.with_suffix(".part.npz")
    np.savez_compressed(
        part,
        head=np.asarray(
            [
                (size, case.examples, case.expected, case.expected_elsewhere)
                for size, case in zip(sizes, found, strict=True)
            ],
            dtype=np.int64,
        ).reshape(-1, 4),
        features=_joined([case.features for case in found], np.zeros((0, len(FEATURES)))),
        right=_joined([case.right for case in found], np.zeros(0, dtype=np.bool_)),
        elsewhere=_joined([case.elsewhere for case in found], np.zeros(0, dtype=np.bool_)),
        reached=_joined([case.reached for case in found], np.zeros(0, dtype=np.int64)),
    )
    part.rename(path)


def load(path: Path, project: str, language: str) -> list[Case]:
    """Read them again."""
    with np.load(path, allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    found: list[Case] = []
    at = 0
    for size, examples, expected, elsewhere in arrays["head"].tolist():
        cut = slice(at, at + size)
        x, right, far, reached = (arrays[name][cut] for name in ("features", "right", "elsewhere", "reached"))
        found.append(Case(project, language, examples, x, right, far, reached, expected, elsewhere))
        at += size
    return found


def _joined(parts: Iterable[npt.NDArray[Any]], empty: npt.NDArray[Any]) -> npt.NDArray[Any]:
    listed = list(parts)
    return np.concatenate(listed) if listed else empty
