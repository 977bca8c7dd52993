"""A next edit that stands in another open file: for clients that can show it, where the document itself has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fake_engine import FakeEngine
from raw_client import Client

Start = Callable[..., Client]
EDIT = "editahead/nextEdit"
ABLE = {"experimental": {"editahead": {"nextEditElsewhere": True}}}
HERE, THERE = "file:///w/a.py", "file:///w/b.py"


def renamed(client: Client, here: str = "old = 1\n", there: str = "x = 2\nuse(old)\n") -> None:
    """The first three letters of a file are replaced, and stand on in another."""
    client.open(there, THERE, version=7)
    client.open(here, HERE, version=3)
    client.change(HERE, 4, ((0, 0, 0, 3), "new"))


def asked(client: Client, method: str = EDIT) -> Any:
    return client.request(method, client.at(HERE, 0, 3, version=4))


def test_it_leads_into_another_file_with_that_files_version(start: Start) -> None:
    client = start(capabilities=ABLE)
    renamed(client)
    assert asked(client)["edits"] == [
        {
            "text": "use(new)\n",
            "range": {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}},
            "textDocument": {"uri": THERE, "version": 7},
            "command": {"title": "Accept", "command": "editahead.accept", "arguments": ["next_edit-1"]},
            "probability": 0.9,
            "steps": [],
        }
    ]


@pytest.mark.parametrize("capabilities", [{}, {"experimental": {"editahead": {"nextEditElsewhere": "yes"}}}])
def test_a_client_that_does_not_say_that_it_can_never_gets_one(start: Start, capabilities: dict[str, Any]) -> None:
    client = start(capabilities=capabilities)
    renamed(client)
    answer = asked(client)
    assert (answer["edits"], answer["reason"]) == ([], "empty")


def test_clients_of_copilots_server_never_get_one(start: Start) -> None:
    client = start(capabilities=ABLE)
    renamed(client)
    assert asked(client, "textDocument/copilotInlineEdit") == {"edits": []}


def test_the_own_file_goes_first(start: Start) -> None:
    client = start(capabilities=ABLE)
    renamed(client, here="old = 1\nprint(old)\n")
    assert asked(client)["edits"][0]["textDocument"]["uri"] == HERE


def test_only_sure_places_count(start: Start) -> None:
    client = start(capabilities=ABLE)
    renamed(client, there="maybe(old)\n")
    answer = asked(client)
    assert (answer["edits"], answer["detail"]) == ([], "no other place")


def test_it_moves_with_what_was_typed_there_meanwhile(start: Start, engine: FakeEngine) -> None:
    client = start(capabilities=ABLE)
    renamed(client, here="ice = 1  # fake:hold\n", there="x = 2\nuse(ice)\n")
    question = client.ask(EDIT, client.at(HERE, 0, 3, version=4))
    assert engine.entered.wait(10)
    client.change(THERE, 8, ((0, 0, 0, 0), "\n"))
    client.settle()
    engine.release.set()
    (edit,) = client.wait(question)["result"]["edits"]
    assert (edit["textDocument"], edit["range"]["start"]["line"]) == ({"uri": THERE, "version": 8}, 2)


def test_turning_it_down_is_about_the_edit_everywhere(start: Start, engine: FakeEngine) -> None:
    client = start(capabilities=ABLE)
    renamed(client)
    (edit,) = asked(client)["edits"]
    client.notify("editahead/didReject", {"item": {"command": edit["command"]}})
    asked(client)
    assert [rejection.key for rejection in engine.seen[-1].rejections] == ["old -> new"]
