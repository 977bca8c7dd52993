"""Where a text is too long to be read, completions come from the names near the cursor."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest
from editahead.analysis.facts import file_facts
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel, DeadlineExceeded
from editahead.suggest.completion.without_model import AROUND
from editahead.suggest.engine import Engine
from editahead.suggest.types import Completions, Document, Reason, Shown, Suppressed
from editahead.syntax.interrupt import interruptible
from editahead.syntax.snapshot import SyntaxSnapshot

from tests.suggest.documents import document
from tests.suggest.test_deadlines import CpuDeadline

MINIFIED = "".join(f"function f{n}(t,e){{var n=t.value+e;return n>{n}?n*2:g(n,t.items[0])}};" for n in range(6_000))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def labels(engine: Engine, made: Document, byte: int) -> list[str]:
    decision = engine.complete(made, byte, Cancel())
    assert isinstance(decision, Shown), decision
    assert isinstance(decision.value, Completions)
    return [item.label for item in decision.value.items]


@pytest.mark.parametrize("prefix", ["v", "va"])
def test_a_line_that_is_too_long_to_be_read_has_completions(engine: Engine, prefix: str) -> None:
    """It had none: a sum of 10,000 terms, or minified code."""
    made, byte = document("x = " + "a + " * 5_000 + f"valid + value + {prefix}‸", "python")
    assert labels(engine, made, byte) == ["value", "valid"]


def test_the_nearest_come_first_and_none_from_far_away(engine: Engine) -> None:
    far = "value_of_far_away + " + "a + " * AROUND
    made, byte = document(f"x = {far}vat + van + v‸ + vast + " + "a + " * AROUND + "vault", "python")
    assert labels(engine, made, byte) == ["van", "vat", "vast"]


@pytest.mark.parametrize("typed", ["", "1", "1.5e", "'v"])
def test_nothing_is_listed_where_no_name_has_begun(engine: Engine, typed: str) -> None:
    made, byte = document("x = value + " + "a + " * 5_000 + f"{typed}‸", "python")
    assert isinstance(engine.complete(made, byte, Cancel()), Suppressed)


def test_no_long_text_is_parsed(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    made, byte = document("x = " + "a + " * 50_000 + "value + v‸", "python")
    monkeypatch.setattr(SyntaxSnapshot, "tree", property(lambda _: pytest.fail("parsed")))
    assert labels(engine, made, byte) == ["value"]


def test_gates_hold_in_a_long_line(engine: Engine) -> None:
    made, byte = document("x = " + "a + " * 5_000 + "value + v‸", path=Path("/project/.env"), admitted=False)
    decision = engine.complete(made, byte, Cancel())
    assert isinstance(decision, Suppressed)
    assert decision.reason is Reason.EXCLUDED


@pytest.mark.slow
def test_of_a_line_of_data_only_what_is_near_is_read_for_scopes(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below 2.5 MB of minified code each ghost text read its 33,000 functions: 14 s, in which nothing came."""
    read = 0
    real = file_facts.FactsWalk

    def counted(*arguments: object) -> object:
        nonlocal read
        read += 1
        return real(*arguments)

    monkeypatch.setattr(file_facts, "FactsWalk", counted)
    made, byte = document(MINIFIED + "\n\nvar total = f;\nval‸\n", "javascript")
    assert labels(engine, made, byte)
    assert 0 < read < 1_200


def test_another_document_is_answered_at_once(engine: Engine) -> None:
    made, byte = document(MINIFIED + "\n\nvar total = f;\nval‸\n", "javascript")
    other, at = document("value = 1\nprint(val‸)\n", "python")
    labels(engine, other, at)  # opens the model
    cancel = CpuDeadline(0.5)
    with suppress(DeadlineExceeded), interruptible(cancel.check):
        engine.inline(made, byte, cancel)
    begun = time.thread_time()
    assert labels(engine, other, at)
    assert time.thread_time() - begun < 0.2
