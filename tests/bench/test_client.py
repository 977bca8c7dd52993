"""The bench's client against a server of twenty lines: questions in between, errors, silence and death."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.bench.client import Client, ServerGoneError
from tests.bench.measure import COMPLETION, INLINE, NEXT_EDIT, run
from tests.bench.sources import session

SERVER = """
import json, sys
def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Type: x\\r\\nContent-Length: %d\\r\\n\\r\\n%b" % (len(body), body))
    sys.stdout.buffer.flush()
def receive():
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        length = int(line.split(b":")[1]) if line.lower().startswith(b"content-length") else length
    return json.loads(sys.stdin.buffer.read(length)) if length else None
while message := receive():
    method, number = message.get("method"), message.get("id")
    if method == "die":
        sys.exit("the model is gone")
    elif method == "ask first":
        send({"id": 77, "method": "workspace/configuration", "params": {"items": [{}, {}]}})
        send({"id": number, "result": receive()["result"]})
    elif method == "textDocument/completion":
        send({"id": number, "result": {"items": [{"label": "order"}]}})
    elif method in ("initialize", "shutdown"):
        send({"id": number, "result": {}})
    elif method == "exit":
        break
    elif number is not None and method != "be silent":
        send({"id": number, "error": {"code": -32601, "message": "unknown"}})
"""
COMMAND = [sys.executable, "-c", SERVER]


def test_answers_errors_and_questions_of_the_server() -> None:
    with Client(COMMAND) as client:
        assert client.request("initialize", {}) == {}
        assert client.request("ask first", {}) == [{}, {}]
        assert client.request("what", {})["error"]["code"] == -32601
    assert client.process.returncode == 0


def test_a_server_that_dies_is_named_with_its_last_words() -> None:
    with pytest.raises(ServerGoneError, match="die waited: the model is gone"), Client(COMMAND) as client:
        client.request("die", {})
    assert client.process.wait(5) is not None


def test_a_server_that_is_silent_does_not_hold_the_bench() -> None:
    with pytest.raises(ServerGoneError, match="did not answer"), Client(COMMAND, timeout=0.2) as client:
        client.request("be silent", {})
    client.process.wait(5)


def test_every_key_is_timed(tmp_path: Path) -> None:
    source = session("python", 500)
    measured = run(COMMAND, source, 500, tmp_path, rounds=2, pace_ms=0)
    keys, lines = len(source.block), source.block.count("\n")
    assert len(measured.times[COMPLETION]) == 2 * keys == measured.answered[COMPLETION]
    assert len(measured.times[INLINE]) == 2 * (2 * lines - 1)  # before and after each; one is empty
    assert len(measured.times[NEXT_EDIT]) == 2 * len(source.places)
    assert measured.answered[NEXT_EDIT] == 0
    assert measured.start_ms >= measured.open_ms > 0
