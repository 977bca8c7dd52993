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
        "detail": "67 %, from line 1",
        "sortText": "0000",
        "filterText": "alphabet",
        "textEdit": {
            "range": {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 2}},
            "newText": "alphabet",
        },
        "data": {
            "uri": uri,
            "version": 0,
            "probability": "0.6667",
            "source": "pointer",
            "line": 0,
        },
    }
    assert (second["label"], second["sortText"], second["detail"]) == ("alpha", "0001", "33 %, from line 2")


def test_clients_that_can_show_it_get_the_line_beside_the_label(start: Start) -> None:
    client = start(capabilities={"textDocument": {"completion": {"completionItem": {"labelDetailsSupport": True}}}})
    uri = client.open("alphabet = 2\nalpha = alphabet\nal")
    first, second = client.request(COMPLETION, client.at(uri, 2, 2))["items"]
    assert first["labelDetails"] == {"description": "line 1"}
    assert second["labelDetails"] == {"description": "line 2"}
    plain = start()
    uri = plain.open("alphabet = 2\nal")
    assert "labelDetails" not in plain.request(COMPLETION, plain.at(uri, 1, 2))["items"][0]


def test_a_name_of_another_file_bears_that_file(start: Start) -> None:
    client = start()
    other = client.open("x = 1\nelsewhere = 2\n", uri="file:///w/my%20util.py")
    uri = client.open(f"# fake:from {other}\nels")
    (item,) = client.request(COMPLETION, client.at(uri, 1, 3))["items"]
    assert item["detail"] == "90 %, from my util.py:2"
    assert (item["data"]["source"], item["data"]["line"], item["data"]["where"]) == ("open", 1, other)
    value = client.request("completionItem/resolve", item)["documentation"]["value"]
    assert value.startswith("90 %, from another open file\n\n")
    assert value.endswith("my%20util.py, line 2\n```python\nelsewhere = 2\n```")
    client.change(other, 1, ((0, 0, 0, 0), "\n"))  # another line stands there now
    assert "```" not in client.request("completionItem/resolve", item)["documentation"]["value"]
    found = client.request("editahead/explain", client.at(uri, 1, 3))["surfaces"]["completion"]["value"]
    assert found == [{"label": "elsewhere", "probability": 0.9, "source": "open", "line": 1, "where": other}]


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
        "value": "100 %, copied from this file\n\nline 1\n```python\nalpha = compute()\n```",
    }
    assert {key: value for key, value in resolved.items() if key != "documentation"} == item
    client.change(uri, 1, ((0, 0, 0, 0), "\n"))  # the line number is of a text that is gone
    later = client.request("completionItem/resolve", item)
    assert later["documentation"]["value"] == "100 %, copied from this file"


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


def test_ghost_text_that_the_user_requests_comes_with_alternatives(start: Start) -> None:
    client = start()
    uri = client.open("alphabet = 2\nalso = 3\nalpha = 1\nal")
    items = client.request(INLINE, client.at(uri, 3, 2, context={"triggerKind": 1}))["items"]
    assert [item["insertText"] for item in items] == ["pha = 1", "so = 3", "phabet = 2"]
    assert len({item["command"]["arguments"][0] for item in items}) == 3
    assert all(item["range"] == items[0]["range"] for item in items)
    automatic = client.request(INLINE, client.at(uri, 3, 2, context={"triggerKind": 2}))["items"]
    assert [item["insertText"] for item in automatic] in ([], ["pha = 1"])
    client.notify("workspace/didChangeConfiguration", {"settings": {"editahead": {"precision": 0.5}}})
    assert len(client.request(INLINE, client.at(uri, 3, 2, context={"triggerKind": 2}))["items"]) == 1


def test_alternatives_extend_the_item_chosen_in_the_menu(start: Start) -> None:
    client = start()
    uri = client.open("alphabet = 2\nalpha = 1\nalpha += 3\nal")
    items = client.request(INLINE, client.at(uri, 3, 2, context=chosen("alpha", 3, 0, 2)))["items"]
    assert [item["insertText"] for item in items] == ["alpha += 3", "alpha = 1", "alphabet = 2"]


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
    assert found["gates"][0] == {"reason": "language", "passed": True, "value": "python"}
    assert [(gate["reason"], gate["passed"]) for gate in found["gates"][1:]] == [("interruptions", True)] * 2
    surfaces = found["surfaces"]
    assert surfaces["completion"]["value"] == [{"label": "alpha", "probability": 1.0, "source": "pointer", "line": 0}]
    assert surfaces["inline"] == {"shown": False, "reason": "low-probability", "detail": "0.7"}
    assert surfaces["next_edit"] == {"shown": False, "reason": "empty", "detail": "nothing was edited"}


def test_explain_tells_where_each_token_of_ghost_text_comes_from(start: Start) -> None:
    client = start(initializationOptions={"precision": 0.5})
    uri = client.open("alpha = 1\nal")
    found = client.request("editahead/explain", client.at(uri, 1, 2))["surfaces"]["inline"]
    token = {"text": "pha = 1", "probability": 0.7, "source": "pointer", "line": 0}
    assert found == {"shown": True, "probability": 0.7, "value": {"insertText": "pha = 1", "tokens": [token]}}


def test_stats_count_what_was_asked_and_how_long_it_took(start: Start) -> None:
    client = start()
    uri = client.open("alpha = 1\nal")
    client.request(COMPLETION, client.at(uri, 1, 2))
    client.request(COMPLETION, client.at(uri, 0, 0))
    found = client.settle()
    assert found["surfaces"]["completion"] == {"offered": 2}
    assert 0 <= found["milliseconds"]["completion"]["p50"] <= found["milliseconds"]["completion"]["p95"]
