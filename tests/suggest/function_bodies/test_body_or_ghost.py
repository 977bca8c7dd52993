"""Ghost text on an empty line of an empty function: the language model's or a whole body, whichever is likelier."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from editahead.runtime.calibration import Calibration
from editahead.runtime.ort import Cancel, select_providers
from editahead.settings import Settings
from editahead.suggest import engine as engine_module
from editahead.suggest.engine import Engine
from editahead.suggest.open_models import BODY_MODEL, OpenModels
from editahead.suggest.types import InlineSuggestion, Reason, Shown, Suppressed

from tests.suggest.documents import document

EMPTY = "def f(a):\n    ‸\n"
QUIET = Suppressed(Reason.LOW_PROBABILITY, "0.1 of at least 0.8")


class Two:
    """An engine of two models with prepared answers; `asked` counts the bodies that were asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, ghost: Any, body: Any) -> None:
        self.engine, self.asked = Engine([], select_providers("cpu")), 0

        def inline(*arguments: Any) -> Any:
            self.asked += 1
            return body

        monkeypatch.setattr(engine_module.inline, "suggest", lambda *arguments: ghost)
        monkeypatch.setattr(self.engine, "language_model", lambda language: object())
        bundle = SimpleNamespace(calibration=lambda surface: Calibration())
        monkeypatch.setattr(
            OpenModels, "bundle", lambda self, family, language: bundle if family == BODY_MODEL else None
        )
        monkeypatch.setattr(self.engine, "describer", lambda language: SimpleNamespace(inline=inline))

    def inline(self, text: str = EMPTY, cancel: Cancel | None = None, **more: Any) -> Any:
        at, byte = document(text, **more)
        return self.engine.inline(at, byte, cancel or Cancel())


def shown(text: str, probability: float) -> Any:
    return Shown(InlineSuggestion(text, 4, 4), probability)


@pytest.mark.parametrize(
    ("ghost", "body", "text"),
    [
        (shown("ghost", 0.9), shown("body", 0.8), "ghost"),
        (shown("ghost", 0.8), shown("body", 0.9), "body"),
        (shown("ghost", 0.8), shown("body", 0.8), "ghost"),
        (shown("ghost", 0.8), QUIET, "ghost"),
        (QUIET, shown("body", 0.8), "body"),
    ],
)
def test_the_likelier_one_wins(monkeypatch: pytest.MonkeyPatch, ghost: Any, body: Any, text: str) -> None:
    assert Two(monkeypatch, ghost, body).inline().value.insert == text


def test_where_both_are_quiet_the_language_model_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Two(monkeypatch, QUIET, Suppressed(Reason.EMPTY, "no function")).inline() is QUIET


def test_elsewhere_no_body_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    two = Two(monkeypatch, shown("ghost", 0.8), shown("body", 0.9))
    cancel = Cancel()
    cancel.cancel()
    answers = [
        two.inline("def f(a):\n    re‸\n"),
        two.inline("def f(a): ‸\n"),
        two.inline(EMPTY, settings=Settings(write_bodies=False)),
        two.inline("class A {\n‸\n}", language_id="java"),
        two.inline(cancel=cancel),
    ]
    assert [answer.value.insert for answer in answers] == ["ghost"] * 5
    assert two.asked == 0
