"""Features of the lines of mined moments, and which of them are near an edit still to come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from editahead.suggest.next_edit.places.learned_places import LearnedPlaces
from editahead.suggest.next_edit.places.place_model import FEATURES
from editahead.syntax.language import Language

from editahead_models.data.projects import Project
from editahead_models.evaluate.next_edits.place_moments import (
    QUIET,
    PlaceMoment,
    drawn_commits,
    edited_lines,
    files_of,
    is_near,
    moments_of,
)

Floats = npt.NDArray[np.float32]
MAX_LINES_OF_FILE = 1_000_000


@dataclass(frozen=True)
class PlaceRows:
    """A moment with its lines: features [N, F], numbers [N], and which are near an edit still to come [N].

    The numbers of each further file are higher by MAX_LINES_OF_FILE.
    """

    moment: PlaceMoment
    features: Floats
    lines: npt.NDArray[np.int64]
    near: npt.NDArray[np.bool_]


def place_rows(
    project: Project, mined: Sequence[PlaceMoment], language: Language, extension: str, commits: int, seed: int
) -> Iterator[PlaceRows]:
    """The rows of the mined moments of a project; their commits are replayed again, without the engine.

    `commits` are at least as many as were mined.
    """
    known = {(one.commit, one.number): one for one in mined}
    for commit in drawn_commits(project, extension, commits, seed):
        if (commit.name, 0) not in known:
            continue
        places = LearnedPlaces()
        for number, moment in enumerate(moments_of(commit, language, seed)):
            one = known[commit.name, number]
            if moment.document.history.undone_at is not None:
                yield _without_lines(one)
                continue
            files, quiet = files_of(moment), moment.kind in QUIET
            _, rated = places.rate_lines(moment.document, moment.byte, one.evidence, lambda: None)
            features, near = [np.zeros((0, len(FEATURES)))], [np.zeros(0, np.bool_)]
            numbers = [np.zeros(0, np.int64)]
            for file, lines in enumerate(rated):
                spans = [] if quiet else edited_lines(files[lines.document.uri])
                features.append(lines.features)
                numbers.append(lines.lines + file * MAX_LINES_OF_FILE)
                near.append(np.asarray([is_near(spans, line) for line in lines.lines.tolist()], dtype=np.bool_))
            yield PlaceRows(
                one, np.concatenate(features).astype(np.float32), np.concatenate(numbers), np.concatenate(near)
            )


def _without_lines(moment: PlaceMoment) -> PlaceRows:
    none = np.zeros(0, np.bool_)
    return PlaceRows(moment, np.zeros((0, len(FEATURES)), np.float32), np.zeros(0, np.int64), none)


__all__ = ["PlaceRows", "place_rows"]
