"""The team server on a local Ray cluster of two nodes: a node dies, models are replaced, and laptops notice nothing.

Without the extra `team` these tests are skipped. One cluster serves all of them, in the order of this file.
"""

from __future__ import annotations

import shutil
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from editahead.lsp.session import OpenDocument, Session
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.types import Shown
from editahead.team.cluster.client_session import CLIENTS, DESCRIPTIONS, REQUESTS, SECONDS
from editahead.team.cluster.deployment import TeamOptions, deploy, remove
from editahead.team.cluster.replica import TeamError, load_engine
from editahead.team.cluster.tokens import token_sum
from editahead.team.remote.connection import Connection, Replies
from editahead.team.remote.engine import RemoteEngine
from editahead.team.remote.target import TOKEN_VARIABLE, remote_target
from editahead.text.edits import ByteEdit
from team_ray import end, two_nodes

ray = pytest.importorskip("ray", reason="the extra `team` is not installed: pip install -e '.[team]'")

TOKEN = "a-token-of-a-test-0123456789"
pytestmark = pytest.mark.filterwarnings("ignore:::ray", "ignore:::pydantic")
TEXT = "first_name = 1\nsecond_name = first_name\n"
PATIENCE = 60.0  # seconds; only a test that fails waits so long


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@dataclass
class Running:
    """A cluster with the team server on it."""

    cluster: Any
    second: Any
    options: TeamOptions
    metrics: int  # port of the head node

    def laptop(self, token: str = TOKEN) -> Laptop:
        return Laptop(self.options.port, token)


class Laptop:
    """The laptop's side, typing in one document."""

    def __init__(self, port: int, token: str) -> None:
        self.problems: list[str] = []
        self.replies = Replies()
        target = remote_target(f"ws://127.0.0.1:{port}", None, {TOKEN_VARIABLE: token})
        self.connection = Connection(target, self.replies.receive)
        self.connection.report_problems(self.problems.append)
        self.engine = RemoteEngine(load_engine((), "cpu"), self.connection, self.replies, budget=5.0)
        self.session = Session(Settings(precision=0.0))
        self.opened: OpenDocument = self.session.open("file:///project/a.py", "python", 1, TEXT)
        self.connection.start()

    def type(self, text: str) -> Any:
        at = len(self.opened.buffer.data)
        self.opened.apply([ByteEdit(at, at, text.encode())])
        self.opened.version += 1
        return self.ask()

    def ask(self) -> Any:
        at = len(self.opened.buffer.data)
        return self.engine.complete(self.session.snapshot(self.opened, at).document, at, Cancel())

    def remote(self) -> int:
        return self.engine.answered_by().get("remote", 0)

    def replica(self) -> str:
        welcome = self.connection.welcome
        return "" if welcome is None else welcome.replica

    def wait_connected(self) -> None:
        until = time.monotonic() + PATIENCE
        while not self.connection.session:
            assert time.monotonic() < until, self.problems
            time.sleep(0.02)


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    """Two nodes with one processor each, and one replica on each of them."""
    metrics = free_port()
    cluster, _, second = two_nodes(metrics_export_port=metrics)
    try:
        port = free_port()
        options = TeamOptions({token_sum(TOKEN): "me"}, replicas=2, address=cluster.address, port=port, device="cpu")
        deploy(options)
        yield Running(cluster, second, options, metrics)
    finally:
        end(cluster)


def test_two_laptops_are_served(running: Running) -> None:
    laptops = [running.laptop(), running.laptop()]
    for laptop in laptops:
        laptop.wait_connected()
        decision = laptop.type("fir")
        assert isinstance(decision, Shown)
        assert "first_name" in [item.label for item in decision.value.items]
        assert laptop.engine.answered_by() == {"remote": 1}
        laptop.connection.stop()


def test_a_wrong_token_is_refused_and_the_health_page_answers(running: Running) -> None:
    stranger = running.laptop("b" * 32)
    until = time.monotonic() + PATIENCE
    while not stranger.problems and time.monotonic() < until:
        time.sleep(0.02)
    assert "refuses the token" in stranger.problems[0]
    stranger.connection.stop()
    with urllib.request.urlopen(f"http://127.0.0.1:{running.options.port}/health", timeout=5) as answer:
        assert answer.status == 200


