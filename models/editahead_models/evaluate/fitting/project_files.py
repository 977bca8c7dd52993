"""One file a project: what takes long to work out is kept, so that fitting can be done again."""

from __future__ import annotations

import gzip
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from editahead_models.data.mining.mine_edits import EXTENSIONS
from editahead_models.data.projects import Project, open_project
from editahead_models.data.splits import projects_of

Row = TypeVar("Row")
SUFFIX = ".rows"


def project_rows(
    mirror: Path,
    out: Path,
    split: str,
    label: str,
    make: Callable[[Project, str], Iterable[Row]],
    *,
    features: Sequence[str] = (),
    most: int | None = None,
    languages: Sequence[str] = tuple(EXTENSIONS),
    is_wanted: Callable[[str], bool] = lambda name: True,
) -> Iterator[tuple[list[Row], str]]:
    """(rows, language) of each project of a split that has a file in `out`, for languages of the splits.

    `make` gives the rows of the missing ones that are below `mirror` and have a permissive licence; of each language
    `most` projects, the first ones, if that is set, and those alone of which `is_wanted` says so. `label` stands before
    the progress bar. ValueError for kept rows of other `features`.
    """
    from rich.progress import track

    seen = Counter[str]()
    work = [(language, name) for language in languages for name in projects_of(split, language)]
    for language, name in track(work, description=f"{label} {split}"):
        if (most is not None and seen[language] >= most) or not is_wanted(name):
            continue
        target = out / split / f"{name.replace('/', '+')}{SUFFIX}"
        if not target.exists():
            project = open_project(mirror, name)
            if project is None or project.licence is None:
                continue
            save_rows(target, make(project, language), features)
        seen[language] += 1
        yield load_rows(target, features), language


def save_rows(path: Path, rows: Iterable[object], features: Sequence[str] = ()) -> None:
    """Write rows and the names of the features in them, atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with gzip.open(part, "wb", compresslevel=3) as file:
        pickle.dump((tuple(features), list(rows)), file)
    part.replace(path)


def load_rows(path: Path, features: Sequence[str] = ()) -> list[Any]:
    """The rows of a file that `save_rows` wrote on this machine. ValueError, one line, for rows of other features."""
    with gzip.open(path, "rb") as file:
        kept, rows = pickle.load(file)  # a file of the user's own work folder
    if kept != tuple(features):
        raise ValueError(f"{path}: rows of other features than today's; give another folder, or delete this file")
    return list(rows)
