"""Moments of commits in which a rule gives something, with what the commit did there: what rates are fitted on.

Right: a candidate is one of the commit's edits still to come; kept: none of them touches it. A place is right where
one of them touches its line, the place of an import where one is among the imports.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import chain

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.rules import rule_named
from editahead.suggest.next_edit.consequences.rules.imports import UNDECLARED, import_block
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, OpenPlace
from editahead.suggest.next_edit.open_places import RATES
from editahead.syntax.language import Language

from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.next_edits.candidate_moments import ReplayedMoment, coming_edits, is_right_from
from editahead_models.evaluate.next_edits.consequence_moments import all_hunks, single_edits
from editahead_models.evaluate.repeats.cases import OpenFile, meets

RULES = ("rename", "parameter", "import", "unbound")
"""Those of which candidates or places are rated by kind."""


@dataclass(frozen=True)
class RateRow:
    """The first candidate or place of one kind in a moment. `first`: what the commit does there."""

    project: str
    language: str
    source: str
    label: str
    first: str

    def row(self) -> dict[str, str]:
        """As JSON."""
        return asdict(self)


def rate_rows(project: str, language: Language, commit: Commit, rng: random.Random) -> Iterator[RateRow]:
    """What follows from single edits of a commit and from each of its hunks, each change counted once a kind."""
    seen = set[tuple[str, str, str]]()
    for moment in chain(single_edits(language, commit, rng), all_hunks(language, commit, rng)):
        for source, label, group, first in _given(moment):
            if (source, label, group) not in seen:
                seen.add((source, label, group))
                yield RateRow(project, language.id, source, label, first)


def _given(moment: ReplayedMoment) -> Iterator[tuple[str, str, str, str]]:
    """Source, kind, change and verdict of all that the rules give in a moment."""
    files = {file.document.uri: file for file in (*moment.replay.files, *moment.replay.beside)}
    read = Moment(moment.document, moment.byte, ResolverCache().of, lambda: None)
    for rule in RULES:
        outcome = rule_named(rule).run(read)
        for item in outcome.candidates:
            yield item.source, item.kind, item.group, _verdict(files[item.document.uri], item)
        for place in outcome.places:
            verdict = "right" if _is_due(files[place.document.uri], place) else "kept"
            yield RATES.format(place.source), place.kind, place.group, verdict


def _verdict(file: OpenFile, candidate: Consequence) -> str:
    if is_right_from(file, candidate.edit, candidate.source):
        return "right"
    return "other" if any(meets(edit, candidate.edit) for edit in coming_edits(file)) else "kept"


def _is_due(file: OpenFile, place: OpenPlace) -> bool:
    """Whether an edit is to come in the line of a place; for that of an import, among the imports that it ends."""
    syntax, buffer = place.document.syntax, place.document.syntax.buffer
    first = last = buffer.line_at(place.start)
    table = syntax.language.scopes
    if place.source == UNDECLARED and table is not None:
        block = import_block(syntax, table)
        first, last = buffer.line_at(block[0].start if block else place.start), last + 1
    lines = ((buffer.line_at(edit.start), buffer.line_at(edit.old_end)) for edit in coming_edits(file))
    return any(first <= end and start <= last for start, end in lines)
