"""What stock clients need, row by row (docs/protocol.md, "Conformance"): each test bears its row's number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from raw_client import Client

Start = Callable[..., Client]
INLINE = "textDocument/inlineCompletion"
EDIT = "textDocument/copilotInlineEdit"
ACCEPT = "github.copilot.didAcceptCompletionItem"
NEOVIM = {"general": {"positionEncodings": ["utf-8", "utf-16", "utf-32"]}}
AUTOMATIC = {"triggerKind": 2}
LOOP = "for item in basket:\n    print(item)\nfor item in shelf:\n    pr"


def renamed(client: Client, text: str = "old = 1\nprint(old)\n", uri: str = "file:///w/a.py") -> str:
    """A document in which the first `old` was just replaced by `new`; version 1. The fake engine repeats it."""
    client.open(text, uri)
    line, character = next((n, at) for n, row in enumerate(text.split("\n")) if (at := row.find("old")) >= 0)
    client.change(uri, 1, ((line, character, line, character + 3), "new"))
    return uri


def ghost(client: Client, uri: str, line: int, character: int, **more: Any) -> list[dict[str, Any]]:
    more.setdefault("context", AUTOMATIC)
    items: list[dict[str, Any]] = client.request(INLINE, client.at(uri, line, character, **more))["items"]
    return items


def edits(client: Client, uri: str, version: int, method: str = EDIT) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.request(method, client.at(uri, 0, 0, version=version))["edits"]
    return found


def lenient(client: Client) -> None:
    """Let the fake engine's ghost text (probability 0.7) pass the gate."""
    client.notify("workspace/didChangeConfiguration", {"settings": {"editahead": {"precision": 0.6}}})


def test_c01_compat_mode_serves_as_a_client_named_copilot_expects(start: Start) -> None:
    client = start("--copilot", clientInfo={"name": "copilot"}, capabilities=NEOVIM)
    capabilities = client.initialize_result["capabilities"]
    assert ACCEPT in capabilities["executeCommandProvider"]["commands"]
    assert capabilities["positionEncoding"] == "utf-16"
    assert client.request("checkStatus") == {"status": "OK", "user": "local"}
    uri = renamed(client)
    assert edits(client, uri, 1)[0]["command"]["command"] == ACCEPT


def test_c01_compat_mode_can_be_asked_for_in_the_initialization_options(start: Start) -> None:
    client = start(initializationOptions={"copilotCompatible": True, "editorInfo": {"name": "x"}})
    assert ACCEPT in client.initialize_result["capabilities"]["executeCommandProvider"]["commands"]
    assert client.told("window/showMessage") == []


@pytest.mark.slow
def test_c02_another_copilot_client_is_named_once_in_the_log(stdio: Start) -> None:
    client = stdio("--copilot", initializationOptions={"attachedClients": ["lua_ls", "GitHub Copilot"]})
    client.wait_logged("'GitHub Copilot' is attached too")
    client.leave()
    assert client.stderr.count(b"attached too") == 1
    assert client.told("window/showMessage") == []


@pytest.mark.slow
def test_c02_no_warning_without_a_rival(stdio: Start) -> None:
    client = stdio("--copilot", initializationOptions={"attachedClients": ["lua_ls", "pyright"]})
    client.leave()
    assert b"attached too" not in client.stderr


@pytest.mark.parametrize("case", ["closed", "unknown", "language", "disabled", "failing", "malformed", "stale"])
def test_c03_edits_is_an_array_whatever_happens(start: Start, case: str) -> None:
    client = start()
    uri = renamed(client)
    params: Any = client.at(uri, 0, 0, version=1)
    if case == "closed":
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    elif case == "unknown":
        params = client.at("file:///w/never.py", 0, 0)
    elif case == "language":
        params = client.at(client.open("x", "file:///w/x.unheard-of", language="unheard-of"), 0, 0)
    elif case == "disabled":
        client.notify("workspace/didChangeConfiguration", {"settings": {"editahead": {"enabled": False}}})
    elif case == "failing":
        client.change(uri, 2, ((0, 0, 0, 0), "# fake:fail\n"))
        params = client.at(uri, 0, 0, version=2)
    elif case == "malformed":
        params = {"textDocument": {"uri": uri}, "position": {"line": "first"}}
    elif case == "stale":
        params = client.at(uri, 0, 0, version=7)
    assert client.request(EDIT, params) == {"edits": []}


