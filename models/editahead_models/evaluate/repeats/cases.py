"""Repeated edits in commits, replayed.

After some of a commit's edits, which places does the queue list, and which of them did the commit change in that way?

The edits of a commit are done one by one as a user would, from top to bottom of each file (in one commit of four: in
random order), with all changed files open and two others beside them. A place is right when its edit lies on a shortest
way to the text that was committed, counted in tokens.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from editahead.encode.edit_model.tokens import lex_line
from editahead.patterns.changes import NetChange
from editahead.patterns.examples import example_of
from editahead.settings import Settings
from editahead.suggest.next_edit.repeats.group_sites import Site
from editahead.suggest.next_edit.repeats.pattern_queue import repeated_sites
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import Language
from editahead.text.buffer import Buffer
from editahead.text.diff import common_ends
from editahead.text.edits import ByteEdit, apply_all, minimal_diff
from editahead.text.history import EditKind, History

from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.repeats.saved_edits import loosened

MAX_EVENTS, MAX_STEPS, MAX_SITES = 80, 8, 30
SHUFFLED = 0.25
PAUSE = 30.0
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """What the queue lists after the last of `examples` examples of one edit, and what was really still to come.

    `expected` places of the commit take the same tokens away and put the same in as the last edit does; `found` of them
    are listed. `files` is the number of files that they stand in besides those of the examples.
    """

    project: str
    language: str
    examples: int
    features: Floats  # [P, F]
    right: npt.NDArray[np.bool_]  # [P]
    elsewhere: npt.NDArray[np.bool_]  # [P]
    reached: npt.NDArray[np.int64]  # [P] number of the expected place, -1 for none
    expected: int
    expected_elsewhere: int


@dataclass
class OpenFile:
    """A file while it is edited."""

    path: str
    before: bytes
    edits: list[ByteEdit]  # of `before`, by start
    done: list[int]
    buffer: Buffer
    history: History
    document: Document

    def now(self, number: int) -> ByteEdit:
        """An edit that is still to come, in the current text."""
        edit = self.edits[number]
        shift = sum(self.edits[other].delta for other in self.done if other < number)
        return ByteEdit(edit.start + shift, edit.old_end + shift, edit.new)


class _Clock:
    seconds = 0.0

    def now(self) -> float:
        return self.seconds


class Replay:
    """One commit as an editing session."""

    def __init__(self, commit: Commit, language: Language, rng: random.Random) -> None:
        self.clock = _Clock()
        self.language = language
        self.saves: random.Random | None = None  # where set, each edit is saved and formatted
        self.files = [self._open(path, before, after) for path, before, after in commit.changes]
        self.beside = [self._open(path, text, text) for path, text in commit.beside]
        self.events = [(file, number) for file in self.files for number in range(len(file.edits))]
        if rng.random() < SHUFFLED:
            rng.shuffle(self.events)
        self.kinds = [kind_of(file.before, file.edits[number]) for file, number in self.events]

    def _open(self, path: str, before: str, after: str) -> OpenFile:
        data = before.encode()
        edits = sorted(minimal_diff(data, after.encode()), key=lambda edit: edit.start)
        buffer = Buffer(data)
        history = History(buffer, self.clock.now)
        document = Document(
            path, None, self.language.id, 1, open_snapshot(buffer, self.language), history.view(), Settings()
        )
        return OpenFile(path, data, edits, [], buffer, history, document)

    def step(self, number: int) -> None:
        """Do event `number`."""
        file, index = self.events[number]
        edit = file.now(index)
        typed, formatted = loosened(edit, file.buffer.data, self.saves) if self.saves else ([edit], [])
        for part in typed:
            self.push(file, part, EditKind.TYPED)
        self._rest(file)
        if formatted:
            for part in formatted:
                self.push(file, part, None)
            file.history.absorb_formatting()
            self._rest(file)
        file.done.append(index)
        file.document = _with(file.document, file.document.syntax, file.history)

    def _rest(self, file: OpenFile) -> None:
        self.clock.seconds += PAUSE
        file.history.settle(self.clock.seconds)

    def push(self, file: OpenFile, edit: ByteEdit, kind: EditKind | None) -> None:
        """Change a file."""
        file.history.push(edit, file.buffer, kind)
        file.buffer = file.buffer.apply(edit)
        file.document = _with(file.document, file.document.syntax.advance(file.buffer, [edit]), file.history)

    def documents(self, first: OpenFile) -> list[Document]:
        """All open files, the one that was edited last first."""
        others = [file.document for file in (*self.files, *self.beside) if file is not first]
        return [first.document, *others]

    def expected(self, number: int) -> list[tuple[OpenFile, int]]:
        """Events after `number` that are the same edit."""
        kind = self.kinds[number]
        later = range(number + 1, len(self.events))
        return [self.events[other] for other in later if kind is not None and self.kinds[other] == kind]


def _with(document: Document, syntax: object, history: History) -> Document:
    return Document(document.uri, None, document.language_id, 1, syntax, history.view(), document.settings)  # type: ignore[arg-type]


def kind_of(data: bytes, edit: ByteEdit) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """What an edit takes away and puts in, as tokens."""
    after = Buffer(edit.apply(data))
    example = example_of(after, [NetChange(edit.start, edit.new_end, edit.old_bytes(data), 0.0, 0)])
    if example is None:
        return None
    return tuple(key.text for key in example.old), tuple(key.text for key in example.new)


def cases(commit: Commit, project: str, language: Language, rng: random.Random) -> Iterator[Case]:
    """Cases after some edits of one commit."""
    replay = Replay(commit, language, rng)
    if not 2 <= len(replay.events) <= MAX_EVENTS:
        return
    asked = _asked(replay.kinds, rng)
    for number in range(max(asked) + 1):
        replay.step(number)
        if number not in asked:
            continue
        found = repeated_sites(replay.documents(replay.events[number][0])).sites
        mine = [site for site in found if site.group == found[0].group]
        if mine:
            yield _case(replay, number, mine, project, rng)


def _asked(kinds: Sequence[object], rng: random.Random) -> set[int]:
    """After which events to ask: two that repeat an earlier one, and two others."""
    steps = range(min(MAX_STEPS, len(kinds) - 1))
    again = [at for at in steps if kinds[at] is not None and kinds[at] in kinds[:at]]
    others = [at for at in steps if at not in again]
    return {*rng.sample(again, min(2, len(again))), *rng.sample(others, min(2, len(others)))}


def _case(replay: Replay, number: int, mine: Sequence[Site], project: str, rng: random.Random) -> Case:
    home = replay.events[number][0]
    expected = replay.expected(number)
    chosen = list(mine) if len(mine) <= MAX_SITES else rng.sample(list(mine), MAX_SITES)
    files = {file.document.uri: file for file in (*replay.files, *replay.beside)}
    right, reached = [], []
    for site in chosen:
        file = files[site.document.uri]
        right.append(is_right(file, site.edit))
        hits = [at for at, (other, index) in enumerate(expected) if other is file and meets(file.now(index), site.edit)]
        reached.append(hits[0] if hits and right[-1] else -1)
    return Case(
        project,
        replay.language.id,
        mine[0].examples,
        np.asarray([site.features for site in chosen], dtype=np.float64),
        np.asarray(right, dtype=np.bool_),
        np.asarray([site.document.uri != home.document.uri for site in chosen], dtype=np.bool_),
        np.asarray(reached, dtype=np.int64),
        len(expected),
        sum(file is not home for file, _ in expected),
    )


def meets(one: ByteEdit, two: ByteEdit) -> bool:
    """Whether two edits of one text touch."""
    return one.start <= two.old_end and two.start <= one.old_end


def is_right(file: OpenFile, edit: ByteEdit) -> bool:
    """Whether an edit is on a shortest way from a file's text now to the text that was committed."""
    buffer = file.buffer
    low = buffer.line_span(buffer.line_at(edit.start))[0]
    high = buffer.line_span(buffer.line_at(edit.old_end))[1]
    coming = [file.now(number) for number in range(len(file.edits)) if number not in file.done]
    inside: list[ByteEdit] = []
    grown = True
    while grown:  # lines that the edits to come tie together belong together
        # What comes between two lines may be put behind the first or before the second: both are one edit.
        first, last = _end_before(buffer, low), _next_start(buffer, high)
        inside = [one for one in coming if one.start <= last and first <= one.old_end]
        wider_low = min([low, *(buffer.line_span(buffer.line_at(one.start))[0] for one in inside)])
        wider_high = max([high, *(buffer.line_span(buffer.line_at(one.old_end))[1] for one in inside)])
        grown = (wider_low, wider_high) != (low, high)
        low, high = wider_low, wider_high
    if not inside or high - low > 20_000:
        return False
    now = buffer.data[low:high]
    moved = [ByteEdit(e.start - low, e.old_end - low, e.new) for e in sorted(inside, key=lambda e: -e.start)]
    final = apply_all(now, moved)
    local = ByteEdit(edit.start - low, edit.old_end - low, edit.new)
    texts = [tokens_of(data) for data in (now, final, local.apply(now))]
    size = token_distance(texts[0], texts[2])
    return size > 0 and token_distance(texts[0], texts[1]) - token_distance(texts[2], texts[1]) == size


