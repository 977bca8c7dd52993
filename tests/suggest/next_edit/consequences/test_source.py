"""The candidates of the generators: of one change no two overlap, whatever a generator gives."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import pytest
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.candidate_pool import RatedCandidate, RatedCandidates
from editahead.suggest.next_edit.consequences import source as module
from editahead.suggest.next_edit.consequences.rule import ChangeKind
from editahead.suggest.next_edit.consequences.rules import rule_named
from editahead.suggest.next_edit.consequences.source import ConsequenceSource, together
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.next_edit.decision import listed_candidates
from editahead.suggest.next_edit.edit_candidate import EditCandidate
from editahead.text.edits import ByteEdit

from .marked_renames import played

NESTED = [ByteEdit(4, 9, b"(bc)"), ByteEdit(5, 8, b"d"), ByteEdit(11, 12, b"f"), ByteEdit(11, 12, b"f")]
TEXT = "«a>x» = b[c]d, e\n"


def _given(edits: list[ByteEdit], group: str = "value-1") -> Outcome:
    document = played(TEXT)
    found = Outcome.empty()
    found.candidates.extend(
        Consequence("value", document, edit, edit, group, "variable", 1, 0, f"{group} @ {number}", group, "", 0.0)
        for number, edit in enumerate(edits)
    )
    return found


def _candidates(monkeypatch: pytest.MonkeyPatch, *outcomes: Outcome) -> list[EditCandidate]:
    def generator(moment: Moment) -> Iterator[Consequence]:
        return chain.from_iterable(one.candidates for one in outcomes)

    rule = rule_named("value")._replace(generate=generator, when=frozenset(ChangeKind))
    monkeypatch.setattr(module, "all_rules", lambda: (rule,))
    return ConsequenceSource().candidates(played(TEXT), 0, Cancel())


def test_of_edits_of_one_change_that_overlap_the_first_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _candidates(monkeypatch, _given(NESTED))
    assert [one.edit for one in found] == [NESTED[0], NESTED[2]]
    assert {one.offer for one in found} == {ByteEdit(4, 12, b"(bc), f")}


def test_edits_of_other_changes_are_kept_though_they_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(_candidates(monkeypatch, _given(NESTED[:1]), _given(NESTED[1:2], "value-2"))) == 2


def test_insertions_side_by_side_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    beside = [ByteEdit(4, 4, b"("), ByteEdit(4, 9, b"g"), ByteEdit(9, 9, b")"), ByteEdit(9, 9, b"!")]
    assert len(_candidates(monkeypatch, _given(beside))) == 4


def test_edits_made_together_leave_out_what_overlaps() -> None:
    document = played(TEXT)
    assert together(document, NESTED).apply(document.syntax.buffer.data) == b"x = (bc), f\n"


def test_the_queue_lists_no_two_places_of_one_change_that_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    document = played(TEXT)
    one = _candidates(monkeypatch, _given(NESTED[:1]))[0]
    items = [RatedCandidate(_replaced(one, edit), 0.9, True) for edit in NESTED]
    listed = listed_candidates(RatedCandidates(tuple(items)), document, 0)
    assert [rated.candidate.edit for rated in listed] == [NESTED[0], NESTED[2]]


def _replaced(candidate: EditCandidate, edit: ByteEdit) -> EditCandidate:
    return EditCandidate(
        "repeat", candidate.document, edit, edit, candidate.group, "", 2, 0, candidate.key, candidate.pattern, "", 0.5
    )
