"""Many things at once, against the real server: cancellations, documents, servers, and an end without warning."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from editahead.bench.drive import memory_mb
from editahead.bench.stdio_client import ServerError, StdioClient, server_command
from editahead.recording.anonymise import anonymise_events
from editahead.recording.session_file import Close, Open, RecordedChange, read_session, write_session
from editahead.text.edits import ByteEdit

from tests.open_files import open_files

SHOP = (
    "class Shop:\n    def __init__(self, items):\n        self.items = items\n\n    def total(self, rate):\n"
    "        result = 0\n        for item in self.items:\n            result += item.price * rate\n"
    "        return result\n"
)
COMPLETION = "textDocument/completion"
PATIENCE = 60.0


def start(root: Path, *arguments: str, **options: Any) -> StdioClient:
    client = StdioClient(server_command(*arguments), timeout=PATIENCE)
    folder = {"uri": root.as_uri(), "name": "w"}
    patience = {f"{surface}DeadlineMs": 60_000 for surface in ("completion", "inline", "nextEdit")}
    params = {"processId": None, "capabilities": {}, "workspaceFolders": [folder]}
    client.request("initialize", {**params, "initializationOptions": {**patience, **options}})
    client.notify("initialized", {})
    return client


def put(client: StdioClient, uri: str, text: str = SHOP) -> str:
    document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})
    return uri


def type_key(client: StdioClient, uri: str, version: int, line: int, character: int, key: str) -> None:
    place = {"line": line, "character": character}
    change = {"range": {"start": place, "end": place}, "text": key}
    document = {"uri": uri, "version": version}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})


def at(uri: str, line: int, character: int) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def labels(client: StdioClient, uri: str, line: int, character: int) -> list[str]:
    return [item["label"] for item in client.request(COMPLETION, at(uri, line, character)).result["items"]]


def failure(wait: Callable[[float], Any]) -> str:
    """Why a request was answered with an error; empty where it was not. No answer within the time fails the test."""
    try:
        wait(PATIENCE)
    except ServerError as error:
        return str(error)
    return ""


@pytest.fixture
def client(tmp_path: Path) -> Iterator[StdioClient]:
    with start(tmp_path) as client:
        yield client


@pytest.mark.slow
def test_a_storm_of_cancelled_requests_is_answered_one_by_one_and_passes(client: StdioClient, tmp_path: Path) -> None:
    uri = put(client, (tmp_path / "a.py").as_uri())
    waiting = []
    methods = (COMPLETION, "textDocument/inlineCompletion", "editahead/nextEdit", "editahead/explain")
    for number in range(400):
        type_key(client, uri, number + 2, 9, number, "x")
        waiting.append(client.ask(methods[number % 4], at(uri, 9, number + 1)))
        client.notify("$/cancelRequest", {"id": number + 2})  # `initialize` was 1
        if number % 7 == 0:
            client.notify("$/cancelRequest", {"id": number})
    errors = [why for wait in waiting if (why := failure(wait))]
    assert {why.rpartition(": ")[2] for why in errors} <= {"cancelled"}
    type_key(client, uri, 500, 9, 400, "\n        self.it")
    assert "items" in labels(client, uri, 10, 15)


@pytest.mark.slow
def test_two_hundred_documents_are_open_and_all_are_served(client: StdioClient, tmp_path: Path) -> None:
    uris = [(tmp_path / f"m{number}.py").as_uri() for number in range(200)]
    put(client, uris[0])
    assert "items" in labels(client, uris[0], 6, 25)
    before, _ = memory_mb(client.pid)
    for number, uri in enumerate(uris[1:], 1):
        put(client, uri, SHOP.replace("items", f"things{number}"))
    for number in (1, 57, 113, 199):
        assert f"things{number}" in labels(client, uris[number], 6, 25)
    after, _ = memory_mb(client.pid)
    assert not after - before > 200  # MB for 199 documents
    for uri in uris:
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert labels(client, uris[3], 6, 25) == []


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system does not list the threads of a process")
def test_the_server_has_its_own_threads_and_none_for_each_core(client: StdioClient, tmp_path: Path) -> None:
    """The server has a fixed number of threads, however many cores the machine has.

    They are the loop, the reader and the writer of messages, the models, the index and, where there is something to
    log, the log.
    """
    uri = put(client, (tmp_path / "a.py").as_uri())
    labels(client, uri, 6, 25)
    client.request("editahead/nextEdit", at(uri, 9, 0))
    assert client.wait_for(is_indexed, PATIENCE)
    assert len(list(Path(f"/proc/{client.pid}/task").iterdir())) <= 6


@pytest.mark.slow
def test_two_editors_on_one_project_do_not_meet(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    uri = (tmp_path / "shop.py").as_uri()
    with start(tmp_path) as one, start(tmp_path) as other:
        put(one, uri, SHOP.replace("items", "goods"))
        put(other, uri, SHOP.replace("items", "wares"))
        for number in range(5):
            type_key(one, uri, number + 2, 9, number, "gxxxx"[number])
            type_key(other, uri, number + 2, 9, number, "wxxxx"[number])
        assert "goods" in labels(one, uri, 6, 25)
        assert "wares" not in labels(one, uri, 6, 25)
        assert "wares" in labels(other, uri, 6, 25)
    assert {path.name for path in tmp_path.rglob("*")} == {"shop.py"}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
@pytest.mark.parametrize("moment", ["loading", "asked"])
def test_an_end_without_warning_leaves_nothing_behind_and_nothing_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Nothing is promised to be on disk, and nothing is: not even by a library below, which no audit hook sees."""
    root, home = tmp_path / "project", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    (root / "shop.py").write_text(SHOP, encoding="utf-8")
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TMPDIR"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)  # which this process may have set, but not the server's
    uri = (root / "new.py").as_uri()
    client = start(root)
    put(client, uri)
    if moment == "asked":
        assert "items" in labels(client, uri, 6, 25)
        type_key(client, uri, 2, 9, 0, "s")
        client.ask("editahead/nextEdit", at(uri, 9, 1))
    os.kill(client.pid, signal.SIGKILL)
    assert client.close() == -signal.SIGKILL
    if moment == "asked":
        with start(root) as again:
            put(again, uri)
            assert "items" in labels(again, uri, 6, 25)
            assert "Microsoft" not in " ".join(open_files(again.pid))
    assert [path.name for path in home.rglob("*")] == []
    assert [path.name for path in root.rglob("*")] == ["shop.py"]


