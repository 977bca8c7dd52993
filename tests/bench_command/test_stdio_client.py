"""The JSON-RPC client: answers find their questions, and a server that fails is told in one line."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import pytest
from editahead.bench.stdio_client import ServerError, StdioClient, read_message

SERVER = str(Path(__file__).parent / "scripted_server.py")


def command(behaviour: str = "serve") -> list[str]:
    return [sys.executable, SERVER, behaviour]


def test_questions_and_answers() -> None:
    with StdioClient(command()) as client:
        reply = client.request("echo", {"text": "grüße 漢😀"})
        assert reply.result == {"method": "echo", "params": {"text": "grüße 漢😀"}}
        assert 0 < reply.milliseconds < 60_000
        late = client.ask("hold")
        assert client.request("echo").result["method"] == "echo"
        assert late(5).result == "late"


def test_the_server_asks_back() -> None:
    asked = []

    def answer(method: str, params: object) -> object:
        asked.append((method, params))
        return [{"precision": 0.9}]

    with StdioClient(command(), answer) as client:
        result = client.request("ask back").result
        assert result["result"] == [{"precision": 0.9}]
        assert asked == [("workspace/configuration", {"items": [1]})]


def test_notifications_are_kept_and_waited_for() -> None:
    with StdioClient(command()) as client:
        client.notify("notice", {"message": "hello"})
        assert client.wait_for(lambda method, params: params["message"] == "hello", 5)
        assert client.notifications == [("window/logMessage", {"message": "hello"})]
        assert not client.wait_for(lambda method, params: params["message"] == "bye", 0.05)


def test_an_error_is_told() -> None:
    with StdioClient(command()) as client:
        with pytest.raises(ServerError, match="fail: no luck"):
            client.request("fail")
        assert client.request("echo").result["method"] == "echo"


def test_no_answer_in_time() -> None:
    with StdioClient(command()) as client, pytest.raises(ServerError, match=r"no answer to silence within 0\.05 s"):
        client.request("silence", timeout=0.05)


def test_a_server_that_dies_gives_its_last_words() -> None:
    with StdioClient(command("crash")) as client:
        with pytest.raises(ServerError) as caught:
            client.request("initialize")
        assert "the disk is full" in str(caught.value)
        assert "\n" not in str(caught.value)
    with StdioClient(command()) as client:
        waiting = client.ask("silence")
        client.notify("die", None)
        with pytest.raises(ServerError, match="ended before it answered silence: killed by a test"):
            waiting(5)
        with pytest.raises(ServerError):
            client.request("echo")


def test_a_server_that_talks_nonsense() -> None:
    with StdioClient(command()) as client, pytest.raises(ServerError, match="expected a header"):
        client.request("garbage")


def test_closing_is_polite_quick_and_repeatable() -> None:
    client = StdioClient(command())
    began = time.perf_counter()
    assert client.close() == 7
    assert client.close() == 7
    assert time.perf_counter() - began < 10


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        (b"", None),
        (b"Content-Length: 2\r\n\r\n{}", {}),
        (b"content-length:2\r\nContent-Type: a/b\r\n\r\n{}trailing", {}),
        (b"\r\nContent-Length: 2\n\n{}", {}),
        (b"Content-Length: 9\r\n\r\n{}", None),  # cut off
    ],
)
def test_read_message(stream: bytes, message: object) -> None:
    assert read_message(io.BytesIO(stream)) == message
