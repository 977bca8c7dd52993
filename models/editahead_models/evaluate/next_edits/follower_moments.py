"""Moments in which something follows by likeness, with all candidates: what the weights of these sources are fitted on.

A commit is done from hunk to hunk, in every other commit shuffled. The engine is asked where a rule of these
sources has a candidate that it did not have before, and once after the last hunk.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.types import Moment as Asked

from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.consequences.follower_replays import SHUFFLED, rules_of
from editahead_models.evaluate.next_edits.candidate_moments import (
    MAX_EDITS,
    Moment,
    Setting,
    cursor_of,
    in_hunks,
    judged_moment,
)
from editahead_models.evaluate.repeats.cases import MAX_EVENTS, Replay

MOST = 4
"""Moments of one commit."""


def moments_with(source: str) -> Callable[[Setting, Commit, random.Random], Iterator[Moment]]:
    """What gives the moments of one commit in which one source has something."""
    return lambda setting, commit, rng: _moments(setting, commit, rng, (source,))


def _moments(setting: Setting, commit: Commit, rng: random.Random, sources: Sequence[str]) -> Iterator[Moment]:
    replay = Replay(commit, setting.language, rng)
    ends = in_hunks(replay, rng, SHUFFLED)
    if not 1 <= len(ends) <= MAX_EVENTS or len(replay.events) > MAX_EDITS:
        return
    rules = rules_of(sources)
    seen, resolvers, done, given = set[tuple[str, str]](), ResolverCache(), 0, 0
    for number, end in enumerate(ends):
        for at in range(done, end):
            replay.step(at)
        done = end
        file = replay.events[done - 1][0]
        document = replace(file.document, others=tuple(replay.documents(file)[1:]), idle=True)
        asked = Asked(document, cursor_of(file), resolvers.of, lambda: None, {})
        found = set[tuple[str, str]]()
        for rule in rules:
            found |= {(one.group, one.kind) for one in rule.run(asked).candidates}
        last = number == len(ends) - 1
        if found and (last or (not found <= seen and given < MOST)):
            given += 1
            kind = "finished" if last else "between"
            yield judged_moment(setting, replay, file, document, cursor_of(file), kind, commit.name)
        seen |= found
