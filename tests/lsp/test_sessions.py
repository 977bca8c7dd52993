"""One user, one document, things happening at once: cancelling, superseding, typing on, closing, failing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fake_engine import FakeEngine
from raw_client import Client

Start = Callable[..., Client]
INLINE = "textDocument/inlineCompletion"
COMPLETION = "textDocument/completion"
NEXT = "editahead/nextEdit"
CONFIGURE = "workspace/didChangeConfiguration"


def held(client: Client, engine: FakeEngine, method: str, params: dict[str, Any]) -> int:
    """Ask, and come back when the engine is at work and waits to be released."""
    engine.entered.clear()
    asked = client.ask(method, params)
    assert engine.entered.wait(10)
    return asked


def test_all_engine_work_is_done_by_one_thread(start: Start, engine: FakeEngine) -> None:
    client = start()
    uri = client.open("alpha = 1\nal")
    for method in (COMPLETION, INLINE, NEXT, "editahead/explain"):
        client.request(method, client.at(uri, 1, 2))
    assert engine.threads == {"inference"}


def test_cancel_request_reaches_the_run_and_is_answered_as_cancelled(start: Start, engine: FakeEngine) -> None:
    client = start()
    uri = client.open("# fake:block\nal")
    asked = held(client, engine, COMPLETION, client.at(uri, 1, 2))
    client.notify("$/cancelRequest", {"id": asked})
    assert client.wait(asked)["error"]["code"] == -32800
    client.change(uri, 1, ((0, 0, 0, 99), "alpha = 1"))
    assert client.request(COMPLETION, client.at(uri, 1, 2))["items"][0]["label"] == "alpha"
    assert engine.ended == ["cancelled"]


def test_cancelling_what_waits_never_runs_it(start: Start, engine: FakeEngine) -> None:
    client = start()
    slow = client.open("# fake:hold\nal", "file:///w/slow.py")
    quick = client.open("alpha = 1\nal", "file:///w/quick.py")
    first = held(client, engine, COMPLETION, client.at(slow, 1, 2))
    waiting = client.ask(COMPLETION, client.at(quick, 1, 2))
    client.notify("$/cancelRequest", {"id": waiting})
    assert client.wait(waiting)["error"]["code"] == -32800
    engine.release.set()
    client.wait(first)
    assert [document.uri for document in engine.seen] == [slow]


def test_cancelling_twice_or_what_is_not_known_is_ignored(start: Start) -> None:
    client = start()
    for params in ({"id": 999}, {"id": None}, {"id": []}, {}, {"id": "x"}):
        client.notify("$/cancelRequest", params)
    assert client.settle()


def test_a_newer_request_ends_the_older_one_with_an_empty_answer(start: Start, engine: FakeEngine) -> None:
    client = start()
    uri = client.open("# fake:block\nalpha = 1\nal")
    older = held(client, engine, COMPLETION, client.at(uri, 2, 2))
    client.change(uri, 1, ((0, 0, 0, 99), "#"))
    newer = client.ask(COMPLETION, client.at(uri, 2, 2))
    assert client.wait(older)["result"] == {"isIncomplete": True, "items": []}
    assert [item["label"] for item in client.wait(newer)["result"]["items"]] == ["alpha"]
    assert engine.ended == ["cancelled"]
    assert client.settle()["surfaces"]["completion"]["quiet"] == {"cancelled": 1}


def test_requests_of_other_documents_and_kinds_are_left_alone(start: Start, engine: FakeEngine) -> None:
    client = start()
    one = client.open("# fake:hold\nalpha = 1\nal", "file:///w/one.py")
    two = client.open("beta = 1\nbe", "file:///w/two.py")
    first = held(client, engine, COMPLETION, client.at(one, 2, 2))
    second = client.ask(COMPLETION, client.at(two, 1, 2))
    third = client.ask(INLINE, client.at(one, 2, 2, context={"triggerKind": 1}))
    engine.release.set()
    assert client.wait(first)["result"]["items"][0]["label"] == "alpha"
    assert client.wait(second)["result"]["items"][0]["label"] == "beta"
    assert client.wait(third)["result"]["items"][0]["insertText"] == "pha = 1"


def test_a_completion_goes_before_a_next_edit_that_is_being_computed(start: Start, engine: FakeEngine) -> None:
    client = start()
    slow = client.open("old\nold\n# fake:hold\n", "file:///w/slow.py")
    client.change(slow, 1, ((0, 0, 0, 3), "new"))
    quick = client.open("alpha = 1\nal", "file:///w/quick.py")
    edit = held(client, engine, NEXT, client.at(slow, 0, 3))
    labels = client.request(COMPLETION, client.at(quick, 1, 2))["items"]
    assert labels[0]["label"] == "alpha"
    assert engine.ended == ["cancelled"]
    engine.release.set()
    assert client.wait(edit)["result"]["edits"][0]["text"] == "new\n"  # and was then computed after all


def test_the_request_sees_the_text_as_it_was_when_it_came(start: Start) -> None:
    client = start()
    uri = client.open("alpha = 1\nal")
    asked = client.ask(COMPLETION, client.at(uri, 1, 2))
    client.change(uri, 1, ((0, 0, 0, 5), "gamma"))
    answer = client.wait(asked)["result"]
    # Computed for the text before the change, or dropped because of it: never mixed.
    assert [item["label"] for item in answer["items"]] in (["alpha"], [])


@pytest.mark.parametrize(
    ("typed", "labels"),
    [
        (((2, 2, 2, 2), "pha"), ["alpha", "alphabet"]),
        (((2, 2, 2, 2), "phab"), ["alphabet"]),
        (((2, 2, 2, 2), "x"), []),
        (((2, 0, 2, 2), ""), []),
        (((2, 2, 2, 2), "\n"), []),
    ],
)
@pytest.mark.parametrize("has_filter", [False, True])
def test_completions_fit_what_was_typed_meanwhile(
    start: Start, engine: FakeEngine, typed: Any, labels: list[str], has_filter: bool
) -> None:
    client = start(capabilities={"experimental": {"editahead": {"filtersCompletions": has_filter}}})
    uri = client.open("alpha = 1  # fake:hold\nalphabet = 2\nal")
    asked = held(client, engine, COMPLETION, client.at(uri, 2, 2))
    client.change(uri, 1, typed)
    client.settle()
    engine.release.set()
    answer = client.wait(asked)["result"]
    assert [item["label"] for item in answer["items"]] == labels
    assert answer["isIncomplete"] is not (has_filter and bool(labels))
    for item in answer["items"]:  # as it was asked: the client adds what it typed itself
        assert item["textEdit"]["range"] == {
            "start": {"line": 2, "character": 0},
            "end": {"line": 2, "character": 2},
        }


def test_completions_move_with_lines_inserted_above(start: Start, engine: FakeEngine) -> None:
    client = start()
    uri = client.open("alpha = 1  # fake:hold\nal")
    asked = held(client, engine, COMPLETION, client.at(uri, 1, 2))
    client.change(uri, 1, ((0, 0, 0, 0), "import os\n"))
    client.settle()
    engine.release.set()
    (item,) = client.wait(asked)["result"]["items"]
    assert item["textEdit"]["range"]["start"] == {"line": 2, "character": 0}


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (((1, 2, 1, 2), "pha"), [(" = 1  # fake:hold", 1, 5)]),
        (((0, 0, 0, 0), "import os\n"), [("pha = 1  # fake:hold", 2, 2)]),
        (((1, 2, 1, 2), "x"), []),
        (((1, 0, 1, 2), ""), [("pha = 1  # fake:hold", 1, 0)]),
    ],
)
def test_ghost_text_is_moved_over_newer_typing_or_dropped(
    start: Start, engine: FakeEngine, typed: Any, expected: list[tuple[str, int, int]]
) -> None:
    client = start(initializationOptions={"precision": 0.5})
    uri = client.open("alpha = 1  # fake:hold\nal")
    asked = held(client, engine, INLINE, client.at(uri, 1, 2, context={"triggerKind": 2}))
    client.change(uri, 1, typed)
    client.settle()
    engine.release.set()
    items = client.wait(asked)["result"]["items"]
    starts = [item["range"]["start"] for item in items]
    assert [
        (item["insertText"], at["line"], at["character"]) for item, at in zip(items, starts, strict=True)
    ] == expected


def test_the_next_edit_is_moved_over_newer_typing_and_bears_the_newer_version(start: Start, engine: FakeEngine) -> None:
    client = start()
    uri = client.open("was\n# fake:hold\nprint(was)\n")
    client.change(uri, 1, ((0, 0, 0, 3), "new"))
    asked = held(client, engine, NEXT, client.at(uri, 0, 3, version=1))
    client.change(uri, 2, ((0, 0, 0, 0), "import os\n"))
    client.settle()
    engine.release.set()
    (edit,) = client.wait(asked)["result"]["edits"]
    assert edit["textDocument"] == {"uri": uri, "version": 2}
    assert edit["range"]["start"] == {"line": 3, "character": 0}
    assert edit["text"] == "print(new)\n"


def test_a_next_edit_whose_place_was_edited_meanwhile_is_dropped(start: Start, engine: FakeEngine) -> None:
    client = start()
    uri = client.open("was\n# fake:hold\nprint(was)\n")
    client.change(uri, 1, ((0, 0, 0, 3), "new"))
    asked = held(client, engine, NEXT, client.at(uri, 0, 3, version=1))
    client.change(uri, 2, ((2, 6, 2, 9), "else"))
    client.settle()
    engine.release.set()
    assert client.wait(asked)["result"] == {"edits": [], "reason": "stale", "detail": "the text moved on"}


@pytest.mark.parametrize("reopen", [False, True])
def test_closing_answers_what_is_open_with_nothing(start: Start, engine: FakeEngine, reopen: bool) -> None:
    client = start()
    uri = client.open("# fake:hold\nalpha = 1\nal")
    asked = held(client, engine, COMPLETION, client.at(uri, 2, 2))
    if reopen:
        client.open("# fake:hold\nother = 1\nal", uri)
    else:
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.wait(asked)["result"]["items"] == []
    engine.release.set()
    assert client.settle()


def test_a_run_that_takes_too_long_is_ended(start: Start, engine: FakeEngine) -> None:
    client = start(initializationOptions={"completionDeadlineMs": 20})
    uri = client.open("# fake:block\nalpha = 1\nal")
    assert client.request(COMPLETION, client.at(uri, 2, 2)) == {"isIncomplete": True, "items": []}
    client.change(uri, 1, ((0, 0, 0, 99), "#"))
    client.notify(CONFIGURE, {"settings": {"editahead": {"completionDeadlineMs": 5000}}})
    assert client.request(COMPLETION, client.at(uri, 2, 2))["items"]
    assert engine.ended == ["cancelled"]


def test_three_failures_switch_one_surface_off_with_one_message(start: Start) -> None:
    client = start()
    bad = client.open("# fake:fail\nal", "file:///w/bad.py")
    good = client.open("alpha = 1\nal", "file:///w/good.py")
    for _ in range(5):
        assert client.request(COMPLETION, client.at(bad, 1, 2)) == {"isIncomplete": True, "items": []}
    (message,) = client.told("window/showMessage")
    assert "completion failed three times in a row" in message["message"]
    assert "\n" not in message["message"]
    assert client.request(COMPLETION, client.at(good, 1, 2))["items"] == []
    hello = {"triggerKind": 1}
    assert client.request(INLINE, client.at(good, 1, 2, context=hello))["items"][0]["insertText"] == "pha = 1"
    client.change(good, 1, ((1, 0, 1, 2), "alp"))
    assert client.settle()["surfaces"]["completion"]["quiet"] == {"failed": 6}
    client.request("workspace/executeCommand", {"command": "editahead.restart-models"})
    assert client.request(COMPLETION, client.at(good, 1, 3))["items"][0]["label"] == "alpha"


def test_two_failures_and_a_success_switch_nothing_off(start: Start) -> None:
    client = start()
    bad = client.open("# fake:fail\nal", "file:///w/bad.py")
    good = client.open("alpha = 1\nal", "file:///w/good.py")
    for uri in (bad, bad, good, bad, bad, good):
        client.request(COMPLETION, client.at(uri, 1, 2))
    assert client.told("window/showMessage") == []
    assert client.request(COMPLETION, client.at(good, 1, 2))["items"]


def test_requests_during_shutdown_are_refused_and_open_ones_end(start: Start, engine: FakeEngine) -> None:
    client = start()
    uri = client.open("# fake:block\nal")
    asked = held(client, engine, COMPLETION, client.at(uri, 1, 2))
    assert client.request("shutdown") is None
    assert client.wait(asked)["error"]["code"] == -32800
    assert client.error(COMPLETION, client.at(uri, 1, 2))["code"] == -32600
    client.notify("exit")
    assert client.exit_code() == 0


def test_a_rejected_next_edit_is_not_offered_again_until_time_has_passed(start: Start) -> None:
    client = start()
    now = client.server.session.clock()  # type: ignore[union-attr]
    client.server.session.clock = lambda: now  # type: ignore[union-attr]
    uri = client.open("old = 1\nprint(old)\n")
    client.change(uri, 1, ((0, 0, 0, 3), "new"))
    (edit,) = client.request(NEXT, client.at(uri, 0, 3))["edits"]
    client.notify("editahead/didReject", {"item": edit})
    answer = client.request(NEXT, client.at(uri, 0, 3))
    assert (answer["edits"], answer["reason"], answer["detail"]) == ([], "rejected", "old->new")
    now += 61 * 60
    assert len(client.request(NEXT, client.at(uri, 0, 3))["edits"]) == 1
    assert client.settle()["surfaces"]["next_edit"] == {
        "offered": 2, "shown": 1, "rejected": 1, "quiet": {"rejected": 1},
    }  # fmt: skip


def test_events_are_counted_once_each(start: Start) -> None:
    client = start()
    uri = client.open("alpha = 1\nal")
    (item,) = client.request(INLINE, client.at(uri, 1, 2, context={"triggerKind": 1}))["items"]
    for _ in range(2):
        client.notify("textDocument/didShowCompletion", {"item": item})
    client.notify("textDocument/didPartiallyAcceptCompletion", {"item": item, "acceptedLength": 3})
    for _ in range(2):
        client.request("workspace/executeCommand", item["command"])
    client.notify("editahead/didReject", {"id": item["command"]["arguments"][0]})
    assert client.settle()["surfaces"]["inline"] == {
        "offered": 1, "shown": 1, "partly accepted": 1, "accepted": 1,
    }  # fmt: skip


def test_snoozing_keeps_quiet_and_ends(start: Start) -> None:
    client = start()
    uri = client.open("alpha = 1\nal")
    snooze = {"command": "editahead.snooze"}
    assert client.request("workspace/executeCommand", snooze) == {"minutes": 10.0}
    assert client.request(COMPLETION, client.at(uri, 1, 2))["items"] == []
    assert client.request(NEXT, client.at(uri, 1, 2))["reason"] == "snoozed"
    assert client.wait_told("didChangeStatus", lambda s: s["kind"] == "Inactive")["message"] == "snoozed"
    assert client.request("workspace/executeCommand", {**snooze, "arguments": [0]}) == {"minutes": 0.0}
    assert client.request(COMPLETION, client.at(uri, 1, 2))["items"]
    assert client.error("workspace/executeCommand", {**snooze, "arguments": ["long"]})["code"] == -32602
