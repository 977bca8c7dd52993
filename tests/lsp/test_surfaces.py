"""The answers of each surface, down to their fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from raw_client import Client

Start = Callable[..., Client]
COMPLETION = "textDocument/completion"
INLINE = "textDocument/inlineCompletion"
INSERT_REPLACE = {"textDocument": {"completion": {"completionItem": {"insertReplaceSupport": True}}}}


def test_completion_items_are_ranked_real_names_with_their_probability_and_origin(start: Start) -> None:
    client = start()
    uri = client.open("alphabet = 2\nalpha = alphabet\nal")
    answer = client.request(COMPLETION, client.at(uri, 2, 2, context={"triggerKind": 1}))
    first, second = answer["items"]
    assert answer["isIncomplete"] is False
    assert first == {
        "label": "alphabet",
        "kind": 6,
        "detail": "67 %, line 1",
        "sortText": "0000",
        "filterText": "alphabet",
        "textEdit": {
            "range": {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 2}},
            "newText": "alphabet",
        },
        "data": {
            "uri": uri,
            "version": 0,
            "probability": 0.6667,
            "source": "pointer",
            "line": 0,
        },
    }
    assert (second["label"], second["sortText"], second["detail"]) == ("alpha", "0001", "33 %, line 2")


def test_a_word_that_goes_on_behind_the_cursor_can_be_replaced(start: Start) -> None:
    client = start(capabilities=INSERT_REPLACE)
    uri = client.open("alpha = 1\nalté = 2")
    edit = client.request(COMPLETION, client.at(uri, 1, 2))["items"][0]["textEdit"]
    start_of_word = {"line": 1, "character": 0}
    assert edit == {
        "newText": "alpha",
        "insert": {"start": start_of_word, "end": {"line": 1, "character": 2}},
        "replace": {"start": start_of_word, "end": {"line": 1, "character": 4}},
    }
    plain = start()
    uri = plain.open("alpha = 1\nalté = 2")
    edit = plain.request(COMPLETION, plain.at(uri, 1, 2))["items"][0]["textEdit"]
    assert edit["range"]["end"] == {"line": 1, "character": 2}


def test_resolve_shows_the_line_that_the_name_comes_from(start: Start) -> None:
    client = start()
    uri = client.open("    alpha = compute()\nal")
    (item,) = [i for i in client.request(COMPLETION, client.at(uri, 1, 2))["items"] if i["label"] == "alpha"]
    resolved = client.request("completionItem/resolve", item)
    assert resolved["documentation"] == {
        "kind": "markdown",
        "value": "99 %, copied from this file\n\nline 1\n```python\nalpha = compute()\n```",
    }
    assert {key: value for key, value in resolved.items() if key != "documentation"} == item
    client.change(uri, 1, ((0, 0, 0, 0), "\n"))  # the line number is of a text that is gone
    later = client.request("completionItem/resolve", item)
    assert later["documentation"]["value"] == "99 %, copied from this file"


def test_resolve_leaves_items_of_others_alone(start: Start) -> None:
    client = start()
    for item in ({"label": "x"}, {"label": "x", "data": 5}, {"label": "x", "data": {"probability": "big"}}):
        assert client.request("completionItem/resolve", item) == item


def test_ghost_text_item_has_range_and_accept_command(start: Start) -> None:
    client = start()
    uri = client.open("alpha = 1\r\nal")
    (item,) = client.request(INLINE, client.at(uri, 1, 2, context={"triggerKind": 1}))["items"]
    at = {"line": 1, "character": 2}
    assert item == {
        "insertText": "pha = 1",
        "range": {"start": at, "end": at},
        "command": {"title": "Accept", "command": "editahead.accept", "arguments": ["inline-1"]},
    }


def chosen(text: str, line: int, start: int, end: int) -> dict[str, Any]:
    where = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
    return {"triggerKind": 1, "selectedCompletionInfo": {"range": where, "text": text}}


def test_ghost_text_extends_the_item_chosen_in_the_menu(start: Start) -> None:
    client = start()
    uri = client.open("alphabet = 2\nalpha = 1\nal")
    context = chosen("alphabet", 2, 0, 2)
    (item,) = client.request(INLINE, client.at(uri, 2, 2, context=context))["items"]
    assert item["insertText"] == "alphabet = 2"
    assert item["range"] == context["selectedCompletionInfo"]["range"]
    assert item["filterText"] == "alphabet = 2"
    nothing = chosen("album", 2, 0, 2)
    assert client.request(INLINE, client.at(uri, 2, 2, context=nothing))["items"] == []


def test_a_choice_that_cannot_be_read_is_refused(start: Start) -> None:
    client = start()
    uri = client.open("x")
    for info in ({}, {"range": 1, "text": "x"}, {"range": chosen("", 0, 0, 0), "text": None}):
        context = {"triggerKind": 1, "selectedCompletionInfo": info}
        assert client.error(INLINE, client.at(uri, 0, 0, context=context))["code"] == -32602


def test_next_edit_carries_probability_and_steps_under_its_own_name_only(start: Start) -> None:
    client = start()
    uri = client.open("old = 1\nprint(old)\n")
    client.change(uri, 1, ((0, 0, 0, 3), "new"))
    (own,) = client.request("editahead/nextEdit", client.at(uri, 0, 3))["edits"]
    assert own == {
        "text": "print(new)\n",
        "range": {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}},
        "textDocument": {"uri": uri, "version": 1},
        "command": {"title": "Accept", "command": "editahead.accept", "arguments": ["next_edit-1"]},
        "probability": 0.9,
        "steps": [{"text": "replace", "probability": 0.9}],
    }
    answer = client.request("textDocument/copilotInlineEdit", client.at(uri, 0, 3))
    assert list(answer) == ["edits"]
    assert sorted(answer["edits"][0]) == ["command", "range", "text", "textDocument"]


def test_explain_tells_gates_and_surfaces(start: Start) -> None:
    client = start()
    uri = client.open("alpha = 1\nal")
    found = client.request("editahead/explain", client.at(uri, 1, 2))
    assert found["languageId"] == "python"
    assert found["models"] == ["fake"]
    assert found["gates"] == [{"reason": "language", "passed": True, "value": "python"}]
    surfaces = found["surfaces"]
    assert surfaces["completion"]["value"] == [{"label": "alpha", "probability": 1.0, "source": "pointer", "line": 0}]
    assert surfaces["inline"] == {"shown": False, "reason": "low-probability", "detail": "0.7"}
    assert surfaces["next_edit"] == {"shown": False, "reason": "empty", "detail": "nothing was edited"}


def test_stats_count_what_was_asked_and_how_long_it_took(start: Start) -> None:
    client = start()
    uri = client.open("alpha = 1\nal")
    client.request(COMPLETION, client.at(uri, 1, 2))
    client.request(COMPLETION, client.at(uri, 0, 0))
    found = client.settle()
    assert found["surfaces"]["completion"] == {"offered": 2}
    assert 0 <= found["milliseconds"]["completion"]["p50"] <= found["milliseconds"]["completion"]["p95"]
