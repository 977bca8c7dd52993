"""When time is short the cheap sources answer: scopes, words and n-grams, without the language model."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Sequence
from typing import Any, cast

import pytest
from editahead.lsp.inference.jobs import EngineLike, Events, Job
from editahead.lsp.inference.worker import LATE, LOAD_DEADLINE, Worker
from editahead.lsp.surfaces.surface import Surface
from editahead.runtime.bundle import find_bundles
from editahead.runtime.language_model.model import LmContext
from editahead.runtime.ort import Cancel, Cancelled
from editahead.suggest.engine import Engine
from editahead.suggest.types import Reason, Shown, Suppressed
from editahead.syntax.tokens import Line

from tests.suggest.documents import document

TEXT = """def other(hidden):
    return hidden


def area(width, height):
    size = width * height
    return ‸
"""
PATIENCE = 30.0  # seconds; a model that nobody stops fails the test


@pytest.fixture
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A language model that reads until it is stopped; the times at which it began."""
    began: list[float] = []

    def read(context: LmContext, lines: Sequence[Line], cancel: Cancel) -> None:
        began.append(time.monotonic())
        while time.monotonic() < began[-1] + PATIENCE:
            cancel.check()
        pytest.fail("the model was not stopped")

    monkeypatch.setattr(LmContext, "extend_to", read)
    return began


def test_a_slow_model_is_left_for_the_words_that_can_be_used(engine: Engine, reads: list[float]) -> None:
    made, at = document(TEXT)
    assert engine.language_model("python") is not None
    decision = engine.complete(made, at, Cancel(time.monotonic() + 0.05))
    assert reads
    assert isinstance(decision, Shown)
    labels = [item.label for item in decision.value.items]
    assert {"size", "width", "height"} <= set(labels)
    assert labels[0] != "hidden"


@pytest.mark.slow
def test_the_model_answers_while_there_is_time_and_again_after_it_was_late(engine: Engine) -> None:
    made, at = document(TEXT)
    whole = engine.complete(made, at, Cancel())
    assert engine.complete(made, at, Cancel(time.monotonic() - 1)) != whole
    assert engine.complete(made, at, Cancel(time.monotonic() + 600)) == whole


def test_a_cancelled_job_has_no_answer(engine: Engine, reads: list[float]) -> None:
    made, at = document(TEXT)
    cancel = Cancel(time.monotonic() - 1)
    cancel.cancel()
    with pytest.raises(Cancelled):
        engine.complete(made, at, cancel)


async def test_a_job_that_its_deadline_ends_says_so() -> None:
    worker = Worker(cast(Events, Silent()), lambda: None)
    worker.start()
    worker.load(lambda progress: cast(EngineLike, object()))
    ended: list[bool] = []
    begun = threading.Event()

    def run(engine: EngineLike, cancel: Cancel) -> Suppressed:
        begun.set()
        try:
            while True:
                cancel.check()
        except Cancelled as error:
            ended.append(error.is_out_of_time)
            raise

    surface = Surface(name="completion", urgency=0)
    late: Job[Any] = worker.submit("file:///a.py", surface, 0.02, run)
    # the job runs before the event loop is notified of the loaded engine: its own deadline holds nevertheless
    assert begun.wait(PATIENCE)
    assert not worker.ready
    answer = await asyncio.wait_for(late.future, LOAD_DEADLINE / 2)
    assert (answer.reason, answer.detail) == (Reason.DEADLINE, "ran out of time after 20 ms")
    superseded: Job[Any] = worker.submit("file:///a.py", surface, 100.0, run)
    worker.submit("file:///a.py", surface, 0.02, run)
    assert superseded.future.result().reason is Reason.CANCELLED
    worker.stop()
    assert ended[0]
    assert late.cancel is not None
    assert late.cancel.late_at < math.inf


class Silent:
    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: None


@pytest.mark.parametrize("deadlines", [True, False])
async def test_jobs_are_late_before_their_deadline(deadlines: bool) -> None:
    worker = Worker(cast(Events, Silent()), lambda: None, deadlines=deadlines)
    worker.start()
    worker.load(lambda progress: cast(EngineLike, object()))
    begun = time.monotonic()
    for _ in range(2):  # while the engine is being loaded, and afterwards
        job = worker.submit(
            "file:///a.py", Surface(name="completion", urgency=0), 100.0, lambda engine, cancel: cancel.late_at
        )
        await asyncio.wait_for(job.future, PATIENCE)
    late_at = job.future.result()
    assert isinstance(late_at, float)
    assert 0 <= late_at - begun - LATE * 100 < PATIENCE if deadlines else late_at == math.inf
    worker.stop()
