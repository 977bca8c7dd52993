"""One file a project: what takes long to work out is kept, so that fitting can be done again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from editahead_models.data.mining.mine_edits import EXTENSIONS
from editahead_models.data.projects import Project, open_project
from editahead_models.data.splits import projects_of


def project_files(
    mirror: Path,
    out: Path,
    split: str,
    label: str,
    make: Callable[[Project, str, Path], None],
    most: int | None = None,
    languages: Sequence[str] = tuple(EXTENSIONS),
) -> Iterator[tuple[Path, str, str]]:
    """(file, project, language) of each project of a split that has a file in `out`, for languages of the splits.

    `make` writes the missing ones of the projects that are below `mirror` and have a permissive licence; of each
    language `most` of them, the first ones, if that is set. `label` stands before the progress bar.
    """
    from rich.progress import track

    seen = Counter[str]()
    work = [(language, name) for language in languages for name in projects_of(split, language)]
    for language, name in track(work, description=f"{label} {split}"):
        if most is not None and seen[language] >= most:
            continue
        target = out / split / f"{name.replace('/', '+')}.npz"
        if not target.exists():
            project = open_project(mirror, name)
            if project is None or project.licence is None:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            make(project, language, target)
        seen[language] += 1
        yield target, name, language
