"""The command as it is started, with the shipped models: the same ghost text as over LSP, and what it touches."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from http_client import PATIENCE, HttpClient
from raw_client import over_stdio

from tests.watched import WATCHED

TEXT = '''import os


class Store:
    """Entries of a folder."""

    def __init__(self, folder, limit):
        self.folder = folder  # naïve 🎉
        self.limit = limit
        self.entries = []

    def add(self, entry):
        if len(self.entries) >= self.limit:
            self.entries.pop(0)
        self.entries.append(entry)

    def remove(self, entry):
        if entry in self.entries:
            self.entries.remove(entry)


def main(folder):
    store = Store(folder, 10)
    for entry in os.listdir(folder):
        store.add(entry)
    return store
'''
SETTINGS = {"precision": 0.3, "inlineDeadlineMs": 20_000, "index": {"enabled": False}}


class Started(NamedTuple):
    process: subprocess.Popen[str]
    client: HttpClient
    printed: list[str]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Started]]:
    """Starts `editahead serve --http` with settings; ends it at the end."""
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({**SETTINGS, "memory": True}), encoding="utf-8")  # without effect here
    processes: list[subprocess.Popen[str]] = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it, and its children

    def begin(*arguments: str, program: tuple[str, ...] = ("-m", "editahead")) -> Started:
        command = [sys.executable, *program, "serve", "--http", "127.0.0.1:0", "--settings", str(settings), *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
        processes.append(process)
        assert process.stdout is not None
        printed = [process.stdout.readline() for _ in range(1 if "--token-file" in arguments else 2)]
        match = re.search(r"http://127\.0\.0\.1:(\d+)/v1/completions$", printed[0])
        assert match, (printed, process.stderr and process.stderr.read())
        return Started(process, HttpClient(int(match[1]), printed[-1].split()[-1]), printed)

    yield begin
    for process in processes:
        process.terminate()
        process.communicate(timeout=PATIENCE)
    signal.signal(signal.SIGINT, before)


def halves() -> list[tuple[str, str]]:
    """The text before and behind the middle of each line of code, without the rest of this line."""
    lines = TEXT.splitlines(keepends=True)
    pairs = []
    for number, line in enumerate(lines):
        if code := line.strip():
            middle = line.index(code) + len(code) * 2 // 3
            pairs.append(("".join(lines[:number]) + line[:middle], "\n" + "".join(lines[number + 1 :])))
    return pairs


@pytest.mark.slow
def test_ghost_text_is_that_of_the_language_server(start: Callable[..., Started], tmp_path: Path) -> None:
    http = start().client
    lsp = over_stdio([sys.executable, "-m", "editahead", "--stdio"])
    lsp.hello(initializationOptions=SETTINGS)
    shown: list[str] = []

    def compare(path: Path, before: str, after: str) -> None:
        line, column = before.count("\n"), len(before[before.rfind("\n") + 1 :].encode("utf-16-le")) // 2
        items = lsp.request("textDocument/inlineCompletion", lsp.at(path.as_uri(), line, column))["items"]
        inserted = [item["insertText"] for item in items if item["range"]["start"] == item["range"]["end"]]
        assert http.complete(before, after, path=str(path)).text == (inserted or [""])[0]
        shown.extend(inserted)

    for number, (before, after) in enumerate(halves()):
        path = tmp_path / f"{number}.py"
        lsp.open(before + after, path.as_uri())
        compare(path, before, after)
    path, text = tmp_path / "typed.py", TEXT
    lsp.open(text, path.as_uri())
    for version, key in enumerate("    for entry in store.ent", 1):
        line, column = text.count("\n"), len(text) - text.rfind("\n") - 1
        lsp.change(path.as_uri(), version, ((line, column, line, column), key))
        text += key
        compare(path, text, "")
    lsp.leave()
    assert lsp.faults == []
    assert len(shown) >= 10, "two servers that show nothing would prove nothing"


@pytest.mark.slow
def test_no_file_is_written_and_no_other_socket_is_opened(start: Callable[..., Started], tmp_path: Path) -> None:
    log = tmp_path / "events"
    program = ("-B", "-c", WATCHED, str(log))
    started = start(program=program)
    path = str(tmp_path / "a.py")
    texts = [started.client.complete(before, after, path=path).text for before, after in halves()]
    assert any(texts), "a server that shows nothing would prove nothing"
    events = log.read_text(encoding="utf-8").splitlines()
    network = [event for event in events if event.startswith("network")]
    assert network
    assert not [event for event in network if "127.0.0.1" not in event]
    assert {event.split()[1] for event in network} <= {"socket.bind", "socket.getaddrinfo"}
    assert {event for event in events if event.startswith("write")} <= {"write /dev/null"}
    assert not [event for event in events if path in event], "the text is that of the request"


@pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")
def test_a_token_file_must_be_the_users_own(start: Callable[..., Started], tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("a-token-in-a-file\n", encoding="utf-8")
    token.chmod(0o600)
    started = start("--token-file", str(token))
    port = started.client.port
    assert HttpClient(port, "a-token-in-a-file").request("GET", "/v1/models").status == 200
    assert HttpClient(port, "another-token-of-somebody").request("GET", "/v1/models").status == 401
    assert "a-token" not in "".join(started.printed)


def refusal(tmp_path: Path, *arguments: str) -> str:
    """What a start that is refused prints."""
    command = [sys.executable, "-m", "editahead", "serve", "--http", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    return done.stderr


@pytest.mark.slow
def test_what_is_wrong_at_the_start_is_one_line(tmp_path: Path, start: Callable[..., Started]) -> None:
    token = tmp_path / "token"
    token.write_text("a-token-in-a-file", encoding="utf-8")
    if os.name == "posix":
        token.chmod(0o640)
        assert "run chmod 600" in refusal(tmp_path, "127.0.0.1:0", "--token-file", str(token))
    token.chmod(0o600)
    token.write_text("short", encoding="utf-8")
    error = refusal(tmp_path, "127.0.0.1:0", "--token-file", str(token))
    assert "holds no token" in error
    assert "short" not in error
    assert "is no file" in refusal(tmp_path, "127.0.0.1:0", "--token-file", str(tmp_path / "none"))
    settings = tmp_path / "wrong.json"
    for text, expected in (("{", "is not JSON"), ('{"precision": 3}', "editahead.precision: expected"),
                           ('{"precison": 0.5}', "did you mean editahead.precision?")):  # fmt: skip
        settings.write_text(text, encoding="utf-8")
        assert expected in refusal(tmp_path, "127.0.0.1:0", "--settings", str(settings))
    port = start().client.port
    assert "choose another port" in refusal(tmp_path, f"127.0.0.1:{port}")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Windows sends no SIGINT to a process")
def test_ctrl_c_ends_it(start: Callable[..., Started]) -> None:
    process, client, _ = start()
    with client.connect():  # a client that hangs holds nothing up
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    assert process.stderr is not None
    assert process.stderr.read() == ""
