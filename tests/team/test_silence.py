"""A replica that is silent, as after the death of its node: another one is found before the server notices."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from editahead.team.cluster.documents import ClientLimits
from editahead.team.remote.channel import LOST_SECONDS
from slow_proxy import SlowProxy
from team_pair import Team, wait_for

SOON = 0.75 * LOST_SECONDS  # a silent connection was only given up after this


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[tuple[Team, SlowProxy]]:
    """A laptop that reaches its server through a network."""
    team = Team(tmp_path, limits=ClientLimits(connections=20), budget=0.5)
    network = SlowProxy(team.host.port)
    team.connect_through(network.port)
    yield team, network
    team.end()
    network.stop()


@pytest.mark.parametrize("in_vain", [0, 2])
def test_another_replica_answers_soon(behind: tuple[Team, SlowProxy], in_vain: int) -> None:
    """Also where the server sends the first attempts to the replica that is gone."""
    team, network = behind
    opened = team.open("a.py", "x = 1\n")
    team.complete(opened)
    assert team.outcomes() == {"remote": 1}
    session = team.connection.session
    network.silent = network.connections + in_vain
    began = time.monotonic()
    team.complete(opened)
    assert team.outcomes()["late"] == 1
    wait_for(lambda: team.connection.session > session, "other connection")
    assert time.monotonic() - began < SOON
    team.type(opened, 0, "y")
    team.complete(opened)
    assert team.outcomes() == {"remote": 2, "late": 1}
    assert team.theirs.seen[-1].syntax.buffer.data == b"yx = 1\n"
    assert team.problems == []


def test_a_replica_that_computes_for_long_keeps_its_clients(behind: tuple[Team, SlowProxy]) -> None:
    team, network = behind
    opened = team.open("a.py", "# fake:hold\n")
    session, connections = team.connection.session, network.connections
    asking = threading.Thread(target=team.complete, args=(opened,))
    asking.start()
    assert team.theirs.entered.wait(10)
    time.sleep(1.0)  # longer than a silence that is answered by another connection
    assert (team.connection.session, network.connections) == (session, connections)
    for engine in (team.theirs, team.ours):
        engine.release.set()
    asking.join()


def test_a_slow_network_keeps_the_connection(behind: tuple[Team, SlowProxy]) -> None:
    """The reply that is under way comes before the welcome of another connection."""
    team, network = behind
    opened = team.open("a.py", "x = 1\n")
    team.complete(opened)
    session = team.connection.session
    network.delay = 0.4
    team.complete(opened)
    wait_for(lambda: network.connections > 1, "second attempt")
    time.sleep(2.5)  # longer than a handshake and a greeting on this network
    assert team.connection.session == session
    assert team.outcomes() == {"remote": 1, "late": 1}