def test_models_are_replaced_without_a_lost_request(running: Running, tmp_path: Path) -> None:
    bundle = next(path for path in find_bundles([]) if path.name.startswith("spn-python"))
    shutil.copytree(bundle, tmp_path / bundle.name)
    laptop = running.laptop()
    laptop.wait_connected()
    laptop.type("fir")
    session = laptop.connection.session
    newer = TeamOptions(
        running.options.tokens, (tmp_path / bundle.name,), "cpu", 2, address=running.options.address,
        port=running.options.port,
    )  # fmt: skip
    rolling = threading.Thread(target=deploy, args=(newer,))
    rolling.start()
    asked = 0
    while rolling.is_alive() or asked < 20:
        assert isinstance(laptop.ask(), Shown)
        asked += 1
        time.sleep(0.03)  # as a person types, and within the limit of requests
    assert laptop.engine.answered_by() == {"remote": asked + 1}
    assert laptop.connection.session == session
    laptop.connection.stop()


def test_a_damaged_bundle_reaches_no_replica(running: Running, tmp_path: Path) -> None:
    bundle = next(path for path in find_bundles([]) if path.name.startswith("spn-python"))
    shutil.copytree(bundle, tmp_path / bundle.name)
    graph = next((tmp_path / bundle.name).glob("*.onnx"))
    graph.write_bytes(b"damaged" + graph.read_bytes()[7:])
    options = TeamOptions(
        running.options.tokens, (tmp_path / bundle.name,), "cpu", 2, address=running.options.address,
        port=running.options.port,
    )  # fmt: skip
    with pytest.raises(TeamError, match="cannot be used"):
        deploy(options)
    laptop = running.laptop()
    laptop.wait_connected()
    assert isinstance(laptop.type("fir"), Shown)
    laptop.connection.stop()


def test_what_cannot_be_deployed_is_one_line_and_changes_nothing(running: Running) -> None:
    options = running.options
    with pytest.raises(TeamError, match="9 replicas need 9 processors, and the cluster has 2"):
        deploy(replace(options, replicas=9))
    with pytest.raises(TeamError, match=f"listens on 127.0.0.1:{options.port}: to change that, end it"):
        deploy(replace(options, port=free_port()))
    laptop = running.laptop()
    laptop.wait_connected()
    assert isinstance(laptop.type("fir"), Shown)
    assert laptop.engine.answered_by() == {"remote": 1}
    laptop.connection.stop()


def test_a_node_dies_while_its_laptops_type(running: Running) -> None:
    laptops = [running.laptop() for _ in range(6)]
    for laptop in laptops:
        laptop.wait_connected()
        laptop.type("fir")
    assert len({laptop.replica() for laptop in laptops}) == 2, "both replicas have clients"
    before = [laptop.remote() for laptop in laptops]
    running.cluster.remove_node(running.second, allow_graceful=False)
    died = time.monotonic()
    while time.monotonic() - died < 10.0:
        for laptop in laptops:
            assert isinstance(laptop.ask(), Shown)
        time.sleep(0.05)
    assert len({laptop.replica() for laptop in laptops}) == 1
    for laptop, count in zip(laptops, before, strict=True):
        answered = laptop.remote()
        assert answered > count
        assert isinstance(laptop.type("s"), Shown)
        assert laptop.remote() == answered + 1
        assert len(laptop.problems) <= 1
        laptop.connection.stop()


def test_a_revoked_token_is_refused_at_once(running: Running) -> None:
    laptop = running.laptop()
    laptop.wait_connected()
    laptop.type("fir")
    others = TeamOptions(
        {token_sum("c" * 32): "other"}, (), "cpu", 2, address=running.options.address, port=running.options.port
    )
    deploy(others)
    until = time.monotonic() + PATIENCE
    while not laptop.problems and time.monotonic() < until:
        time.sleep(0.02)
    assert "refuses the token" in laptop.problems[0]
    assert isinstance(laptop.ask(), Shown)  # locally
    laptop.connection.stop()


def test_prometheus_gets_the_metrics_and_no_code(running: Running) -> None:
    until, page = time.monotonic() + PATIENCE, ""
    while "editahead_team_requests_total" not in page and time.monotonic() < until:
        with urllib.request.urlopen(f"http://127.0.0.1:{running.metrics}", timeout=5) as answer:
            page = answer.read().decode()
        time.sleep(0.5)
    assert {name for name in DESCRIPTIONS if name in page} >= {REQUESTS, SECONDS, CLIENTS}
    assert "first_name" not in page


def test_the_port_is_free_after_the_end_and_may_be_another_one(running: Running) -> None:
    """After the death of a node, one processor is left."""
    for _ in range(2):  # nothing to do the second time
        remove(running.options.address)
    with socket.create_server(("127.0.0.1", running.options.port)):
        with pytest.raises(TeamError, match="cannot listen on"):
            deploy(replace(running.options, replicas=1))
        running.options = replace(running.options, replicas=1, port=free_port())
        deploy(running.options)
    laptop = running.laptop()
    laptop.wait_connected()
    assert isinstance(laptop.type("fir"), Shown)
    assert laptop.engine.answered_by() == {"remote": 1}
    laptop.connection.stop()
