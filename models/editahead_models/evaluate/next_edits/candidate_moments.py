"""Moments of commits replayed by the real engine: all candidates for the next edit, and which of them the commit did.

Moments: `between` two hunks of a commit, in written or in shuffled order; `finished`, when nothing is to come; `half`
of an edit is typed; a single `burst` of typing, with all else to come; `undo` of the last edit; `letters`, one typed
and deleted before anything else. In one commit of four each edit is saved, and a formatter takes stray blanks away
(`saved_edits`). A candidate is right when it lies on a shortest way to the text that was committed
(`repeat_cases`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.scoring.candidate_features import FEATURES
from editahead.suggest.types import Document, QueuedEdit, Shown
from editahead.syntax.language import Language
from editahead.text.edits import ByteEdit, apply_all

from editahead_models.data.edits.hunk_edits import edits_by_hunk
from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.next_edits.moment_steps import half_typed, last_undone, letter_typed_and_deleted
from editahead_models.evaluate.repeats.cases import (
    MAX_EVENTS,
    SHUFFLED,
    OpenFile,
    Replay,
    is_right,
    kind_of,
    meets,
    tokens_of,
)

MOMENTS = 4
"""Drawn moments of a commit after whole edits."""
MAX_EDITS = 300
"""Edits of a commit."""
JUDGED = 24
"""Candidates of one source that are judged, likeliest first."""
DIALS = (0.5, 0.65, 0.8, 0.9)
CATEGORIES = ("same", "seen", "deletion", "file", "other")
HALF, UNDO, LETTERS, BURST = 0.4, 0.2, 0.2, 0.5
"""How often a commit ends in half an edit or an undo, and how often it begins with letters that go again."""
SAVED = 0.25
"""How often a commit is edited with a formatter that runs at each save."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """What one answer was: `right` (and the `first` of the edits to come), or at least in the `place` of one."""

    source: str
    right: bool
    place: bool
    first: bool = False


@dataclass(frozen=True)
class Moment:
    """One moment with its candidates, rated and judged.

    `coming` edits are still to come in the file of the cursor and `elsewhere` in others; `category` says what the
    likeliest kind of them is. `answers` holds what the engine showed at each of DIALS.
    """

    project: str
    language: str
    commit: str
    kind: str
    coming: int
    elsewhere: int
    category: str
    sources: tuple[str, ...]
    features: Floats  # [N, F]
    right: npt.NDArray[np.bool_]  # [N]
    place: npt.NDArray[np.bool_]  # [N]
    own: npt.NDArray[np.bool_]  # [N] in the file of the cursor
    probabilities: Floats  # [N] by the scorer of the engine
    groups: tuple[str, ...]
    answers: tuple[Judged | None, ...]
    baseline: Judged | None = None  # the answer of `Setting.baseline`


@dataclass(frozen=True)
class Setting:
    """What moments are made with: the engine, the project, its language, and the dials at which answers are asked.

    `baseline` answers beside the engine, from the history of a document. Without `rated` no candidates are listed.
    """

    engine: Engine
    project: str
    language: Language
    dials: tuple[float, ...] = ()
    rated: bool = True
    baseline: Callable[[Document], ByteEdit | None] | None = None


class ReplayedMoment(NamedTuple):
    """A moment of a replay: the document and the byte of the cursor, before anything is requested there."""

    replay: Replay
    file: OpenFile
    document: Document
    byte: int
    kind: str


def moments(setting: Setting, commit: Commit, rng: random.Random) -> Iterator[Moment]:
    """The moments of one commit; none where it has too many edits."""
    for moment in replayed_moments(setting.language, commit, rng):
        yield judged_moment(setting, *moment, commit.name)


def replayed_moments(language: Language, commit: Commit, rng: random.Random) -> Iterator[ReplayedMoment]:
    """The moments of one commit, each valid until the next is taken; none where it has too many edits."""
    replay = Replay(commit, language, rng)
    saves = random.Random(f"saves of {commit.name}")  # apart from `rng`, which draws the moments
    if saves.random() < SAVED:
        replay.saves = saves
    ends = in_hunks(replay, rng)
    count = len(ends)
    if not 1 <= count <= MAX_EVENTS or len(replay.events) > MAX_EDITS:
        return
    if rng.random() < BURST and len(replay.events) > 1:
        yield burst(language, commit, rng)
    if rng.random() < LETTERS:
        file, byte = letter_typed_and_deleted(replay, rng)
        yield at_cursor(replay, file, byte, "letters")
    asked = sorted(rng.sample(range(count), min(MOMENTS, count)))
    done = 0
    for number in range(asked[-1] + 1):
        for at in range(done, ends[number]):
            replay.step(at)
        done = ends[number]
        if number in asked:
            file = replay.events[done - 1][0]
            yield at_cursor(replay, file, cursor_of(file), "finished" if number == count - 1 else "between")
    drawn = rng.random()
    if drawn < UNDO:
        file = last_undone(replay, done - 1)
        yield at_cursor(replay, file, cursor_of(file), "undo")
    elif drawn < UNDO + HALF and asked[-1] + 1 < count:
        parts = ends[asked[-1] + 1] - done
        if parts > 1 and rng.random() < 0.5:
            for at in range(done, done + rng.randrange(1, parts)):
                replay.step(at)
                file = replay.events[at][0]
            yield at_cursor(replay, file, cursor_of(file), "half", idle=rng.random() < 0.5)
            return
        half = half_typed(replay, done, rng)
        if half is not None:
            yield at_cursor(replay, *half, "half", idle=False)


def at_cursor(replay: Replay, file: OpenFile, byte: int, kind: str, *, idle: bool = True) -> ReplayedMoment:
    """The moment of a replay as it stands, with the cursor at a byte of a file."""
    document = replace(file.document, others=tuple(replay.documents(file)[1:]), idle=idle)
    return ReplayedMoment(replay, file, document, byte, kind)


def burst(language: Language, commit: Commit, rng: random.Random, number: int | None = None) -> ReplayedMoment:
    """One edit of a commit done alone, all others still to come; drawn where no number is given, every other a word."""
    alone = Replay(commit, language, rng)
    if number is None:
        words = [at for at, kind in enumerate(alone.kinds) if is_word(kind)]
        number = rng.choice(words if words and rng.random() < 0.5 else range(len(alone.events)))
    alone.step(number)
    file = alone.events[number][0]
    return at_cursor(alone, file, cursor_of(file), "burst")


def is_word(kind: tuple[tuple[str, ...], tuple[str, ...]] | None) -> bool:
    """Whether an edit, as the tokens that go and come, replaces one word by another."""
    return kind is not None and len(kind[0]) == len(kind[1]) == 1


def in_hunks(replay: Replay, rng: random.Random, shuffled: float = SHUFFLED) -> list[int]:
    """Puts a replay's edits in the order of hunks, `shuffled` so often; where each of them ends."""
    hunks = [(file, part) for file in replay.files for part in hunks_of(file)]
    if rng.random() < shuffled:
        rng.shuffle(hunks)
    replay.events = [(file, index) for file, part in hunks for index in part]
    return list(accumulate(len(part) for _, part in hunks))


