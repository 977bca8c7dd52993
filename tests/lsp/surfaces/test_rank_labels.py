"""`editahead/rank`: another server's items with our probability, from the shipped models over the real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from editahead.bench.stdio_client import ServerError, StdioClient, server_command

TEXT = (
    "class Shop:\n    def __init__(self, items):\n        self.items = items\n        self.listeners = []\n\n"
    "    def total(self, rate):\n        result = 0\n        for item in self.\n        return result\n"
)
LUA = "local total = 1\nlocal count = 2\nprint(total)\nprint(to)\n"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StdioClient]:
    root: Path = tmp_path_factory.mktemp("w")
    with StdioClient(server_command(), timeout=60.0) as client:
        options = {"completionDeadlineMs": 60_000}
        start = {"processId": None, "capabilities": {}, "rootUri": root.as_uri(), "initializationOptions": options}
        client.request("initialize", start)
        client.notify("initialized", {})
        for name, language, text in (("a.py", "python", TEXT), ("b.lua", "lua", LUA)):
            document = {"uri": f"file:///w/{name}", "languageId": language, "version": 1, "text": text}
            client.notify("textDocument/didOpen", {"textDocument": document})
        yield client


def rank(client: StdioClient, labels: Any, line: int = 7, character: int = 25, name: str = "a.py") -> Any:
    place = {"textDocument": {"uri": f"file:///w/{name}"}, "position": {"line": line, "character": character}}
    return client.request("editahead/rank", {**place, "labels": labels}).result


@pytest.mark.slow
def test_the_likely_names_come_first_whatever_their_order(client: StdioClient) -> None:
    labels = ["total", "zip_longest_unheard", "listeners", "items", "__init__"]
    found = dict(zip(labels, rank(client, labels)["probabilities"], strict=True))
    assert min(found["items"], found["listeners"]) > max(found["total"], found["__init__"])
    assert found["items"] + found["listeners"] > 0.3
    assert found["zip_longest_unheard"] == 0
    assert all(0 <= probability <= 1 for probability in found.values())
    again = rank(client, labels[::-1])["probabilities"]
    assert again[::-1] == [found[label] for label in labels]


def test_it_agrees_with_the_completions(client: StdioClient) -> None:
    place = {"textDocument": {"uri": "file:///w/a.py"}, "position": {"line": 7, "character": 25}}
    items = client.request("textDocument/completion", place).result["items"]
    labels = [item["label"] for item in items]
    probabilities = rank(client, labels)["probabilities"]
    assert max(zip(probabilities, labels, strict=True))[1] == labels[0]
    assert probabilities[0] == pytest.approx(float(items[0]["data"]["probability"]), abs=1e-3)


def test_a_language_without_a_model_is_ranked_by_the_files_own_words(client: StdioClient) -> None:
    found = rank(client, ["total", "tostring"], 3, 8, "b.lua")["probabilities"]
    assert found[1] < 0.01 < found[0]  # the file does not know the second


def test_silence_has_a_reason(client: StdioClient) -> None:
    assert rank(client, ["x"], name="unknown.py")["reason"] == "stale"
    assert rank(client, [])["probabilities"] == []


@pytest.mark.parametrize("labels", [None, "items", [1], ["x"] * 10_001])
def test_what_is_no_list_of_texts_is_refused(client: StdioClient, labels: Any) -> None:
    with pytest.raises(ServerError, match="labels must be"):
        rank(client, labels)