def test_c03_a_superseded_request_is_answered_with_no_edits(start: Start) -> None:
    client = start()
    uri = renamed(client, "# fake:block\nold = 1\nprint(old)\n")
    first = client.ask(EDIT, client.at(uri, 0, 0, version=1))
    second = client.ask(EDIT, client.at(uri, 0, 0, version=1))
    assert client.wait(first)["result"] == {"edits": []}
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.wait(second)["result"] == {"edits": []}


@pytest.mark.parametrize("version", [0, 1, 41])
def test_c04_the_version_is_echoed_and_zero_is_a_version(start: Start, version: int) -> None:
    client = start()
    uri = client.open("old = 1\nprint(old)\n", version=0)
    # The edit and its answer at one version: a client may begin to count with the first change.
    client.change(uri, version, ((0, 0, 0, 3), "new"))
    found = client.request("editahead/nextEdit", client.at(uri, 0, 0, version=version))
    if version == 0:  # the same version again: a resynchronisation, with nothing to repeat
        assert found["reason"] == "empty"
        assert client.request("editahead/explain", client.at(uri, 0, 0))["languageId"] == "python"
    else:
        assert found["edits"][0]["textDocument"] == {"uri": uri, "version": version}


def test_c04_an_answer_at_version_zero_says_zero(start: Start) -> None:
    client = start()
    uri = client.open("old = 1\nprint(old)\n", version=-1)
    client.change(uri, 0, ((0, 0, 0, 3), "new"))
    assert edits(client, uri, 0)[0]["textDocument"] == {"uri": uri, "version": 0}


def test_c04_a_request_for_version_zero_of_a_newer_text_is_stale(start: Start) -> None:
    client = start()
    uri = renamed(client)
    assert edits(client, uri, 0) == []
    assert len(edits(client, uri, 1)) == 1


def test_c05_the_uri_is_the_clients_own_word_for_word(start: Start) -> None:
    client = start()
    uri = renamed(client, uri="file:///w/a%20b%C3%A4.py")
    assert edits(client, uri, 1)[0]["textDocument"]["uri"] == uri
    assert edits(client, "file:///w/a bä.py", 1) == []  # not a document that is open


def test_c06_at_most_one_edit(start: Start) -> None:
    client = start()
    uri = renamed(client, "old = 1\nprint(old)\nprint(old)\nold += 1\n")
    assert len(edits(client, uri, 1)) == 1


def test_c07_an_edit_that_changes_nothing_is_not_sent(start: Start) -> None:
    client = start()
    uri = client.open("old = 1\nprint(old)\n")
    client.change(uri, 1, ((0, 0, 0, 3), "old"))
    assert edits(client, uri, 1) == []
    client.change(uri, 2, ((0, 0, 0, 3), "new"), ((1, 6, 1, 9), "new"))
    assert edits(client, uri, 2) == []


@pytest.mark.parametrize("arguments", [(), ("--copilot",)])
def test_c08_the_accept_command_of_every_item_is_advertised(start: Start, arguments: tuple[str, ...]) -> None:
    client = start(*arguments)
    lenient(client)
    known = client.initialize_result["capabilities"]["executeCommandProvider"]["commands"]
    uri = renamed(client)
    (edit,) = edits(client, uri, 1)
    (item,) = ghost(client, client.open(LOOP, "file:///w/loop.py"), 3, 6)
    for command in (edit["command"], item["command"]):
        assert command["command"] in known
        assert client.request("workspace/executeCommand", command) is None
    assert client.settle()["surfaces"]["next_edit"]["accepted"] == 1
    assert client.settle()["surfaces"]["inline"]["accepted"] == 1


def test_c09_execute_command_is_taken_as_a_notification_too(start: Start) -> None:
    client = start("--copilot")
    uri = renamed(client)
    command = edits(client, uri, 1)[0]["command"]
    client.notify("workspace/executeCommand", {"command": ACCEPT, "arguments": command["arguments"]})
    assert client.settle()["surfaces"]["next_edit"]["accepted"] == 1
    client.notify("workspace/executeCommand", {"command": "no.such.command"})
    assert client.settle()
    assert client.told("window/showMessage") == []


