"""Commits as a missed-edit check sees them: whole, and with one of several equal edits left out.

A place is right when its edit turns the file into the one that was committed, byte by byte. All other files of the
project as of that commit are searched too, as the check does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from editahead.check.git import CheckedRepository, Span
from editahead.check.leftover import Leftover
from editahead.check.run import MAX_SEARCHED, OtherFiles, leftovers, open_files
from editahead.check.search import CHECK_FEATURES, check_features, find_open_sites, groups_in
from editahead.check.texts import ChangedFile, RepositoryTexts, changed_file
from editahead.patterns.changes import NetChange
from editahead.patterns.groups import EditGroup, Sample
from editahead.settings import Settings
from editahead.suggest.next_edit.repeats.group_sites import Site
from editahead.suggest.types import Document

MAX_SITES = 30
MAX_HUNKS = 6
"""Hunks of one commit that are left out, one at a time."""
MAX_LEFT_OUT = 3
"""Places of one commit that are left out, one at a time, each of another edit."""
Floats = npt.NDArray[np.float64]
LeftBy = Callable[[Sequence[ChangedFile]], list[Leftover]]
"""What a change of some files leaves behind."""


@dataclass(frozen=True)
class CheckCase:
    """The places that one edit of a commit leaves. `forgotten`: one place was left out, and is among them or not."""

    project: str
    commit: str
    examples: int
    forgotten: bool
    features: Floats  # [P, F]
    right: npt.NDArray[np.bool_]  # [P]
    left: tuple[str, ...] = ()  # kinds of what the change left behind: of a place left out, only what follows from it


@dataclass(frozen=True)
class HunkCase:
    """A commit without one of its hunks, or (`hunk` false) whole: the kinds of what it left behind.

    Of a commit without a hunk only what the whole commit does not leave. `there`: of these the kinds that point at a
    line of the hunk.
    """

    project: str
    commit: str
    hunk: bool
    kinds: tuple[str, ...]
    there: tuple[str, ...] = ()


def cases_of(repository: Path, project: str, commit: str, rng: random.Random) -> Iterator[CheckCase | HunkCase]:
    """The cases of one commit: of its hunks, and of its edits where it makes one twice. Raises CheckError."""
    git = CheckedRepository(repository, bare=True)
    texts = RepositoryTexts(git, Span(f"{commit}^", commit), Settings())
    entries = git.changes(texts.span)
    files, added, gone, _ = open_files(texts, entries)
    known, near = [entry.after for entry in entries], [file.document.uri for file in files]

    def holding(words: Sequence[str]) -> Sequence[Document]:
        return texts.holding(words, known, near, MAX_SEARCHED)[0]

    others = OtherFiles(holding, texts.at, texts.has_file)

    def left_by(changed: Sequence[ChangedFile]) -> list[Leftover]:
        return leftovers(changed, added, others, gone)

    whole = left_by(files)
    yield HunkCase(project, commit, False, tuple(sorted({one.kind for one in whole})))
    hunks = [(number, part) for number, file in enumerate(files) for part in _hunks(file)]
    if len(hunks) > 1:
        for number, part in random.Random(f"hunks:{commit}").sample(hunks, min(MAX_HUNKS, len(hunks))):
            yield _without_hunk(project, commit, files, left_by, number, part, whole)
    groups = groups_in(files).groups
    if not groups:
        return
    beside = [*added, *holding(sorted({group.pattern.word for group in groups}))]
    kinds = tuple(sorted({one.kind for one in whole}))
    for group in groups:
        sites = _sites(group, files, beside)
        yield _case(project, commit, group, files, False, sites, [False] * len(sites), whole, kinds, rng)
    large = [group for group in groups if len(group.samples) > 2]
    for group in rng.sample(large, min(MAX_LEFT_OUT, len(large))):
        yield _left_out(project, commit, files, beside, left_by, rng.choice(group.samples), whole, rng)


def _hunks(file: ChangedFile) -> list[list[NetChange]]:
    """The changes of a file, those of adjacent lines together."""
    buffer, found = file.document.syntax.buffer, list[list[NetChange]]()
    for change in file.changes:
        if found and buffer.line_at(change.start) <= buffer.line_at(found[-1][-1].end) + 1:
            found[-1].append(change)
        else:
            found.append([change])
    return found


def _taken_back(file: ChangedFile, parts: Sequence[NetChange]) -> ChangedFile:
    """A changed file without some of its changes."""
    data = file.document.syntax.buffer.data
    for part in sorted(parts, key=lambda change: -change.start):
        data = data[: part.start] + part.old + data[part.end :]
    document = file.document
    without = changed_file(
        document.uri, document.syntax.language, document.history.anchor.data, data, document.settings
    )
    assert without is not None  # it has fewer changes than one that was read
    return without


def _new_leftovers(
    left: Sequence[Leftover],
    whole: Sequence[Leftover],
) -> list[Leftover]:
    """What a part of a commit leaves behind and the whole one does not."""
    known = {(one.where, one.kind, one.reason) for one in whole}
    return [one for one in left if (one.where, one.kind, one.reason) not in known]


def _without_hunk(
    project: str,
    commit: str,
    files: Sequence[ChangedFile],
    left_by: LeftBy,
    number: int,
    part: Sequence[NetChange],
    whole: Sequence[Leftover],
) -> HunkCase:
    without = _taken_back(files[number], part)
    found = _new_leftovers(left_by([*files[:number], without, *files[number + 1 :]]), whole)
    start = part[0].start
    end = start + sum(len(one.old) for one in part) + sum(b.start - a.end for a, b in pairwise(part))
    buffer = without.document.syntax.buffer
    lines = range(buffer.line_at(min(start, len(buffer))), buffer.line_at(min(end, len(buffer))) + 1)
    there = [one for one in found if one.where == without.document.uri and one.line in lines]
    kinds, at_hunk = (tuple(sorted({one.kind for one in rows})) for rows in (found, there))
    return HunkCase(project, commit, True, kinds, at_hunk)


def _left_out(
    project: str,
    commit: str,
    files: Sequence[ChangedFile],
    beside: Sequence[Document],
    left_by: LeftBy,
    sample: Sample,
    whole: Sequence[Leftover],
    rng: random.Random,
) -> CheckCase:
    """The commit without one of its examples: the places of that edit, the forgotten one among them or not."""
    number = next(at for at, file in enumerate(files) if file.document.uri == sample.where)
    before = files[number].document.syntax.buffer.data
    without = _taken_back(files[number], sample.parts)
    data = without.document.syntax.buffer.data
    now = [*files[:number], without, *files[number + 1 :]]
    left = left_by(now)
    kinds = tuple(sorted({one.kind for one in _new_leftovers(left, whole)}))
    for group in groups_in(now).groups:
        sites = _sites(group, now, beside)
        right = [site.document.uri == sample.where and site.edit.apply(data) == before for site in sites]
        if any(right):
            return _case(project, commit, group, now, True, sites, right, left, kinds, rng)
    empty = np.zeros((0, len(CHECK_FEATURES))), np.zeros(0, dtype=np.bool_)
    return CheckCase(project, commit, 0, True, *empty, kinds)


def _sites(group: EditGroup, files: Sequence[ChangedFile], beside: Sequence[Document]) -> Sequence[Site]:
    return find_open_sites(group, files, [*(file.document for file in files), *beside]).sites


def _case(
    project: str,
    commit: str,
    group: EditGroup,
    files: Sequence[ChangedFile],
    forgotten: bool,
    sites: Sequence[Site],
    right: Sequence[bool],
    left: Sequence[Leftover],
    kinds: tuple[str, ...],
    rng: random.Random,
) -> CheckCase:
    """At most MAX_SITES places, the right one among them."""
    numbers = list(range(len(sites)))
    if len(numbers) > MAX_SITES:
        hits = [number for number in numbers if right[number]]
        numbers = [*hits, *rng.sample([number for number in numbers if not right[number]], MAX_SITES - len(hits))]
    rows = check_features(sites, group, files, left)
    features = np.asarray([rows[number] for number in numbers], dtype=np.float64)
    return CheckCase(
        project,
        commit,
        len(group.samples),
        forgotten,
        features.reshape(-1, len(CHECK_FEATURES)),
        np.asarray([right[number] for number in numbers], dtype=np.bool_),
        kinds,
    )
