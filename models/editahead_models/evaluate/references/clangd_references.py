"""References in C and C++ by clangd: `python clangd_references.py FOLDER`, with Python alone.

FOLDER is the checked-out project, with a compile_flags.txt or a compile_commands.json. It reads one JSON object a line,
{"path", "text", "line", "column"} (line from 1, column in characters; the path below FOLDER), and answers each with one
line: the [line, column] of every reference in that file, or null.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


class Clangd:
    """The language server, asked one request at a time. Its constructor raises EOFError when clangd ends at once."""

    def __init__(self, root: Path) -> None:
        command = ["clangd", "--log=error", "--background-index=false", "-j=1"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root
        )
        self._root, self._number, self._open = root, 0, ""
        offsets = {"offsetEncoding": ["utf-32"], "general": {"positionEncodings": ["utf-32"]}}
        self._ask("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": offsets})
        self._send({"method": "initialized", "params": {}})

    def references(self, path: str, text: str, line: int, column: int) -> list[list[int]] | None:
        """The places in the file itself, lines from 1; None where there is no answer. Raises EOFError."""
        uri = (self._root / path).as_uri()
        if uri != self._open:
            if self._open:
                self._send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": self._open}}})
            document = {"uri": uri, "languageId": "c" if path.endswith(".c") else "cpp", "version": 1, "text": text}
            self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
            self._open = uri
        found = self._ask(
            "textDocument/references",
            {
                "textDocument": {"uri": uri},
                "position": {"line": line - 1, "character": column},
                "context": {"includeDeclaration": True},
            },
        )
        starts = [one["range"]["start"] for one in found or () if one["uri"] == uri]
        return sorted([one["line"] + 1, one["character"]] for one in starts) or None

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _ask(self, method: str, params: dict[str, Any]) -> Any:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._number and "method" not in message:
                return message.get("result")

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        if not length:
            raise EOFError("clangd has ended")
        message: dict[str, Any] = json.loads(self._process.stdout.read(length))
        return message


def main() -> None:
    """Answer until the input ends."""
    clangd = Clangd(Path(sys.argv[1]).resolve())
    for row in sys.stdin:
        asked = json.loads(row)
        found = clangd.references(asked["path"], asked["text"], asked["line"], asked["column"])
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
