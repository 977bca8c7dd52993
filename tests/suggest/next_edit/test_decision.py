"""One decision over all sources: order, threshold, one number everywhere, what was turned down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from editahead.runtime.bundle import find_bundles, load_bundle
from editahead.runtime.ort import Cancel, select_providers
from editahead.settings import Settings
from editahead.suggest.next_edit.candidate_pool import NETWORK_FLOOR
from editahead.suggest.next_edit.decision import NextEditDecision
from editahead.suggest.next_edit.editor import NextEditor
from editahead.suggest.next_edit.scoring.candidate_features import FEATURES
from editahead.suggest.next_edit.scoring.candidate_scorer import CandidateScorer, DecisionLayer, shipped_scorer
from editahead.suggest.types import Document, NextEdits, QueuedEdit, Reason, Rejection, Shown, Suppressed
from editahead.text.edits import ByteEdit
from editahead.verification.verifier import Verifier

from tests.suggest.next_edit.consequences.marked_renames import played
from tests.suggest.next_edit.deciding import deciding
from tests.suggest.next_edit.repeats.test_pattern_queue import FOUR, TWICE, document

SHIPPED = [path for path in find_bundles() if path.name.startswith("implicit-attention-")]
needs_bundle = pytest.mark.skipif(not SHIPPED, reason="no edit bundle is shipped")
Row = Mapping[str, float]


@pytest.fixture(scope="module")
def editor() -> NextEditor:
    return NextEditor(load_bundle(SHIPPED[0], verify=False), select_providers("cpu"))


def items(decision: NextEditDecision, asked: Document, byte: int, editor: NextEditor | None) -> list[QueuedEdit]:
    found = decision.queue(asked, byte, Cancel(), editor)
    return list(found.value.items) if isinstance(found, Shown) else []


def of_repeats(probability: float) -> NextEditDecision:
    return deciding(lambda row: probability if row["is_repeat_often"] and not row["elsewhere"] else 0.1)


@needs_bundle
def test_of_several_sure_places_the_next_one_in_reading_order_comes_first(editor: NextEditor) -> None:
    asked = document(FOUR, *TWICE)
    last = asked.syntax.buffer.data.index(b"d = ")
    for byte, line in ((0, 2), (last, 3)):
        shown = of_repeats(0.9).next_edit(asked, byte, Cancel(), editor)
        assert isinstance(shown, Shown)
        assert asked.syntax.buffer.line_at(shown.value.edit.start) == line


@needs_bundle
def test_a_place_has_one_probability_wherever_it_is_told(editor: NextEditor) -> None:
    decision = NextEditDecision()
    for precision in (0.5, 0.8, 0.95):
        asked = document(FOUR, *TWICE, precision=precision)
        shown = decision.next_edit(asked, 0, Cancel(), editor)
        listed = {item.edit: item for item in items(decision, asked, 0, editor)}
        assert listed
        for item in listed.values():
            assert item.sure is (item.probability >= shipped_scorer().threshold(precision))
        if isinstance(shown, Shown) and shown.value.source == "repeat":
            item = listed[shown.value.edit]
            assert (item.probability, item.sure) == (shown.probability, True)
            assert shown.value.steps[0][1] == shown.probability


def test_a_file_whose_last_edit_was_undone_is_not_led_to() -> None:
    home = played("def area«>s»(a):\n    return a\n")
    other = played("from home import area\narea(2)\n", "file:///w/other.py")
    undone = replace(other, history=replace(other.history, undone_at=1.0))
    decision = deciding(lambda row: 0.9)
    assert isinstance(decision.elsewhere(replace(home, others=(other,)), 0, Cancel(), None), Shown)
    assert isinstance(decision.elsewhere(replace(home, others=(undone,)), 0, Cancel(), None), Suppressed)


def test_what_is_not_sure_is_not_verified_for_other_files(monkeypatch: pytest.MonkeyPatch) -> None:
    home = played("def area«>s»(a):\n    return a\n")
    other = played("from home import area\narea(2)\n", "file:///w/other.py")
    asked = replace(home, others=(other,), settings=Settings(precision=0.8))
    sources = list[str]()

    def verify(_: Verifier, proposal: object, check: object, source: str = "") -> None:
        sources.append(source)

    monkeypatch.setattr(Verifier, "verify", verify)
    assert isinstance(deciding(lambda row: 0.0).elsewhere(asked, 0, Cancel(), None), Suppressed)
    assert not sources
    assert isinstance(deciding(lambda row: 0.9).elsewhere(asked, 0, Cancel(), None), Shown)
    assert sources


def test_a_caller_that_uses_only_sure_edits_has_no_others_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = replace(played("def area(«a>b»):\n    return ‹a>b› * 2\n"), settings=Settings(precision=0.8))
    verify, count = Verifier.verify, 0

    def counting(*arguments: Any, **more: Any) -> Any:
        nonlocal count
        count += 1
        return verify(*arguments, **more)

    monkeypatch.setattr(Verifier, "verify", counting)
    unsure, sure = deciding(lambda row: 0.1), deciding(lambda row: 0.9)
    assert items(unsure, replace(asked, only_sure=True), 0, None) == []
    assert not count
    assert items(unsure, asked, 0, None)
    assert items(sure, replace(asked, only_sure=True), 0, None) == items(sure, asked, 0, None) != []
    assert count


@needs_bundle
def test_the_gate_is_the_threshold_of_the_dial(editor: NextEditor) -> None:
    asked = document(FOUR, *TWICE, precision=0.7)
    assert isinstance(of_repeats(0.7).next_edit(asked, 0, Cancel(), editor), Shown)
    refused = of_repeats(0.69).next_edit(asked, 0, Cancel(), editor)
    assert isinstance(refused, Suppressed)
    assert refused.reason is Reason.LOW_PROBABILITY


@needs_bundle
def test_after_rejections_only_surer_edits_are_shown(editor: NextEditor) -> None:
    asked = document(FOUR, *TWICE, precision=0.7)
    for declined, least in ((0, 0.7), (1, 0.85), (2, 0.9), (3, 0.925), (30, 0.925)):
        paced = replace(asked, declined=declined)
        assert isinstance(of_repeats(least).next_edit(paced, 0, Cancel(), editor), Shown)
        assert isinstance(of_repeats(least - 0.01).next_edit(paced, 0, Cancel(), editor), Suppressed)


@needs_bundle
def test_another_open_file_is_led_to_and_never_offered_as_the_documents_own(
    editor: NextEditor,
) -> None:
    here = document("a = f(1)\nb = f(2)\n", *TWICE)
    beside = document("x = f(9)\n", uri="file:///b")
    sure = deciding(lambda row: 0.9 if row["is_repeat_often"] else 0.0)
    asked = replace(here, others=(beside,))
    assert isinstance(sure.next_edit(asked, 0, Cancel(), editor), Suppressed)
    found = sure.elsewhere(asked, 0, Cancel(), editor)
    assert isinstance(found, Shown)
    assert (found.value.uri, found.value.edit) == ("file:///b", ByteEdit(4, 5, b"g"))
    strict = replace(asked, settings=Settings(precision=0.95))
    assert isinstance(sure.elsewhere(strict, 0, Cancel(), editor), Suppressed)


def test_how_many_places_remain_is_told_in_words() -> None:
    asked = played("def f(«a>b»):\n    x = ‹a>b›\n    return ‹a>b›\n")
    first, second = items(NextEditDecision(), asked, 0, None)
    sure, unsure = replace(first, sure=True), replace(second, sure=False)
    told = [NextEdits(some).summary for some in ((sure, sure, sure), (sure, unsure), (unsure,))]
    assert told == ["3 more", "2 more, 1 of them less sure", "1 more, less sure"]


@needs_bundle
def test_what_was_turned_down_comes_from_no_other_source(editor: NextEditor) -> None:
    """A second source offered the same text under a key of its own."""
    decision = deciding(lambda row: 0.9)
    asked = replace(document(FOUR, *TWICE), settings=Settings(precision=0.1))
    data, seen = asked.syntax.buffer.data, list[ByteEdit]()
    for _ in range(6):
        shown = decision.next_edit(asked, 0, Cancel(), editor)
        if not isinstance(shown, Shown):
            break
        edit = shown.value.edit.trim(data)
        assert edit not in seen
        seen.append(edit)
        asked = replace(asked, rejections=(*asked.rejections, Rejection(shown.value.key, asked.now)))
    assert len(seen) > 1


@needs_bundle
def test_a_renamed_method_is_repeated_nowhere_unless_the_user_did_so_on_an_unknown_object(
    editor: NextEditor,
) -> None:
    text = (
        "class A:\n    def m(self):\n        return self.«first_of>head»()\n    def first_of(self): ...\n"
        "class B:\n    def first_of(self): ...\n    def m(self, other, last):\n        self.first_of()\n"
        "        other.first_of()\n        last.first_of()\n"
    )
    for marked, repeated in ((text, set()), (text.replace("other.first_of", "other.«first_of>head»"), {9})):
        found = items(deciding(lambda row: 0.9), played(marked), 0, editor)
        assert {one.line for one in found if one.source == "repeat"} == repeated


@needs_bundle
def test_an_edit_made_once_goes_on_nowhere_if_the_user_left_another_place_of_it(editor: NextEditor) -> None:
    lines = "x = load(a)\ny = load(b)\nz = load(c)\n"
    once = document(lines, ("y = load", "y = store"), precision=0.5)
    assert {one.line for one in items(deciding(lambda row: 0.9), once, 0, editor)} == {0, 2}
    left = document(lines, ("load(a)", "load(a, 1)"), ("y = load", "y = store"), precision=0.5)
    assert not [one for one in items(deciding(lambda row: 0.9), left, 0, editor) if one.source == "repeat"]
    rated = NextEditDecision().pool.rated(left, 0, Cancel(), editor, thorough=True).items
    assert {one.candidate.line for one in rated if one.candidate.source == "repeat"} == {0, 2}


@needs_bundle
def test_no_line_that_was_just_typed_is_deleted(editor: NextEditor) -> None:
    asked = document("a = 1\nb = 2\n", ("b = 2\n", "b = 2\nc = a\n"), precision=0.0)
    shown = deciding(lambda row: 1.0).next_edit(asked, 0, Cancel(), editor)
    if isinstance(shown, Shown):
        assert b"c = a" in shown.value.edit.apply(asked.syntax.buffer.data)


def test_a_scorer_is_read_as_it_was_written() -> None:
    scorer = shipped_scorer()
    again = CandidateScorer.from_json(scorer.to_json())
    rows = [tuple(float(at % 3) for at in range(len(FEATURES))), tuple(0.0 for _ in FEATURES)]
    assert again.probabilities(rows) == pytest.approx(scorer.probabilities(rows), abs=1e-4)
    assert all(0.0 <= p <= 1.0 for p in again.probabilities(rows))
    with pytest.raises(ValueError, match="other features"):
        CandidateScorer.from_json({**scorer.to_json(), "features": ["bias"]})
    decision = DecisionLayer(np.zeros(len(FEATURES)), np.ones(len(FEATURES)), np.ones(len(FEATURES)), 0.5, 1.0)
    other = replace(scorer, decision=decision)
    written = CandidateScorer.from_json(other.to_json())
    assert written.probabilities(rows) == pytest.approx(other.probabilities(rows), abs=1e-4)
    with pytest.raises(ValueError, match="over other features"):
        CandidateScorer.from_json({**other.to_json(), "decision": {**decision.to_json(), "weights": [1.0]}})


def test_the_decision_weighs_the_network_and_the_features() -> None:
    mean, scale, weights = np.zeros(len(FEATURES)), np.ones(len(FEATURES)), np.zeros(len(FEATURES))
    weights[FEATURES.index("touched")] = -2.0
    layer = DecisionLayer(mean, scale, weights, 0.5, 1.0)
    rows = np.zeros((2, len(FEATURES)))
    rows[1, FEATURES.index("touched")] = 1.0
    assert layer.odds(rows, np.array([2.0, 100.0])).tolist() == [2.0, 0.5 * 8.0 - 2.0 + 1.0]


def test_a_higher_dial_has_a_higher_threshold() -> None:
    thresholds = [shipped_scorer().threshold(dial) for dial in (0.5, 0.65, 0.8, 0.9)]
    assert thresholds == sorted(thresholds)


@needs_bundle
def test_another_dial_asks_no_source_again(editor: NextEditor, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    network, repeats = editor.network, editor.repeats.candidates

    def counted_network(*given: Any) -> Any:
        asked.append(given[3])
        return network(*given)

    def counted_repeats(*given: Any) -> Any:
        asked.append(-1.0)
        return repeats(*given)

    monkeypatch.setattr(editor, "network", counted_network)
    monkeypatch.setattr(editor.repeats, "candidates", counted_repeats)
    decision, answers = deciding(lambda row: 0.6), []
    for precision in (0.5, 0.7, 0.9):
        answers.append(decision.next_edit(document(FOUR, *TWICE, precision=precision), 0, Cancel(), editor))
        decision.pool.rated(document(FOUR, *TWICE, precision=precision), 0, Cancel(), editor, thorough=True)
    assert [type(answer) for answer in answers] == [Shown, Suppressed, Suppressed]
    assert asked == [-1.0, 0.0, NETWORK_FLOOR]
    decision.next_edit(document(FOUR, TWICE[0], precision=0.9), 0, Cancel(), editor)
    assert asked[3:] == [-1.0, NETWORK_FLOOR]


@needs_bundle
def test_the_network_waits_until_the_user_rests(editor: NextEditor, monkeypatch: pytest.MonkeyPatch) -> None:
    network, calls = NextEditor.network, list[bool]()

    def counting(self: NextEditor, asked: Document, *arguments: Any) -> Any:
        calls.append(asked.idle)
        return network(self, asked, *arguments)

    monkeypatch.setattr(NextEditor, "network", counting)
    finished = played("a = 1\nb = «c>c + d»\n")
    growing = replace(finished.history, settled=(), pending=finished.history.settled[0])
    asked = replace(finished, history=growing, settings=Settings(precision=0.8))
    decision = NextEditDecision()
    for idle in (False, True, False):
        decision.next_edit(replace(asked, idle=idle), 11, Cancel(), editor)
    assert calls == [True]


def test_the_rest_of_a_rename_stays_as_likely_as_its_accepted_edit() -> None:
    text = "interface A {{\n  «a>b»: number;\n}}\nfunction f(x: A) {{\n  const {{ {}a }} = x;\n  return x.a;\n}}\n"
    before, accepted = (played(text.format(typed), "file:///w/home.ts") for typed in ("", "«>b: »"))
    other = played(text.format("«>c = 1, »"), "file:///w/home.ts")
    rated = {"probability": 0.9}
    decision = deciding(lambda row: rated["probability"])
    for asked, probability, expected in ((before, 0.9, 0.9), (accepted, 0.1, 0.9), (other, 0.1, None)):
        rated["probability"] = probability
        shown = decision.next_edit(replace(asked, settings=Settings(precision=0.5)), 0, Cancel(), None)
        assert (shown.probability if isinstance(shown, Shown) else None) == expected