def test_a_recording_that_is_killed_holds_every_event_up_to_then(tmp_path: Path) -> None:
    root, out = tmp_path / "project", tmp_path / "s.jsonl"
    root.mkdir()
    client = start(root)
    uri = put(client, (root / "new.py").as_uri())
    client.request("workspace/executeCommand", {"command": "editahead.record", "arguments": [str(out)]})
    for number in range(50):
        type_key(client, uri, number + 2, 9, number, "x")
    client.request("editahead/stats", {})  # answered: all before it has been seen
    os.kill(client.pid, signal.SIGKILL)
    client.close()
    opened, *changes = read_session(out)
    assert isinstance(opened, Open)
    assert opened.text.decode() == SHOP
    assert len(changes) == 50


def is_indexed(method: str, params: Any) -> bool:
    index = params.get("index") if method == "didChangeStatus" else None
    return index is not None and index["building"] is None


SECRETS = {
    "config.py": ("API_TOKEN = 'planted-literal-9f3'  # planted_comment_7b\n", ("planted-literal", "planted_comment")),
    "credentials.py": ("planted_credential_name = 1\n", ("planted_credential_name",)),
    ".env": ("PLANTED_ENV=planted_env_value\n", ("PLANTED_ENV", "planted_env_value")),
    "id_rsa.py": ("planted_key_name = 2\n", ("planted_key_name",)),
    "build/made.py": ("planted_ignored_name = 3\n", ("planted_ignored_name",)),
}


@pytest.mark.slow
def test_planted_secrets_reach_no_answer_no_log_and_no_shared_session(tmp_path: Path) -> None:
    root, log = tmp_path / "project", tmp_path / "server.log"
    for where, (text, _) in SECRETS.items():
        (root / where).parent.mkdir(parents=True, exist_ok=True)
        (root / where).write_text(text, encoding="utf-8")
    (root / ".gitignore").write_text("build/\n", encoding="utf-8")
    (root / "good.py").write_text("visible_neighbour = 1\n", encoding="utf-8")
    planted = [word for _, words in SECRETS.values() for word in words]
    said: list[str] = []
    with start(root, "--log-level", "debug", "--log-file", str(log), completionFloor=0.0, maxCompletions=200) as client:
        uri = put(client, (root / "new.py").as_uri(), "typed_secret = 'hunter2-typed'\n")
        assert client.wait_for(is_indexed, PATIENCE)
        for version, key in enumerate(("p", "l", "a", "n"), 2):
            type_key(client, uri, version, 1, version - 2, key)
            said.append(str(client.request(COMPLETION, at(uri, 1, version - 1)).result))
        type_key(client, uri, 9, 1, 4, "\nvis")
        said.append(str(client.request(COMPLETION, at(uri, 2, 3)).result))
        said.append(str(client.request("editahead/explain", at(uri, 2, 3)).result))
        said.append(str(client.request("editahead/stats", {}).result))
        put(client, (root / "credentials.py").as_uri(), SECRETS["credentials.py"][0])
        said.append(str(client.request(COMPLETION, at((root / "credentials.py").as_uri(), 0, 1)).result))
    assert "visible_neighbour" in said[4]
    for word in planted:
        assert word not in "".join(said)
    written = log.read_text(encoding="utf-8")
    assert "DEBUG" in written
    for word in [*planted, "hunter2", "typed_secret", "visible_neighbour"]:
        assert word not in written
    session = tmp_path / "session.jsonl"
    text = "".join(content for content, _ in SECRETS.values()).encode()
    events = [
        Open(1, "secret/config.py", "python", text),
        RecordedChange(1, (ByteEdit(0, 0, b"hunter2 = 1\n"),)),
        Close(1),
    ]
    write_session(session, anonymise_events(events))
    shared = session.read_text(encoding="utf-8")
    pieces = {piece for word in [*planted, "hunter2", "secret", "config"] for piece in re.split(r"\W", word)}
    for piece in pieces:
        assert len(piece) <= 2 or piece not in shared
