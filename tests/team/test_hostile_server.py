"""Servers that are none, or that break after the welcome: one line for the user, few attempts, a thread that lives."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from editahead.team.remote import connection
from editahead.team.remote.connection import Connection
from editahead.team.remote.target import TOKEN_VARIABLE, remote_target
from editahead.team.wire import websocket
from editahead.team.wire.messages import PROTOCOL, Welcome, encode
from team_pair import TOKEN, wait_for

Behave = Callable[[socket.socket], None]
LONG = 3.0  # seconds


class HostileServer:
    """Accepts connections on a port of this machine, and does the same with each."""

    def __init__(self, behave: Behave) -> None:
        self.connections = 0
        self._behave = behave
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._main, daemon=True).start()

    def _main(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self.connections += 1
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client:
            self._behave(client)

    def stop(self) -> None:
        self._listener.close()


def key(client: socket.socket) -> str:
    """Read the handshake of a client."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += client.recv(65536)
    lines = data.decode("latin-1").split("\r\n")
    return next(line.partition(":")[2].strip() for line in lines if line.lower().startswith("sec-websocket-key"))


def welcome(client: socket.socket, protocol: int = PROTOCOL) -> None:
    """Do what a replica does until the welcome."""
    accepted = websocket.accept_key(key(client))
    client.sendall(
        b"HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        + accepted.encode()
        + b"\r\n\r\n"
    )
    first = encode(Welcome(protocol, "0", "replica", "client", {}))
    client.sendall(websocket.encode_frame(websocket.BINARY, first, mask=False))


def no_number(client: socket.socket) -> None:
    key(client)
    client.sendall(b"HTTP/1.1 \xb2\xb2\xb2 X\r\n\r\n")


def break_off(client: socket.socket) -> None:
    welcome(client)
    time.sleep(0.05)


def newer(client: socket.socket) -> None:
    welcome(client, PROTOCOL + 1)
    time.sleep(LONG)


Start = Callable[[Behave], tuple[HostileServer, Connection, list[str]]]


@pytest.fixture
def laptop() -> Iterator[Start]:
    made: list[tuple[HostileServer, Connection]] = []

    def start(behave: Behave) -> tuple[HostileServer, Connection, list[str]]:
        server, problems = HostileServer(behave), []
        target = remote_target(f"ws://127.0.0.1:{server.port}", None, {TOKEN_VARIABLE: TOKEN})
        found = Connection(target, lambda session, message: None)
        found.report_problems(problems.append)
        found.start()
        made.append((server, found))
        return server, found, problems

    yield start
    for server, found in made:
        found.stop()
        server.stop()


def test_a_status_that_is_no_number_is_one_line_and_the_next_attempt_follows(laptop: Start) -> None:
    server, _, problems = laptop(no_number)
    wait_for(lambda: server.connections > 1 and len(problems) == 1, "line and second attempt")
    assert "cannot be reached" in problems[0]


def test_a_server_of_another_protocol_is_not_used(laptop: Start) -> None:
    _, found, problems = laptop(newer)
    wait_for(lambda: bool(problems), "line")
    assert "another version of the protocol" in problems[0]
    assert found.session == 0


def test_a_server_that_breaks_off_again_and_again_is_reported_and_left_alone(laptop: Start) -> None:
    """Each connection would get all documents again."""
    server, _, problems = laptop(break_off)
    time.sleep(LONG)
    assert connection.SHORT_TO_REPORT <= server.connections <= 8
    assert len(problems) == 1
    assert "suggestions are computed locally" in problems[0]


def test_whatever_fails_the_thread_goes_on(laptop: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise KeyError("unexpected")

    monkeypatch.setattr(connection, "Channel", lambda *arguments: type("Failing", (), {"run": fail})())
    _, found, problems = laptop(break_off)
    wait_for(lambda: bool(problems), "line")
    assert "cannot be used (KeyError)" in problems[0]
    assert found._thread.is_alive()
