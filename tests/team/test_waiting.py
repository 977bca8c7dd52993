"""Which requests a replica computes when there is not time for all, and messages that travel together."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from editahead.team.cluster.inference import DeclinedError, Inference, RunTimes
from editahead.team.wire.messages import (
    MAX_BATCH,
    Batch,
    Change,
    Drop,
    PutDocument,
    decode_from_client,
    encode,
    encode_all,
)
from editahead.text.edits import ByteEdit


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def runs(clock: Clock, seconds: float) -> Any:
    """A request that takes so long."""

    def run(engine: object, cancel: object) -> str:
        clock.now += seconds
        return "value"

    return run


async def test_a_request_that_would_be_late_is_not_computed() -> None:
    clock = Clock()
    inference = Inference(None, clock)  # type: ignore[arg-type]
    for _ in range(60):
        await inference.submit(("one", "complete"), 1.0, runs(clock, 0.030))
    with pytest.raises(DeclinedError, match="late"):
        await inference.submit(("one", "complete"), 0.020, runs(clock, 0.030))
    answered = await inference.submit(("one", "complete"), 0.040, runs(clock, 0.030))
    assert answered.value == "value"
    assert answered.seconds == pytest.approx(0.030)
    inference.stop()


async def test_an_answer_tells_how_long_its_request_waited() -> None:
    clock = Clock()
    inference = Inference(None, clock)  # type: ignore[arg-type]
    jobs = [inference.submit((name, "complete"), 9.0 + at, runs(clock, 0.5)) for at, name in enumerate(("one", "two"))]
    first, second = await asyncio.gather(*jobs)
    assert (first.waited, second.waited) == (0.0, pytest.approx(0.5))
    inference.stop()


def test_slow_runs_do_not_close_a_method_for_good() -> None:
    times = RunTimes()
    for _ in range(50):
        times.add("complete", 0.1)
    declined = 0
    while not times.is_in_time("complete", 0.040, 0.040):
        declined += 1
    assert 0 < declined < 15


def test_requests_that_waited_leave_the_typical_time_as_it_is() -> None:
    times = RunTimes()
    for _ in range(50):
        times.add("complete", 0.030)
    for _ in range(100):
        assert not times.is_in_time("complete", 0.010, 0.040)
    assert not times.is_in_time("complete", 0.029, 0.040)


def change(size: int) -> Change:
    return Change(1, 0, 1, [ByteEdit(0, 0, b"x" * size)], size, 0)


def test_small_messages_travel_together_and_documents_alone() -> None:
    put = PutDocument(1, "a.py", "python", 0, b"x" * 100)
    messages = [change(1), Drop(2), put, Drop(3), change(2), Drop(4)]
    frames = [decode_from_client(frame) for frame in encode_all(messages)]
    assert frames == [Batch([change(1), Drop(2)]), put, Batch([Drop(3), change(2), Drop(4)])]
    assert encode_all([Drop(2)]) == [encode(Drop(2))]


def test_messages_that_are_large_together_travel_alone() -> None:
    large = [change(MAX_BATCH // 2), change(MAX_BATCH // 2)]
    assert encode_all(large) == [encode(message) for message in large]
