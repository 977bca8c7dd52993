"""Commits that ask for edits whose text is not sure, replayed: did the commit edit the place that is led to?

Changed parameters are typed as in `parameter_replays`, hunks are done as in `moments_of`. A place is right when
the commit does not have its line any more. The place for an import is right when an edit among the imports is to come.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.rules import rule_named
from editahead.suggest.next_edit.consequences.rules.imports import PLACE_LANGUAGE, import_block
from editahead.suggest.next_edit.consequences.types import Moment, OpenPlace
from editahead.suggest.types import Document
from editahead.syntax.language import Language

from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.consequences.parameter_replays import changed_parameters
from editahead_models.evaluate.consequences.replays import Replay, first_of_each, uri_of
from editahead_models.evaluate.next_edits.candidate_moments import MAX_EDITS, cursor_of, hunks_of
from editahead_models.evaluate.repeats.cases import MAX_EVENTS, OpenFile
from editahead_models.evaluate.repeats.cases import Replay as Session

SHUFFLED = 0.5


def calls(commit: Commit, project: str, language: Language, rng: random.Random) -> Iterator[Replay]:
    """The calls that lack a new argument: one moment for each kind of each changed function."""
    after = {uri_of(change.path): change.after for change in commit.changes}
    for document in changed_parameters(commit, language, rng):
        yield from _judged(
            rule_named("parameter").run(Moment(document, 0, ResolverCache().of, lambda: None)).places,
            after,
            project,
            language,
        )


def names(commit: Commit, project: str, language: Language, rng: random.Random) -> Iterator[Replay]:
    """The uses of names that are declared no more: each name in the moment when it was lost. Nothing is drawn."""
    seen, resolvers = set[str](), ResolverCache()
    after = {change.path: change.after for change in commit.changes}
    for _, document, byte in moments_of(commit, language):
        found = rule_named("unbound").run(Moment(document, byte, resolvers.of, lambda: None)).places
        places = [one for one in found if one.group not in seen]
        seen.update(one.group for one in places)
        yield from _judged(places, after, project, language)


def missing_imports(commit: Commit, project: str, language: Language, rng: random.Random) -> Iterator[Replay]:
    """The places for the imports of new names: each name in the moment when it came."""
    if language.id != PLACE_LANGUAGE:
        return
    seen, resolvers = set[str](), ResolverCache()
    for file, document, byte in moments_of(commit, language, rng if rng.random() < SHUFFLED else None):
        for one in rule_named("import").run(Moment(document, byte, resolvers.of, lambda: None)).places:
            if one.group not in seen:
                seen.add(one.group)
                verdict = "right" if _is_due(file, one) else "kept"
                yield Replay(project, language.id, one.kind, verdict)


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


def _is_due(file: OpenFile, place: OpenPlace) -> bool:
    """Whether an edit is to come among the imports that a place ends."""
    syntax, table = place.document.syntax, place.document.syntax.language.scopes
    buffer, block = syntax.buffer, import_block(syntax, table) if table is not None else ()
    first, last = (buffer.line_at(one) for one in (block[0].start if block else place.start, place.start))
    coming = [file.now(number) for number in range(len(file.edits)) if number not in file.done]
    return any(first <= buffer.line_at(one.old_end) and buffer.line_at(one.start) <= last + 1 for one in coming)


def _judged(places: list[OpenPlace], after: Mapping[str, str], project: str, language: Language) -> Iterator[Replay]:
    return first_of_each(project, language, ((one.kind, _verdict(one, after)) for one in places))


def _verdict(place: OpenPlace, after: Mapping[str, str]) -> str:
    """`right`: the commit edited the place; `kept`: it did not, or its file has no version after it."""
    buffer, text = place.document.syntax.buffer, after.get(place.document.uri)
    line = b"".join(buffer.line_bytes(buffer.line_at(place.start)).split())
    return "kept" if text is None or line in b"".join(text.encode().split()) else "right"
