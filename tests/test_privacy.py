"""The promises of docs/privacy.md, seen from below: what the running server opens, writes and connects to."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from editahead.bench.stdio_client import StdioClient

from tests.bench.measure import CAPABILITIES, COMPLETION, INLINE, NEXT_EDIT, Measured, Typist
from tests.bench.sources import session
from tests.open_files import open_files
from tests.watched import WATCHED

INDEXED = 20.0  # seconds to wait for the index; only a test that fails waits so long


class Watched(NamedTuple):
    root: Path
    events: list[str]
    sockets: list[str]
    indexed: bool


def internet_sockets(pid: int) -> list[str]:
    """The process's open TCP and UDP sockets; unix sockets, as an event loop has, are not among them."""
    inodes = {
        target.removeprefix("socket:[").rstrip("]") for target in open_files(pid) if target.startswith("socket:[")
    }
    rows = []
    for table in ("tcp", "tcp6", "udp", "udp6"):
        path = Path(f"/proc/{pid}/net/{table}")
        lines = path.read_text().splitlines()[1:] if path.exists() else []
        rows += [line for line in lines if line.split()[9] in inodes]
    return rows


@pytest.fixture(scope="module", params=["index", "no index"])
def watched(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Watched:
    """A workspace, what the server did to files and sockets in a session there, its sockets at the end."""
    root = tmp_path_factory.mktemp("workspace")
    log = tmp_path_factory.mktemp("log") / "events"
    source = session("python", 500)
    (root / "build").mkdir()
    (root / ".git" / "info").mkdir(parents=True)
    (root / ".git" / "info" / "exclude").write_text("mine.py\n", encoding="utf-8")
    for name in ("shop.py", "other.py", "mine.py", ".env", "notes.txt", "credentials.py", "build/made.py"):
        (root / name).write_text(source.text if name.endswith(".py") else "TOKEN=1\n", encoding="utf-8")
    (root / ".gitignore").write_text("build/\n", encoding="utf-8")
    uri = (root / "shop.py").as_uri()
    indexed = request.param == "index"
    with StdioClient([sys.executable, "-B", "-c", WATCHED, str(log), "--stdio"]) as client:
        folders = [{"uri": root.as_uri(), "name": "workspace"}]
        patience = {f"{surface}DeadlineMs": 20_000 for surface in ("completion", "inline", "nextEdit")}
        options = {"index": {"enabled": indexed}, **patience}
        start = {"capabilities": CAPABILITIES, "processId": None, "workspaceFolders": folders}
        client.request("initialize", {**start, "initializationOptions": options})
        client.notify("initialized", {})
        document = {"uri": uri, "languageId": "python", "version": 1, "text": source.text}
        client.notify("textDocument/didOpen", {"textDocument": document})
        measured = Measured("python", 500)
        typist = Typist(client, uri, measured)
        for column, key in enumerate("        self.orders = cus"):
            typist.change(source.line, column, column, key)
            typist.ask(COMPLETION, "textDocument/completion", source.line, column + 1)
        typist.ask(INLINE, "textDocument/inlineCompletion", source.line, 21, context={"triggerKind": 1})
        place = {"uri": uri, "version": typist.version}
        typist.ask(NEXT_EDIT, "editahead/nextEdit", source.line, 21, textDocument=place)
        assert measured.answered[COMPLETION] > 0, "a silent server would prove nothing"
        sockets = internet_sockets(client.pid) if sys.platform == "linux" else []
        if indexed:
            assert client.wait_for(is_indexed, INDEXED)
    return Watched(root, log.read_text(encoding="utf-8").splitlines(), sockets, indexed)


def is_indexed(method: str, params: Any) -> bool:
    """Whether a notification tells that the workspace has been read."""
    index = params.get("index") if method == "didChangeStatus" else None
    return index is not None and index["building"] is None and index["files"] == 2


@pytest.mark.slow
def test_no_network_is_touched(watched: Watched) -> None:
    assert [event for event in watched.events if event.startswith("network")] == []
    assert watched.sockets == []


def test_nothing_is_written(watched: Watched) -> None:
    writes = {event for event in watched.events if event.startswith("write")}
    assert writes <= {"write /dev/null"}


def test_of_the_workspace_only_code_is_read_and_without_the_index_nothing_but_ignore_rules(watched: Watched) -> None:
    root = watched.root
    read = {event.removeprefix("read ") for event in watched.events if event.startswith("read ")}
    assert read, "the hook saw nothing"
    inside = {Path(path).relative_to(root).as_posix() for path in read if Path(path).is_relative_to(root)}
    if watched.indexed:
        assert inside == {".gitignore", ".git/info/exclude", "shop.py", "other.py"}
    else:
        assert inside <= {".gitignore", ".git/info/exclude"}
