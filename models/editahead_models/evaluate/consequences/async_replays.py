"""Functions that a commit makes async, or no longer, replayed: what follows at the calls, and what did the commit do?

The function is given its `async`, or loses it, as if a person had typed just that. What is offered then is right when
the commit wrote that very line. Only Python's commits are read.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.rules import rule_named
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import Language
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.consequences.parameter_replays import functions, typed_edit, verdict
from editahead_models.evaluate.consequences.rename_replays import Replay, opened, uri_of

MAX_FUNCTIONS = 6  # of one file
_ASYNC = "async def "
_HEAD = re.compile(rb"(async[ \t]+)?def[ \t]+$")
_LONGEST_HEAD = 40  # bytes before the name


def replays(commit: Commit, project: str, language: Language, rng: random.Random) -> Iterator[Replay]:
    """The moments of a commit, with all its files open."""
    after = {uri_of(change.path): change.after for change in commit.changes}
    for document, _ in turned_documents(commit, language, rng):
        outcome = rule_named("await").run(Moment(document, 0, ResolverCache().of, lambda: None))
        for kind in dict.fromkeys(one.kind for one in outcome.candidates):
            verdicts = [verdict(one, after) for one in outcome.candidates if one.kind == kind]
            counts = verdicts.count("right"), verdicts.count("kept"), verdicts.count("other")
            yield Replay(project, language.id, kind, verdicts[0], *counts, 0, "")
        if not outcome.candidates:
            yield Replay(project, language.id, "", "", 0, 0, 0, 0, "")


def turned_documents(commit: Commit, language: Language, rng: random.Random) -> Iterator[tuple[Document, int]]:
    """The documents of a commit in which one function was just made async, or no longer, with the cursor there."""
    changed = [change for change in commit.changes if change.before.count(_ASYNC) != change.after.count(_ASYNC)]
    if not changed or language.id != "python":
        return
    others = [opened(change.path, change.before, language) for change in commit.changes]
    others += [opened(path, text, language) for path, text in commit.beside]
    for change in changed:
        uri = uri_of(change.path)
        snapshot = next(one.syntax for one in others if one.uri == uri)
        later = open_snapshot(Buffer(change.after.encode()), language)
        if snapshot.error_count() or later.error_count():
            continue
        before, now = functions(snapshot), functions(later)
        turned: list[ByteEdit] = []
        for name in sorted(before.keys() & now.keys()):
            edit = turning(snapshot.buffer.data, before[name].name_start, later.buffer.data, now[name].name_start)
            turned += [edit] if edit is not None else []
        rng.shuffle(turned)
        for edit in turned[:MAX_FUNCTIONS]:
            document = replace(
                typed_edit(uri, snapshot, edit, language), others=tuple(one for one in others if one.uri != uri)
            )
            yield document, edit.start + len(edit.new)


def turning(before: bytes, start: int, after: bytes, then: int) -> ByteEdit | None:
    """The edit that adds or removes a function's `async`, whose name begins at `start`; None where that is the same."""
    old, new = (_HEAD.search(data[max(0, at - _LONGEST_HEAD) : at]) for data, at in ((before, start), (after, then)))
    if old is None or new is None or (old.group(1) is None) is (new.group(1) is None):
        return None
    first = start - len(old.group(0))
    if old.group(1) is None:
        return ByteEdit(first, first, b"async ")
    return ByteEdit(first, first + len(old.group(1)), b"")
