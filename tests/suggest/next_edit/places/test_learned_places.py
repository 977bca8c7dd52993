"""Places by the model: where they are, where they never are, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from editahead.runtime.ort import Cancel, Cancelled
from editahead.settings import Settings
from editahead.suggest.next_edit.decision import NextEditDecision
from editahead.suggest.next_edit.places.learned_places import MAX_FILES, LearnedPlaces
from editahead.suggest.next_edit.places.place_evidence import SiteEvidence, TextSite
from editahead.suggest.next_edit.places.place_features import MAX_LINES, MAX_LINES_ELSEWHERE
from editahead.suggest.next_edit.places.place_model import FEATURES, PlaceModel, shipped_places
from editahead.suggest.types import Decision, Document, EditPlace, Reason, Rejection, Shown, Suppressed
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.suggest.next_edit.consequences.marked_renames import played

HOME = "file:///w/home.py"
NONE = SiteEvidence()
TEXT = (
    "import os\n\n\ndef load(path):\n    return read(path«>, strict»)\n\n\ndef store(path):\n    other = 1\n"
    "    return other\n\n\ndef dump(path):\n    return read(path)\n\n\ndef show(path):\n    print(path)\n"
)


class Weighted:
    """A model whose log odds are a weighted sum of features; the threshold is the dial itself."""

    def __init__(self, weights: Mapping[str, float], bias: float = 0.0) -> None:
        self.row = np.asarray([weights.get(name, 0.0) for name in FEATURES])
        self.bias = bias

    def odds(self, rows: np.ndarray) -> np.ndarray:
        return np.asarray(rows @ self.row + self.bias)

    def probabilities(self, rows: np.ndarray) -> np.ndarray:
        return np.asarray(1 / (1 + np.exp(-self.odds(rows))))

    def threshold(self, precision: float) -> float:
        return precision


def asked(
    document: Document,
    weights: Mapping[str, float],
    byte: int = 0,
    evidence: SiteEvidence = NONE,
    bias: float = 3.0,
) -> Decision[EditPlace]:
    places = LearnedPlaces(Weighted(weights, bias))  # type: ignore[arg-type]
    return places.find_site(document, byte, evidence, lambda: None)


def line_of(document: Document, decision: Decision[EditPlace]) -> str:
    assert isinstance(decision, Shown)
    home = next(each for each in (document, *document.others) if each.uri == decision.value.uri)
    buffer = home.syntax.buffer
    return buffer.line_text(buffer.line_at(decision.value.start)).strip()


LIKE = {"shape_was": 3.0, "words_most": 3.0, "touched": -9.0}


def test_a_line_like_one_that_was_changed_is_led_to_with_its_reason() -> None:
    document = played(TEXT)
    decision = asked(document, LIKE)
    assert line_of(document, decision) == "return read(path)"
    assert isinstance(decision, Shown)
    assert decision.value.message == "is like line 5, which you changed"
    assert decision.value.source == "place"


def test_a_call_of_a_function_whose_parameters_changed_says_so() -> None:
    document = played("def total(a«>, b»):\n    return a\n\n\nx = 1\n\n\ny = total(1)\n")
    decision = asked(document, {"call": 4.0, "called_rare": 1.0, "touched": -9.0})
    assert line_of(document, decision) == "y = total(1)"
    assert isinstance(decision, Shown)
    assert decision.value.message == "calls `total`, whose parameters you changed"


def test_what_the_sources_say_of_a_line_counts_and_the_line_beside_it() -> None:
    document = played(TEXT)
    evidence = SiteEvidence((TextSite(HOME, 8, "repeat_once", 0.09),))
    assert line_of(document, asked(document, {"text_here": 90.0}, 0, evidence)) == "other = 1"


@pytest.mark.parametrize(("probability", "is_left"), [(0.09, False), (0.1, True), (0.4, True)])
def test_a_line_is_left_to_a_text_that_only_lacks_evidence(probability: float, is_left: bool) -> None:
    """After the first of two equal changes, the text of the third place is known and not sure."""
    document = played("a = check(1)\n\n\nb = «check>verify»(2)\n\n\nc = check(3)\n\n\nd = check(4)\n\n\nx = 1\n")
    evidence = SiteEvidence((TextSite(HOME, 6, "repeat_once", probability),))
    likely = {"from_last": -1.0, "below": 4.0, "text_here": 20.0}
    expected = "x = 1" if is_left else "c = check(3)"
    assert line_of(document, asked(document, {**likely, "call_count": -1.0}, 0, evidence)) == expected


def test_a_line_beside_a_text_is_left_to_it_if_the_text_is_likelier() -> None:
    document = played("y = «read>load»(1)\n\n\nfirst = read(1)\nb = read(2)\nlast = 3\n\n\nfar = 4\n")
    evidence = SiteEvidence((TextSite(HOME, 4, "network", 0.3),))
    asked_for = {"text_here": 9.0, "text_near": 6.0, "touched": -9.0}
    assert line_of(document, asked(document, asked_for, 0, evidence)) == "far = 4"
    likelier_beside = {"text_near": 9.0, "touched": -9.0}
    assert line_of(document, asked(document, likelier_beside, 0, evidence)) == "first = read(1)"


def test_a_line_beside_a_text_is_left_to_it_unless_it_has_evidence_of_its_own() -> None:
    document = played("y = «read>load»(1)\n\n\nfirst = 1\nb = read(2)\n\n\nfar = 4\n")
    evidence = SiteEvidence((TextSite(HOME, 4, "network", 0.3),))
    assert line_of(document, asked(document, {"text_near": 9.0, "touched": -9.0}, 0, evidence)) == "far = 4"


def test_no_place_is_led_to_if_every_line_is_left_to_a_text() -> None:
    document = played("y = «read>load»(1)\n\n\nb = read(2)\n")
    evidence = SiteEvidence((TextSite(HOME, 3, "network", 0.3),))
    decision = asked(document, {}, 0, evidence)
    assert isinstance(decision, Suppressed)
    assert decision.detail == "no line qualifies"


def test_the_model_is_not_asked_before_the_user_rests() -> None:
    document = replace(played(TEXT), settings=Settings(place_precision=0.0))
    assert isinstance(NextEditDecision().place(document, 0, Cancel(), None), Suppressed)
    assert isinstance(NextEditDecision().place(replace(document, may_lead=True), 0, Cancel(), None), Shown)


def test_the_probability_must_reach_the_precision_of_places() -> None:
    document = replace(played(TEXT), settings=Settings())
    decision = asked(document, LIKE, bias=-4.0)
    assert isinstance(decision, Suppressed)
    assert decision.reason is Reason.LOW_PROBABILITY
    loose = replace(document, settings=Settings(place_precision=0.0))
    assert isinstance(asked(loose, LIKE, bias=-4.0), Shown)


def test_after_rejections_more_is_needed() -> None:
    document = replace(played(TEXT), settings=Settings(place_precision=0.5))
    sure = asked(document, {}, bias=0.3)
    assert isinstance(sure, Shown)
    assert isinstance(asked(replace(document, declined=2), {}, bias=0.3), Suppressed)


def test_nothing_is_led_to_before_a_change_or_beside_the_cursor() -> None:
    assert isinstance(asked(played(TEXT.replace("«>, strict»", "")), {}), Suppressed)
    document = played(TEXT)
    at = document.syntax.buffer.data.index(b"def dump")
    decision = asked(document, LIKE, at)
    assert line_of(document, decision) not in ("def dump(path):", "return read(path)")


def test_places_of_other_files_and_never_of_secret_ones(tmp_path: Path) -> None:
    text = "def f(path):\n    return read(path)\n"
    for name, led in (("other.py", True), ("secrets.py", False), (".env.py", False)):
        path = tmp_path / name
        other = replace(played(text, path.as_uri()), path=path, root=tmp_path)
        document = replace(played("x = «read>load»(1)\n"), others=(other,), path=tmp_path / "home.py", root=tmp_path)
        decision = asked(document, {"gone_rare": 3.0})
        assert (isinstance(decision, Shown) and decision.value.uri == other.uri) is led


@pytest.mark.slow
@given(st.data())
def test_never_within_a_line_of_what_was_rejected(data: st.DataObject) -> None:
    document = played(TEXT)
    buffer = document.syntax.buffer
    rejections: list[Rejection] = []
    rejected: set[str] = set()
    weights = {
        name: data.draw(st.sampled_from([-1.0, 0.0, 2.0])) for name in ("top", "indent", "from_last", "declares")
    }
    for _ in range(6):
        decision = asked(replace(document, rejections=tuple(rejections)), weights)
        if not isinstance(decision, Shown):
            break
        line = buffer.line_at(decision.value.start)
        around = {" ".join(buffer.line_text(at).split()) for at in range(line - 1, line + 2)}
        assert not around & rejected
        rejections.append(Rejection(decision.value.key, document.now))
        rejected.add(" ".join(buffer.line_text(line).split()))
    assert rejections


def test_a_rejected_edit_rests_its_line_too_and_a_rejection_ends() -> None:
    document = played(TEXT)
    rejection = Rejection("repeat-1 @ return read(path)", document.now)
    resting = asked(replace(document, rejections=(rejection,)), LIKE)
    assert line_of(document, resting) != "return read(path)"
    later = replace(document, rejections=(rejection,), now=document.now + 3601 * 1)
    assert line_of(document, asked(later, LIKE)) == "return read(path)"


@given(st.text(alphabet="ab(\n \té=", max_size=80), st.integers(0, 90), st.text(alphabet="ab(\n", max_size=9))
def test_any_text_and_any_change_give_lines_within_the_text(text: str, at: int, new: str) -> None:
    at = min(at, len(text))
    document = played(f"{text[:at]}«>{new}»{text[at:]}")
    _, rated = LearnedPlaces().rate_lines(document, 0, SiteEvidence(), lambda: None)
    for lines in rated:
        assert lines.features.shape == (len(lines.lines), len(FEATURES))
        assert np.isfinite(lines.features).all()
        assert all(0 <= line < document.syntax.line_count for line in lines.lines.tolist())


def test_the_number_of_lines_and_files_is_bounded() -> None:
    body = "".join(f"def f{n}(path):\n    return read(path, {n})\n" for n in range(3000))
    others = tuple(played(body, f"file:///w/o{n}.py") for n in range(MAX_FILES + 4))
    document = replace(played(f"x = «read>load»(1)\n{body}"), others=others)
    _, rated = LearnedPlaces().rate_lines(document, 0, SiteEvidence(), lambda: None)
    assert len(rated) == MAX_FILES + 1
    assert len(rated[0].lines) <= MAX_LINES
    assert max(len(lines.lines) for lines in rated[1:]) <= MAX_LINES_ELSEWHERE


def test_the_work_is_linear_in_the_size_of_the_file() -> None:
    def work(size: int) -> Callable[[], object]:
        body = "".join(f"def f{n}(path):\n    return read(path, {n})\n" for n in range(size))
        document = played(f"x = «read>load»(1)\n{body}")
        assert document.syntax.error_count() == 0  # reads it
        return lambda: LearnedPlaces().rate_lines(document, 0, SiteEvidence(), lambda: None)

    assert_linear(work, 2_000)


def test_the_work_can_be_stopped() -> None:
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        LearnedPlaces().rate_lines(played(TEXT), 0, SiteEvidence(), cancel.check)


def test_nothing_follows_while_a_name_is_typed_or_after_an_undo() -> None:
    document = replace(played(TEXT), settings=Settings(place_precision=0.0), may_lead=True)
    assert isinstance(NextEditDecision().place(document, 0, Cancel(), None), Shown)
    undone = replace(document, history=replace(document.history, undone_at=document.now))
    assert isinstance(NextEditDecision().place(undone, 0, Cancel(), None), Suppressed)


def test_the_model_that_ships_survives_its_file() -> None:
    model = shipped_places()
    again = PlaceModel.from_json(model.to_json())
    rows = np.random.default_rng(0).random((20, len(FEATURES)))
    assert np.allclose(model.odds(rows), again.odds(rows), atol=1e-3)
    with pytest.raises(ValueError, match="other features"):
        PlaceModel.from_json({**model.to_json(), "features": ["a"]})
