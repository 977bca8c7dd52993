"""Functions that are written from their description, as code actions: who asks, what they say, what they change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fake_engine import FakeEngine
from raw_client import Client

Start = Callable[..., Client]
ACTION = "textDocument/codeAction"
KIND = "refactor.rewrite.body"
TEXT = "def f(x):\n    pass\n"
ABLE = {
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


def bodies(client: Client, uri: str, line: int = 1, **context: Any) -> list[dict[str, Any]]:
    at = {"line": line, "character": 4}
    where = {"textDocument": {"uri": uri}, "range": {"start": at, "end": at}}
    found: list[dict[str, Any]] = client.request(ACTION, {**where, "context": {"diagnostics": [], **context}})
    return [one for one in found if one["kind"] == KIND]


def test_each_body_is_an_action_with_its_probability_and_its_first_line(start: Start) -> None:
    client = start(capabilities=ABLE)
    uri = client.open(TEXT, version=5)
    first, second = bodies(client, uri)
    span = {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 8}}
    edits = [{"range": span, "newText": "if x:\n        return 1\n    return 2"}]
    assert first == {
        "title": "Write this function from its description (90 %): if x:",
        "kind": KIND,
        "edit": {
            "documentChanges": [{"textDocument": {"uri": uri, "version": 5}, "edits": edits}],
        },
        "command": {"title": "Accept", "command": "editahead.accept", "arguments": ["code_action-1"]},
    }
    assert second["title"] == "Write this function from its description (55 %): raise TypeError"
    client.request("workspace/executeCommand", first["command"])
    assert client.settle()["surfaces"]["code_action"]["accepted"] == 1


@pytest.mark.parametrize(
    ("context", "there"),
    [
        ({}, True),
        ({"triggerKind": 1}, True),
        ({"triggerKind": 2}, False),
        ({"triggerKind": 2, "only": ["refactor"]}, True),
        ({"triggerKind": 2, "only": [KIND]}, True),
        ({"triggerKind": 1, "only": ["quickfix"]}, False),
        ({"triggerKind": 2, "diagnostics": [{"message": "unused"}]}, False),
    ],
)
def test_only_a_person_or_a_list_of_kinds_asks_for_them(start: Start, context: dict[str, Any], there: bool) -> None:
    client = start(capabilities=ABLE)
    assert bool(bodies(client, client.open(TEXT), **context)) is there


def test_a_mere_move_of_the_cursor_costs_nothing(start: Start, engine: FakeEngine) -> None:
    client = start(capabilities=ABLE)
    uri = client.open(TEXT)
    assert bodies(client, uri, triggerKind=2, only=["quickfix"]) == []
    assert not engine.seen


def test_line_ends_are_those_of_the_file_and_elsewhere_there_are_none(start: Start) -> None:
    client = start(capabilities=ABLE)
    uri = client.open(TEXT.replace("\n", "\r\n"))
    edit = bodies(client, uri)[0]["edit"]["documentChanges"][0]["edits"][0]
    assert edit["newText"] == "if x:\r\n        return 1\r\n    return 2"
    assert bodies(client, uri, 0) == []
