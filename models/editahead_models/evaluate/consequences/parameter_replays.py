"""Changed parameter lists in commits, replayed: what follows at the calls, and what did the commit do there?

A function that has one parameter more, one less, or the same in another order after a commit is given just that
list, as if a person had typed it. A call that is offered then is right when the commit wrote that very call there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from editahead.analysis.resolver.resolver import resolver_of
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.analysis.signatures import Declared, function_named
from editahead.suggest.next_edit.consequences.row_changes import changed_row
from editahead.suggest.next_edit.consequences.rules import rule_named
from editahead.suggest.next_edit.consequences.types import Consequence, Moment
from editahead.suggest.next_edit.edit_candidate import EditCandidate
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import Language
from editahead.syntax.scope_table import Action
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.consequences.replays import Replay, edited, first_of_each, opened, uri_of

MAX_FUNCTIONS = 6  # of one file


def replays(commit: Commit, project: str, language: Language, rng: random.Random) -> Iterator[Replay]:
    """The moments of a commit, with all its files open."""
    after = {uri_of(change.path): change.after for change in commit.changes}
    for document in changed_parameters(commit, language, rng):
        outcome = rule_named("parameter").run(Moment(document, 0, ResolverCache().of, lambda: None))
        yield from first_of_each(project, language, ((one.kind, verdict(one, after)) for one in outcome.candidates))


def changed_parameters(commit: Commit, language: Language, rng: random.Random) -> Iterator[Document]:
    """The documents of a commit in which one list of parameters was just typed as the commit has it."""
    others = [opened(change.path, change.before, language) for change in commit.changes]
    others += [opened(path, text, language) for path, text in commit.beside]
    for change in commit.changes:
        uri = uri_of(change.path)
        beside = tuple(one for one in others if one.uri != uri)
        here = next(one for one in others if one.uri == uri)
        snapshot = here.syntax
        later = open_snapshot(Buffer(change.after.encode()), language)
        if snapshot.error_count() or later.error_count():
            continue
        before, now = functions(snapshot), functions(later)
        changed = [
            (before[name], now[name])
            for name in before.keys() & now.keys()
            if changed_row(before[name].parameters, now[name].parameters) is not None
        ]
        changed.sort(key=lambda pair: pair[0].name_start)
        rng.shuffle(changed)
        for old, new in changed[:MAX_FUNCTIONS]:
            row = later.buffer.data[new.parameters.start : new.parameters.end]
            edit = ByteEdit(old.parameters.start, old.parameters.end, row)
            yield replace(edited(here, [edit]), others=beside)


def functions(syntax: SyntaxSnapshot) -> dict[str, Declared]:
    """The functions of a text by their names and those of the scopes around them; none that stands there twice."""
    names = resolver_of(syntax)
    found: dict[str, Declared | None] = {}
    for number, unit in enumerate(names.scopes.facts.units if names is not None else ()):
        for one in unit.facts.occurrences:
            if one.action is Action.BIND and one.kind == "function" and names is not None:
                declared = function_named(syntax, names.table, unit.start + one.start)
                around = names.scopes.around(names.scopes.placed(number, one.scope))
                path = [facts.name for ref in around if (facts := names.scopes.local(ref)) is not None]
                key = ".".join([*reversed(path), one.name])
                found[key] = None if key in found else declared
    return {key: declared for key, declared in found.items() if declared is not None}


def verdict(candidate: Consequence | EditCandidate, after: dict[str, str]) -> str:
    """`right`: the line is one of the commit's; `kept`: the commit has the line as it was; else `other`."""
    buffer = candidate.document.syntax.buffer
    data = buffer.data
    first = buffer.line_span(buffer.line_at(candidate.edit.start))[0]
    last = buffer.line_span(buffer.line_at(candidate.edit.old_end))[1]
    old = data[first:last]
    new = buffer.apply(candidate.edit).data[first : last + candidate.edit.delta]
    text = after.get(candidate.document.uri)
    if text is None:
        return "kept"
    squeezed = b"".join(text.encode().split())
    if b"".join(new.split()) in squeezed:
        return "right"
    return "kept" if old in text.encode() else "other"
