"""Cases of the missed-edit check of many projects, kept in one file a project so that fitting can be done again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from editahead.check.features import CHECK_FEATURES
from editahead.check.git import CheckError

from editahead_models.data.mine_edits import EXTENSIONS
from editahead_models.data.projects import DEV, TRAIN, open_project
from editahead_models.data.repeat_mining import listed
from editahead_models.evaluate.check_cases import CheckCase, cases_of

NEWEST = 2000
"""Commits of a project, newest first, from which those to read are drawn."""
SPLITS = {"train": TRAIN, "dev": DEV}


def collect(mirror: Path, out: Path, split: str, *, commits: int, seed: int = 5) -> list[CheckCase]:
    """Cases of all projects of a split that are below `mirror`; finished files in `out` are kept."""
    from rich.progress import track

    work = [(language, name) for language, names in SPLITS[split].items() for name in names]
    found: list[CheckCase] = []
    for language, name in track(work, description=f"reading {split}"):
        target = out / split / f"{name.replace('/', '+')}.npz"
        if not target.exists():
            project = open_project(mirror, name)
            if project is None or project.licence is None:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            save(target, project_cases(project.path, name, EXTENSIONS[language], commits=commits, seed=seed))
        found += load(target, name)
    return found


def project_cases(repository: Path, name: str, extension: str, *, commits: int, seed: int) -> list[CheckCase]:
    """The cases of one project's drawn commits; a commit that git cannot compare is passed over."""
    names = [commit for commit, _ in listed(repository, extension, NEWEST)]
    random.Random(seed).shuffle(names)
    found: list[CheckCase] = []
    for commit in names[:commits]:
        try:
            found += cases_of(repository, name, commit, random.Random(f"{seed}:{commit}"))
        except CheckError:
            continue
    return found


def save(path: Path, found: Sequence[CheckCase]) -> None:
    """Write cases as flat arrays."""
    part = path.with_suffix(".part.npz")
    np.savez_compressed(
        part,
        names=np.asarray(CHECK_FEATURES),
        commits=np.asarray([case.commit for case in found], dtype=np.str_),
        head=np.asarray([(len(case.right), case.examples, case.forgotten) for case in found], dtype=np.int64).reshape(
            -1, 3
        ),
        features=np.concatenate([np.zeros((0, len(CHECK_FEATURES))), *(case.features for case in found)]),
        right=np.concatenate([np.zeros(0, dtype=np.bool_), *(case.right for case in found)]),
    )
    part.rename(path)


def load(path: Path, project: str) -> list[CheckCase]:
    """Read them again."""
    with np.load(path, allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    found: list[CheckCase] = []
    at = 0
    for commit, (size, examples, forgotten) in zip(arrays["commits"].tolist(), arrays["head"].tolist(), strict=True):
        x, right = (arrays[name][at : at + size] for name in ("features", "right"))
        found.append(CheckCase(project, commit, examples, bool(forgotten), x, right))
        at += size
    return found
