"""The memory through the protocol: off by default; what is learnt survives without names, the index without secrets."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from editahead.index import project as project_module
from editahead.learning.database import DAMAGED, MemoryDatabase
from editahead.learning.rejected_kinds import RejectedKind
from editahead.learning.stored_index import StoredIndex
from editahead.lsp import memory as memory_module
from editahead.text.buffer import Buffer
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


@pytest.mark.slow
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


def test_no_word_of_the_code_its_paths_and_its_project_is_among_what_is_learnt(start: Start, folder: Path) -> None:
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
    data = (folder / "memory.sqlite3").read_bytes().lower()
    for word in (*WORDS, "file:", "/w"):
        assert word.encode() not in data, word


PROJECT: dict[str, str] = {
    ".gitignore": "ignored.py\n",
    "numbat/shop.py": "okapi = 'quagga'  # tapirus\ndef zebroid(okapi): return 1234567\n",
    "web/a.ts": "import { okapi } from './b';\nlet civet = 'quagga';  // tapirus\n",
    "ignored.py": "serval_ignored = 1\n",
    "excluded.py": "serval_excluded = 1\n",
    "credentials.py": "serval_secret = 1\n",
    "late.py": "serval_late = 1\n",
}
INDEXED: dict[str, Any] = {"precision": 0.5, "memory": True, "exclude": ["excluded.py"]}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a file of each kind that matters."""
    for where, text in PROJECT.items():
        (tmp_path / "caracal" / where).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "caracal" / where).write_text(text, encoding="utf-8")
    return tmp_path / "caracal"


def open_project(start: Start, root: Path, **settings: Any) -> Client:
    """A session in a project, as soon as all of it has been read."""
    folders = [{"uri": root.as_uri(), "name": root.name}]
    client = start(initializationOptions={**INDEXED, **settings}, workspaceFolders=folders)
    client.wait_told("didChangeStatus", lambda status: "index" in status and status["index"]["building"] is None)
    return client


def stored(folder: Path) -> bytes:
    """All that is in the stored index: the file itself, and what its entries unpack to; nothing before its tables."""
    path = folder / StoredIndex.file
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return b""
        entries = [row[0] for row in db.execute("SELECT data FROM files")]
    return b"\0".join([path.read_bytes(), *map(zlib.decompress, entries)])


def test_of_a_project_names_are_on_disk_but_no_text_path_and_no_file_that_is_left_alone(
    start: Start, folder: Path, root: Path
) -> None:
    open_project(start, root).leave()
    wait_for(lambda: (folder / StoredIndex.file).exists() and b"civet" in stored(folder))
    data = stored(folder)
    for word in ("okapi", "zebroid", "serval_late", "/web/b"):
        assert word.encode() in data, word
    for word in (
        "quagga", "tapirus", "1234567", "serval_ignored", "serval_excluded", "serval_secret",
        "caracal", "numbat", "shop.py", "late.py",
    ):  # fmt: skip
        assert word.encode() not in data, word
    assert {path.name for path in folder.iterdir()} == {"memory.sqlite3", "index.sqlite3"}


@pytest.mark.slow
def test_the_next_session_opens_no_file_that_is_as_it_was(
    start: Start, folder: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in root.rglob("*.*"):
        os.utime(path, (1e9, 1e9))
    monkeypatch.setattr(project_module, "_SETTLED", 0)
    open_project(start, root).leave()
    wait_for(lambda: (folder / StoredIndex.file).exists() and b"civet" in stored(folder))
    read: list[str] = []
    read_candidate = project_module.read_candidate

    def record(top: Path, candidate: project_module.CandidateFile) -> Buffer | None:
        read.append(candidate.where)
        return read_candidate(top, candidate)

    monkeypatch.setattr(project_module, "read_candidate", record)
    (root / "late.py").write_text("civet_late = 1\n", encoding="utf-8")
    client = open_project(start, root)
    assert client.request("editahead/stats")["index"]["names"] == 4
    assert read == ["late.py"]
    client.leave()
    wait_for(lambda: b"civet_late" in stored(folder))
    assert b"serval_late" not in stored(folder)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["exclude", "ignore", "index"])
def test_what_is_left_alone_since_is_removed_from_disk(start: Start, folder: Path, root: Path, rule: str) -> None:
    client = open_project(start, root)
    wait_for(lambda: (folder / StoredIndex.file).exists() and b"serval_late" in stored(folder))
    if rule == "ignore":
        client.leave()
        (root / ".gitignore").write_text("late.py\n", encoding="utf-8")
        open_project(start, root)
    else:
        changed = {"exclude": {"exclude": ["late.py"]}, "index": {"index": {"enabled": False}}}[rule]
        settings = {"settings": {"editahead": {**INDEXED, **changed}}}
        client.notify("workspace/didChangeConfiguration", settings)
    wait_for(lambda: b"serval_late" not in stored(folder))
    assert (b"okapi" in stored(folder)) == (rule != "index")


def test_without_the_memory_a_stored_index_is_neither_read_nor_written(start: Start, folder: Path, root: Path) -> None:
    open_project(start, root).leave()
    wait_for(lambda: (folder / StoredIndex.file).exists() and b"civet" in stored(folder))
    before = {path: (path.stat().st_atime_ns, path.read_bytes()) for path in folder.iterdir()}
    (root / "late.py").write_text("civet_late = 1\n", encoding="utf-8")
    open_project(start, root, memory=False).leave()
    assert {path: (path.stat().st_atime_ns, path.read_bytes()) for path in folder.iterdir()}.keys() == before.keys()
    assert all(path.read_bytes() == data for path, (_, data) in before.items())


@pytest.mark.slow
def test_a_running_server_stores_nothing_of_a_project_that_was_forgotten(
    start: Start, folder: Path, root: Path
) -> None:
    client = open_project(start, root)
    wait_for(lambda: (folder / StoredIndex.file).exists() and b"serval_late" in stored(folder))
    StoredIndex(folder).forget_project(str(root))
    (root / "late.py").write_text("civet_late = 1\nserval_late = 2\n", encoding="utf-8")
    changes = [{"uri": (root / "late.py").as_uri(), "type": 2}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    wait_for(lambda: client.request("editahead/stats")["index"]["names"] == 5)
    client.leave()
    assert b"_late" not in stored(folder)
    open_project(start, root).leave()
    wait_for(lambda: b"civet_late" in stored(folder))


def test_a_damaged_index_is_one_message_and_the_project_is_read(start: Start, folder: Path, root: Path) -> None:
    folder.mkdir(parents=True)
    (folder / StoredIndex.file).write_bytes(b"no database " * 1000)
    client = open_project(start, root)
    shown = client.wait_told("window/showMessage", lambda params: "damaged" in params["message"])
    assert str(folder / StoredIndex.damaged) in shown["message"]
    assert client.request("editahead/stats")["index"]["names"] == 4
    wait_for(lambda: b"okapi" in stored(folder))


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


@pytest.mark.slow
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


@pytest.mark.slow
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
