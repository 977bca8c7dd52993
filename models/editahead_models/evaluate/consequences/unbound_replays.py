"""Declarations that commits take away, replayed hunk by hunk: what follows for the places that still use the name?

Right is an edit on a shortest way to the committed text. A wrong text in the right place counts as kept, for it is of
little use.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.rules import rule_named
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.language import Language

from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.consequences.rename_replays import Replay
from editahead_models.evaluate.next_edits.candidate_moments import MAX_EDITS, cursor_of, hunks_of
from editahead_models.evaluate.repeats.cases import MAX_EVENTS, OpenFile, is_right
from editahead_models.evaluate.repeats.cases import Replay as Session


def replays(commit: Commit, project: str, language: Language, rng: random.Random) -> Iterator[Replay]:
    """The moments of a commit, whose hunks are done from top to bottom; each name in the moment when it was lost.

    Nothing is drawn.
    """
    seen, resolvers = set[str](), ResolverCache()
    for file, document, byte in moments_of(commit, language):
        found = rule_named("unbound").run(Moment(document, byte, resolvers.of, lambda: None)).candidates
        for group in dict.fromkeys(one.group for one in found if one.group not in seen):
            seen.add(group)
            mine = [one for one in found if one.group == group]
            verdicts = ["right" if is_right(file, one.edit) else "kept" for one in mine]
            counts = verdicts.count("right"), verdicts.count("kept"), 0
            yield Replay(project, language.id, mine[0].kind, verdicts[0], *counts, 0, "")


def moments_of(
    commit: Commit, language: Language, shuffled: random.Random | None = None
) -> Iterator[tuple[OpenFile, Document, int]]:
    """The files of a commit as they stand after each hunk, as documents in which the user rests.

    The hunks are done from top to bottom, or in an order that `shuffled` draws.
    """
    session = Session(commit, language, random.Random(0))
    hunks = [(file, part) for file in session.files for part in hunks_of(file)]
    if not 1 <= len(hunks) <= MAX_EVENTS or len(session.events) > MAX_EDITS:
        return
    if shuffled is not None:
        shuffled.shuffle(hunks)
    session.events = [(file, index) for file, part in hunks for index in part]
    done = 0
    for file, part in hunks:
        for number in range(done, done + len(part)):
            session.step(number)
        done += len(part)
        document = replace(file.document, others=tuple(session.documents(file)[1:]), idle=True)
        yield file, document, cursor_of(file)
