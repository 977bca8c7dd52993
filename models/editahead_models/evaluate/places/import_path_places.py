"""Quoted import paths of a split's projects, asked for as a user writes them; kept on disk.

A path is missing, or typed in part, in a file that is whole otherwise, whose later imports are missing, or that ends
there.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from editahead.index.import_paths import read_path_imports, written_paths
from editahead.index.lexicon import language_family
from editahead.index.project_imports import FileImports, build_project_imports
from editahead.index.sliced_work import finish
from editahead.index.types import OtherImports
from editahead.suggest.completion.import_paths.complete import import_path_place, is_local, path_candidates
from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from rich.progress import track

from editahead_models.data.corpus.source_files import blobs, languages_of_model
from editahead_models.data.corpus.test_paths import is_test
from editahead_models.data.projects import Project, open_project
from editahead_models.data.splits import projects_of
from editahead_models.evaluate.fitting.project_files import project_rows
from editahead_models.evaluate.places.import_places import without_texts
from editahead_models.evaluate.places.ranker_data import RankedPlace

WHOLE, FOLLOWING, CUT = SITUATIONS = ("whole", "following", "cut")
SLOT = "import path"
_FILES = 600  # of a project that are drawn from
_MOST_LETTERS = 10
_MOST_COMMON, _LEAST_PROJECTS = 400, 3  # paths that many projects import
_ALONE = 0.15  # share of the places that are asked without a project


class DrawnPath(NamedTuple):
    """A path in a file: bytes [start, end), the end of its line, and that of the file's imports."""

    path: str
    content: bytes
    start: int
    end: int
    line_end: int
    imports_end: int


def common_paths(listed: str, mirror: Path) -> dict[str, float]:
    """ln(1 + n) of the n training projects that import a path, for those of three and more; no path of a project."""
    projects = Counter[str]()
    for name in track(projects_of("train", listed), description=f"common paths of {listed}"):
        project = open_project(mirror, name)
        if project is not None and project.licence is not None:
            projects.update(
                {
                    path
                    for language in languages_of_model(listed)
                    for file, content in blobs(project, language)
                    for path, _ in read_path_imports(content, language_family(language.id), file).imports
                    if not is_local(path, language_family(language.id))
                }
            )
    ranked = sorted(projects.items(), key=lambda pair: (-pair[1], pair[0]))
    return {path: math.log1p(count) for path, count in ranked[:_MOST_COMMON] if count >= _LEAST_PROJECTS}


def path_places(
    listed: str, split: str, mirror: Path, kept: Path, count: int, seed: int, common: Mapping[str, float]
) -> Iterator[RankedPlace]:
    """Places of at most `count` paths of each project of a list of languages; those in `kept` are read from there.

    Each path is asked for twice, with nothing and with some letters typed, in drawn situations.
    """

    def make(project: Project, _: str) -> Iterator[RankedPlace]:
        return without_texts(_of_project(languages_of_model(listed), project, count, seed, common), kinds={SLOT})

    for places, _ in project_rows(mirror, kept, split, "import paths", make, languages=(listed,)):
        yield from places


def _of_project(
    languages: tuple[Language, ...], project: Project, count: int, seed: int, common: Mapping[str, float]
) -> Iterator[RankedPlace]:
    chooser = random.Random(f"{seed} {project.name}")
    files = {path: (language, content) for language in languages for path, content in blobs(project, language)}
    read = {
        path: FileImports(*read_path_imports(content, language_family(language.id), path))
        for path, (language, content) in files.items()
    }
    imports = finish(build_project_imports(read, dotted=False))
    drawn = [path for path in files if not is_test(path) and b"\r" not in files[path][1]]
    chooser.shuffle(drawn)
    written = [one for path in drawn[:_FILES] for one in drawn_paths(path, files[path][1], files[path][0])]
    for one in sorted(chooser.sample(written, min(count, len(written)))):
        for letters in (0, chooser.randint(1, _MOST_LETTERS)):
            alone = chooser.random() < _ALONE
            situation, language = chooser.choice(SITUATIONS), files[one.path][0]
            known = None if alone else OtherImports(imports, one.path)
            place = place_of(project.name, one, language, known, letters, situation, common)
            if place is not None:
                yield place


def drawn_paths(path: str, content: bytes, language: Language) -> list[DrawnPath]:
    """The paths that a file imports, those of C and C++ behind their quote."""
    family = language_family(language.id)
    spans = [(one.start + (family == "c"), one.end) for one in written_paths(content, family)]
    imports_end = _line_end(content, spans[-1][1]) if spans else 0
    return [DrawnPath(path, content, start, end, _line_end(content, end), imports_end) for start, end in spans]


def place_of(
    project: str,
    drawn: DrawnPath,
    language: Language,
    others: OtherImports | None,
    letters: int,
    situation: str,
    common: Mapping[str, float],
) -> RankedPlace | None:
    """A path in one of the situations, with some letters typed; None where the product sees no import there."""
    content, truth = drawn.content, drawn.content[drawn.start : drawn.end]
    if letters >= len(truth):
        return None
    rest = content[drawn.end : drawn.line_end]
    below = {WHOLE: content[drawn.line_end :], FOLLOWING: content[drawn.imports_end :], CUT: b""}[situation]
    byte = drawn.start + letters
    text = content[:byte] + rest + below
    place = import_path_place(SyntaxSnapshot.open(Buffer(text), language), byte, drawn.path)
    if place is None:
        return None
    found = path_candidates(place, others, text, common)
    written = place.typed[: len(place.typed) - letters] + truth.decode("utf-8", "replace")
    right = found.texts.index(written) if written in found.texts else -1
    return RankedPlace(
        project, letters, situation != CUT, SLOT, found.candidates, found.position, right, False, found.texts
    )


def _line_end(content: bytes, byte: int) -> int:
    end = content.find(b"\n", byte)
    return end if end >= 0 else len(content)
