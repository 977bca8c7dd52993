"""One hunk of a commit done alone: of the later edits that are tied to it, which does the engine have?

All other hunks of the commit are still to come. Those with the same relation to the first one are one case. An edit is
held if it is among the candidates that are rated highest, in all open files; it is shown if it is what the engine
answers at the default precision.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from editahead.analysis.edit_relations import EditRelation
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document, EditPlace, Shown
from editahead.syntax.language import Language
from editahead.text.edits import ByteEdit

from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.next_edits.candidate_moments import cursor_of, is_right_from
from editahead_models.evaluate.repeats.cases import OpenFile, Replay, meets
from editahead_models.pairs.facts import CommitFacts, facts_of
from editahead_models.pairs.hunks import Hunk
from editahead_models.pairs.relations import Pair, relation_of

FIRSTS = 1
"""Hunks of a commit that are done alone, drawn: one, so that no commit rules."""
AMONG = 10
"""Candidates that are looked at, likeliest first."""


@dataclass(frozen=True)
class PairCase:
    """The later edits of one relation after one first edit.

    `edits` of them are to come, and the candidates hold `held`. `sources`: those of the candidates that hold one.
    `shown` and `in_place`: the answer is one of them, or stands where one of them is. `led`: a place without text is.
    """

    project: str
    language: str
    commit: str
    first: int
    relation: str
    edits: int
    held: int
    shown: bool
    in_place: bool
    led: bool
    sources: tuple[str, ...]

    def row(self) -> dict[str, Any]:
        """As JSON."""
        return {**self.__dict__, "sources": list(self.sources)}


def cases(engine: Engine, project: str, language: Language, commit: Commit, rng: random.Random) -> Iterator[PairCase]:
    """The cases of one commit."""
    facts = facts_of(commit, language)
    if len(facts.hunks) < 2:
        return
    for number in rng.sample(range(len(facts.hunks)), min(FIRSTS, len(facts.hunks))):
        yield from _after(engine, project, language, commit, facts, number)


def _after(
    engine: Engine, project: str, language: Language, commit: Commit, facts: CommitFacts, number: int
) -> Iterator[PairCase]:
    first = facts.hunks[number]
    later: dict[EditRelation, list[Hunk]] = defaultdict(list)
    for other in facts.hunks:
        if other is not first:
            later[relation_of(Pair(first, other, facts))].append(other.hunk)
    replay = Replay(commit, language, random.Random(0))
    files = {file.path: file for file in replay.files}
    home = files[first.hunk.file.path]
    for at, (file, index) in enumerate(replay.events):
        if file is home and index in first.hunk.numbers:
            replay.step(at)
    document = replace(home.document, others=tuple(replay.documents(home)[1:]), idle=True)
    byte = cursor_of(home)
    rated = engine.rated_candidates(document, byte, Cancel(), thorough=False).items
    best = [one.candidate for one in sorted(rated, key=lambda one: -one.probability)[:AMONG]]
    right = [
        (one.document.uri, one.offer, one.source)
        for one in best
        if one.document.uri in files and is_right_from(files[one.document.uri], one.offer, one.source)
    ]
    answer = _answer(engine, document, byte)
    exact = answer is not None and answer[0] in files and is_right_from(files[answer[0]], answer[1], answer[2])
    place = _place(engine, document, byte) if answer is None else None
    for relation, hunks in later.items():
        held = [[one for one in right if _in_hunk(files, hunk, one[0], one[1])] for hunk in hunks]
        here = answer is not None and any(_in_hunk(files, hunk, answer[0], answer[1]) for hunk in hunks)
        led = place is not None and any(_in_hunk(files, hunk, *place, lines=True) for hunk in hunks)
        sources = sorted({source for some in held for _, _, source in some})
        yield PairCase(
            project, language.id, commit.name, number, relation.value, len(hunks), sum(map(bool, held)),
            here and exact, here, led, tuple(sources),
        )  # fmt: skip


def _in_hunk(files: dict[str, OpenFile], hunk: Hunk, uri: str, edit: ByteEdit, *, lines: bool = False) -> bool:
    """Whether an edit of the text now touches a hunk that is still to come; with `lines`, whether it begins there."""
    file = files.get(uri)
    if file is None or file.path != hunk.file.path:
        return False
    coming: Sequence[ByteEdit] = [file.now(number) for number in hunk.numbers if number not in file.done]
    if lines:
        line_at = file.buffer.line_at
        return any(line_at(one.start) <= line_at(edit.start) <= line_at(one.old_end) for one in coming)
    return any(meets(one, edit) for one in coming)


def _answer(engine: Engine, document: Document, byte: int) -> tuple[str, ByteEdit, str] | None:
    """The URI, the edit and the source of what is shown, here or in another open file."""
    decision = engine.next_edit(document, byte, Cancel())
    if isinstance(decision, Shown):
        value = decision.value
        return document.uri, value.edit, value.source or ("repeat" if value.group else "network")
    other = engine.next_edit_elsewhere(document, byte, Cancel())
    return (other.value.uri, other.value.edit, other.value.source) if isinstance(other, Shown) else None


def _place(engine: Engine, document: Document, byte: int) -> tuple[str, ByteEdit] | None:
    decision = engine.next_edit_place(document, byte, Cancel())
    if not isinstance(decision, Shown):
        return None
    place: EditPlace = decision.value
    return place.uri, ByteEdit(place.start, place.start, b"")
