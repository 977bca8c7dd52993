"""The memory through the protocol: off by default; with it on, what is learnt survives, and no code is in it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from editahead.learning.database import DAMAGED, MemoryDatabase
from editahead.learning.rejected_kinds import RejectedKind
from editahead.lsp import memory as memory_module
from raw_client import Client

Start = Callable[..., Client]
INLINE = "textDocument/inlineCompletion"
ON: dict[str, Any] = {"initializationOptions": {"precision": 0.5, "memory": True}}
OFF: dict[str, Any] = {"initializationOptions": {"precision": 0.5}}
WORDS = ("okapi", "quagga", "tapirus", "zebroid", "numbat", "serval")
PATIENCE = 10.0


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(memory_module, "FLUSH_SECONDS", 0.3)
    return tmp_path / "data" / "editahead" / "memory"


def wait_for(condition: Callable[[], bool]) -> None:
    last = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < last
        time.sleep(0.05)


def events(folder: Path) -> dict[str, int]:
    counts: dict[str, int] = {}
    for key, count in MemoryDatabase(folder).read().counts.items():
        if key.kind == "next_edit":
            counts[key.event] = counts.get(key.event, 0) + count
    return counts


def ghost(client: Client, uri: str, first: str, number: int) -> dict[str, Any] | None:
    """Type the beginning of the first line in the last line of a document; the ghost text."""
    client.change(uri, number, ((2, 0, 2, 99), first))
    items = client.request(INLINE, client.at(uri, 2, len(first), context={"triggerKind": 2}))["items"]
    return items[0] if items else None


def next_edit(client: Client, uri: str, name: str, number: int, **context: Any) -> dict[str, Any] | None:
    """Replace a name that begins the first line by another one; the next edit."""
    client.change(uri, number, ((0, 0, 0, len(name)), name.upper()))
    answer = client.request("editahead/nextEdit", client.at(uri, 0, 0, context={"idle": True, **context}))
    return answer["edits"][0] if answer["edits"] else None


def reject(client: Client, names: tuple[str, ...] = WORDS[:3]) -> None:
    for name in names:
        item = next_edit(client, client.open(f"{name}\n{name}\n", f"file:///w/{name}.py"), name, 1)
        assert item is not None
        client.notify("textDocument/didShowInlineEdit", {"item": item})
        client.notify("editahead/didReject", {"item": item})


def test_off_by_default_nothing_is_written_and_the_scoreboard_says_so(start: Start, folder: Path) -> None:
    client = start(**OFF)
    reject(client)
    board = client.request("editahead/stats")["scoreboard"]
    assert board["remembered"] is False
    assert board["text"].startswith("This session; earlier sessions are not remembered, as editahead.memory is off\n")
    assert "next edits  python" in board["text"]
    (row,) = [row for row in board["session"] if row["kind"] == "next_edit" and row["language"]]
    assert (row["language"], row["offered"], row["shown"], row["rejected"]) == ("python", 3, 3, 3)
    client.leave()
    assert not folder.parent.exists()


def test_rejections_of_a_kind_survive_a_restart_until_they_are_removed(start: Start, folder: Path) -> None:
    client = start(**ON)
    reject(client)
    client.leave()
    wait_for(lambda: [kind.count for kind in MemoryDatabase(folder).read().kinds] == [3])
    (kind,) = MemoryDatabase(folder).read().kinds
    assert (kind.language, kind.kind, kind.count, kind.weight) == ("python", "next_edit", 3, 3.0)

    client = start(**ON)
    wait_for(lambda: client.request("editahead/stats")["scoreboard"]["remembered"])
    uri = client.open("serval\nserval\n", "file:///other/b.py")
    assert next_edit(client, uri, "serval", 1) is None
    assert client.request("editahead/stats")["surfaces"]["next_edit"]["quiet"] == {"rejected": 1}
    assert f"{kind.pattern}  python, next edits" in client.request("editahead/stats")["scoreboard"]["text"]
    again = client.at(uri, 0, 0, context={"idle": True, "triggerKind": 1})
    assert client.request("editahead/nextEdit", again)["edits"], "the user requests it"
    assert MemoryDatabase(folder).forget_kind(kind.pattern) == 1
    client.notify("textDocument/didShowInlineEdit", {"id": "next_edit-1"})
    wait_for(lambda: client.request("editahead/nextEdit", client.at(uri, 0, 0, context={"idle": True}))["edits"] != [])


def test_rejected_ghost_text_withholds_no_other(start: Start, folder: Path) -> None:
    client = start(**ON)
    for name in WORDS[:2]:
        item = ghost(client, client.open(f"{name} = {name}s\n\n\n", f"file:///w/{name}.py"), name[:2], 1)
        client.notify("editahead/didReject", {"item": item})
    client.leave()
    assert MemoryDatabase(folder).read().kinds == []


def test_an_acceptance_clears_a_kind(start: Start, folder: Path) -> None:
    client = start(**ON)
    reject(client, WORDS[:2])
    item = next_edit(client, client.open("serval\nserval\n", "file:///w/b.py"), "serval", 1)
    assert item is not None
    client.request("workspace/executeCommand", item["command"])
    client.leave()
    wait_for(lambda: MemoryDatabase(folder).read().kinds == [])  # a busy disk takes longer than the end waits
    presses, keys = 2, len("SERVAL") + 1  # what is removed is a key as well
    expected = {"offered": 3, "shown": 3, "rejected": 2, "accepted": 1, "saved keys": keys - presses, "answered": 3}
    wait_for(lambda: events(folder) == expected)


def test_no_word_of_the_code_its_paths_and_its_project_is_on_disk(start: Start, folder: Path) -> None:
    root = {"workspaceFolders": [{"uri": "file:///w/numbat", "name": "numbat"}]}
    client = start(**ON, **root)
    for number, name in enumerate(WORDS):
        uri = client.open(f"{name} = '{name} text'  # {name}\n\n\n", f"file:///w/numbat/{name}.py")
        item = ghost(client, uri, name[:2], 1)
        if item is not None:
            client.notify("textDocument/didShowCompletion", {"item": item})
            client.notify("editahead/didReject", {"item": item})
        client.change(uri, 2, ((1, 0, 1, 0), f"{name}({name})"))
        edit = next_edit(client, uri, name, 3, triggerKind=1)
        assert edit is not None
        client.notify("textDocument/didShowInlineEdit", {"item": edit})
        if number < 3:
            client.request("workspace/executeCommand", edit["command"])
        else:
            client.notify("editahead/didReject", {"item": edit})
    client.leave()
    assert (events(folder)["accepted"], events(folder)["rejected"]) == (3, 3)
    assert MemoryDatabase(folder).read().kinds
    files = list(folder.iterdir())
    assert {path.name for path in files} == {"memory.sqlite3"}
    data = files[0].read_bytes().lower()
    for word in (*WORDS, "file:", "/w"):
        assert word.encode() not in data, word


def test_it_is_switched_on_and_off_while_the_server_runs(start: Start, folder: Path) -> None:
    client = start(**OFF)
    client.notify("workspace/didChangeConfiguration", {"settings": {"editahead": {"memory": True, "precision": 0.5}}})
    wait_for(lambda: client.request("editahead/stats")["scoreboard"]["remembered"])
    reject(client, WORDS[:1])
    wait_for(lambda: events(folder).get("rejected") == 1)
    client.notify("workspace/didChangeConfiguration", {"settings": {"editahead": {"memory": False, "precision": 0.5}}})
    assert not client.request("editahead/stats")["scoreboard"]["remembered"]
    reject(client, WORDS[1:2])
    client.leave()
    assert events(folder)["rejected"] == 1


def test_a_damaged_file_is_one_message_and_the_server_goes_on(start: Start, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "memory.sqlite3").write_bytes(b"no database " * 1000)
    client = start(**ON)
    reject(client, WORDS[:1])
    shown = client.wait_told("window/showMessage", lambda params: "damaged" in params["message"])
    assert str(folder / DAMAGED) in shown["message"]
    wait_for(lambda: events(folder).get("rejected") == 1)


def test_a_memory_that_cannot_be_written_is_one_message_and_the_server_goes_on(start: Start, folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("a file", encoding="utf-8")
    client = start(**ON)
    reject(client)
    client.wait_told("window/showMessage", lambda params: "cannot use" in params["message"])
    time.sleep(0.5)
    messages = [params["message"] for params in client.told("window/showMessage")]
    assert len(messages) == 1
    assert "\n" not in messages[0]
    assert client.request("editahead/stats")["surfaces"]["next_edit"]["rejected"] == 3


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_server_that_is_killed_loses_nothing_that_is_older_than_a_second(
    stdio: Callable[..., Client], folder: Path
) -> None:
    client = stdio(**ON)
    reject(client)
    time.sleep(1.0)
    assert client.process is not None
    client.process.send_signal(signal.SIGKILL)
    client.process.wait()
    client._left = True
    assert events(folder)["rejected"] == 3
    assert [kind.count for kind in MemoryDatabase(folder).read().kinds] == [3]


def test_two_servers_remember_together(start: Start, folder: Path) -> None:
    clients = [start(**ON), start(**ON)]
    for client in clients:
        reject(client, WORDS[:2])
    for client in clients:
        client.leave()
    wait_for(lambda: events(folder).get("rejected") == 4)
    assert MemoryDatabase(folder).read().kinds[0].count == 4


def test_a_kind_of_a_stranger_only_withholds(start: Start, folder: Path) -> None:
    """Whatever is imported, what is shown is at most what would be shown without it."""
    stranger = RejectedKind("i1", "f" * 16, "python", "next_edit", "", "other", 4.0, 1000, 30_000)
    MemoryDatabase(folder).merge({}, [stranger], ["i1"])
    client = start(**ON)
    wait_for(lambda: client.request("editahead/stats")["scoreboard"]["remembered"])
    reject(client)
    assert next_edit(client, client.open("serval\nserval\n", "file:///w/b.py"), "serval", 1) is None
