"""Names that were read ahead change no answer, whatever was typed, and however early the reading was given up."""

from __future__ import annotations

import random
import sys
from contextlib import suppress
from dataclasses import replace

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel, Cancelled
from editahead.suggest.engine import Engine
from editahead.suggest.types import Completions, Decision, Document, NextEdit, Shown

from tests.bench.sources import DIALECTS, session
from tests.bench.test_counts import Typist, counted

EDITS = 12


class _Abandoned(Cancel):
    """Gives up after so many checks."""

    def __init__(self, checks: int) -> None:
        super().__init__()
        self._left = checks

    def check(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise Cancelled


def _answer(decision: Decision[NextEdit]) -> tuple[object, ...]:
    if isinstance(decision, Shown):
        value = decision.value
        key, group = value.key.partition(" @ ")[2], value.group.partition("-")[0]  # without what the document is called
        return value.edit, key, group, value.source, value.steps, decision.probability
    return decision.reason, decision.detail, decision.gates


def _listed(decision: Decision[Completions]) -> list[tuple[str, float]]:
    return [(item.label, item.probability) for item in decision.value.items] if isinstance(decision, Shown) else []


def _read_ahead(engine: Engine, document: Document, chance: random.Random) -> None:
    cancel = _Abandoned(chance.choice([2, 5, 1_000_000]))
    with suppress(Cancelled):
        engine.read_names(document, chance.randrange(len(document.syntax.buffer.data)), cancel)


def _edit(typist: Typist, chance: random.Random) -> int:
    """A rename in a place, a line once more, or a line gone."""
    old, new = typist.session.rename
    data = typist.syntax.buffer.data
    kind, at = chance.randrange(4), data.find(old.encode(), chance.randrange(len(data)))
    if kind < 2 and at >= 0:
        return typist.edit(at, at + len(old), new)
    line = chance.randrange(typist.syntax.line_count - 1)
    start, end = typist.byte(line, 0), typist.byte(line + 1, 0)
    if kind == 2:
        return typist.edit(end, end, data[start:end].decode())
    return typist.edit(start, end, "")


@pytest.mark.parametrize("lines", [150, pytest.param(1_700, marks=pytest.mark.slow)])
@pytest.mark.parametrize("language_id", DIALECTS)
def test_names_read_ahead_change_no_answer(language_id: str, lines: int) -> None:
    chance = random.Random(f"{language_id} {lines}")
    plain, ahead = (Engine.load(find_bundles(), "cpu", lambda text, share: None) for _ in range(2))
    typist, shown = Typist(plain, session(language_id, lines)), 0

    def document_ahead() -> Document:  # by another name: all that is read of a document is shared
        return replace(typist.document(), uri=f"file:///ahead/{typist.session.suffix}")

    for _ in range(EDITS):
        if chance.random() < 0.7:
            _read_ahead(ahead, document_ahead(), chance)
        byte = _edit(typist, chance)
        if chance.random() < 0.7:
            _read_ahead(ahead, document_ahead(), chance)
        moments = ((plain, typist.document()), (ahead, document_ahead()))
        answers = [_answer(engine.next_edit(document, byte, Cancel())) for engine, document in moments]
        assert answers[0] == answers[1]
        shown += len(answers[0]) == 6
        lists = [_listed(engine.complete(document, byte, Cancel())) for engine, document in moments]
        assert lists[0] == lists[1]
    assert shown


@pytest.mark.parametrize("language_id", DIALECTS)
def test_a_completion_far_away_reads_the_unit_around_it_alone(language_id: str) -> None:
    """In code that nobody had visited each jump read all units in reach: 100 to 350 ms, where 30 are enough."""
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    typist = Typist(engine, session(language_id, 5_000))
    engine.complete(typist.document(), 0, Cancel())
    line = typist.session.places[-1][0]
    text = typist.session.text.splitlines()[line]
    start = typist.byte(line + 1, 0)
    engine.read_names(typist.document(), start, Cancel())
    behind = typist.edit(start, start, text[: len(text) - len(text.lstrip())] + "a\n") - 1
    calls = counted(lambda: engine.complete(typist.document(), behind, Cancel()))
    assert calls["finish" if sys.version_info < (3, 11) else "FactsWalk.finish"] <= 2, "other units were read again"
