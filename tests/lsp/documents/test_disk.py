"""Nothing of the workspace is read on the event loop, and the client's bytes are read by nobody but the protocol."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from editahead import exclusion
from editahead.bench.stdio_client import StdioClient, server_command
from editahead.gitignore import rules
from fake_engine import FakeEngine
from raw_client import Client

from tests.open_files import open_files

Start = Callable[..., Client]
TEXT = "alpha = 1\nal\n"


def test_the_disk_is_asked_on_other_threads_alone(
    start: Start, engine: FakeEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[str] = set()

    def noted(what: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **more: Any) -> Any:
            threads.add(threading.current_thread().name)
            return what(*arguments, **more)

        return call

    monkeypatch.setattr(exclusion, "reason_ignored", noted(exclusion.reason_ignored))
    monkeypatch.setattr(exclusion.os.path, "realpath", noted(os.path.realpath))
    monkeypatch.setattr(rules, "read_regular", noted(rules.read_regular))
    (tmp_path / ".gitignore").write_text("made.py\n", encoding="utf-8")
    client = start(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    out = str(tmp_path / "s.jsonl")
    client.request("workspace/executeCommand", {"command": "editahead.record", "arguments": [out]})
    uris = [client.open(TEXT, (tmp_path / name).as_uri(), version=1) for name in ("a.py", "b.py", "made.py")]
    for uri in uris:
        for method in ("completion", "inlineCompletion"):
            client.request(f"textDocument/{method}", client.at(uri, 1, 2, context={"triggerKind": 1}))
        for method in ("nextEdit", "nextEdits", "explain"):
            client.request(f"editahead/{method}", client.at(uri, 1, 2))
        client.change(uri, 2, ((0, 0, 0, 0), "x"))
    client.notify("textDocument/didClose", {"textDocument": {"uri": uris[0]}})
    client.request("workspace/executeCommand", {"command": "editahead.stop-recording", "arguments": []})
    assert "inference" in threads
    assert threads <= {"inference", "index", "exclusions"}
    assert {document.path and document.path.name for document in engine.seen} == {"a.py", "b.py"}
    others = {other.uri for document in engine.seen for other in document.others}
    assert others <= set(uris[:2])


def test_sixty_thousand_patterns_do_not_delay_the_first_completion(start: Start, tmp_path: Path) -> None:
    options = {"completionDeadlineMs": 5000}
    client = start(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}], initializationOptions=options)
    lines = [f"/path/to{number}/x*\n*.ext{number}\nname{number}\n" for number in range(20_000)]
    (tmp_path / ".gitignore").write_text("".join(lines) + "made.py\n", encoding="utf-8")
    os.utime(tmp_path / ".gitignore", (1, 1))  # not just now, as mostly
    uris = [(tmp_path / name).as_uri() for name in ("a.py", "made.py")]
    for uri, expected in zip(uris, (["alpha"], []), strict=True):
        client.open(TEXT, uri, version=1)
        began = time.perf_counter()
        answer = client.request("textDocument/completion", client.at(uri, 1, 2))
        assert time.perf_counter() - began < 3.0  # parsed in 0.15 s on an idle core
        assert [item["label"] for item in answer["items"]] == expected


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_nobody_else_can_read_what_the_client_writes(tmp_path: Path) -> None:
    with StdioClient(server_command(), timeout=30.0) as client:
        client.request("initialize", {"processId": None, "capabilities": {}})
        assert os.readlink(f"/proc/{client.pid}/fd/0") == os.devnull
        assert any(handle.startswith("pipe:") for handle in open_files(client.pid)), "the protocol's own is another one"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes as POSIX has them")
@pytest.mark.parametrize("kind", ["/proc/self/fd/0", "/dev/stdin", "/dev/zero", "pipe", "hostile pattern"])
def test_a_hostile_ignore_file_stops_nothing(stdio: Start, tmp_path: Path, kind: str) -> None:
    path = tmp_path / ".gitignore"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "hostile pattern":
        path.write_text("*a*a*a*a*a*b\n", encoding="utf-8")
    else:
        path.symlink_to(kind)
    client = stdio(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    uri = client.open(TEXT, (tmp_path / f"{'a' * 200}.py").as_uri(), version=1)
    answer = client.request("textDocument/completion", client.at(uri, 1, 2))
    assert [item["label"] for item in answer["items"]] == ["alpha"]
