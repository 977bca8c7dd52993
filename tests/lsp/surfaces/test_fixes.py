"""Suggested fixes as code actions: who asks for them, what they say, and how they stay in step with the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fake_engine import FakeEngine
from raw_client import Client

Start = Callable[..., Client]
ACTION = "textDocument/codeAction"
TEXT = "def f(x):\n    if x == None:\n        return 1\n    return x == None\n"
ABLE = {
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


def fixes(client: Client, uri: str, lines: tuple[int, int] = (1, 1), **context: Any) -> list[dict[str, Any]]:
    first, last = ({"line": line, "character": 4} for line in lines)
    where = {"textDocument": {"uri": uri}, "range": {"start": first, "end": last}}
    found: list[dict[str, Any]] = client.request(ACTION, {**where, "context": {"diagnostics": [], **context}})
    return [one for one in found if one["kind"] == "quickfix"]


def complaint(line: int, **more: Any) -> dict[str, Any]:
    at = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 9}}
    return {"range": at, "message": "comparison to None", "source": "linter", **more}


def test_each_rewriting_is_an_action_with_its_probability_and_a_preview(start: Start) -> None:
    client = start(capabilities=ABLE)
    uri = client.open(TEXT, version=5)
    first, second = fixes(client, uri)
    span = {"start": {"line": 1, "character": 8}, "end": {"line": 1, "character": 16}}
    assert first == {
        "title": "Suggest a fix (60 %): if x is None:",
        "kind": "quickfix",
        "edit": {
            "documentChanges": [
                {"textDocument": {"uri": uri, "version": 5}, "edits": [{"range": span, "newText": " is None"}]}
            ]
        },
        "command": {"title": "Accept", "command": "editahead.accept", "arguments": ["code_action-1"]},
    }
    assert second["title"] == "Suggest a fix (20 %): without == None"
    client.request("workspace/executeCommand", first["command"])
    assert client.settle()["surfaces"]["code_action"] == {"accepted": 1, "offered": 2, "shown": 1}


def test_the_selection_says_which_lines(start: Start) -> None:
    client = start(capabilities=ABLE)
    uri = client.open(TEXT)
    assert fixes(client, uri, (0, 0)) == []
    chosen = fixes(client, uri, (2, 3))[0]["edit"]["documentChanges"][0]["edits"][0]["range"]["start"]
    assert chosen == {"line": 3, "character": 12}


def test_a_mere_move_of_the_cursor_asks_for_nothing(start: Start, engine: FakeEngine) -> None:
    client = start(capabilities=ABLE)
    uri = client.open(TEXT)
    assert fixes(client, uri, triggerKind=2, only=["quickfix"]) == []
    assert not engine.seen
    assert fixes(client, uri, triggerKind=1, only=["quickfix"])
    assert fixes(client, uri, triggerKind=2, diagnostics=[complaint(1)])


def test_the_diagnostics_of_another_server_are_handed_back_where_they_touch(start: Start) -> None:
    client = start(capabilities=ABLE)
    uri = client.open(TEXT)
    near, far = complaint(1, code="E711", data={"kept": [1]}), complaint(3)
    for one in fixes(client, uri, diagnostics=[near, far, "no diagnostic", {"range": 7}]):
        assert one["diagnostics"] == [near]
    assert "diagnostics" not in fixes(client, uri, diagnostics=[far])[0]


@pytest.mark.parametrize(("only", "there"), [(["quickfix"], True), ([""], True), (["refactor"], False), ([], False)])
def test_the_client_says_whether_it_wants_them(start: Start, only: list[str], there: bool) -> None:
    client = start(capabilities=ABLE)
    uri = client.open(TEXT)
    assert bool(fixes(client, uri, only=only)) is there


def test_line_ends_are_those_of_the_file(start: Start, engine: FakeEngine) -> None:
    client = start(capabilities=ABLE)
    uri = client.open(TEXT.replace("\n", "\r\n"))
    assert fixes(client, uri)[0]["title"].endswith("if x is None:")


def test_fixes_and_repeated_edits_come_together(start: Start) -> None:
    client = start(capabilities=ABLE)
    uri = client.open("old = 1\nprint(old)\nif old == None: pass\n")
    client.change(uri, 1, ((0, 0, 0, 3), "new"))
    at = {"line": 2, "character": 0}
    asked = {"textDocument": {"uri": uri}, "range": {"start": at, "end": at}, "context": {"diagnostics": []}}
    kinds = [one["kind"] for one in client.request(ACTION, asked)]
    assert kinds == ["refactor.rewrite", "quickfix", "quickfix"]


def test_a_long_line_is_cut_in_the_title(start: Start) -> None:
    client = start(capabilities=ABLE)
    uri = client.open("x" * 80 + " == None\n")
    title = fixes(client, uri, (0, 0))[0]["title"]
    assert title.endswith("x…")
    assert len(title) < 90
