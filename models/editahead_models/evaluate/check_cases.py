"""Commits as a missed-edit check sees them: whole, and with one of several equal edits left out.

A place is right when its edit turns the file into the one that was committed, byte by byte. All other files of the
project as of that commit are searched too, as the check does.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from editahead.check.features import CHECK_FEATURES, check_features
from editahead.check.git import CheckedRepository, Span
from editahead.check.groups import groups_in
from editahead.check.run import MAX_SEARCHED, opened
from editahead.check.search import open_places
from editahead.check.texts import ChangedFile, RepositoryTexts, changed_file
from editahead.patterns.groups import EditGroup, Sample
from editahead.settings import Settings
from editahead.suggest.next_edit.group_sites import Site
from editahead.suggest.types import Document

MAX_SITES = 30
MAX_LEFT_OUT = 3
"""Places of one commit that are left out, one at a time, each of another edit."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CheckCase:
    """The places that one edit of a commit leaves. `forgotten`: one place was left out, and is among them or not."""

    project: str
    commit: str
    examples: int
    forgotten: bool
    features: Floats  # [P, F]
    right: npt.NDArray[np.bool_]  # [P]


def cases_of(repository: Path, project: str, commit: str, rng: random.Random) -> Iterator[CheckCase]:
    """The cases of one commit, nothing where it makes no edit twice. Raises CheckError."""
    git = CheckedRepository(repository, bare=True)
    texts = RepositoryTexts(git, Span(f"{commit}^", commit), Settings())
    entries = git.changed(texts.span)
    files, added, _ = opened(texts, entries)
    groups = groups_in(files).groups
    if not groups:
        return
    words = sorted({group.pattern.word for group in groups})
    more, _ = texts.holding(words, [entry.after for entry in entries], [f.document.uri for f in files], MAX_SEARCHED)
    beside = [*added, *more]
    for group in groups:
        sites = _sites(group, files, beside)
        yield _case(project, commit, group, False, sites, [False] * len(sites), rng)
    large = [group for group in groups if len(group.samples) > 2]
    for group in rng.sample(large, min(MAX_LEFT_OUT, len(large))):
        yield _left_out(project, commit, files, beside, rng.choice(group.samples), rng)


def _left_out(
    project: str,
    commit: str,
    files: Sequence[ChangedFile],
    beside: Sequence[Document],
    sample: Sample,
    rng: random.Random,
) -> CheckCase:
    """The commit without one of its examples: the places of that edit, the forgotten one among them or not."""
    number = next(at for at, file in enumerate(files) if file.document.uri == sample.where)
    whole = files[number]
    data = before = whole.document.syntax.buffer.data
    for part in sorted(sample.parts, key=lambda change: -change.start):
        data = data[: part.start] + part.old + data[part.end :]
    document = whole.document
    without = changed_file(
        document.uri, document.syntax.language, document.history.anchor.data, data, document.settings
    )
    assert without is not None  # it has fewer changes than one that was read
    now = [*files[:number], without, *files[number + 1 :]]
    for group in groups_in(now).groups:
        sites = _sites(group, now, beside)
        right = [site.document.uri == sample.where and site.edit.apply(data) == before for site in sites]
        if any(right):
            return _case(project, commit, group, True, sites, right, rng)
    return CheckCase(project, commit, 0, True, np.zeros((0, len(CHECK_FEATURES))), np.zeros(0, dtype=np.bool_))


def _sites(group: EditGroup, files: Sequence[ChangedFile], beside: Sequence[Document]) -> Sequence[Site]:
    return open_places(group, files, [*(file.document for file in files), *beside]).sites


def _case(
    project: str,
    commit: str,
    group: EditGroup,
    forgotten: bool,
    sites: Sequence[Site],
    right: Sequence[bool],
    rng: random.Random,
) -> CheckCase:
    """At most MAX_SITES places, the right one among them."""
    numbers = list(range(len(sites)))
    if len(numbers) > MAX_SITES:
        hits = [number for number in numbers if right[number]]
        numbers = [*hits, *rng.sample([number for number in numbers if not right[number]], MAX_SITES - len(hits))]
    rows = check_features(sites)
    features = np.asarray([rows[number] for number in numbers], dtype=np.float64)
    return CheckCase(
        project,
        commit,
        len(group.samples),
        forgotten,
        features.reshape(-1, len(CHECK_FEATURES)),
        np.asarray([right[number] for number in numbers], dtype=np.bool_),
    )
