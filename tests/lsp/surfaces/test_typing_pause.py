"""Next edits for clients that do not report whether the user is idle: the server waits for the pause itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from editahead.lsp.documents.typing_pause import IDLE_AFTER, TypingPause
from editahead.text.edits import ByteEdit
from fake_engine import FakeEngine
from raw_client import Client

Start = Callable[..., Client]
METHODS = ("editahead/nextEdit", "textDocument/copilotInlineEdit")
TEXT = "old = 1  # fake:idle\nprint(old)\n"


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def typed(client: Client, word: str = "n") -> str:
    """Open a document and replace its first name by typing; the cursor stands behind the new one."""
    uri = client.open(TEXT)
    client.change(uri, 1, ((0, 0, 0, 3), word[:1]))
    for at, letter in enumerate(word[1:], 1):
        client.change(uri, 1 + at, ((0, at, 0, at), letter))
    return uri


def idle_flags(engine: FakeEngine) -> list[bool]:
    return [document.idle for document in engine.seen]


def test_only_single_characters_and_deletions_leave_a_word_unfinished() -> None:
    now = 10.0
    pause = TypingPause(lambda: now)
    assert pause.is_over
    for edits, is_undo, is_over in (
        ([ByteEdit(0, 0, b"n")], False, False),
        ([ByteEdit(0, 4, b"\xc3\xbc")], False, False),  # one character that replaces a selection
        ([ByteEdit(0, 4, b"")], False, False),
        ([ByteEdit(0, 0, b"n"), ByteEdit(1, 1, b"e")], False, False),  # keys that a client sent together
        ([ByteEdit(0, 4, b"width")], False, True),
        ([ByteEdit(4, 4, b"\n    ")], False, True),
        ([ByteEdit(0, 4, b"")], True, True),
    ):
        pause.record_change(edits, is_undo=is_undo)
        assert pause.is_over is is_over, edits
        now += IDLE_AFTER
        assert pause.is_over


def test_without_the_flag_the_edit_comes_in_the_pause(start: Start, engine: FakeEngine, method: str) -> None:
    client = start()
    uri = typed(client, "new")
    answer = client.request(method, client.at(uri, 0, 3, context={"triggerKind": 2}))
    assert [edit["text"] for edit in answer["edits"]] == ["print(new)\n"]
    assert idle_flags(engine) == [False, True]


def test_after_the_pause_it_comes_at_once(start: Start, engine: FakeEngine, method: str) -> None:
    client = start()
    now = client.server.session.clock()  # type: ignore[union-attr]
    client.server.session.clock = lambda: now  # type: ignore[union-attr]
    uri = typed(client)
    client.settle()
    now += IDLE_AFTER
    assert client.request(method, client.at(uri, 0, 1))["edits"]
    assert idle_flags(engine) == [True]


def test_several_characters_at_once_are_finished(start: Start, engine: FakeEngine, method: str) -> None:
    client = start()
    uri = client.open(TEXT)
    client.change(uri, 1, ((0, 0, 0, 3), "new"))
    assert client.request(method, client.at(uri, 0, 3))["edits"]
    assert idle_flags(engine) == [True]


def test_an_undo_is_finished(start: Start, engine: FakeEngine, method: str) -> None:
    client = start()
    uri = client.open(TEXT)
    client.change(uri, 1, ((0, 3, 0, 3), "er"))
    client.change(uri, 2, ((0, 3, 0, 5), ""))
    client.request(method, client.at(uri, 0, 3))
    assert idle_flags(engine) == [True]


def test_the_next_key_ends_the_wait(start: Start, engine: FakeEngine, method: str) -> None:
    client = start()
    uri = typed(client)
    asked = client.ask(method, client.at(uri, 0, 1))
    client.change(uri, 2, ((0, 1, 0, 1), "e"))
    assert client.wait(asked)["result"]["edits"] == []
    assert True not in idle_flags(engine)


def test_the_next_request_ends_the_wait(start: Start, engine: FakeEngine, method: str) -> None:
    client = start()
    uri = typed(client)
    older, newer = (client.ask(method, client.at(uri, 0, 1)) for _ in range(2))
    assert client.wait(older)["result"]["edits"] == []
    assert client.wait(newer)["result"]["edits"]
    assert idle_flags(engine).count(True) == 1


def _close(client: Client, uri: str, asked: int) -> None:
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.wait(asked)["result"]["edits"] == []


def _open_again(client: Client, uri: str, asked: int) -> None:
    client.open(TEXT, uri)
    assert client.wait(asked)["result"]["edits"] == []


def _cancel(client: Client, uri: str, asked: int) -> None:
    client.notify("$/cancelRequest", {"id": asked})
    assert client.wait(asked)["error"]["code"] == -32800


@pytest.mark.parametrize("end", [_close, _open_again, _cancel])
def test_a_wait_ends_with_its_request(start: Start, engine: FakeEngine, end: Callable[..., None]) -> None:
    client = start()
    uri = typed(client)
    asked = client.ask(METHODS[0], client.at(uri, 0, 1))
    end(client, uri, asked)
    assert True not in idle_flags(engine)


@pytest.mark.parametrize("idle", [False, True])
def test_the_flag_is_believed(start: Start, engine: FakeEngine, method: str, idle: bool) -> None:
    client = start()
    uri = typed(client)
    answer = client.request(method, client.at(uri, 0, 1, context={"idle": idle}))
    assert bool(answer["edits"]) is idle
    assert idle_flags(engine) == [idle]


def test_what_needs_no_pause_is_answered_without_one(start: Start, engine: FakeEngine, method: str) -> None:
    client = start()
    uri = client.open(TEXT.replace("fake:idle", ""))
    client.change(uri, 1, ((0, 0, 0, 3), "n"))
    assert client.request(method, client.at(uri, 0, 1))["edits"]
    assert idle_flags(engine) == [False]


def test_deterministic_mode_waits_for_no_clock(start: Start, engine: FakeEngine, method: str) -> None:
    client = start("--deterministic")
    uri = typed(client)
    assert client.request(method, client.at(uri, 0, 1))["edits"]
    assert idle_flags(engine) == [True]


def test_the_queue_follows_the_same_rule_without_a_wait(start: Start, engine: FakeEngine) -> None:
    client = start()
    now = client.server.session.clock()  # type: ignore[union-attr]
    client.server.session.clock = lambda: now  # type: ignore[union-attr]
    uri = typed(client)
    params: dict[str, Any] = client.at(uri, 0, 1)
    client.request("editahead/nextEdits", params)
    now += IDLE_AFTER
    client.request("editahead/nextEdits", params)
    assert idle_flags(engine) == [False, True]
