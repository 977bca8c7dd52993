"""What JSON-RPC asks for where a message is not what it should be: an answer, and with the right id."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from editahead.runtime.ort import Cancel
from editahead.suggest.types import Decision, Document, Fixes, Reason, Suppressed
from fake_engine import FakeEngine, loader
from raw_client import Client, in_process

Start = Callable[..., Client]
COMPLETION = "textDocument/completion"


def error(client: Client, body: bytes, msg_id: Any) -> int:
    """The code with which a message is refused; any other answer, or a second one, is a fault of the client's list."""
    client.answers.pop(msg_id, None)
    client.send_bytes(body)
    answer = client.wait(msg_id)
    assert answer["error"]["message"]
    return int(answer["error"]["code"])


@pytest.mark.parametrize(
    ("msg_id", "answered"),
    [("1.5", 1.5), ("-0.25", -0.25), ("true", None), ("null", None), ("[]", None), ("{}", None), ("NaN", None),
     ("1e999", None)],
)  # fmt: skip
def test_an_id_that_is_none_is_refused_and_the_request_is_not_done(start: Start, msg_id: str, answered: Any) -> None:
    client = start()
    body = f'{{"jsonrpc": "2.0", "id": {msg_id}, "method": "shutdown"}}'.encode()
    assert error(client, body, answered) == -32600
    client.settle()


@pytest.mark.parametrize("body", [b"{", b"", b"not json", b'{"method": "textDocument/didOpen"', b"[" * 100_000])
def test_what_is_not_json_is_answered_with_a_parse_error(start: Start, body: bytes) -> None:
    client = start()
    assert error(client, body, None) == -32700
    client.settle()


@pytest.mark.parametrize(
    ("body", "answered"), [(b"[]", None), (b"[1]", None), (b"7", None), (b"{}", None), (b'{"id": "x"}', "x"),
                           (b'{"id": 5, "method": 7}', 5)],
)  # fmt: skip
def test_what_is_no_message_is_answered_as_an_invalid_request(start: Start, body: bytes, answered: Any) -> None:
    client = start()
    assert error(client, body, answered) == -32600


def test_each_request_of_a_batch_is_refused_and_none_is_done(start: Start) -> None:
    client = start()
    client.send([{"id": "a", "method": "shutdown"}, {"method": "exit"}, {"id": "b", "method": "editahead/stats"}])
    assert [client.wait(name)["error"]["code"] for name in "ab"] == [-32600, -32600]
    client.settle()


def test_answers_that_nobody_asked_for_are_not_answered(start: Start) -> None:
    client = start()
    client.send({"id": None, "error": {"code": 1, "message": "x"}})
    client.send({"id": [], "result": 1})
    client.send({"id": "never", "result": 1})
    client.settle()
    assert set(client.answers) <= set(range(1, 10))


def test_a_second_initialize_is_refused_and_changes_nothing(start: Start) -> None:
    client = start(initializationOptions={"maxCompletions": 1})
    uri = client.open("alpha = albert\nal")
    second = {"processId": None, "capabilities": {}, "initializationOptions": {"maxCompletions": 9}}
    assert client.error("initialize", second)["code"] == -32600
    assert len(client.request(COMPLETION, client.at(uri, 1, 2))["items"]) == 1


@pytest.mark.parametrize("probability", ["NaN", "Infinity", "-Infinity", "1e400", "-1", "9" * 400])
def test_an_item_whose_probability_is_none_is_refused_as_a_parameter(start: Start, probability: str) -> None:
    client = start()
    params = f'{{"label": "x", "data": {{"probability": {probability}}}}}'
    body = f'{{"jsonrpc": "2.0", "id": "r", "method": "completionItem/resolve", "params": {params}}}'.encode()
    assert error(client, body, "r") == -32602


def test_a_recording_of_an_unknown_user_is_refused_as_a_parameter(start: Start) -> None:
    client = start()
    params = {"command": "editahead.record", "arguments": ["~nosuchuser/x.jsonl"]}
    refused = client.error("workspace/executeCommand", params)
    assert refused["code"] == -32602
    assert "~nosuchuser" in refused["message"]


class Preempted(FakeEngine):
    """Its second part gives up when it is preempted, as the real ones do, and the first has its answer by then."""

    def fixes(self, document: Document, start: int, end: int, cancel: Cancel) -> Decision[Fixes]:
        if not self.entered.is_set():
            self.entered.set()
            while not cancel.is_cancelled:
                self.release.wait(0.005)
            return Suppressed(Reason.CANCELLED, "a newer request took over")
        return super().fixes(document, start, end, cancel)


def test_code_actions_that_were_preempted_are_all_there_in_the_end() -> None:
    engine = Preempted()
    client = in_process(loader(engine))
    client.hello(capabilities={"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}})
    uri = client.open("if old == None:\n    print(old)\nold = 1\n")
    client.change(uri, 1, ((0, 3, 0, 6), "new"))
    where = {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 4}}
    params = {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": []}}
    asked = client.ask("textDocument/codeAction", params)
    assert engine.entered.wait(10)
    client.request(COMPLETION, client.at(uri, 0, 4))  # more urgent
    kinds = {action["kind"] for action in client.wait(asked)["result"]}
    assert kinds == {"refactor.rewrite", "quickfix"}
    client.leave()
    assert client.faults == []


def test_the_loop_asks_the_disk_of_no_open_file_at_a_request(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path.resolve()
    folders = [{"uri": root.as_uri(), "name": "w"}]
    client = start(workspaceFolders=folders, initializationOptions={"index": {"enabled": False}})
    folder = root / "a" / "b" / "c" / "d"
    folder.mkdir(parents=True)
    uris = [client.open("old = 1\n", (folder / f"m{number}.py").as_uri()) for number in range(51)]
    client.change(uris[0], 1, ((0, 0, 0, 3), "new"))
    assert len(client.request("editahead/nextEdits", client.at(uris[0], 0, 3))["items"]) == 50
    calls: list[str] = []
    stat, lstat = os.stat, os.lstat

    def counted(real: Callable[..., os.stat_result]) -> Callable[..., os.stat_result]:
        return lambda *more, **named: (calls.append(threading.current_thread().name), real(*more, **named))[1]

    monkeypatch.setattr(os, "stat", counted(stat))
    monkeypatch.setattr(os, "lstat", counted(lstat))
    for _ in range(4):
        assert len(client.request("editahead/nextEdits", client.at(uris[0], 0, 3))["items"]) == 50
    assert [name for name in calls if name not in ("inference", "index")] == []


def test_other_files_that_are_ignored_since_are_left_out_soon(start: Start, tmp_path: Path) -> None:
    client = start(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    uris = [client.open("old = 1\n", (tmp_path / f"m{number}.py").as_uri()) for number in range(5)]
    client.change(uris[0], 1, ((0, 0, 0, 3), "new"))
    place = client.at(uris[0], 0, 3)
    assert len(client.request("editahead/nextEdits", place)["items"]) == 4
    (tmp_path / ".gitignore").write_text("m[1-4].py\n", encoding="utf-8")
    until = time.monotonic() + 20
    while client.request("editahead/nextEdits", place).get("items") and time.monotonic() < until:
        time.sleep(0.1)
    assert not client.request("editahead/nextEdits", place).get("items")
    client.notify("workspace/didChangeConfiguration", {"settings": {"editahead": {"respectGitignore": False}}})
    assert len(client.request("editahead/nextEdits", place)["items"]) == 4  # other settings are obeyed at once