def _next_start(buffer: Buffer, end: int) -> int:
    """Where the line after one that ends at a byte begins."""
    line = buffer.line_at(end)
    return int(buffer.line_starts[line + 1]) if line + 1 < buffer.line_count else end


def _end_before(buffer: Buffer, start: int) -> int:
    """Where the line before one that begins at a byte ends."""
    line = buffer.line_at(start)
    return buffer.line_span(line - 1)[1] if line else start


def tokens_of(data: bytes) -> list[str]:
    """The tokens of a text; a line begins with its end and its indentation."""
    lines = data.decode("utf-8", "replace").split("\n")
    return [
        text for line in lines for text in (f"\n{lex_line(line).indent}", *(p.key.text for p in lex_line(line).pieces))
    ]


def token_distance(one: Sequence[str], two: Sequence[str]) -> int:
    """How many tokens must come and go to turn one into the other."""
    head, tail = common_ends(one, two)
    a, b = one[head : len(one) - tail], two[head : len(two) - tail]
    if not a or not b:
        return len(a) + len(b)
    codes: dict[str, int] = {}
    x = np.asarray([codes.setdefault(text, len(codes)) for text in a])
    y = np.asarray([codes.setdefault(text, len(codes)) for text in b])
    row = np.zeros(len(y) + 1, dtype=np.int64)  # longest common subsequence, one row at a time
    for code in x:
        step = np.concatenate([[0], np.where(y == code, row[:-1] + 1, 0)])
        row = np.maximum.accumulate(np.maximum(row, step))
    return len(x) + len(y) - 2 * int(row[-1])
