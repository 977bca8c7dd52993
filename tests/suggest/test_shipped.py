"""The shipped language models at work: what a user sees, and what never happens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from editahead.runtime.bundle import find_bundles, load_bundle
from editahead.runtime.ort import Cancel, Cancelled, select_providers
from editahead.runtime.selftest import open_sessions, self_test
from editahead.settings import Settings
from editahead.suggest.context import place_at
from editahead.suggest.engine import Engine
from editahead.suggest.gate import threshold_for
from editahead.suggest.ghost_text.ghost_text import calibration_of
from editahead.suggest.open_models import OpenModels
from editahead.suggest.types import Completions, Document, InlineSuggestion, Reason, Rejection, Shown, Suppressed
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import CoalescedEdit, HistoryView

from .documents import document

SOURCE = """import os


class Folder:
    def __init__(self, location, suffix):
        self.location = location
        self.suffix = suffix

    def files(self):
        return [name for name in os.listdir(self.location) if name.endswith(self.‸)]
"""


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def completions(engine: Engine, made: Document, byte: int) -> Completions:
    decision = engine.complete(made, byte, Cancel())
    assert isinstance(decision, Shown), decision
    assert isinstance(decision.value, Completions)
    return decision.value


def test_both_languages_have_models(engine: Engine) -> None:
    for language in ("python", "java"):
        assert any(name.startswith(f"spn-{language}-") for name in engine.models_for(language))
    assert engine.report().failures == ()


@pytest.mark.parametrize("path", find_bundles(), ids=lambda path: path.name)
def test_shipped_bundles_are_whole_and_answer_as_when_they_were_exported(path: Path) -> None:
    bundle = load_bundle(path)
    assert self_test(bundle, open_sessions(bundle, select_providers("cpu"))) <= bundle.manifest.tolerance
    assert "golden.npz" in bundle.manifest.files


def test_completions_are_ranked_real_names_with_the_line_they_come_from(engine: Engine) -> None:
    made, byte = document(SOURCE)
    found = completions(engine, made, byte)
    labels = [item.label for item in found.items]
    assert {"suffix", "location"} & set(labels[:3])
    assert len(set(labels)) == len(labels)
    chances = [item.probability for item in found.items]
    assert chances == sorted(chances, reverse=True)
    assert all(0 < chance <= 1 for chance in chances)
    assert all(label.isidentifier() and ":" not in label and "<" not in label for label in labels)
    copied = next(item for item in found.items if item.label == "suffix")
    assert copied.origin_line is not None
    assert "suffix" in made.syntax.buffer.data.decode().split("\n")[copied.origin_line]


def test_a_typed_prefix_decides(engine: Engine) -> None:
    made, byte = document(SOURCE.replace("‸", "suf‸"))
    found = completions(engine, made, byte)
    assert found.items[0].label == "suffix"
    assert (found.start, found.end) == (byte - 3, byte)
    assert all(item.label.startswith("suf") and item.label != "suf" for item in found.items)


def test_renaming_a_name_renames_the_completion(engine: Engine) -> None:
    made, byte = document(SOURCE.replace("suffix", "zyxwending").replace("‸", "zy‸"))
    assert completions(engine, made, byte).items[0].label == "zyxwending"


def test_the_same_place_gives_the_same_answer_whatever_was_typed_before(engine: Engine) -> None:
    made, byte = document(SOURCE)
    first = completions(engine, made, byte)
    syntax = made.syntax
    for text in ("x", "y = 1\n", "("):
        edit = ByteEdit(0, 0, text.encode())
        syntax = syntax.advance(syntax.buffer.apply(edit), [edit])
        engine.complete(replace(made, syntax=syntax), byte + len(text), Cancel())
    for text in ("(", "y = 1\n", "x"):
        edit = ByteEdit(0, len(text.encode()), b"")
        syntax = syntax.advance(syntax.buffer.apply(edit), [edit])
    again = completions(engine, replace(made, syntax=syntax), byte)
    assert [item.label for item in again.items] == [item.label for item in first.items]
    assert [item.probability for item in again.items] == pytest.approx(
        [item.probability for item in first.items], abs=1e-5
    )


@pytest.mark.slow
def test_ghost_text_reaches_the_asked_precision_or_is_silent(engine: Engine) -> None:
    model = engine.language_model("python")
    assert model is not None
    for precision in (0.3, 0.6, 0.95):
        shown = 0
        for at in range(0, len(SOURCE), 7):
            text = SOURCE.replace("‸", "")
            made, byte = document(f"{text[:at]}‸", settings=Settings(precision=precision))
            calibration = calibration_of(model, place_at(made, byte))
            decision = engine.inline(made, byte, Cancel())
            if isinstance(decision, Shown):
                shown += 1
                assert decision.probability >= threshold_for(calibration, precision)
                assert isinstance(decision.value, InlineSuggestion)
                assert decision.value.insert.strip()
                assert "<" not in decision.value.insert
        assert shown or precision > 0.5


def test_ghost_text_does_not_bring_back_what_was_just_deleted(engine: Engine) -> None:
    settings = Settings(precision=0.0)
    made, byte = document(SOURCE.replace("‸", "su‸"), settings=settings)
    decision = engine.inline(made, byte, Cancel())
    assert isinstance(decision, Shown)
    assert isinstance(decision.value, InlineSuggestion)
    gone = CoalescedEdit(byte, decision.value.insert.encode(), b"", 0.0)
    view = HistoryView(Buffer(b""), (), gone, 0)
    silent = engine.inline(replace(made, history=view), byte, Cancel())
    assert isinstance(silent, Suppressed)
    assert silent.reason is Reason.REVERSAL


def test_ghost_text_that_was_turned_down_is_not_offered_again(engine: Engine) -> None:
    made, byte = document(SOURCE.replace("‸", "su‸"), settings=Settings(precision=0.0))
    decision = engine.inline(made, byte, Cancel())
    assert isinstance(decision, Shown)
    assert isinstance(decision.value, InlineSuggestion)
    silent = engine.inline(replace(made, rejections=(Rejection(decision.value.insert, 0.0),)), byte, Cancel())
    assert isinstance(silent, Suppressed)
    assert silent.reason is Reason.REJECTED


@pytest.mark.slow
@pytest.mark.parametrize("language_id", ["python", "java"])
def test_odd_texts_never_raise(engine: Engine, language_id: str) -> None:
    for text in (
        "‸",
        "\n\n‸",
        "((((((‸",
        "x‸" * 1,
        "\x0c\u2028‸",
        '"""‸',
        "𝒳 = 𝒳.‸",
        "}" * 50 + "‸",
        "a." * 300 + "‸",
        "\t\t‸",
    ):
        made, byte = document(text, language_id, settings=Settings(precision=0.0, completion_floor=0.0))
        engine.complete(made, byte, Cancel())
        engine.inline(made, byte, Cancel())
        explained = engine.explain(made, byte, Cancel())
        assert set(explained.surfaces) == {"completion", "inline", "next_edit", "next_edits", "fixes", "bodies"}


