"""The second way to serve: one client on a port of the loopback interface."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from raw_client import PATIENCE, Client

COMMAND = [sys.executable, str(Path(__file__).parent / "serve_fake.py"), "--tcp", "0"]


@pytest.fixture
def listening() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A server that waits for its client, and the port that it named."""
    with subprocess.Popen(COMMAND, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        line = process.stderr.readline().decode()
        assert line.startswith("editahead: listening on 127.0.0.1:"), line
        yield process, int(line.rsplit(":", 1)[1])
        process.kill()


def test_one_client_is_served_and_others_are_refused(listening: tuple[subprocess.Popen[bytes], int]) -> None:
    process, port = listening
    connection = socket.create_connection(("127.0.0.1", port), PATIENCE)
    client = Client(connection.makefile("rb", buffering=0), connection.makefile("wb"))
    client.hello()
    with pytest.raises(OSError):  # noqa: PT011 (refused, whatever the system calls it)
        socket.create_connection(("127.0.0.1", port), PATIENCE)
    uri = client.open("alpha = 1\nal")
    items = client.request("textDocument/completion", client.at(uri, 1, 2))["items"]
    assert [item["label"] for item in items] == ["alpha"]
    client.request("shutdown")
    client.notify("exit")
    assert process.wait(PATIENCE) == 0
    connection.close()


def test_a_client_that_leaves_ends_the_server(listening: tuple[subprocess.Popen[bytes], int]) -> None:
    process, port = listening
    connection = socket.create_connection(("127.0.0.1", port), PATIENCE)
    connection.close()
    assert process.wait(PATIENCE) == 1


def test_only_the_loopback_interface_listens(listening: tuple[subprocess.Popen[bytes], int]) -> None:
    process, port = listening
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing; tells the address that other machines see
        address = probe.getsockname()[0]
    if address.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError):  # noqa: PT011
        socket.create_connection((address, port), 2)
    assert process.poll() is None


def test_a_port_that_is_taken_is_one_line_and_exit_code_1() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = subprocess.run([*COMMAND[:-1], str(port)], capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode == 1
    assert run.stderr.splitlines() == [f"editahead: port {port} cannot be opened: Address already in use"]
