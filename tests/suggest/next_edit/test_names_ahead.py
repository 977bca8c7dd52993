"""Names that were read ahead change no answer, whatever was typed, and however early the reading was given up."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel, Cancelled
from editahead.suggest.engine import Engine
from editahead.suggest.types import Decision, Document, NextEdit, Shown

from tests.bench.sources import DIALECTS, session
from tests.bench.test_counts import Typist

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
        return value.edit, value.key, value.group, value.source, value.steps, decision.probability
    return decision.reason, decision.detail, decision.gates


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
    for _ in range(EDITS):
        if chance.random() < 0.7:
            _read_ahead(ahead, typist.document(), chance)
        byte = _edit(typist, chance)
        if chance.random() < 0.7:
            _read_ahead(ahead, typist.document(), chance)
        answers = [_answer(engine.next_edit(typist.document(), byte, Cancel())) for engine in (plain, ahead)]
        assert answers[0] == answers[1]
        shown += len(answers[0]) == 6
    assert shown
