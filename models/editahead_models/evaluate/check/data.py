"""Cases of the missed-edit check of many projects, kept in one file a project so that fitting can be done again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from editahead.check.features import CHECK_FEATURES
from editahead.check.git import CheckError
from editahead.syntax.language import by_id

from editahead_models.data.mining.commits import small_commits
from editahead_models.data.mining.mine_edits import EXTENSIONS
from editahead_models.data.projects import Project
from editahead_models.evaluate.check.cases import CheckCase, HunkCase, cases_of
from editahead_models.evaluate.fitting.project_files import project_files

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

    def make(project: Project, language: str, target: Path) -> None:
        save(target, project_cases(project.path, project.name, extension_of(language), commits=commits, seed=seed))

    found = CheckCases([], [])
    for target, name, _ in project_files(mirror, out, split, "reading", make, languages=languages):
        one = load(target, name)
        found.edits.extend(one.edits)
        found.hunks.extend(one.hunks)
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


def save(path: Path, found: CheckCases) -> None:
    """Write cases as flat arrays."""
    part, (cases, hunks) = path.with_suffix(".part.npz"), found
    np.savez_compressed(
        part,
        names=np.asarray(CHECK_FEATURES),
        commits=np.asarray([case.commit for case in cases], dtype=np.str_),
        head=np.asarray([(len(case.right), case.examples, case.forgotten) for case in cases], dtype=np.int64).reshape(
            -1, 3
        ),
        features=np.concatenate([np.zeros((0, len(CHECK_FEATURES))), *(case.features for case in cases)]),
        right=np.concatenate([np.zeros(0, dtype=np.bool_), *(case.right for case in cases)]),
        left=np.asarray([",".join(case.left) for case in cases], dtype=np.str_),
        hunks=np.asarray(
            [(case.commit, str(int(case.hunk)), ",".join(case.kinds), ",".join(case.there)) for case in hunks],
            dtype=np.str_,
        ).reshape(-1, 4),
    )
    part.rename(path)


def load(path: Path, project: str) -> CheckCases:
    """Read them again. ValueError, one line, for cases of other features."""
    with np.load(path, allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    if tuple(arrays["names"].tolist()) != tuple(CHECK_FEATURES) or "hunks" not in arrays:
        raise ValueError(f"{path}: cases of other features than today's; give another folder, or delete this file")
    edits: list[CheckCase] = []
    at = 0
    rows = zip(arrays["commits"].tolist(), arrays["head"].tolist(), arrays["left"].tolist(), strict=True)
    for commit, (size, examples, forgotten), left in rows:
        x, right = (arrays[name][at : at + size] for name in ("features", "right"))
        edits.append(CheckCase(project, commit, examples, bool(forgotten), x, right, _kinds(left)))
        at += size
    hunks = [
        HunkCase(project, commit, hunk == "1", _kinds(kinds), _kinds(there))
        for commit, hunk, kinds, there in arrays["hunks"].tolist()
    ]
    return CheckCases(edits, hunks)


def _kinds(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()
