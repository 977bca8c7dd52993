"""Faults while simulated typists type, without Ray: nothing wrong is shown, nothing hangs, the server is used again."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from editahead.cli.samples import sample
from editahead.syntax.language import by_id
from editahead.team.cluster.documents import ClientLimits
from editahead.team.remote.target import TOKEN_VARIABLE, remote_target
from slow_proxy import SlowProxy
from team_pair import TOKEN, Team

from tests.bench.team.load import simulate
from tests.bench.team.load_result import DOWN, IN_TIME, LATE, WRONG, LoadResult, Request
from tests.bench.team.measure import phases, recovered

BUSY = 0.6  # share that a busy machine of a test still answers in time; the published figures say 95 %
HANG = 1.0  # seconds; a request ends after 40 ms, and later only if this machine is busy
BEFORE, LASTS, AFTER = 2.0, 1.5, 6.0  # seconds


def typed(port: int, begin: Callable[[], None], end: Callable[[], None]) -> tuple[LoadResult, float]:
    """Let two typists type on a port while something happens to the server. Returns the requests and the start."""
    language = by_id("python")
    assert language is not None
    target = remote_target(f"ws://127.0.0.1:{port}", None, {TOKEN_VARIABLE: TOKEN})
    timers = [threading.Timer(BEFORE, begin), threading.Timer(BEFORE + LASTS, end)]
    start = time.monotonic()
    for timer in timers:
        timer.start()
    text = sample("inventory.py").data
    result = asyncio.run(simulate(target, text, language, "a.py", 2, BEFORE + LASTS + AFTER))
    return result, start


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Team]:
    team = Team(tmp_path, limits=ClientLimits(connections=20))
    yield team
    team.end()


def check(result: LoadResult, start: float) -> LoadResult:
    """Check what holds for every fault; returns the requests while it lasted."""
    before = result.between(start + 0.5, start + BEFORE)
    during = result.between(start + BEFORE + 0.2, start + BEFORE + LASTS)
    after = result.between(start + BEFORE + LASTS + AFTER - 2.0, float("inf"))
    assert before.in_time >= BUSY
    assert during.needed_requests > 0
    assert during.in_time == 0.0
    assert after.in_time >= BUSY
    assert result.outcomes[WRONG] == 0
    assert max(request.seconds for request in result.requests) < HANG
    return during


def test_a_network_that_is_slow_for_a_while(server: Team) -> None:
    network = SlowProxy(server.host.port)

    def set_delay(seconds: float) -> Callable[[], None]:
        return lambda: setattr(network, "delay", seconds)

    during = check(*typed(network.port, set_delay(0.1), set_delay(0.0)))
    assert set(during.outcomes) & {LATE}
    network.stop()


def test_a_server_that_is_gone_for_a_while(server: Team) -> None:
    during = check(*typed(server.host.port, server.host.kill, server.restart))
    assert set(during.outcomes) == {DOWN}


def test_a_lost_piece_delays_what_follows_and_keeps_its_order() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readexactly(100))

    async def run() -> tuple[bytes, float]:
        listening = await asyncio.start_server(echo, "127.0.0.1", 0)
        network = SlowProxy(listening.sockets[0].getsockname()[1])
        network.loss, network.delay = 1.0, 0.01
        reader, writer = await asyncio.open_connection("127.0.0.1", network.port)
        began = time.monotonic()
        for number in range(100):
            writer.write(bytes([number]))
            await asyncio.sleep(0)
        got = await reader.readexactly(100)
        took = time.monotonic() - began
        writer.close()
        network.stop()
        listening.close()
        return got, took

    got, took = asyncio.run(run())
    assert got == bytes(range(100))
    assert took >= 2 * (0.01 + 0.2)


def test_the_phases_of_a_fault_and_the_recovery_are_those_of_the_requests() -> None:
    outcomes = [IN_TIME] * 80 + [LATE] * 100 + [IN_TIME] * 120
    result = LoadResult([Request(100 + at / 10, "complete", outcome, 0.01) for at, outcome in enumerate(outcomes)])
    found = phases(result, 100.0, 116.0, 8.0)
    assert found["before"] == {"requests": 80, "in_time": 1.0, "outcomes": {IN_TIME: 80}}
    assert found["during"]["in_time"] == 0.0
    assert found["settling"] == {"requests": 100, "in_time": 0.8, "outcomes": {LATE: 20, IN_TIME: 80}}
    assert found["recovered_seconds"] == pytest.approx(1.9, abs=0.11)
    assert (found["wrong"], found["longest_ms"]) == (0, 10.0)
    assert recovered(LoadResult([Request(1.0 + at, "complete", LATE) for at in range(40)]), 2.0) is None
