"""The interruption budget through the protocol: what counts as unwanted, and that nothing is shown then."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from editahead.lsp.surfaces import feedback as feedback_module
from fake_engine import FakeEngine
from raw_client import Client

Start = Callable[..., Client]
INLINE, NEXT_EDIT = "textDocument/inlineCompletion", "editahead/nextEdit"
TEXT = "alpha = 1\nbravo(2)\ncharlie[3]\ndelta.x\necho += 5\n"  # each line of another form
LOW = {"initializationOptions": {"precision": 0.5}}


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ghost text counts as read at once."""
    monkeypatch.setattr(feedback_module, "READ_SECONDS", 0.0)


class Typist:
    """Types lines at the end of a document and gets ghost text for them."""

    def __init__(self, client: Client, text: str = TEXT, uri: str = "file:///w/a.py", language: str = "python") -> None:
        self.client, self.lines, self.version, self.column = client, text.count("\n"), 0, 0
        self.uri = client.open(text, uri, language)
        self.answer: Any = None

    def type(self, text: str) -> None:
        for letter in text:
            self.insert(letter)

    def insert(self, text: str) -> None:
        self.version += 1
        at = (self.lines, self.column, self.lines, self.column)
        self.client.change(self.uri, self.version, (at, text))
        self.column += len(text)

    def remove(self, count: int) -> None:
        self.version += 1
        self.client.change(self.uri, self.version, ((self.lines, self.column - count, self.lines, self.column), ""))
        self.column -= count

    def line(self) -> None:
        self.insert("\n")
        self.lines, self.column = self.lines + 1, 0

    def ghost(self, **context: Any) -> dict[str, Any] | None:
        params = self.client.at(self.uri, self.lines, self.column, context={"triggerKind": 2, **context})
        items = self.client.request(INLINE, params)["items"]
        return items[0] if items else None

    def shown(self) -> dict[str, Any]:
        item = self.ghost()
        assert item is not None
        self.client.notify("textDocument/didShowCompletion", {"item": item})
        return item

    def reject(self) -> None:
        self.client.notify("editahead/didReject", {"item": self.shown()})

    def explained(self, surface: str = "inline") -> dict[str, Any]:
        found: dict[str, Any] = self.client.request(
            "editahead/explain", self.client.at(self.uri, self.lines, self.column)
        )["surfaces"][surface]
        return found


def reject_three(typist: Typist) -> None:
    for word in ("al", "br", "ch"):
        typist.type(word)
        typist.reject()
        typist.line()


def test_after_three_rejections_nothing_is_shown_and_the_reason_is_given(start: Start) -> None:
    typist = Typist(start(**LOW))
    reject_three(typist)
    typist.type("de")
    assert typist.ghost() is None
    answer = typist.explained()
    assert answer["reason"] == "interruptions"
    assert answer["detail"].startswith("3 suggestions in a row were rejected")
    statistics = typist.client.request("editahead/stats")
    assert statistics["surfaces"]["inline"]["quiet"] == {"interruptions": 1}


def test_a_request_of_the_user_ends_it(start: Start) -> None:
    typist = Typist(start(**LOW))
    reject_three(typist)
    typist.type("de")
    assert typist.ghost() is None
    assert typist.ghost(triggerKind=1) is not None
    assert typist.ghost() is not None


def test_another_language_is_not_affected(start: Start) -> None:
    client = start(**LOW)
    reject_three(Typist(client))
    other = Typist(client, "foxtrot = 6;\n", "file:///w/a.js", "javascript")
    other.type("fo")
    assert other.ghost() is not None


def test_what_is_typed_through_counts(start: Start) -> None:
    typist = Typist(start(**LOW))
    for word in ("al", "br", "ch", "de"):
        typist.type(word)
        typist.shown()
        typist.type("?")
        typist.line()
    typist.type("ec")
    assert typist.ghost() is None
    assert "typed through" in typist.explained()["detail"]


def test_what_is_typed_as_it_was_offered_does_not_count(start: Start) -> None:
    typist = Typist(start(**LOW))
    for word, rest in (("al", "pha = 1"), ("br", "avo(2)"), ("ch", "arlie[3]")):
        typist.type(word)
        typist.shown()
        typist.type(rest)
        typist.line()
    typist.type("de")
    assert typist.ghost() is not None


