"""Faults of the disk and of memory, one after the other: each question has its one answer, and the text stays right."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from editahead.lsp.documents import typing_pause
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.history import History
from raw_client import Client

Start = Callable[..., Client]
TEXT = "alphabet = 1\nalpha = alphabet\nal"
QUESTIONS = ("textDocument/completion", "textDocument/inlineCompletion", "editahead/nextEdit", "editahead/nextEdits")


def failing(
    count: int, error: BaseException, real: Callable[..., Any], applies: Callable[..., bool]
) -> Callable[..., Any]:
    """`real`, but for call number `count` among those that it applies to, which raises."""
    calls = [0]

    def call(*arguments: Any, **named: Any) -> Any:
        if applies(*arguments):
            calls[0] += 1
            if calls[0] == count:
                raise error
        return real(*arguments, **named)

    return call


@pytest.mark.parametrize("method", QUESTIONS)
def test_no_memory_for_an_answer_is_silence_and_nothing_else(start: Start, method: str) -> None:
    client = start()
    uri = client.open(f"{TEXT}  # fake:memory")
    for _ in range(2):
        answer = client.request(method, client.at(uri, 2, 2))
        assert not [*answer.get("items", []), *answer.get("edits", [])]
    client.change(uri, 1, ((2, 2, 2, 40), ""))
    items = client.request("textDocument/completion", client.at(uri, 2, 2))["items"]
    assert [item["label"] for item in items] == ["alphabet", "alpha"]


def inserted(text: str, line: int, character: int, new: str) -> str:
    rows = text.split("\n")
    rows[line] = rows[line][:character] + new + rows[line][character:]
    return "\n".join(rows)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(
    ("where", "name"), [(Buffer, "apply"), (History, "push_all"), (SyntaxSnapshot, "advance"), (Buffer, "__len__")]
)
def test_no_memory_for_a_change_stops_predictions_until_the_whole_text_comes(
    start: Start, monkeypatch: pytest.MonkeyPatch, where: type, name: str, count: int
) -> None:
    client = start()
    text, version = TEXT, 0
    uri = client.open(text)
    client.settle()

    def type_in(*places: tuple[int, int, str]) -> None:
        nonlocal text, version
        version += 1
        client.change(uri, version, *(((line, at, line, at), new) for line, at, new in places))
        for place in places:
            text = inserted(text, *place)
        client.settle()

    with monkeypatch.context() as patch:
        patch.setattr(where, name, failing(count, MemoryError(), getattr(where, name), lambda *call: True))
        type_in((2, 2, "p"), (0, 0, "first\n"))
        type_in((0, 0, "second\n"))
    assert client.server is not None
    document = client.server.session.documents[uri]
    assert not document.in_step or document.buffer.text == text
    if not document.in_step:
        assert client.request("textDocument/completion", client.at(uri, 2, 2))["items"] == []
        version += 1
        client.change(uri, version, (None, text))
    type_in((4, 3, "ha"), (0, 0, "\n"))
    assert document.in_step
    assert document.syntax is not None
    assert document.syntax.buffer.text == document.buffer.text == text
    assert document.history.view().current().decode() == text
    items = client.request("textDocument/completion", client.at(uri, 5, 2))["items"]
    assert [item["label"] for item in items] == ["alphabet", "alpha"]


def _path_of(path_or_descriptor: object) -> str:
    """The path of a file; of a descriptor where the system tells, so that no other file of this process is hit."""
    if not isinstance(path_or_descriptor, int):
        return str(path_or_descriptor)
    try:
        return os.readlink(f"/proc/self/fd/{path_or_descriptor}")
    except OSError:
        return ""


@pytest.mark.slow
@pytest.mark.parametrize("call", ["stat", "lstat", "open", "fstat", "scandir", "read"])
@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_a_fault_of_the_disk_costs_what_could_not_be_read(
    start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, call: str, count: int
) -> None:
    for name in ("a.py", "b.py", "sub/c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("value = 1\n", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("*.tmp\n", encoding="utf-8")
    mine = str(tmp_path)

    def applies(*arguments: Any) -> bool:
        return _path_of(arguments[0]).startswith(mine)

    monkeypatch.setattr(typing_pause, "IDLE_AFTER", 0.02)  # each next edit waits for a pause in typing
    client = start(rootUri=tmp_path.as_uri())
    monkeypatch.setattr(os, call, failing(count, OSError(5, "Input/output error"), getattr(os, call), applies))
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        {"event": {"added": [{"uri": tmp_path.as_uri(), "name": "w"}], "removed": []}},
    )
    uri = client.open(TEXT, (tmp_path / "a.py").as_uri())
    for version in range(1, 4):
        for method in QUESTIONS:
            client.request(method, client.at(uri, 2, 2))
        client.change(uri, version, ((0, 0, 0, 0), "\n"))
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
    client.settle()
    assert client.server is not None
    assert client.server.session.documents[uri].buffer.text == "\n\n\n" + TEXT
    client.until(lambda: client.server.indexing.is_idle, "the index at rest")  # type: ignore[union-attr]
