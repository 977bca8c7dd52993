"""One file that the server has open: typed into as an editor does, and asked about as an editor asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from editahead.bench.stdio_client import Reply, StdioClient
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.positions import PositionEncoding, byte_at, position_at

UTF16 = PositionEncoding.UTF16
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "synchronization": {"didSave": True},
        "completion": {"completionItem": {"snippetSupport": False}, "contextSupport": True},
        "inlineCompletion": {},
    },
    "window": {"workDoneProgress": True},
}


class Typist:
    """Keeps the text and the cursor (a byte offset) of the open file; every key is a `didChange`."""

    def __init__(self, client: StdioClient, path: Path, language_id: str) -> None:
        self.client = client
        self.uri = path.as_uri()
        self.buffer = Buffer.from_bytes(path.read_bytes())
        self.cursor = 0
        self.version = 1
        document = {"uri": self.uri, "languageId": language_id, "version": 1, "text": self.buffer.text}
        client.notify("textDocument/didOpen", {"textDocument": document})

    def put(self, text: str, nth: int = 1) -> None:
        """Place the cursor behind the `nth` occurrence of `text`. Raises ValueError if there is none."""
        self.cursor = self._find(text, nth) + len(text.encode())

    def type(self, text: str) -> None:
        """Type a text key by key at the cursor."""
        for key in text:
            self.edit(ByteEdit(self.cursor, self.cursor, key.encode()))

    def change(self, old: str, new: str, nth: int = 1) -> None:
        """Delete what differs from `new` in the `nth` occurrence of `old`, and type the new text."""
        start = self._find(old, nth)
        wanted = ByteEdit(start, start + len(old.encode()), new.encode()).trimmed(self.buffer.data)
        if wanted.old_end > wanted.start:
            self.edit(ByteEdit(wanted.start, wanted.old_end, b""))
        self.cursor = wanted.start
        self.type(wanted.new.decode())

    def edit(self, edit: ByteEdit) -> None:
        """Apply one edit here and at the server; the cursor goes behind what was inserted."""
        self.version += 1
        change = {"range": self._range(edit.start, edit.old_end), "text": edit.new.decode()}
        self.buffer, self.cursor = self.buffer.apply(edit), edit.new_end
        document = {"uri": self.uri, "version": self.version}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def ask(self, method: str, **more: Any) -> Reply:
        """Ask at the cursor. Raises ServerError."""
        line, character = position_at(self.buffer, self.cursor, UTF16)
        document = {"uri": self.uri, "version": self.version}
        position = {"line": line, "character": character}
        return self.client.request(method, {"textDocument": document, "position": position, **more})

    def edit_of(self, item: dict[str, Any]) -> ByteEdit:
        """The byte edit that an answer's `range` and `text` (or `insertText`) stand for."""
        start, end = item["range"]["start"], item["range"]["end"]
        new = item["text"] if "text" in item else item["insertText"]
        return ByteEdit(
            byte_at(self.buffer, start["line"], start["character"], UTF16),
            byte_at(self.buffer, end["line"], end["character"], UTF16),
            str(new).encode(),
        )

    def _find(self, text: str, nth: int) -> int:
        at = -1
        for _ in range(nth):
            at = self.buffer.data.index(text.encode(), at + 1)
        return at

    def _range(self, start: int, end: int) -> dict[str, dict[str, int]]:
        out = {}
        for name, byte in (("start", start), ("end", end)):
            line, character = position_at(self.buffer, byte, UTF16)
            out[name] = {"line": line, "character": character}
        return out