def test_an_explanation_is_for_a_user_who_rests(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    made, byte = document("total = 1\nprint(total)\nx = to‸")
    growing = HistoryView(Buffer(made.syntax.buffer.data[:-2]), (), CoalescedEdit(byte - 2, b"", b"to", 0.0), 0)
    next_edit, rests = Engine.next_edit, list[bool]()

    def recording(self: Engine, asked: Document, *rest: object) -> object:
        rests.append(not asked.is_typing)
        return next_edit(self, asked, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Engine, "next_edit", recording)
    explained = engine.explain(replace(made, history=growing), byte, Cancel())
    assert "next_edit" in explained.surfaces
    assert rests == [True]


def test_a_cancelled_question_stops(engine: Engine) -> None:
    made, byte = document(SOURCE)
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        engine.inline(made, byte, cancel)


def test_a_language_without_a_model_says_so_for_ghost_text(engine: Engine) -> None:
    made, byte = document("local x = 1\nlocal y = x‸", "python")
    decision = engine.inline(replace(made, language_id="cobol"), byte, Cancel())
    assert isinstance(decision, Suppressed)
    assert decision.reason is Reason.NO_MODEL
    assert "cobol" in decision.detail


def test_the_languages_of_a_bundle_share_one_open_model() -> None:
    bundle = next(load_bundle(path) for path in find_bundles() if path.name.startswith("spn-python"))
    raw = {**bundle.manifest.raw, "limits": {**bundle.manifest.limits, "languages": ["python", "java"]}}
    models = OpenModels([replace(bundle, manifest=replace(bundle.manifest, raw=raw))], select_providers("cpu"))
    model = models.language_model("python")
    assert model is not None
    assert models.language_model("java") is model
    assert models.language_model("cobol") is None


def test_a_damaged_bundle_is_named_and_the_rest_serves_on() -> None:
    broken = find_bundles()[0].parent / "no-such-bundle"
    other = Engine.load([broken, *find_bundles()], "cpu", lambda text, share: None)
    assert len(other.report().failures) == 1
    assert "no-such-bundle" in other.report().failures[0]
    made, byte = document(SOURCE)
    assert completions(other, made, byte).items