def hunks_of(file: OpenFile) -> list[list[int]]:
    """The numbers of a file's edits by hunk."""
    return edits_by_hunk(file.before, file.edits)


def cursor_of(file: OpenFile) -> int:
    """Where the cursor stands: behind the last edit."""
    view = file.history.view()
    return view.pending.end if view.pending else view.settled[-1].end if view.settled else 0


def judged_moment(
    setting: Setting, replay: Replay, file: OpenFile, document: Document, byte: int, kind: str, commit: str
) -> Moment:
    """All candidates of a moment, those that are judged with whether they are right."""
    files = {other.document.uri: other for other in (*replay.files, *replay.beside)}
    rated = setting.engine.rated_candidates(document, byte, Cancel()).items if setting.rated else ()
    kept: list[int] = []
    counts: dict[str, int] = {}
    for number in sorted(range(len(rated)), key=lambda at: -rated[at].candidate.score):
        family = rated[number].candidate.source
        counts[family] = counts.get(family, 0) + 1
        if counts[family] <= JUDGED:
            kept.append(number)
    kept.sort()
    chosen = [rated[number].candidate for number in kept]
    homes = [files[one.document.uri] for one in chosen]
    coming = coming_edits(file)
    others = [other for other in replay.files if other is not file]
    quiet = kind in ("undo", "letters")
    beside = setting.baseline(document) if setting.baseline is not None else None
    pairs = list(zip(chosen, homes, strict=True))
    right = [not quiet and is_right_from(home, one.offer, one.source) for one, home in pairs]
    place = [any(meets(edit, one.offer) for edit in coming_edits(home)) for one, home in pairs]
    shape = (len(kept), len(FEATURES))
    return Moment(
        setting.project,
        replay.language.id,
        commit,
        kind,
        0 if quiet else len(coming),
        0 if quiet else sum(len(coming_edits(other)) for other in others),
        category(file) if coming and not quiet else "",
        tuple(one.source for one in chosen),
        np.asarray([rated[number].features for number in kept], dtype=np.float64).reshape(shape),
        np.asarray(right, dtype=np.bool_),
        np.asarray(place, dtype=np.bool_),
        np.asarray([home is file for home in homes], dtype=np.bool_),
        np.asarray([rated[number].probability for number in kept], dtype=np.float64),
        tuple(one.group for one in chosen),
        tuple(_answer(setting.engine, document, byte, dial, replay, files, quiet) for dial in setting.dials),
        _judged_edit(replay, file, beside, "baseline", quiet) if beside is not None else None,
    )


