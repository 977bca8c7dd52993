"""Moments of renames typed by hand in real files: all candidates for the next edit, and which of them rename on.

A declaration is renamed letter by letter, then its uses one by one as they are offered; what ought to be renamed is
said by another program (`rename_chains`). At the end nothing is to come.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.scoring.candidate_features import FEATURES
from editahead.text.edits import ByteEdit

from editahead_models.data.corpus.source_files import blobs
from editahead_models.data.projects import Project
from editahead_models.evaluate.consequences.rename_chains import (
    Drawn,
    References,
    TypedFile,
    before_renames,
    drawn,
    renamed_places,
)
from editahead_models.evaluate.next_edits.candidate_moments import JUDGED, Moment, Setting

SMALLEST, LARGEST = 1_500, 60_000
"""Bytes of a file in which a rename is typed."""
STEPS = 6
"""Accepted uses of one rename after which moments end."""
ASKED = (0, 1, 4)
"""Accepted uses after which a moment is taken, beside the last one."""


def rename_moments(setting: Setting, project: Project, truth: References, count: int, seed: int) -> Iterator[Moment]:
    """The moments of `count` renames in a project's files."""
    rng = random.Random(seed)
    files = [(path, text) for path, text in blobs(project, setting.language) if SMALLEST < len(text) < LARGEST]
    rng.shuffle(files)
    for number, one in enumerate(drawn(files, setting.language, truth, rng)):
        if number >= count:
            return
        yield from _followed(setting, one)


def _followed(setting: Setting, one: Drawn) -> Iterator[Moment]:
    file = TypedFile(one, setting.language)
    old, new = one.old.encode(), one.new.encode()
    file.edit(ByteEdit(one.start, one.start + len(old), b""))
    for number in range(len(new)):
        file.edit(ByteEdit(file.cursor, file.cursor, new[number : number + 1]))
    left, done = set(one.truth) - {one.start}, {one.start}
    for step in range(STEPS):
        rated = setting.engine.rated_candidates(file.document(idle=True), file.cursor, Cancel()).items
        data = file.syntax.buffer.data
        places = [
            {
                before_renames(at, done, len(new) - len(old))
                for at in renamed_places(item.candidate.offer, data, old, new) or ()
            }
            for item in rated
        ]
        right = [bool(some) and some <= left for some in places]
        if step in ASKED or not left:
            kept = rated[:JUDGED]
            yield Moment(
                setting.project, setting.language.id, one.path, "renamed", len(left), 0, "same" if left else "",
                tuple(item.candidate.source for item in kept),
                np.asarray([item.features for item in kept], dtype=np.float64).reshape(len(kept), len(FEATURES)),
                np.asarray(right[:JUDGED], dtype=np.bool_), np.asarray(right[:JUDGED], dtype=np.bool_),
                np.ones(len(kept), dtype=np.bool_),
                np.asarray([item.probability for item in kept], dtype=np.float64),
                tuple(item.candidate.group for item in kept), (),
            )  # fmt: skip
        first = next((number for number, good in enumerate(right) if good), None)
        if first is None:
            break
        left -= places[first]
        done |= places[first]
        file.edit(rated[first].candidate.offer)
        file.clock += 2.0
        file.history.settle(file.clock)
    setting.engine.forget(file.uri)
