"""The second way to serve: one client, which knows the token, on a port of the loopback interface."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from editahead.lsp.rpc.tcp import is_authenticated
from raw_client import PATIENCE, Client

COMMAND = [sys.executable, str(Path(__file__).parents[1] / "serve_fake.py"), "--tcp", "0"]


@dataclass(frozen=True)
class Listening:
    """A server that waits for its client, with the port and the token that it named."""

    process: subprocess.Popen[bytes]
    port: int
    token: str

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)

    def client(self) -> Client:
        connection = self.connect()
        return Client(connection.makefile("rb", buffering=0), connection.makefile("wb"))


@pytest.fixture
def listening() -> Iterator[Listening]:
    with subprocess.Popen(COMMAND, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        where, token = (process.stderr.readline().decode().strip() for _ in range(2))
        assert where.startswith("editahead: listening on 127.0.0.1:"), where
        assert token.startswith("editahead: initializationOptions.token must be "), token
        yield Listening(process, int(where.rsplit(":", 1)[1]), token.rsplit(" ", 1)[1])
        process.kill()


def serves(listening: Listening) -> None:
    """The client that knows the token is served to the end."""
    client = listening.client()
    client.hello(initializationOptions={"token": listening.token})
    uri = client.open("alpha = 1\nal")
    items = client.request("textDocument/completion", client.at(uri, 1, 2))["items"]
    assert [item["label"] for item in items] == ["alpha"]
    client.request("shutdown")
    client.notify("exit")
    assert listening.process.wait(PATIENCE) == 0


def closed(connection: socket.socket) -> bool:
    connection.settimeout(PATIENCE)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def test_one_client_is_served_and_others_are_refused(listening: Listening) -> None:
    early = listening.connect()
    client = listening.client()
    client.hello(initializationOptions={"token": listening.token})
    assert closed(early)
    with pytest.raises(OSError):  # noqa: PT011 (refused, whatever the system calls it)
        listening.connect()
    client.request("shutdown")
    client.notify("exit")
    assert listening.process.wait(PATIENCE) == 0


def test_a_probe_that_leaves_does_not_end_the_server(listening: Listening) -> None:
    for _ in range(3):
        listening.connect().close()
    reset = listening.connect()
    reset.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    reset.send(b"Content-Le")
    reset.close()
    silent = [listening.connect() for _ in range(40)]  # more than are kept
    serves(listening)
    for connection in silent:
        connection.close()


def posted(body: bytes) -> bytes:
    return b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


def framed(message: Any) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def hello(**options: Any) -> dict[str, Any]:
    params = {"processId": None, "capabilities": {}, "initializationOptions": options}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def test_what_a_web_page_can_send_is_refused_and_writes_nothing(listening: Listening, tmp_path: Path) -> None:
    victim = tmp_path / "made.jsonl"
    record = {"command": "editahead.record", "arguments": [str(victim)]}
    messages = framed(hello()) + framed({"id": 2, "method": "workspace/executeCommand", "params": record})
    for data in (posted(messages), posted(framed(hello(token=listening.token))), b"GET / HTTP/1.0\r\n\r\n", messages):
        with listening.connect() as connection:
            connection.sendall(data)
            assert closed(connection)
    assert not victim.exists()
    serves(listening)


@pytest.mark.parametrize(
    "message",
    [
        hello(token="wrong"), hello(token=""), hello(token=7), hello(token="\ud800é"), hello(), [], None, "text",
        {"id": 1, "method": "shutdown", "params": {"initializationOptions": {"token": "x"}}},
    ],
)  # fmt: skip
def test_without_the_token_nothing_is_answered(listening: Listening, message: Any) -> None:
    with listening.connect() as connection:
        connection.sendall(framed(message))
        assert closed(connection)
    assert listening.process.poll() is None


def test_a_greeting_may_come_in_pieces() -> None:
    data = b"Content-Type: x\r\ncontent-length: %d\r\n\r\n" % len(json.dumps(hello(token="t")))
    data += json.dumps(hello(token="t")).encode() + b"Content-Length: 2"
    verdicts = [is_authenticated(data[:end], "t") for end in range(len(data) + 1)]
    first = verdicts.index(True)
    assert verdicts[:first] == [None] * first
    assert all(verdicts[first:])
    for wrong in (b"x", b"content-lengthy: 5\r\n\r\n", b"Content-Length: 99999999\r\n\r\n", b"content-type: " * 99):
        assert is_authenticated(wrong, "t") is False


def test_a_client_that_leaves_ends_the_server(listening: Listening) -> None:
    connection = listening.connect()
    connection.sendall(framed(hello(token=listening.token)))
    assert b"Content-Length" in connection.recv(100)
    connection.close()
    assert listening.process.wait(PATIENCE) == 1


def test_only_the_loopback_interface_listens(listening: Listening) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing; tells the address that other machines see
        address = probe.getsockname()[0]
    if address.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError):  # noqa: PT011
        socket.create_connection((address, listening.port), 2)
    assert listening.process.poll() is None


def test_a_port_that_is_taken_is_one_line_and_exit_code_1() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = subprocess.run([*COMMAND[:-1], str(port)], capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode == 1
    assert run.stderr.splitlines() == [f"editahead: port {port} cannot be opened: Address already in use"]
