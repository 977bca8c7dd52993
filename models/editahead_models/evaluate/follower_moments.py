"""Moments in which something follows by likeness, with all candidates: what the weights of these sources are fitted on.

A commit is done from hunk to hunk, in every other commit shuffled. The engine is asked where a generator of
`follower_replays` has a candidate that it did not have before, and once after the last hunk.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from editahead.suggest.next_edit.consequences.argument import argument
from editahead.suggest.next_edit.consequences.resolvers import Resolvers
from editahead.suggest.next_edit.consequences.types import Generator
from editahead.suggest.next_edit.consequences.types import Moment as Asked

from editahead_models.data.repeat_mining import Commit
from editahead_models.evaluate.candidate_moments import MAX_EDITS, Moment, Setting, cursor_of, in_hunks, judged_moment
from editahead_models.evaluate.follower_replays import GENERATORS, SHUFFLED
from editahead_models.evaluate.repeat_cases import MAX_EVENTS, Replay

MOST = 4
"""Moments of one commit."""


def argument_moments(setting: Setting, commit: Commit, rng: random.Random) -> Iterator[Moment]:
    """The moments of one commit in which another call may take the change of an argument."""
    yield from _moments(setting, commit, rng, (argument,))


def rare_moments(setting: Setting, commit: Commit, rng: random.Random) -> Iterator[Moment]:
    """The moments of one commit in which one of the other generators has something, which is seldom."""
    yield from _moments(setting, commit, rng, tuple(one for one in GENERATORS if one is not argument))


def _moments(setting: Setting, commit: Commit, rng: random.Random, generators: Sequence[Generator]) -> Iterator[Moment]:
    replay = Replay(commit, setting.language, rng)
    ends = in_hunks(replay, rng, SHUFFLED)
    if not 1 <= len(ends) <= MAX_EVENTS or len(replay.events) > MAX_EDITS:
        return
    seen, resolvers, done, given = set[tuple[str, str]](), Resolvers(), 0, 0
    for number, end in enumerate(ends):
        for at in range(done, end):
            replay.step(at)
        done = end
        file = replay.events[done - 1][0]
        document = replace(file.document, others=tuple(replay.documents(file)[1:]), idle=True)
        asked = Asked(document, cursor_of(file), resolvers.of, lambda: None, {})
        found = {(one.group, one.kind) for generator in generators for one in generator(asked).candidates}
        last = number == len(ends) - 1
        if found and (last or (not found <= seen and given < MOST)):
            given += 1
            kind = "finished" if last else "between"
            yield judged_moment(setting, replay, file, document, cursor_of(file), kind, commit.name)
        seen |= found
