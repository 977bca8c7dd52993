"""Documents made to hurt: their own answers may be none, but memory stays, and the file beside them is served."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.bench.drive import memory_mb
from editahead.bench.stdio_client import StdioClient, server_command

GOOD = "class Warehouse:\n    def restock(self, quantity):\n        self.quantity = quantity\n        return self.qu"
MOST_MB = 900  # resident, of a server that holds 200 MB of models; one hostile line once took 9 GB
HOSTILE: dict[str, Callable[[], str]] = {
    "one line of 150,000 tokens": lambda: "x = " + " + ".join(["a"] * 75_000) + "\n",
    "60 KB of brackets": lambda: "x = " + "[" * 30_000 + "]" * 30_000 + "\n",
    "60 KB of brackets on many lines": lambda: "x = " + "[\n" * 15_000 + "]\n" * 15_000,
    "30,000 blank lines": lambda: "x = 1\n" + "\n" * 30_000 + "y",
    "an open text of 1 MB": lambda: 'x = """' + "words that never end\n" * 48_000,
    "an open text of 3.7 MB on one line": lambda: "x = '" + "words that never end " * 176_000,
    "40,000 comments behind a statement": lambda: "x = 1\n" + "#\n" * 40_000,
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="memory is read from /proc")
@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_document_costs_neither_memory_nor_the_others(case: str, tmp_path: Path) -> None:
    def place(uri: str, line: int, character: int) -> dict[str, object]:
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}

    with StdioClient(server_command(), timeout=60.0) as client:
        options = {"completionDeadlineMs": 20_000}
        folder = {"uri": tmp_path.as_uri(), "name": "w"}
        client.request(
            "initialize",
            {"processId": None, "capabilities": {}, "workspaceFolders": [folder], "initializationOptions": options},
        )
        client.notify("initialized", {})
        uris = [(tmp_path / name).as_uri() for name in ("good.py", "bad.py")]
        for uri, text in zip(uris, (GOOD, HOSTILE[case]()), strict=True):
            document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
            client.notify("textDocument/didOpen", {"textDocument": document})
        begun = time.perf_counter()
        client.request("editahead/stats", {})  # needs the loop alone
        assert time.perf_counter() - begun < 10
        good = place(uris[0], 3, len("        return self.qu"))
        client.request("textDocument/completion", good)  # loads the models
        for line in (0, 1):
            change = {"range": {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}}
            changed = {"uri": uris[1], "version": 2 + line}
            params = {"textDocument": changed, "contentChanges": [{**change, "text": "q"}]}
            client.notify("textDocument/didChange", params)
            client.request("textDocument/completion", place(uris[1], line, 1))
            client.request("editahead/nextEdit", place(uris[1], line, 1))
            begun = time.perf_counter()
            items = client.request("textDocument/completion", good).result["items"]
            assert "quantity" in [item["label"] for item in items]
            assert time.perf_counter() - begun < 15
        _, peak = memory_mb(client.pid)
        assert not peak > MOST_MB  # nan where the system does not tell


MEASURE = """
import os, subprocess, sys
with subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL) as process:
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
print(process.returncode, usage.ru_maxrss)
"""
"""From a small process: the system counts what the parent of a child held when it was made as the child's memory."""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "wait4"), reason="the memory of a child is asked of the system")
def test_explain_in_nested_brackets_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "nested.py"
    path.write_text(HOSTILE["60 KB of brackets on many lines"](), encoding="utf-8")
    command = [sys.executable, "-m", "editahead", "explain", f"{path}:7000:2", "--json"]
    measured = subprocess.run([sys.executable, "-c", MEASURE, *command], capture_output=True, text=True, check=True)
    code, most = map(int, measured.stdout.splitlines()[-1].split())
    assert code in (0, 1)  # 1: there is nothing to show
    unit = 1 if sys.platform == "darwin" else 1024  # bytes
    assert most * unit / 1e6 < MOST_MB
