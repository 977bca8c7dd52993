"""The real server with the shipped models: a parameter is renamed by hand, and next edits lead through every use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from raw_client import Client, over_stdio

HOME, USER = "file:///w/shapes.py", "file:///w/user.py"
TEXT = """import math


def area(size, unit):
    \"\"\"The area of a size.\"\"\"
    half = size / 2
    print(box.size, size)
    return size * half


def volume(size):
    return size * 3


print(area(size=3, unit=math.pi))
"""
USE = """from shapes import area

print(area(1, 2), other.area)
"""


@pytest.fixture
def client() -> Iterator[Client]:
    """The server as an editor starts it."""
    made = over_stdio([sys.executable, "-m", "editahead", "--stdio"])
    capabilities = {
        "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
        "workspace": {"workspaceEdit": {"documentChanges": True}},
        "experimental": {"editahead": {"nextEditElsewhere": True}},
    }
    made.hello(capabilities=capabilities, initializationOptions={"nextEditDeadlineMs": 60_000})
    yield made
    made.leave()
    assert made.faults == []


class Editor:
    """Open files and a cursor."""

    def __init__(self, client: Client, texts: dict[str, str]) -> None:
        self.client, self.texts = client, dict(texts)
        self.versions = dict.fromkeys(texts, 1)
        self.cursor = (0, 0)
        for uri, text in texts.items():
            client.open(text, uri, version=1)

    def edit(self, uri: str, start: int, end: int, new: str) -> None:
        text = self.texts[uri]
        self.texts[uri] = text[:start] + new + text[end:]
        self.versions[uri] += 1
        self.client.change(uri, self.versions[uri], ((*_point(text, start), *_point(text, end)), new))
        self.cursor = _point(self.texts[uri], start + len(new))

    def type(self, uri: str, text: str) -> None:
        for character in text:
            at = _offset(self.texts[uri], *self.cursor)
            self.edit(uri, at, at, character)

    def ask(self, uri: str, *, idle: bool) -> dict[str, Any]:
        params = {**self.client.at(uri, *self.cursor), "context": {"idle": idle}}
        found: dict[str, Any] = self.client.request("editahead/nextEdit", params)
        return found

    def accept(self, item: dict[str, Any]) -> None:
        """Apply a next edit, as Tab does; the cursor goes behind it."""
        uri, span = item["textDocument"]["uri"], item["range"]
        assert item["textDocument"]["version"] == self.versions[uri]
        start, end = (_offset(self.texts[uri], *span[side].values()) for side in ("start", "end"))
        self.edit(uri, start, end, item["text"])
        self.client.request("workspace/executeCommand", item["command"])


def _point(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1


def _offset(text: str, line: int, character: int) -> int:
    return sum(len(row) + 1 for row in text.split("\n")[:line]) + character


@pytest.mark.slow
def test_a_parameter_is_renamed_by_hand_and_tab_leads_through_its_uses(client: Client) -> None:
    editor = Editor(client, {HOME: TEXT, USER: USE})
    at = TEXT.index("size")
    editor.edit(HOME, at, at + 4, "")
    for letter in "width":
        assert editor.ask(HOME, idle=False)["edits"] == []
        editor.type(HOME, letter)
    assert editor.ask(HOME, idle=False)["detail"] == "a name is still being typed"
    seen = []
    answer = editor.ask(HOME, idle=True)
    while answer["edits"]:
        (item,) = answer["edits"]
        assert item["source"] == "rename"
        seen.append((item["range"]["start"]["line"], item["text"].strip()))
        editor.accept(item)
        answer = editor.ask(HOME, idle=False)
    assert seen == [
        (5, "half = width / 2"),
        (6, "print(box.size, width)"),
        (7, "return width * half"),
        (14, "print(area(width=3, unit=math.pi))"),
    ]
    assert editor.texts[USER] == USE


@pytest.mark.slow
def test_a_client_that_says_nothing_of_idleness_gets_the_uses_in_the_pause(client: Client) -> None:
    editor = Editor(client, {HOME: TEXT})
    at = TEXT.index("size")
    editor.edit(HOME, at, at + 4, "")
    editor.type(HOME, "width")
    params = {**client.at(HOME, *editor.cursor, version=editor.versions[HOME]), "context": {"triggerKind": 2}}
    (item,) = client.request("textDocument/copilotInlineEdit", params)["edits"]
    assert item["text"] == "    half = width / 2\n"


@pytest.mark.slow
def test_a_function_is_renamed_everywhere_in_one_step(client: Client) -> None:
    editor = Editor(client, {HOME: TEXT, USER: USE})
    at = TEXT.index("area")
    editor.edit(HOME, at, at + 4, "surface")
    where = {"line": 0, "character": 0}
    found = client.request(
        "textDocument/codeAction",
        {"textDocument": {"uri": HOME}, "range": {"start": where, "end": where}, "context": {"diagnostics": []}},
    )
    (action,) = [one for one in found if one["kind"] == "refactor.rewrite"]
    assert action["title"] == "Rename `area` to `surface` in 3 more places in 2 files"
    for change in action["edit"]["documentChanges"]:
        uri = change["textDocument"]["uri"]
        for edit in reversed(change["edits"]):
            start, end = (_offset(editor.texts[uri], *edit["range"][side].values()) for side in ("start", "end"))
            editor.edit(uri, start, end, edit["newText"])
    assert editor.texts == {
        HOME: TEXT.replace("area(", "surface("),
        USER: USE.replace("import area", "import surface").replace("print(area", "print(surface"),
    }
    assert editor.ask(HOME, idle=True)["edits"] == []


@pytest.mark.slow
def test_the_rename_goes_on_in_another_open_file(client: Client) -> None:
    editor = Editor(client, {HOME: TEXT, USER: USE})
    at = TEXT.index("area")
    editor.edit(HOME, at, at + 4, "surface")
    (item,) = editor.ask(HOME, idle=True)["edits"]
    editor.accept(item)
    (item,) = editor.ask(HOME, idle=False)["edits"]
    assert item["textDocument"]["uri"] == USER
    assert item["text"] == "from shapes import surface\n"


@pytest.mark.slow
def test_nothing_is_offered_where_nothing_follows(client: Client) -> None:
    editor = Editor(client, {HOME: TEXT})
    at = TEXT.index("half")
    editor.edit(HOME, at, at + 4, "size")  # taken
    assert editor.ask(HOME, idle=True)["edits"] == []