def test_what_was_right_at_its_beginning_does_not_count(start: Start) -> None:
    typist = Typist(start(**LOW))
    for word, rest in (("al", "pha?"), ("br", "av?"), ("ch", "a?"), ("de", "l?")):
        typist.type(word)
        typist.shown()
        typist.type(rest)
        typist.line()
    typist.type("ec")
    assert typist.ghost() is not None


def test_what_was_not_shown_does_not_count(start: Start) -> None:
    typist = Typist(start(**LOW))
    for word in ("al", "br", "ch", "al", "br"):
        typist.type(word)
        assert typist.ghost() is not None
        typist.type("?")
        typist.line()
    typist.type("de")
    assert typist.ghost() is not None


@pytest.mark.parametrize("accepted_first", [True, False])
def test_an_undone_acceptance_counts_and_is_a_rejection_in_all_files(start: Start, accepted_first: bool) -> None:
    client = start(**LOW)
    other = Typist(client, TEXT, "file:///w/b.py")
    typist = Typist(client)
    for word in ("al", "br", "ch"):
        typist.type(word)
        item = typist.shown()
        steps = [
            lambda item=item: client.request("workspace/executeCommand", item["command"]),
            lambda item=item: typist.insert(item["insertText"]),
        ]
        for step in steps if accepted_first else reversed(steps):
            step()
        typist.remove(len(item["insertText"]))
        typist.line()
    typist.type("de")
    assert typist.ghost() is None
    assert typist.explained()["detail"].startswith("3 suggestions in a row were undone")
    other.type("al")
    assert other.ghost(triggerKind=1) is None, "the same text is not offered in another file"
    other.line()
    other.type("de")
    assert other.ghost() is not None


def test_an_acceptance_that_stays_keeps_the_budget(start: Start) -> None:
    client = start(**LOW)
    typist = Typist(client)
    for word in ("al", "br", "ch", "de"):
        typist.type(word)
        item = typist.shown()
        typist.insert(item["insertText"])
        client.request("workspace/executeCommand", item["command"])
        typist.line()
    typist.type("ec")
    assert typist.ghost() is not None


def rename(typist: Typist, name: str) -> dict[str, Any] | None:
    """Replace `name` in the last line of the document by another name; the next edit."""
    client, typist.version = typist.client, typist.version + 1
    client.change(typist.uri, typist.version, ((0, 0, 0, len(name)), name.upper()))
    answer = client.request(NEXT_EDIT, client.at(typist.uri, 0, 0, context={"idle": True}))
    typist.answer = answer
    return answer["edits"][0] if answer["edits"] else None


def test_next_edits_have_the_same_budget_and_say_why_there_is_none(start: Start) -> None:
    client = start(**LOW)
    for number in range(3):
        name = f"n{number}"
        item = rename(Typist(client, f"{name}\n{name}\n", f"file:///w/{name}.py"), name)
        assert item is not None
        client.notify("textDocument/didShowInlineEdit", {"item": item})
        client.notify("editahead/didReject", {"item": item})
    last = Typist(client, "last\nlast\n", "file:///w/last.py")
    assert rename(last, "last") is None
    assert last.answer["reason"] == "interruptions"
    invoked = client.at(last.uri, 0, 0, context={"idle": True, "triggerKind": 1})
    assert client.request(NEXT_EDIT, invoked)["edits"]


def test_next_edits_that_are_ignored_count_as_typed_through(start: Start) -> None:
    client = start(**LOW)
    for number in range(4):
        name = f"n{number}"
        typist = Typist(client, f"{name}\n{name}\n\n", f"file:///w/{name}.py")
        item = rename(typist, name)
        assert item is not None
        client.notify("textDocument/didShowInlineEdit", {"item": item})
        typist.type("something else")
    last = Typist(client, "last\nlast\n", "file:///w/last.py")
    assert rename(last, "last") is None
    assert "typed through" in last.answer["detail"]


def test_rejections_make_ghost_text_stricter_unless_it_is_requested(start: Start, engine: FakeEngine) -> None:
    typist = Typist(start(**LOW))
    typist.type("al")
    assert typist.ghost() is not None
    assert engine.seen[-1].gate_offset == 0.0
    typist.reject()
    typist.line()
    typist.type("br")
    assert typist.ghost() is not None
    assert -0.2 < engine.seen[-1].gate_offset < 0.0
    text = typist.client.request("editahead/stats")["scoreboard"]["text"]
    assert re.search(r"Ghost text in python is stricter by 0\.1 log odds in this session\.\n$", text)
    typist.ghost(triggerKind=1)
    assert engine.seen[-1].gate_offset == 0.0
