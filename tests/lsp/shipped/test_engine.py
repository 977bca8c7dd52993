"""The real server with the real engine and the shipped bundles: files typed key by key, every answer checked.

What the models predict is for other tests to judge; here the answers must be right in form whatever they are, and
nothing may fail.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from raw_client import Client, over_stdio

PYTHON = '''import os


class Store:
    """Entries of a folder."""

    def __init__(self, folder, limit):
        self.folder = folder  # naïve 🎉
        self.entries = []

    def add(self, entry):
        if len(self.entries) >= self.limit:
            self.entries.pop(0)
        self.entries.append(entry)
'''
JAVA = """package shop;

import java.util.ArrayList;

public class Basket {
    private final ArrayList<String> names = new ArrayList<>();

    /** Adds "one". */
    public void add(String name) {
        if (names.size() > 10) { names.remove(0); }
        names.add(name);
    }
}
"""
FILES = {"python": ("a.py", PYTHON), "java": ("Basket.java", JAVA)}
PHP = """<html>
<body class="shop">
<?php foreach ($names as $name): ?>
  <p><?= $name ?></p>
<?php endforeach; ?>
<script>const names = ["a"]; names.forEach((name) => { show(name) })</script>
</body>
"""
# Documents whose text is not in the language of their name.
MISNAMED = {
    "Java in a file of Python": ("Basket.py", "python", JAVA),
    "Python in a file of TypeScript": ("a.ts", "typescript", PYTHON),
    "HTML in a file of JavaScript": ("page.js", "javascript", PHP),
    "PHP and HTML": ("page.php", "php", PHP),
    "C++ in a header of C": ("a.h", "c", "template <class T> class Box : Base<T> {\npublic:\n  T get() const { ret"),
    "a merge that is not finished": ("m.go", "go", "package m\n<<<<<<< HEAD\nvar a = 1\n=======\nvar b\n>>>>>>> b\n"),
    "a table in a file of Rust": ("data.rs", "rust", "name,price\n\"a, b\",1.50\n'c',2\n\x00\x01\n\\\n"),
    "prose in a file of C#": ("Notes.cs", "csharp", "It's the user's list, isn't it? Don't ask.\n- größer 🎉\n"),
}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """One server for all tests, showing whatever it has."""
    made = over_stdio([sys.executable, "-m", "editahead", "--stdio"])
    options = {"precision": 0.0, "completionDeadlineMs": 20_000, "nextEditDeadlineMs": 20_000}
    made.hello(initializationOptions={**options, "inlineDeadlineMs": 20_000})
    yield made
    made.leave()
    assert made.faults == []
    assert made.stderr == b""


def columns(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def lines_of(text: str) -> list[str]:
    return text.split("\n")


def applied(text: str, where: dict[str, Any], new: str) -> str:
    """The text after an edit, by a reference of its own: characters of a line in UTF-16 units."""

    def offset(position: dict[str, int]) -> int:
        rows = lines_of(text)
        head = rows[position["line"]].encode("utf-16-le")[: 2 * position["character"]].decode("utf-16-le")
        return sum(len(row) + 1 for row in rows[: position["line"]]) + len(head)

    return text[: offset(where["start"])] + new + text[offset(where["end"]) :]


def check_completion(answer: dict[str, Any], text: str, line: int, character: int) -> None:
    row = lines_of(text)[line]
    ranks = [item["sortText"] for item in answer["items"]]
    begins = min((item["textEdit"]["range"]["start"]["character"] for item in answer["items"]), default=character)
    typed = row.encode("utf-16-le")[2 * begins : 2 * character].decode("utf-16-le")
    labels = [item["label"] for item in answer["items"]]
    assert typed not in labels[1:]  # the typed word is first, however likely, since editors accept the first item
    probabilities = [float(item["data"]["probability"]) for item in answer["items"] if item["label"] != typed]
    assert ranks == sorted(ranks)
    assert probabilities == sorted(probabilities, reverse=True)
    assert all(0 <= probability <= 1 for probability in probabilities)
    assert len(set(labels)) == len(labels)
    for item in answer["items"]:
        where = item["textEdit"]["range"]
        assert where["end"] == {"line": line, "character": character}
        assert where["start"]["line"] == line
        prefix = row[: columns(row)].encode("utf-16-le")[2 * where["start"]["character"] : 2 * character]
        assert item["label"].lower().startswith(prefix.decode("utf-16-le").lower())
        assert "\n" not in item["label"]
        if "line" in item["data"]:
            assert item["label"] in lines_of(text)[item["data"]["line"]]


def check_ghost(answer: dict[str, Any], text: str, line: int, character: int) -> None:
    assert len(answer["items"]) <= 1
    for item in answer["items"]:
        cursor = {"line": line, "character": character}
        assert item["range"]["start"] == cursor
        assert item["range"]["end"]["line"] == line
        assert item["insertText"].strip()
        assert applied(text, item["range"], item["insertText"]) != text


def check_edit(answer: dict[str, Any], text: str, uri: str, version: int) -> None:
    assert len(answer["edits"]) <= 1
    for edit in answer["edits"]:
        assert edit["textDocument"] == {"uri": uri, "version": version}
        assert edit["range"]["start"]["character"] == 0 or edit["text"].startswith("\n")
        assert applied(text, edit["range"], edit["text"]) != text
        assert 0 <= edit["probability"] <= 1
    if not answer["edits"]:
        assert answer["reason"]


def type_file(client: Client, name: str, language: str, full: str) -> str:
    """Type a text key by key and check what is answered; the document's URI."""
    uri = client.open("", f"file:///w/{name}", language)
    text = ""
    for version, key in enumerate(full, start=1):
        line, character = text.count("\n"), columns(text.rsplit("\n", 1)[-1])
        client.change(uri, version, ((line, character, line, character), key))
        text += key
        line, character = text.count("\n"), columns(text.rsplit("\n", 1)[-1])
        at = client.at(uri, line, character, context={"triggerKind": 2}, version=version)
        check_completion(client.request("textDocument/completion", at), text, line, character)
        if version % 9 == 0:
            check_ghost(client.request("textDocument/inlineCompletion", at), text, line, character)
        if version % 40 == 0:
            check_edit(client.request("editahead/nextEdit", at), text, uri, version)
    quiet = {reason for counts in client.settle()["surfaces"].values() for reason in counts.get("quiet", {})}
    assert "failed" not in quiet
    return uri


