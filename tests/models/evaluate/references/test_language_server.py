"""A language server asked for references: one of ours that finds every equal word, and counts in units of UTF-16."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from editahead_models.evaluate.references.language_server import LanguageServer

SERVER = """
import json, re, sys

def send(message):
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
    sys.stdout.buffer.flush()

def units(row, column):
    return len(row[:column].encode("utf-16-le")) // 2

text = uri = ""
while line := sys.stdin.buffer.readline():
    sys.stdin.buffer.readline()
    message = json.loads(sys.stdin.buffer.read(int(line.split(b":")[1])))
    method = message.get("method")
    if method == "initialize":
        send({"id": 7, "method": "workspace/configuration", "params": {"items": [{}, {}]}})
        send({"id": message["id"], "result": {"capabilities": {}}})
    elif method == "initialized":
        send({"method": "experimental/serverStatus", "params": {"quiescent": False}})
        send({"method": "experimental/serverStatus", "params": {"quiescent": True}})
    elif method == "textDocument/didOpen":
        text, uri = message["params"]["textDocument"]["text"], message["params"]["textDocument"]["uri"]
    elif method == "textDocument/references":
        at = message["params"]["position"]
        rows = text.split("\\n")
        row = rows[at["line"]]
        column = next(n for n in range(len(row) + 1) if units(row, n) == at["character"])
        word = re.match(r"\\w+", row[column:]).group()
        found = [(n, one.start()) for n, row in enumerate(rows) for one in re.finditer(rf"\\b{word}\\b", row)]
        starts = [{"line": n, "character": units(rows[n], column)} for n, column in found]
        ranges = [{"uri": uri.replace("%2B", "+"), "range": {"start": one}} for one in starts]
        send({"id": message["id"], "result": [*ranges, {"uri": "file:///other", "range": {"start": starts[0]}}]})
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "owner+name"  # editors write the sign in two ways
    folder.mkdir()
    (folder / "server.py").write_text(SERVER, encoding="utf-8")
    return folder


def test_places_are_lines_from_one_and_characters(root: Path) -> None:
    server = LanguageServer([sys.executable, "server.py"], root, {".rs": "rust"}, wait=True)
    text = "ab = 1\n/* \N{GRINNING FACE} */ ab = ab\n"
    assert server.references("a.rs", text, 2, 8) == [[1, 0], [2, 8], [2, 13]]
    assert server.references("b.rs", "cd", 1, 0) == [[1, 0]]
    assert server.said["experimental/serverStatus"] == {"quiescent": True}


def test_a_server_that_ends_is_no_answer(root: Path) -> None:
    with pytest.raises(EOFError, match="the language server has ended"):
        LanguageServer([sys.executable, "-c", "pass"], root, {".rs": "rust"})
