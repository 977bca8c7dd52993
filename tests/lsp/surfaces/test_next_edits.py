"""All remaining places of a repeated edit: `editahead/nextEdits` and the code action, over several open files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from editahead.lsp.documents.open_files import MAX_OTHERS, OpenFiles
from editahead.lsp.session import OpenDocument, Session
from editahead.lsp.surfaces.surface import Surface
from editahead.suggest.types import Suppressed
from editahead.text.edits import ByteEdit
from fake_engine import FakeEngine
from raw_client import Client

Start = Callable[..., Client]
QUEUE = "editahead/nextEdits"
ACTION = "textDocument/codeAction"
FIRST = "old = 1\nprint(old)\nmaybe(old)\n"
SECOND = "x = old\né = old\n"
EDITS = {
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


def two_files(client: Client) -> tuple[str, str]:
    """The first line of the first file is renamed; the old name stands on in both."""
    one = client.open(FIRST, "file:///w/a.py", version=3)
    two = client.open(SECOND, "file:///w/b.py", version=7)
    client.change(one, 4, ((0, 0, 0, 3), "new"))
    return one, two


def action(client: Client, uri: str, **context: Any) -> list[dict[str, Any]]:
    at = {"line": 0, "character": 3}
    where = {"textDocument": {"uri": uri}, "range": {"start": at, "end": at}}
    found: list[dict[str, Any]] = client.request(ACTION, {**where, "context": {"diagnostics": [], **context}})
    return found


def span(line: int, start: int, end: int) -> dict[str, Any]:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def test_all_places_of_all_open_files_are_listed(start: Start) -> None:
    client = start()
    one, two = two_files(client)
    items = client.request(QUEUE, client.at(one, 0, 3, version=4))["items"]
    assert items[0] == {
        "id": "next_edits-1",
        "uri": one,
        "version": 4,
        "range": span(1, 6, 9),
        "newText": "new",
        "probability": 0.9,
        "sure": True,
        "group": "repeat-1",
        "examples": 2,
        "source": "repeat",
        "command": {"title": "Accept", "command": "editahead.accept", "arguments": ["next_edits-1"]},
    }
    found = [(item["uri"], item["version"], item["range"], item["sure"]) for item in items]
    assert found == [
        (one, 4, span(1, 6, 9), True),
        (one, 4, span(2, 6, 9), False),
        (two, 7, span(0, 4, 7), True),
        (two, 7, span(1, 4, 7), True),
    ]
    assert [item["uri"] for item in client.request(QUEUE, client.at(two, 0, 0))["items"]] == [two, two, one, one]


def test_a_place_keeps_its_name_until_it_is_settled(start: Start) -> None:
    client = start()
    one, _ = two_files(client)
    names = [item["id"] for item in client.request(QUEUE, client.at(one, 0, 3))["items"]]
    again = [item["id"] for item in client.request(QUEUE, client.at(one, 0, 3))["items"]]
    assert names == again
    assert client.settle()["surfaces"]["next_edits"] == {"offered": 4}


def test_accepting_and_rejecting_change_what_is_left(start: Start) -> None:
    client = start()
    one, two = two_files(client)
    items = client.request(QUEUE, client.at(one, 0, 3))["items"]
    client.notify("editahead/didReject", {"id": items[1]["id"]})
    client.change(one, 5, ((1, 6, 1, 9), "new"))
    client.request("workspace/executeCommand", items[0]["command"])
    left = client.request(QUEUE, client.at(one, 0, 3))["items"]
    assert [(item["uri"], item["range"]["start"]["line"]) for item in left] == [(two, 0), (two, 1)]
    assert client.settle()["surfaces"]["next_edits"] == {"accepted": 1, "offered": 4, "rejected": 1, "shown": 2}


@pytest.mark.parametrize("version", [3, 5])
def test_another_version_is_not_answered(start: Start, version: int) -> None:
    client = start()
    one, _ = two_files(client)
    found = client.request(QUEUE, client.at(one, 0, 3, version=version))
    assert found["items"] == []
    assert found["reason"] == "stale"


def test_what_was_typed_meanwhile_moves_places_and_drops_those_it_touched(start: Start, engine: FakeEngine) -> None:
    client = start()
    one = client.open("old = 1  # fake:hold\nprint(old)\nuse(old)\n", "file:///w/a.py")
    two = client.open(SECOND, "file:///w/b.py")
    client.change(one, 1, ((0, 0, 0, 3), "new"))
    asked = client.ask(QUEUE, client.at(one, 0, 3))
    assert engine.entered.wait(10)
    client.change(one, 2, ((1, 0, 1, 0), "# note\n"), ((2, 6, 2, 8), "xy"))
    client.change(two, 9, ((0, 0, 0, 0), "\n"))
    client.settle()
    engine.release.set()
    items = client.wait(asked)["result"]["items"]
    assert [(item["uri"], item["version"], item["range"]) for item in items] == [
        (one, 2, span(3, 4, 7)),
        (two, 9, span(1, 4, 7)),
        (two, 9, span(2, 4, 7)),
    ]


def test_the_newest_question_wins(start: Start, engine: FakeEngine) -> None:
    client = start()
    one = client.open("old = 1  # fake:hold\nprint(old)\n")
    client.change(one, 1, ((0, 0, 0, 3), "new"))
    first = client.ask(QUEUE, client.at(one, 0, 3))
    assert engine.entered.wait(10)
    second = client.ask(QUEUE, client.at(one, 0, 3))
    superseded = client.wait(first)["result"]
    assert (superseded["items"], superseded["reason"]) == ([], "cancelled")
    engine.release.set()
    assert len(client.wait(second)["result"]["items"]) == 1


def test_an_empty_queue_has_a_reason(start: Start) -> None:
    client = start()
    uri = client.open("x = 1\n")
    assert client.request(QUEUE, client.at(uri, 0, 0)) == {
        "items": [],
        "reason": "empty",
        "detail": "nothing is repeated",
    }
    assert client.error(QUEUE, {"textDocument": {"uri": uri}})["code"] == -32602


@pytest.mark.parametrize(
    "settings", [{"nextEdit": False}, {"enabled": False}, {"languages": {"python": False}}, {"exclude": ["a.py"]}]
)
def test_a_switch_leaves_the_queue_empty(start: Start, settings: dict[str, Any]) -> None:
    client = start(capabilities=EDITS, rootUri="file:///w", initializationOptions=settings)
    one, _ = two_files(client)
    assert client.request(QUEUE, client.at(one, 0, 3))["items"] == []
    assert action(client, one) == []


def test_excluded_files_and_other_languages_take_no_part(start: Start, engine: FakeEngine) -> None:
    client = start(rootUri="file:///w", initializationOptions={"exclude": ["b.py"]})
    one, _ = two_files(client)
    client.open("int old = 1;\n", "file:///w/A.java", language="java")
    third = client.open("old\n", "file:///w/c.py")
    items = client.request(QUEUE, client.at(one, 0, 3))["items"]
    assert {item["uri"] for item in items} == {one, third}
    assert [document.uri for document in engine.seen[-1].others] == [third]


def test_the_code_action_is_one_versioned_edit_of_the_sure_places(start: Start) -> None:
    client = start(capabilities=EDITS)
    one, two = two_files(client)
    kinds = {"codeActionKinds": ["refactor.rewrite", "quickfix", "refactor.rewrite.body"]}
    assert client.initialize_result["capabilities"]["codeActionProvider"] == kinds
    (found,) = action(client, one)
    assert found == {
        "title": "Apply the same change to 3 more places in 2 files",
        "kind": "refactor.rewrite",
        "edit": {
            "documentChanges": [
                {
                    "textDocument": {"uri": one, "version": 4},
                    "edits": [{"range": span(1, 6, 9), "newText": "new"}],
                },
                {
                    "textDocument": {"uri": two, "version": 7},
                    "edits": [{"range": span(line, 4, 7), "newText": "new"} for line in (0, 1)],
                },
            ]
        },
        "command": {"title": "Accept", "command": "editahead.accept", "arguments": ["code_action-1"]},
    }
    client.request("workspace/executeCommand", found["command"])
    assert client.settle()["surfaces"]["code_action"] == {"accepted": 1, "offered": 1, "shown": 1}


def test_a_client_without_document_changes_gets_plain_changes(start: Start) -> None:
    client = start(capabilities={"textDocument": EDITS["textDocument"]})
    uri = client.open("old = 1\nprint(old)\n")
    client.change(uri, 1, ((0, 0, 0, 3), "new"))
    (found,) = action(client, uri)
    assert found["title"] == "Apply the same change to 1 more place"
    assert found["edit"] == {"changes": {uri: [{"range": span(1, 6, 9), "newText": "new"}]}}


def test_there_is_no_code_action_without_sure_places(start: Start) -> None:
    client = start(capabilities=EDITS)
    uri = client.open("old = 1\nmaybe(old)\n")
    assert action(client, uri) == []
    client.change(uri, 1, ((0, 0, 0, 3), "new"))
    assert action(client, uri) == []
    assert client.settle()["surfaces"]["code_action"]["quiet"] == {"empty": 1, "low-probability": 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("only", "there"),
    [
        (["refactor"], True),
        (["refactor.rewrite"], True),
        ([""], True),
        (["quickfix", "refactor"], True),
        (["quickfix"], False),
        (["refactor.rewrite.other"], False),
        (["refactor.re"], False),
        ([7], False),
        ([], False),
    ],
)
def test_the_client_says_which_kinds_it_wants(start: Start, only: list[Any], there: bool) -> None:
    client = start(capabilities=EDITS)
    one, _ = two_files(client)
    assert bool(action(client, one, only=only)) is there


def test_clients_that_only_know_commands_get_no_action(start: Start) -> None:
    client = start()
    one, _ = two_files(client)
    assert action(client, one) == []
    assert client.error(ACTION, {"textDocument": {"uri": one}})["code"] == -32602


def test_of_very_many_open_files_only_the_latest_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    session = Session(clock=lambda: clock[0])
    asked: list[str] = []
    real = Session.gate

    def counted(self: Session, uri: str, version: int | None, surface: Surface) -> OpenDocument | Suppressed:
        asked.append(uri)
        return real(self, uri, version, surface)

    monkeypatch.setattr(Session, "gate", counted)
    for number in range(200):
        session.open(f"file:///w/{number}.py", "python", 1, "x = 1\n")
    for number in (150, 7):
        clock[0] += 1.0
        session.documents[f"file:///w/{number}.py"].apply([ByteEdit(0, 1, b"y")])
    opened = session.documents["file:///w/0.py"]
    surface = Surface(name="next_edit", urgency=0, setting="next_edit")
    document = OpenFiles(session, opened, 0, surface).snapshot.document
    assert [one.uri for one in document.others][:3] == ["file:///w/7.py", "file:///w/150.py", "file:///w/1.py"]
    assert len(document.others) == len(asked) == MAX_OTHERS


def test_open_files_of_related_languages_are_looked_at() -> None:
    session = Session(clock=lambda: 0.0)
    opened = session.open("file:///w/a.ts", "typescript", 1, "export const a = 1\n")
    for name, language in (("b.tsx", "typescriptreact"), ("c.js", "javascript"), ("d.py", "python"), ("e.c", "c")):
        session.open(f"file:///w/{name}", language, 1, "\n")
    surface = Surface(name="next_edit", urgency=0, setting="next_edit")
    others = OpenFiles(session, opened, 0, surface).snapshot.document.others
    assert {other.uri for other in others} == {"file:///w/b.tsx", "file:///w/c.js"}