def close(client: Client, uri: str) -> None:
    """Close a document, so that the next one is completed from its own names."""
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


@pytest.mark.slow
@pytest.mark.parametrize("language", FILES)
def test_a_file_typed_key_by_key(client: Client, language: str) -> None:
    close(client, type_file(client, FILES[language][0], language, FILES[language][1]))


@pytest.mark.slow
@pytest.mark.parametrize("case", MISNAMED)
def test_a_text_in_another_language_than_its_name_says(client: Client, case: str) -> None:
    """Answers in the right form or none; the fixture looks at what the server wrote to its log in the meantime."""
    uri = type_file(client, *MISNAMED[case])
    assert client.request("editahead/explain", client.at(uri, 2, 4))["gates"]
    client.request("editahead/nextEdits", client.at(uri, 0, 0))
    close(client, uri)
    assert client.stderr == b""
    assert client.told("window/showMessage") == []


def test_a_rename_with_answers_asked_after_each_edit(client: Client) -> None:
    uri = client.open(PYTHON, "file:///w/rename.py")
    text, version = PYTHON, 0
    for old, new in [("folder", "place"), ("entries", "items"), ("limit", "size")]:
        for row in range(len(lines_of(text))):
            at = lines_of(text)[row].find(old)
            if at < 0:
                continue
            where = {"start": {"line": row, "character": at}, "end": {"line": row, "character": at + len(old)}}
            version += 1
            client.change(uri, version, ((row, at, row, at + len(old)), new))
            text = applied(text, where, new)
            params = client.at(uri, row, at + len(new), version=version)
            check_edit(client.request("editahead/nextEdit", params), text, uri, version)
            strict = client.request("textDocument/copilotInlineEdit", params)
            assert list(strict) == ["edits"]
    found = client.request("editahead/explain", client.at(uri, 0, 0))
    assert sorted(found["surfaces"]) == ["bodies", "completion", "fixes", "inline", "next_edit", "next_edits"]
    assert any(gate["reason"] == "comment-or-string" for gate in found["gates"])


def test_a_question_in_a_comment_or_string_is_quiet_unless_asked_for(client: Client) -> None:
    uri = client.open(PYTHON, "file:///w/quiet.py")
    comment = client.at(uri, 7, columns(lines_of(PYTHON)[7]))
    string = client.at(uri, 4, 15)
    for params in (comment, string):
        assert client.request("textDocument/completion", params)["items"] == []
        gates = client.request("editahead/explain", params)["gates"]
        assert [gate["passed"] for gate in gates if gate["reason"] == "comment-or-string"] == [False]
