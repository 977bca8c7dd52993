"""The projects of a split that stretches of code are typed in, each with its files and its stretches."""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

from editahead.syntax.language import Language

from editahead_models.data.projects import Project, open_project
from editahead_models.data.splits import projects_of
from editahead_models.replay.places import source_files
from editahead_models.replay.stretches import Stretch, draw_stretches, shares_of


class DrawnProject(NamedTuple):
    """A project with its (path, content, language) and what is typed there."""

    project: Project
    files: list[tuple[str, bytes, Language]]
    stretches: list[Stretch]


def stretches_of(
    mirror: Path, language: str, split: str, count: int, seed: str
) -> tuple[list[DrawnProject], list[str]]:
    """`count` stretches of the projects of a split that can be used, shared as evenly as their files allow.

    Also returns those that cannot, each with the reason. `{}` in `seed` stands for the name of a project.
    """
    found: list[DrawnProject] = []
    missing: list[str] = []
    for name in projects_of(split, language):
        project = open_project(mirror, name)
        if project is None or project.licence is None:
            missing.append(f"{name} ({'not in the mirror' if project is None else 'no permissive licence'})")
            continue
        files = list(source_files(project, language))
        drawn = draw_stretches(files, count, random.Random(seed.format(name)))
        if drawn:
            found.append(DrawnProject(project, files, drawn))
    shares = shares_of([len(one.stretches) for one in found], count)
    shared = [one._replace(stretches=one.stretches[:share]) for one, share in zip(found, shares, strict=True) if share]
    return shared, missing
