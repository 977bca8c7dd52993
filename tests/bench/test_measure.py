"""The bench against a server of twenty lines: what it asks, and what it counts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.bench.compiled import compiled_modules
from tests.bench.load import BESIDE, CHANGES, WATCHED, run_loaded
from tests.bench.measure import COMPLETION, INLINE, NEXT_EDIT, run
from tests.bench.moves import ACCEPTED, COUNT, MOVES
from tests.bench.sources import session

SERVER = """
import json, sys
def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n%b" % (len(body), body))
    sys.stdout.buffer.flush()
def receive():
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        length = int(line.split(b":")[1]) if line.lower().startswith(b"content-length") else length
    return json.loads(sys.stdin.buffer.read(length)) if length else None
while message := receive():
    method, number = message.get("method"), message.get("id")
    if method == "textDocument/completion":
        send({"id": number, "result": {"items": [{"label": "order"}]}})
    elif method in ("initialize", "shutdown", "textDocument/inlineCompletion", "editahead/nextEdit"):
        send({"id": number, "result": {"items": []}})
    elif method == "initialized":
        send({"method": "didChangeStatus", "params": {"index": {"building": None, "files": 5_000}}})
    elif method == "exit":
        break
    elif number is not None:
        send({"id": number, "error": {"code": -32601, "message": "unknown"}})
"""
COMMAND = [sys.executable, "-c", SERVER]


def counting(folder: Path) -> list[str]:
    """The same server; it notes each method, and `changed` for each watched file."""
    note = f"""
    method = message.get("method")
    with open({str(folder / "counts")!r}, "a") as counts:
        for _ in message.get("params", {{}}).get("changes", ["x"]):
            print("changed" if method == "workspace/didChangeWatchedFiles" else method, file=counts)
"""
    return [sys.executable, "-c", SERVER.replace("while message := receive():", "while message := receive():" + note)]


def test_every_key_is_timed(tmp_path: Path) -> None:
    source = session("python", 500)
    measured = run(COMMAND, source, 500, tmp_path, rounds=2, pace_ms=0)
    keys, lines = len(source.block), source.block.count("\n")
    assert len(measured.times[COMPLETION]) == 2 * keys == measured.answered[COMPLETION]
    assert len(measured.times[INLINE]) == 2 * (2 * lines - 1)  # before and after each; one is empty
    assert len(measured.times[NEXT_EDIT]) == 2 * len(source.places)
    assert [len(measured.times[move]) for move in MOVES if move != ACCEPTED] == [2 * COUNT] * (len(MOVES) - 1)
    assert ACCEPTED not in measured.times  # no edit was shown
    assert measured.answered[NEXT_EDIT] == 0
    assert measured.start_ms >= measured.open_ms > 0


def test_completions_behind_accepted_edits_are_timed(tmp_path: Path) -> None:
    place = {"line": 1, "character": 0}
    edit = {"range": {"start": place, "end": place}, "text": "x"}
    answer = f'{{"id": number, "result": {{"edits": {[edit]}}}}}'
    reply = f'if method == "editahead/nextEdit":\n        send({answer})\n    elif'
    server = SERVER.replace(', "editahead/nextEdit"', "").replace("if method ==", f"{reply} method ==", 1)
    measured = run([sys.executable, "-c", server], session("go", 500), 500, tmp_path, rounds=1, pace_ms=0)
    assert len(measured.times[ACCEPTED]) == COUNT == measured.answered[ACCEPTED]


@pytest.mark.slow
def test_keys_are_timed_beside_other_requests_and_changing_files(tmp_path: Path) -> None:
    source = session("java", 500)
    measured = run_loaded(counting(tmp_path), source, 500, tmp_path, rounds=1, pace_ms=0)
    keys = len(source.block)
    assert len(measured.times[BESIDE]) == len(measured.times[WATCHED]) == keys
    assert set(measured.times) == {BESIDE, WATCHED}
    counts = Counter((tmp_path / "counts").read_text().split())
    assert counts["textDocument/inlineCompletion"] == counts["editahead/nextEdit"] == keys
    assert counts["changed"] >= CHANGES


def test_measured_servers_have_compiled_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling anew took a third of each measured start, which no installation does."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    with compiled_modules(tmp_path):
        subprocess.run([sys.executable, "-c", "import editahead.settings"], check=True, timeout=60)
    assert [path.name for path in tmp_path.rglob("settings.*.pyc")]
    assert os.environ["PYTHONDONTWRITEBYTECODE"] == "1"
    assert "PYTHONPYCACHEPREFIX" not in os.environ


def test_processes_that_tests_start_have_compiled_modules() -> None:
    """Where the system forbids bytecode, each process compiled all modules again: half of its processor time."""
    code = "import sys; print(sys.dont_write_bytecode)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
