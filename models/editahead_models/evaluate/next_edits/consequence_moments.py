"""Moments of commits that most likely have consequences: what the scorer and the rates of kinds learn from."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from editahead.suggest.next_edit.consequences.rules import all_rules
from editahead.syntax.language import Language
from editahead.text.buffer import Buffer

from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.next_edits.candidate_moments import (
    MAX_EDITS,
    Moment,
    ReplayedMoment,
    Setting,
    at_cursor,
    burst,
    cursor_of,
    in_hunks,
    is_word,
    judged_moment,
)
from editahead_models.evaluate.repeats.cases import MAX_EVENTS, OpenFile, Replay

CONSEQUENCES = frozenset(rule.name for rule in all_rules())
"""The rules that follow from what names mean."""
MAX_BURST_FILES = 6
_HEAD = re.compile(r"\s*(async\s+def|def)\s|\s*(public|private|protected)\b.*\(")
_IMPORT = re.compile(r"\s*(import\s|from\s+\S+\s+import\b)")
_NAMED = re.compile(rb"^[ \t]*(const |let |var )?\w+ = [^\n]{5,}$", re.MULTILINE)


def consequence_moments(setting: Setting, commit: Commit, rng: random.Random) -> Iterator[Moment]:
    """The single edits of one commit from which something follows, judged."""
    for moment in single_edits(setting.language, commit, rng):
        found = judged_moment(setting, *moment, commit.name)
        if CONSEQUENCES.intersection(found.sources):
            yield found


def single_edits(language: Language, commit: Commit, rng: random.Random) -> Iterator[ReplayedMoment]:
    """Moments of one commit after an edit that most likely has consequences, each valid until the next is taken.

    A name replaced alone, the head of a function changed alone, a value that was given a name, and all of a commit but
    its imports.
    """
    replay = Replay(commit, language, random.Random(0))
    if not 2 <= len(replay.events) <= MAX_EDITS or len(replay.files) > MAX_BURST_FILES:
        return
    lines = [_line_of(file, index) for file, index in replay.events]
    heads = [at for at, line in enumerate(lines) if _HEAD.match(line)]
    words = [at for at, kind in enumerate(replay.kinds) if is_word(kind)]
    rng.shuffle(words)
    rng.shuffle(heads)
    come = [file.edits[index].new for file, index in replay.events]
    named = [at for at, new in enumerate(come) if _NAMED.search(new)]
    rng.shuffle(named)
    for number in dict.fromkeys([*heads[:1], *words[:2], *named[:1]]):
        yield burst(language, commit, random.Random(0), number)
    rest = [at for at, (file, index) in enumerate(replay.events) if not _is_import(file, index)]
    if rest and len(rest) < len(replay.events):
        for number in rest:
            replay.step(number)
        file = replay.events[rest[-1]][0]
        yield at_cursor(replay, file, cursor_of(file), "burst")


def all_hunks(language: Language, commit: Commit, rng: random.Random) -> Iterator[ReplayedMoment]:
    """The moments of one commit after each of its hunks, each valid until the next is taken."""
    replay, done = Replay(commit, language, random.Random(0)), 0
    ends = in_hunks(replay, rng)
    if not 1 <= len(ends) <= MAX_EVENTS or len(replay.events) > MAX_EDITS:
        return
    for end in ends:
        for number in range(done, end):
            replay.step(number)
        done, file = end, replay.events[end - 1][0]
        yield at_cursor(replay, file, cursor_of(file), "between")


def _line_of(file: OpenFile, index: int) -> str:
    before = Buffer(file.before)
    return before.line_text(before.line_at(file.edits[index].start))


def _is_import(file: OpenFile, index: int) -> bool:
    edit = file.edits[index]
    texts = (_line_of(file, index), edit.new.decode("utf-8", "replace").strip())
    return any(_IMPORT.match(text) for text in texts)
