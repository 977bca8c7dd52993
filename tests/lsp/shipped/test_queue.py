"""The real server with the shipped models: an edit that is repeated in two files, applied step by step and at once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from editahead.runtime.bundle import find_bundles, load_bundle
from raw_client import Client, over_stdio

pytestmark = pytest.mark.skipif(
    not any("repeat" in load_bundle(path, verify=False).manifest for path in find_bundles()),
    reason="the shipped edit model has no weights for repeated edits: `editahead-models calibrate repeats`",
)

FIRST = """def check(value):
    return value > 0


def run(a, b, c):
    first = check(a)
    second = check(b)
    if first and second:
        return check(c)
    return None
"""
SECOND = """from first import check

print(check(1))
print("check(2)")  # check(3)
"""


@pytest.fixture
def client() -> Iterator[Client]:
    """The server as an editor with versioned edits starts it."""
    made = over_stdio([sys.executable, "-m", "editahead", "--stdio"])
    capabilities = {
        "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
        "workspace": {"workspaceEdit": {"documentChanges": True}},
        "experimental": {"editahead": {"nextEditElsewhere": True}},
    }
    made.hello(capabilities=capabilities, initializationOptions={"nextEditDeadlineMs": 60_000, "precision": 0.5})
    yield made
    made.leave()
    assert made.faults == []


class Editor:
    """Two open files as the client has them."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.texts = {"file:///w/first.py": FIRST, "file:///w/second.py": SECOND}
        self.versions = dict.fromkeys(self.texts, 1)
        for uri, text in self.texts.items():
            client.open(text, uri, version=1)

    def apply(self, uri: str, where: dict[str, Any], new: str) -> None:
        start, end = (
            sum(len(line) + 1 for line in self.texts[uri].split("\n")[: where[side]["line"]]) + where[side]["character"]
            for side in ("start", "end")
        )
        self.texts[uri] = self.texts[uri][:start] + new + self.texts[uri][end:]
        self.versions[uri] += 1
        span = tuple(where[side][unit] for side in ("start", "end") for unit in ("line", "character"))
        self.client.change(uri, self.versions[uri], (span, new))  # type: ignore[arg-type]

    def replace(self, uri: str, old: str, new: str) -> None:
        """One change by hand; another place settles the one before."""
        at = self.texts[uri].index(old)
        line, column = self.texts[uri].count("\n", 0, at), at - self.texts[uri].rfind("\n", 0, at) - 1
        where = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + len(old)}}
        self.apply(uri, where, new)

    def queue(self, uri: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.client.request("editahead/nextEdits", self.client.at(uri, 0, 0))["items"]
        assert all(item["version"] == self.versions[item["uri"]] for item in found)
        return found

    def actions(self, uri: str) -> list[dict[str, Any]]:
        at = {"line": 0, "character": 0}
        context = {"diagnostics": [], "only": ["refactor"]}
        where = {"textDocument": {"uri": uri}, "range": {"start": at, "end": at}, "context": context}
        found: list[dict[str, Any]] = self.client.request("textDocument/codeAction", where)
        return found


@pytest.mark.slow
def test_a_call_renamed_by_hand_is_renamed_everywhere(client: Client) -> None:
    editor = Editor(client)
    first, second = editor.texts
    assert editor.queue(first) == []
    assert editor.actions(first) == []
    editor.replace(first, "check(value)", "verify(value)")
    editor.replace(first, "check(a)", "verify(a)")
    items = editor.queue(first)
    assert {(item["uri"], item["range"]["start"]["line"]) for item in items} == {
        (first, 6),
        (first, 8),
        (second, 0),
        (second, 2),
    }
    assert len({item["group"] for item in items}) == 1
    assert all(0.0 < item["probability"] < 1.0 for item in items)
    near = next(item for item in items if item["uri"] == first)
    editor.apply(near["uri"], near["range"], near["newText"])
    client.request("workspace/executeCommand", near["command"])
    left = editor.queue(second)
    assert len(left) == 3
    assert {item["examples"] for item in left} == {3}
    (action,) = editor.actions(second)
    assert action["title"] == "Rename `check` to `verify` in 3 more places in 2 files"
    for change in action["edit"]["documentChanges"]:
        document = change["textDocument"]
        assert document["version"] == editor.versions[document["uri"]]
        for edit in reversed(change["edits"]):
            editor.apply(document["uri"], edit["range"], edit["newText"])
    assert editor.texts[first] == FIRST.replace("check", "verify")
    assert editor.texts[second] == SECOND.replace("import check", "import verify").replace("check(1)", "verify(1)")
    assert editor.queue(first) == []
    assert editor.actions(first) == []


@pytest.mark.slow
def test_the_next_edit_leads_into_the_other_file_when_this_one_is_done(client: Client) -> None:
    editor = Editor(client)
    first, second = editor.texts
    for old in ("check(value)", "check(a)", "check(b)", "check(c)"):
        editor.replace(first, old, old.replace("check", "verify"))
    answer = client.request("editahead/nextEdit", client.at(first, 8, 0))
    (edit,) = answer["edits"]
    assert edit["textDocument"] == {"uri": second, "version": editor.versions[second]}
    assert "verify" in edit["text"]
