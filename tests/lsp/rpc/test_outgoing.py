"""What the server sends: responses at once, what it says and asks by itself in order, once pygls is there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from editahead.lsp.client import Client
from editahead.lsp.rpc.outgoing import Outgoing
from fake_engine import FakeEngine, loader
from raw_client import in_process


class Written:
    """Keeps the messages of all frames."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        self.messages.append(json.loads(data.partition(b"\r\n\r\n")[2]))

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize("writer_first", [True, False])
def test_what_is_said_early_is_sent_later_in_order(*, writer_first: bool) -> None:
    outgoing, written = Outgoing(), Written()
    client = Client(outgoing)
    if writer_first:
        outgoing.set_writer(written)
    client.notify("first", {"number": 1})
    answers: list[Any] = []
    client.request("second", {}, answers.append)
    assert client.is_awaiting("editahead-1")
    outgoing.set_writer(written)
    outgoing.respond({"id": 7, "result": None})
    assert written.messages == [{"jsonrpc": "2.0", "id": 7, "result": None}]
    outgoing.connect()
    client.notify("third", {})
    outgoing.connect()
    assert [message["method"] for message in written.messages[1:]] == ["first", "second", "third"]
    client.answer("editahead-1", {"result": [5]})
    assert answers == [[5]]
    assert not client.is_awaiting("editahead-1")


def test_an_answer_that_comes_before_the_question_went_out_breaks_nothing() -> None:
    outgoing, written = Outgoing(), Written()
    outgoing.set_writer(written)
    client, answers = Client(outgoing), list[Any]()
    client.request("question", {}, answers.append)
    client.answer("editahead-1", {"result": "guessed"})
    outgoing.connect()
    assert answers == ["guessed"]


def test_without_pygls_requests_are_answered(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def damaged() -> None:
        raise ImportError("no pygls here")

    monkeypatch.setattr("editahead.lsp.server.import_pygls", damaged)
    monkeypatch.setattr("editahead.lsp.server.SILENCE", 0.0)
    client = in_process(loader(FakeEngine()))
    client.hello(ready=False)
    uri = client.open("alpha = 1\nal")
    assert client.request("textDocument/completion", client.at(uri, 1, 2))["items"]
    assert client.request("textDocument/completion", client.at(uri, 1, 2))["items"]
    reason = "no message can be sent to the client: ImportError: no pygls here"
    client.until(lambda: reason in caplog.text, "line in the log")  # pygls is imported beside the requests
    client.leave()
    assert client.faults == []
