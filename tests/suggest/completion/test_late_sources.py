"""A list that is filled in time: each source that is late gives way to a cheaper one, down to the names nearby."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from editahead.analysis.facts.first_pass import FactsWalk
from editahead.runtime.bundle import BundleError
from editahead.runtime.ort import CPU, Cancel, Cancelled, CancelWhenLate, DeadlineExceeded, Selection
from editahead.suggest import open_models, verified_edits
from editahead.suggest.completion import completions, without_model
from editahead.suggest.engine import Engine
from editahead.suggest.open_models import LANGUAGE_MODEL, OpenModels
from editahead.suggest.types import Completion, Completions, Decision, Shown
from editahead.syntax.interrupt import checkpoint, interruptible
from editahead.syntax.nodes import parsed_parts
from editahead.syntax.scope_table import ScopeKind
from editahead.text.edits import ByteEdit
from editahead.verification.verifier import Verifier

from tests.suggest.documents import document

SELECTION = Selection("cpu", CPU, "")
TEXT = "def load(path):\n    data = read(path)\n    return ‸\n"
NOW = 0.0  # a second of the monotonic clock that is over
NEVER = float("inf")


def labels(decision: Decision[Completions]) -> list[str]:
    assert isinstance(decision, Shown)
    return [item.label for item in decision.value.items]


def until_interrupted(*_: Any, **__: Any) -> Any:
    while True:
        checkpoint()


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    """An engine whose model never comes to an end by itself."""
    made = Engine([], SELECTION)
    monkeypatch.setattr(made, "language_model", lambda language_id: object())
    monkeypatch.setattr(completions, "complete", until_interrupted)
    return made


def test_names_in_scope_take_the_place_of_a_late_model(engine: Engine) -> None:
    made, byte = document(TEXT)
    assert {"data", "path", "load"} <= set(labels(engine.complete(made, byte, Cancel(NOW, NEVER))))


@pytest.mark.parametrize("language_id", ["python", "typescript"])
def test_names_nearby_take_the_place_of_late_scopes(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, language_id: str
) -> None:
    monkeypatch.setattr(without_model, "words_evidence", until_interrupted)
    made, byte = document(TEXT.replace("‸", "da‸"), language_id)
    assert labels(engine.complete(made, byte, Cancel(NOW, NOW))) == ["data"]


def test_a_newer_request_still_ends_all_sources(engine: Engine) -> None:
    made, byte = document(TEXT)
    cancel = Cancel(NOW, NOW)
    cancel.cancel()
    with pytest.raises(Cancelled) as caught:
        engine.complete(made, byte, cancel)
    assert not caught.value.is_out_of_time


def test_a_list_keeps_its_items_where_imports_are_checked_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any) -> Any:
        raise DeadlineExceeded

    monkeypatch.setattr(verified_edits, "_reading", late)
    made, byte = document(TEXT)
    edit = ByteEdit(0, 0, b"import data\n")
    item = Completion("data", 0.9, "name", "project", import_from="data", import_edit=edit)
    shown = Shown(Completions((item,), byte, byte, complete=False), 0.9)
    verified = verified_edits.verified_imports(shown, made, Verifier(), Cancel())
    assert isinstance(verified, Shown)
    assert [(kept.label, kept.import_edit) for kept in verified.value.items] == [("data", None)]


class Opening:
    """Models that open when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, error: BundleError | None = None) -> None:
        self.may_open, self.opened = Event(), 0
        self.error = error
        self.bundle: Any = SimpleNamespace(
            path=Path("model"),
            manifest=SimpleNamespace(family=LANGUAGE_MODEL, language="go", limits={}, name="m", files={}),
        )
        monkeypatch.setattr(open_models, "verify_files", lambda bundle: None)
        monkeypatch.setattr(OpenModels, "_language_model", self._open)

    def _open(self, *_: Any) -> Any:
        self.may_open.wait(60)
        self.opened += 1
        if self.error is not None:
            raise self.error
        return self


def waits(cancel: Cancel) -> Callable[[], None]:
    """Asks for an end once the work waits."""
    looks = iter(range(3))

    def check() -> None:
        if next(looks, None) is None:
            cancel.expire()
        cancel.check()

    return check


def test_a_model_opens_while_the_list_is_filled_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    opening = Opening(monkeypatch)
    made, byte = document("package a\n\nfunc load(path string) {\n\tdata := 1\n\t‸\n}\n", "go")
    cold = Engine([opening.bundle], SELECTION)
    assert {"data", "path"} <= set(labels(cold.complete(made, byte, Cancel(NOW, NEVER))))
    with pytest.raises(DeadlineExceeded), interruptible(waits(Cancel())):
        cold.language_model("go")
    opening.may_open.set()
    with interruptible(Cancel().check):
        assert cold.language_model("go") is opening  # type: ignore[comparison-overlap]
    assert opening.opened == 1


def test_a_model_that_cannot_be_opened_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    opening = Opening(monkeypatch, BundleError(Path("model"), "whole", "damaged"))
    opening.may_open.set()
    models = OpenModels([opening.bundle], SELECTION)
    with interruptible(Cancel().check):
        assert models.language_model("go") is None
        assert models.language_model("go") is None
    assert (models.failures, opening.opened) == ([str(opening.error)], 1)


def test_what_ended_the_work_is_told_apart() -> None:
    late = CancelWhenLate(Cancel(), NOW)
    with pytest.raises(DeadlineExceeded):
        late.check()
    late.cancel()
    with pytest.raises(Cancelled) as caught:
        late.check()
    assert not caught.value.is_out_of_time


def test_facts_of_a_small_function_can_be_interrupted() -> None:
    made, _ = document("def f(a):\n    return a\n‸")
    table = made.syntax.language.scopes
    assert table is not None
    part = parsed_parts(made.syntax)[0]
    late = CancelWhenLate(Cancel(), NOW)
    with pytest.raises(DeadlineExceeded), interruptible(late.check):
        FactsWalk(part, part.tree.root_node.children[0], table, ScopeKind.FUNCTION).finish()