def is_right_from(file: OpenFile, edit: ByteEdit, source: str) -> bool:
    """Whether an edit of a source is one of those still to come.

    An import may stand anywhere among the imports, and the field of a parameter among the others.
    """
    if is_right(file, edit) or source not in ("import", "field") or not coming_edits(file):
        return is_right(file, edit)
    now = file.buffer.data
    final = apply_all(file.before, sorted(file.edits, key=lambda one: -one.start))
    made, wanted, had = (Counter(data.split()) for data in (edit.apply(now), final, now))
    come, gone = made - had, had - made
    return all(wanted[word] > had[word] for word in come) and all(wanted[word] < had[word] for word in gone)


def _answer(
    engine: Engine, document: Document, byte: int, dial: float, replay: Replay, files: dict[str, OpenFile], quiet: bool
) -> Judged | None:
    """What the engine shows at one dial: the next edit, or one of another open file."""
    engine.forget_shown()  # the user of a replay wrote all by hand
    asked = replace(document, settings=replace(document.settings, precision=dial))
    decision: Any = engine.next_edit(asked, byte, Cancel())
    if not isinstance(decision, Shown):
        decision = engine.next_edit_elsewhere(asked, byte, Cancel())
    if not isinstance(decision, Shown):
        return None
    value = decision.value
    file = files[value.uri if isinstance(value, QueuedEdit) else document.uri]
    source = value.source or ("repeat" if value.group else "network")
    return _judged_edit(replay, file, value.edit, source, quiet)


def _judged_edit(replay: Replay, file: OpenFile, edit: ByteEdit, source: str, quiet: bool) -> Judged:
    """How an edit of a file agrees with what is still to come; `quiet` where nothing is."""
    met = any(meets(one, edit) for one in coming_edits(file))
    right = not quiet and is_right_from(file, edit, source)
    left = next(((home, at) for home, at in replay.events if at not in home.done), None)
    first = right and left is not None and left[0] is file and meets(file.now(left[1]), edit)
    return Judged(source, right, not quiet and met, first)


def coming_edits(file: OpenFile) -> list[ByteEdit]:
    """The edits of a file that are still to come, in its current text."""
    return [file.now(number) for number in range(len(file.edits)) if number not in file.done]


def category(file: OpenFile) -> str:
    """What the easiest hunk still to come in a file needs.

    `same`: a substitution that was made before; `seen`: it inserts tokens that were inserted before, and no others;
    `deletion`: it inserts none; `file`: tokens that stand in the file; `other`.
    """
    kinds = [kind_of(file.before, edit) for edit in file.edits]
    done = {kinds[number] for number in file.done} - {None}
    inserted = {text for kind in done if kind is not None for text in kind[1]}
    stand = set(tokens_of(file.buffer.data))
    found = set[str]()
    for part in hunks_of(file):
        left = [kinds[number] for number in part if number not in file.done]
        come = {text for kind in left if kind is not None for text in kind[1] if not text.startswith("\n")}
        if not left:
            continue
        if any(kind in done and kind is not None and _says_much(kind) for kind in left):
            found.add("same")
        elif None in left:
            found.add("other")
        elif not come:
            found.add("deletion")
        elif inserted >= come:
            found.add("seen")
        else:
            found.add("file" if stand >= come else "other")
    return next((name for name in CATEGORIES if name in found), "other")


def _says_much(kind: tuple[tuple[str, ...], tuple[str, ...]]) -> bool:
    """Whether a substitution holds more than line ends and blanks."""
    return any(not text.startswith("\n") for text in (*kind[0], *kind[1]))
