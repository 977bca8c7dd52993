"""Moments of replayed commits for the model of places: what the engine says of them, and where edits are still to come.

A line is right if one of the edits still to come falls within a line of it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.candidate_pool import RatedCandidates
from editahead.suggest.next_edit.open_places import next_place
from editahead.suggest.next_edit.places.place_evidence import SiteEvidence, place_evidence
from editahead.suggest.types import Document, EditPlace, NextEdit, QueuedEdit, Shown
from editahead.syntax.language import Language

from editahead_models.data.mining.commits import Commit, commits_of
from editahead_models.data.projects import Project
from editahead_models.evaluate.next_edits.candidate_moments import (
    ReplayedMoment,
    coming_edits,
    is_right_from,
    replayed_moments,
)
from editahead_models.evaluate.repeats.cases import OpenFile, meets

NEWEST = 1500
"""Commits of a project, newest first, from which those to replay are drawn."""
QUIET = ("undo", "letters")
"""Kinds of moments in which nothing is to come, whatever the commit did."""


@dataclass(frozen=True)
class ShownSite:
    """What the engine showed: its file, line and probability; whether it is near an edit still to come, and `exact`."""

    uri: str
    line: int
    probability: float
    near: bool
    exact: bool = False


@dataclass(frozen=True)
class PlaceMoment:
    """A moment with what the engine says of it. `number` is its number among the moments of its commit.

    `coming` edits are still to come in the file of the cursor and `elsewhere` in the others. `text` and `jump` are the
    edit and the place by a rule that are shown at the default precision; `ms` is the time of the request for the edit.
    """

    project: str
    language: str
    commit: str
    number: int
    kind: str
    coming: int
    elsewhere: int
    evidence: SiteEvidence
    text: ShownSite | None
    jump: ShownSite | None
    ms: float


def mined_moments(
    engine: Engine, project: Project, language: Language, extension: str, commits: int, seed: int
) -> Iterator[PlaceMoment]:
    """The moments of some drawn commits of a project by the real engine."""
    for commit in drawn_commits(project, extension, commits, seed):
        for number, moment in enumerate(moments_of(commit, language, seed)):
            yield _mined(engine, moment, number, project.name, commit.name)


def drawn_commits(project: Project, extension: str, commits: int, seed: int) -> Iterator[Commit]:
    """Commits of a project."""
    return commits_of(project.path, extension, newest=NEWEST, limit=commits, seed=seed)


def moments_of(commit: Commit, language: Language, seed: int) -> Iterator[ReplayedMoment]:
    """The moments of one commit, each valid until the next is taken."""
    return replayed_moments(language, commit, random.Random(f"{seed}:{commit.name}"))


def files_of(moment: ReplayedMoment) -> dict[str, OpenFile]:
    """The open files of a moment by their URI."""
    return {file.document.uri: file for file in (*moment.replay.files, *moment.replay.beside)}


def edited_lines(file: OpenFile) -> list[tuple[int, int]]:
    """First and last line of each edit still to come in a file, in its current text."""
    line_at = file.buffer.line_at
    return [(line_at(edit.start), line_at(edit.old_end)) for edit in coming_edits(file)]


def is_near(spans: Sequence[tuple[int, int]], line: int) -> bool:
    """Whether a line is at most one line off one of some spans of lines."""
    return any(first - 1 <= line <= last + 1 for first, last in spans)


def _mined(engine: Engine, moment: ReplayedMoment, number: int, project: str, commit: str) -> PlaceMoment:
    document, byte, files = moment.document, moment.byte, files_of(moment)
    engine.forget_shown()  # the user of a replay wrote all by hand
    before = time.perf_counter()
    text = _shown_edit(engine, document, byte)
    ms = 1e3 * (time.perf_counter() - before)
    rated = engine.rated_candidates(document, byte, Cancel(), thorough=False)
    jump = _shown_jump(rated, document, byte)
    quiet = moment.kind in QUIET
    others = [file for file in moment.replay.files if file is not moment.file]
    return PlaceMoment(
        project, document.language_id, commit, number, moment.kind,
        0 if quiet else len(coming_edits(moment.file)), 0 if quiet else sum(len(coming_edits(one)) for one in others),
        place_evidence(rated), _judged(text, files, document, quiet), _judged(jump, files, document, quiet), ms,
    )  # fmt: skip


def _shown_edit(engine: Engine, document: Document, byte: int) -> Shown[NextEdit | QueuedEdit] | None:
    """The edit that is shown."""
    edit = engine.next_edit(document, byte, Cancel())
    other = edit if isinstance(edit, Shown) else engine.next_edit_elsewhere(document, byte, Cancel())
    return other if isinstance(other, Shown) else None


def _shown_jump(rated: RatedCandidates, document: Document, byte: int) -> Shown[EditPlace] | None:
    """The place by a rule that is shown at the precision of edits."""
    place = next_place(rated.places, document, byte)
    return place if isinstance(place, Shown) else None


def _judged(
    shown: Shown[NextEdit | QueuedEdit] | Shown[EditPlace] | None,
    files: dict[str, OpenFile],
    document: Document,
    quiet: bool,
) -> ShownSite | None:
    if shown is None:
        return None
    value = shown.value
    file = files[document.uri if isinstance(value, NextEdit) else value.uri]
    start = value.start if isinstance(value, EditPlace) else value.edit.start
    line, exact = file.buffer.line_at(start), False
    near = is_near(edited_lines(file), line)
    if not isinstance(value, EditPlace):
        near = near or any(meets(edit, value.edit) for edit in coming_edits(file))
        exact = is_right_from(file, value.edit, value.source)
    return ShownSite(file.document.uri, line, shown.probability, near and not quiet, exact and not quiet)