@pytest.mark.parametrize("offered", [["utf-8", "utf-16"], ["utf-8"], ["utf-32", "utf-8"], None])
def test_c10_positions_are_utf_16_whatever_is_offered_first(start: Start, offered: list[str] | None) -> None:
    capabilities = {"general": {"positionEncodings": offered}} if offered else {}
    client = start(capabilities=capabilities)
    assert client.initialize_result["capabilities"]["positionEncoding"] == "utf-16"
    lenient(client)
    uri = client.open("x = '🎉é'; tail = 1\nx = '🎉é'; ta")
    (item,) = ghost(client, uri, 1, 13)
    assert item["insertText"] == "il = 1"
    assert item["range"]["start"] == item["range"]["end"] == {"line": 1, "character": 13}


def test_c10_another_encoding_only_where_it_was_asked_for_and_offered(start: Start) -> None:
    options = {"positionEncoding": "utf-8"}
    client = start(capabilities=NEOVIM, initializationOptions=options)
    assert client.initialize_result["capabilities"]["positionEncoding"] == "utf-8"
    lenient(client)
    (item,) = ghost(client, client.open("x = 'é'; tail = 1\nx = 'é'; ta"), 1, 12)
    assert item["range"]["start"] == {"line": 1, "character": 12}
    refused = start(initializationOptions=options)
    assert refused.initialize_result["capabilities"]["positionEncoding"] == "utf-16"
    compatible = start("--copilot", capabilities=NEOVIM, initializationOptions=options)
    assert compatible.initialize_result["capabilities"]["positionEncoding"] == "utf-16"


def test_c11_edits_are_whole_lines(start: Start) -> None:
    client = start()
    uri = renamed(client, "old = 1\nprint('🎉', old) # tail\nrest\n")
    (edit,) = edits(client, uri, 1)
    assert edit["range"] == {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}
    assert edit["text"] == "print('🎉', new) # tail\n"


def test_c11_the_last_line_without_a_line_end_is_replaced_whole(start: Start) -> None:
    client = start()
    (edit,) = edits(client, renamed(client, "old = 1\nprint('🎉', old)"), 1)
    assert edit["range"] == {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 16}}
    assert edit["text"] == "print('🎉', new)"


def test_c12_inserted_lines_stand_at_column_zero_and_end_a_line(start: Start) -> None:
    client = start()
    uri = client.open("mark\ny = 1\nmark\nz = 2\n")
    client.change(uri, 1, ((0, 0, 0, 4), "mark\nadded"))
    (edit,) = edits(client, uri, 1)
    assert edit["range"]["start"] == edit["range"]["end"]
    assert (edit["range"]["start"], edit["text"]) == ({"line": 4, "character": 0}, "added\n")


def test_c12_lines_behind_the_last_line_begin_with_a_line_end(start: Start) -> None:
    client = start()
    uri = client.open("mark\r\ny = 1\r\nmark")
    client.change(uri, 1, ((0, 0, 0, 4), "mark\r\nadded"))
    (edit,) = edits(client, uri, 1)
    assert edit["range"]["start"] == edit["range"]["end"] == {"line": 3, "character": 4}
    assert edit["text"] == "\r\nadded"


def test_c13_focus_without_a_document_and_repeated_is_tolerated(start: Start) -> None:
    client = start()
    uri = client.open("x = 1\n")
    for params in ({}, {"textDocument": {"uri": uri}}, {}, {"textDocument": None}, {"textDocument": {"uri": 3}}):
        client.notify("textDocument/didFocus", params)
        client.notify("textDocument/didFocus", params)
    for method in ("textDocument/didShowInlineEdit", "textDocument/didShowCompletion", "editahead/didReject"):
        client.notify(method, {})
        client.notify(method, {"item": {"command": {"arguments": ["never-sent"]}}})
    client.settle()
    assert client.told("window/showMessage") == []


def test_c14_the_whole_text_again_at_the_same_version_is_no_edit(start: Start) -> None:
    client = start()
    text = "new = 1\nprint(old)\n"
    uri = renamed(client)
    client.change(uri, 1, ((0, 0, 2147483647, 0), text))
    (edit,) = edits(client, uri, 1)  # the rename is still the last thing that happened
    assert edit["text"] == "print(new)\n"


