"""A language server as a program that knows references, asked one request at a time; with Python alone."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

Place = list[int]
"""Line from 1, column in characters."""


class LanguageServer:
    """A server over stdio, started in the folder of a project. Its constructor raises EOFError when it ends at once."""

    def __init__(
        self,
        command: Sequence[str],
        root: Path,
        languages: Mapping[str, str],
        options: Any = None,
        *,
        wait: bool = False,
    ) -> None:
        """`languages` names what an ending of a file is; `wait`: until the server says that it has read the project."""
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root
        )
        self._root, self._languages, self._number, self._open = root, languages, 0, ""
        self.said: dict[str, Any] = {}
        """The newest parameters of each notification."""
        offsets = {
            "offsetEncoding": ["utf-32"],
            "general": {"positionEncodings": ["utf-32"]},
            "textDocument": {"inactiveRegionsCapabilities": {"inactiveRegions": True}},
            "experimental": {"serverStatusNotification": True},
        }
        asked = {"processId": None, "rootUri": root.as_uri(), "capabilities": offsets, "initializationOptions": options}
        said = self._ask("initialize", asked) or {}
        self._in_characters = "utf-32" in (said.get("offsetEncoding"), said["capabilities"].get("positionEncoding"))
        self._send({"method": "initialized", "params": {}})
        while wait and not self.said.get("experimental/serverStatus", {}).get("quiescent"):
            self._receive()

    def references(self, path: str, text: str, line: int, column: int) -> list[Place] | None:
        """The places in the file itself, its declaration among them; None where there is no answer. Raises EOFError."""
        uri = (self._root / path).as_uri()
        if uri != self._open:
            if self._open:
                self._send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": self._open}}})
            spoken = self._languages[Path(path).suffix]
            document = {"uri": uri, "languageId": spoken, "version": 1, "text": text}
            self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
            self._open = uri
        rows = text.split("\n")
        found = self._ask(
            "textDocument/references",
            {
                "textDocument": {"uri": uri},
                "position": {"line": line - 1, "character": self._sent(rows[line - 1], column)},
                "context": {"includeDeclaration": True},
            },
        )
        starts = [one["range"]["start"] for one in found or () if unquote(one["uri"]) == unquote(uri)]
        places = [[one["line"] + 1, self._read(rows[one["line"]], one["character"])] for one in starts]
        return sorted(places) or None

    def _sent(self, row: str, column: int) -> int:
        return column if self._in_characters else len(row[:column].encode("utf-16-le")) // 2

    def _read(self, row: str, character: int) -> int:
        if self._in_characters:
            return character
        return len(row.encode("utf-16-le")[: 2 * character].decode("utf-16-le"))

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _ask(self, method: str, params: Mapping[str, Any]) -> Any:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._number and "method" not in message:
                return message.get("result")

    def _receive(self) -> dict[str, Any]:
        """The next message; what the server asks of an editor is answered with nothing."""
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        if not length:
            raise EOFError("the language server has ended")
        message: dict[str, Any] = json.loads(self._process.stdout.read(length))
        if "method" in message and "id" not in message:
            self.said[message["method"]] = message.get("params")
        elif "method" in message:
            items = message.get("params", {}).get("items") if message["method"] == "workspace/configuration" else None
            self._send({"id": message["id"], "result": None if items is None else [None] * len(items)})
        return message


def answer(references: Callable[[str, str, int, int], list[Place] | None]) -> None:
    """Answer questions from standard input until it ends: one JSON object a line, one line for each."""
    for row in sys.stdin:
        asked = json.loads(row)
        found = references(asked["path"], asked["text"], asked["line"], asked["column"])
        print(json.dumps(found), flush=True)
