"""Replaced names in commits, replayed: what follows from the first of them, and what did the commit do there?

A commit that replaces one name by another in a file is entered with only one of these places done (or two), as if a
person had just typed it. What the generator gives then is right where the commit put the new name at that place.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import NamedTuple

from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.suggest.next_edit.consequences.renames.rename_verdict import DECLARED_ONCE
from editahead.suggest.next_edit.consequences.rules import rule_named
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import Language
from editahead.syntax.scope_table import Action
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.consequences.replays import Replay, edited, opened, uri_of

_TOKEN = re.compile(r"[^\W\d]\w*|\S")
_LONGEST_BLOCK = 4000  # tokens of one block of changed lines
MAX_BINDINGS = 6  # of one file


class Alignment:
    """Where the names of a text stand in the text that a commit made of it."""

    def __init__(self, before: str, after: str) -> None:
        old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
        self.replaced: dict[int, tuple[str, str]] = {}  # by byte: names replaced between tokens that stayed
        self._spans: list[tuple[int, int, Counter[str], Counter[str]]] = []  # changed blocks and their tokens
        starts = [0]
        for line in old:
            starts.append(starts[-1] + len(line.encode()))
        for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind == "equal":
                continue
            mine = [(starts[a] + at, text) for at, text in _tokens("".join(old[a:b]))]
            theirs = [text for _, text in _tokens("".join(new[c:d]))]
            self._spans.append((starts[a], starts[b], Counter(text for _, text in mine), Counter(theirs)))
            if max(len(mine), len(theirs)) <= _LONGEST_BLOCK:
                self.replaced.update(_replaced(mine, theirs))

    def verdict(self, start: int, old: str, new: str) -> str:
        """What the commit did at a byte where `old` stood: `right` (`new` came), `kept` the old name, or `other`."""
        for first, end, mine, theirs in self._spans:
            if first <= start < end:
                if theirs[old] >= mine[old]:
                    return "kept"
                return "right" if theirs[new] > mine[new] else "other"
        return "kept"


def _replaced(mine: Sequence[tuple[int, str]], theirs: Sequence[str]) -> Iterator[tuple[int, tuple[str, str]]]:
    codes = SequenceMatcher(None, [text for _, text in mine], theirs, autojunk=False).get_opcodes()
    for number, (kind, a, b, c, d) in enumerate(codes):
        alone = all(codes[at][0] == "equal" for at in (number - 1, number + 1) if 0 <= at < len(codes))
        if kind == "replace" and b - a == d - c == 1 and alone:
            start, old = mine[a]
            if old.isidentifier() and theirs[c].isidentifier():
                yield start, (old, theirs[c])


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    at = count = 0
    for found in _TOKEN.finditer(text):
        count += len(text[at : found.start()].encode())
        at = found.start()
        yield count, found.group()


class Entered(NamedTuple):
    """The first edits of a renaming in a commit: the document after them, and the bytes of the text before it."""

    document: Document
    old: str
    new: str
    done: list[int]


def replays(commit: Commit, project: str, language: Language, rng: random.Random) -> Iterator[Replay]:
    """The moments of a commit, with all its files open: for each replaced name its declaration and a use come first."""
    alignments = {uri_of(change.path): Alignment(change.before, change.after) for change in commit.changes}
    for entered in first_edits(commit, language, rng, alignments):
        yield from _replayed(entered, project, alignments)


def first_edits(
    commit: Commit, language: Language, rng: random.Random, alignments: Mapping[str, Alignment]
) -> Iterator[Entered]:
    """The moments themselves, with all files of the commit open."""
    others = [opened(change.path, change.before, language) for change in commit.changes]
    others += [opened(path, text, language) for path, text in commit.beside]
    for change in commit.changes:
        uri = uri_of(change.path)
        here = next(one for one in others if one.uri == uri)
        names = resolver_of(here.syntax)
        if names is None or here.syntax.tree.root_node.has_error:
            continue
        pairs: dict[tuple[str, str], list[int]] = {}
        for start, pair in alignments[uri].replaced.items():
            pairs.setdefault(pair, []).append(start)
        later = _declared_once(resolver_of(open_snapshot(Buffer(change.after.encode()), language)))
        keys = sorted(pairs)
        rng.shuffle(keys)
        beside = tuple(one for one in others if one.uri != uri)
        for old, new in keys[:MAX_BINDINGS]:
            for done in _first_edits(names, old, pairs[old, new], rng):
                if any(path in later for path in _declared_once(names, old, done)):
                    continue  # the lines of a diff pair a declaration with a new one beside it: nobody renamed it
                delta, size = len(new.encode()) - len(old.encode()), len(old.encode())
                starts = (start + number * delta for number, start in enumerate(done))
                edits = [ByteEdit(at, at + size, new.encode()) for at in starts]
                yield Entered(replace(edited(here, edits), others=beside), old, new, done)


def _declared_once(names: Resolver | None, only: str = "", starts: Sequence[int] = ()) -> set[tuple[str, ...]]:
    """Functions, classes and parameters by their names and those of the scopes around; only those at some bytes."""
    found: set[tuple[str, ...]] = set()
    for number, unit in enumerate(names.scopes.facts.units if names is not None else ()):
        for one in unit.facts.occurrences:
            if one.action is not Action.BIND or one.kind not in DECLARED_ONCE or names is None:
                continue
            if not only or (one.name == only and unit.start + one.start in starts):
                around = names.scopes.around(names.scopes.placed(number, one.scope))
                path = [facts.name for ref in around if (facts := names.scopes.local(ref)) is not None]
                found.add((*path, one.name))
    return found


def _first_edits(names: Resolver, old: str, places: list[int], rng: random.Random) -> Iterator[list[int]]:
    """Places to begin with: the declaration, a use, and two places together, of one binding."""
    groups: dict[Binding, list[int]] = {}
    declaring: dict[Binding, list[int]] = {}
    for start in places:
        at = names.name_at(start, old)
        binding = names.binding(at) if at is not None else None
        if at is None or binding is None:
            continue
        groups.setdefault(binding, []).append(start)
        if any(one.start == start for one in names.declarations(binding)):
            declaring.setdefault(binding, []).append(start)
    rows = list(groups)
    rng.shuffle(rows)
    for binding in rows[:2]:
        declared = declaring.get(binding, [])
        uses = [start for start in groups[binding] if start not in declared]
        if declared:
            yield [declared[0]]
        if uses:
            yield [rng.choice(uses)]
        if len(groups[binding]) > 2:
            yield sorted(rng.sample(groups[binding], 2))


def _replayed(entered: Entered, project: str, alignments: Mapping[str, Alignment]) -> Iterator[Replay]:
    """What follows in the file itself; and in others, if anything does."""
    document, old, new, done = entered
    candidates = rule_named("rename").run(Moment(document, 0, ResolverCache().of, lambda: None)).candidates
    delta = len(new.encode()) - len(old.encode())
    for inside in (True, False):
        first = next((one for one in candidates if (one.document is document) is inside), None)
        if first is None:
            continue
        start = first.edit.start
        if inside:
            start -= sum(delta for number, at in enumerate(done) if at + number * delta < first.edit.start)
        known = alignments.get(first.document.uri)
        verdict = known.verdict(start, old, new) if known is not None else "kept"
        yield Replay(project, document.language_id, first.kind, verdict)