def test_c14_another_text_at_the_same_version_is_taken_and_is_no_edit(start: Start) -> None:
    client = start()
    uri = renamed(client)
    client.change(uri, 1, ((0, 0, 2147483647, 0), "alpha = 1\nalphabet = 2\nal"))
    assert edits(client, uri, 1) == []
    labels = [i["label"] for i in client.request("textDocument/completion", client.at(uri, 2, 2))["items"]]
    assert labels == ["alpha", "alphabet"]


def test_c15_no_ghost_text_is_an_empty_list_never_null(start: Start) -> None:
    client = start()
    uri = client.open("x = 1\n")
    assert client.request(INLINE, client.at(uri, 0, 0, context=AUTOMATIC)) == {"items": []}
    assert client.request(INLINE, client.at("file:///no.py", 0, 0, context=AUTOMATIC)) == {"items": []}
    failing = client.open("# fake:fail\n", "file:///w/f.py")
    assert client.request(INLINE, client.at(failing, 0, 5, context=AUTOMATIC)) == {"items": []}


@pytest.mark.parametrize("method", [INLINE, EDIT, "textDocument/completion"])
def test_c16_the_newest_request_of_a_document_and_kind_wins(start: Start, method: str) -> None:
    client = start()
    uri = client.open("# fake:block\nx = 1\n")
    first = client.ask(method, client.at(uri, 1, 1, context={"triggerKind": 2}))
    client.change(uri, 1, ((0, 0, 0, 12), "x = 2"))
    client.ask(method, client.at(uri, 1, 1, context={"triggerKind": 2}))
    answer = client.wait(first)["result"]
    assert (answer.get("items"), answer.get("edits")) in [([], None), (None, [])]


def test_c17_ghost_text_before_other_text_has_no_width(start: Start) -> None:
    client = start()
    lenient(client)
    uri = client.open("print(basket, end)\nprint()\n")
    (item,) = ghost(client, uri, 1, 6)
    assert item["range"]["start"] == item["range"]["end"] == {"line": 1, "character": 6}
    assert item["insertText"] == "basket, end)"


def test_c18_accepting_early_keeps_the_text_in_step(start: Start) -> None:
    client = start()
    lenient(client)
    uri = client.open(LOOP)
    (item,) = ghost(client, uri, 3, 6)
    client.change(uri, 1, ((3, 6, 3, 6), "i"))
    # The client inserts the old ghost text, late by a letter, and says that it was accepted.
    client.change(uri, 2, ((3, 7, 3, 7), item["insertText"]))
    client.request("workspace/executeCommand", item["command"])
    client.request("workspace/executeCommand", item["command"])
    client.change(uri, 3, ((3, 0, 3, 99), "    print(item)\n    pri"))
    assert ghost(client, uri, 4, 7)[0]["insertText"] == "nt(item)"
    assert client.settle()["surfaces"]["inline"]["accepted"] == 1


def test_c19_status_is_normal_with_a_short_text(start: Start) -> None:
    client = start()
    statuses = client.told("didChangeStatus")
    assert [status["busy"] for status in statuses] == [True, False]
    for status in statuses:
        assert status["kind"] == "Normal"
        assert isinstance(status["message"], str)
        assert "not signed" not in status["message"].lower()


@pytest.mark.slow
def test_c20_unknown_messages_are_refused_quietly(stdio: Start) -> None:
    client = stdio()
    for method in ("signIn", "checkStatus", "setEditorInfo", "getCompletions", "$/unknown"):
        assert client.error(method)["code"] == -32601
        client.notify(method)
    client.settle()
    client.leave()
    assert client.told("window/showMessage") == []
    assert client.stderr == b""


def test_c20_compat_mode_is_always_signed_in(start: Start) -> None:
    client = start("--copilot")
    assert client.request("signIn") == {"status": "OK", "user": "local"}
    assert client.request("checkStatus", {"localChecksOnly": True}) == {"status": "OK", "user": "local"}
    assert client.request("setEditorInfo", {"editorInfo": {}}) == "OK"
