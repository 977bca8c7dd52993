"""A simulated editor: it opens documents in a language server, types into them and sends requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from editahead.bench.stdio_client import Reply, StdioClient
from editahead.recording.session_file import utf16_range
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.positions import PositionEncoding, position_at

CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "synchronization": {"didSave": True},
        "completion": {"completionItem": {"snippetSupport": False}, "contextSupport": True},
        "inlineCompletion": {},
    },
    "window": {"workDoneProgress": True},
    "workspace": {"configuration": True, "workspaceFolders": True},
}


class Editor:
    """A server in its own process with a workspace folder.

    `provides` are the server's capabilities, `about` its name and version; both are empty before `initialize`.
    """

    def __init__(
        self, command: Sequence[str], root: Path, settings: Mapping[str, Any] | None = None, timeout: float = 30.0
    ) -> None:
        self.root, self.settings = root, dict(settings or {})
        self.client = StdioClient(command, self._answer, timeout)
        self.provides: Mapping[str, Any] = {}
        self.about = ""

    def initialize(self, timeout: float | None = None) -> None:
        """Run the `initialize` handshake. Raises ServerError."""
        folder = {"uri": self.root.as_uri(), "name": self.root.name}
        params: dict[str, Any] = {"processId": None, "rootUri": folder["uri"], "workspaceFolders": [folder]}
        params |= {"capabilities": CAPABILITIES, "initializationOptions": self.settings}
        result = self.client.request("initialize", params, timeout).result
        provides = result.get("capabilities") if isinstance(result, Mapping) else None
        self.provides = provides if isinstance(provides, Mapping) else {}
        about = result.get("serverInfo") if isinstance(result, Mapping) else None
        self.about = " ".join(str(about[key]) for key in ("name", "version") if about.get(key)) if about else ""
        self.client.notify("initialized", {})

    def open(self, path: str, language_id: str, buffer: Buffer) -> EditedDocument:
        """Open a document of the workspace folder. Raises ServerError."""
        return EditedDocument(self.client, self.root / path, language_id, buffer)

    def _answer(self, method: str, params: Any) -> Any:
        """Return an editor's answer to a request of the server."""
        if method == "workspace/configuration":
            items = params.get("items") if isinstance(params, Mapping) else None
            sections = [item.get("section") if isinstance(item, Mapping) else None for item in items or []]
            return [self.settings if section == "editahead" else {} for section in sections]
        if method == "workspace/workspaceFolders":
            return [{"uri": self.root.as_uri(), "name": self.root.name}]
        return None


class EditedDocument:
    """An open document: its text, and the cursor as a byte offset. Every method raises ServerError."""

    def __init__(self, client: StdioClient, path: Path, language_id: str, buffer: Buffer) -> None:
        self.client, self.uri, self.buffer = client, path.as_uri(), buffer
        self.cursor = 0
        self._version = 1
        document = {"uri": self.uri, "languageId": language_id, "version": 1, "text": buffer.text}
        client.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, edits: Iterable[ByteEdit]) -> None:
        """Apply edits in order and send a single `didChange`; the cursor moves behind the last insertion."""
        changes = []
        for edit in edits:
            changed_range = utf16_range(self.buffer, edit.start, edit.old_end)
            changes.append({"range": changed_range, "text": edit.new.decode("utf-8", "replace")})
            self.buffer, self.cursor = self.buffer.apply(edit), edit.new_end
        self._version += 1
        document = {"uri": self.uri, "version": self._version}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def put(self, text: str, nth: int = 1) -> None:
        """Place the cursor behind the `nth` occurrence of `text`. Raises ValueError if there is none."""
        self.cursor = self._find(text, nth) + len(text.encode())

    def type(self, text: str) -> None:
        """Type a text key by key at the cursor."""
        for key in text:
            self.change([ByteEdit(self.cursor, self.cursor, key.encode())])

    def replace(self, old: str, new: str, nth: int = 1) -> None:
        """Turn the `nth` occurrence of `old` into `new`: delete the part that differs, and type the new text."""
        start = self._find(old, nth)
        wanted = ByteEdit(start, start + len(old.encode()), new.encode()).trim(self.buffer.data)
        if wanted.old_end > wanted.start:
            self.change([ByteEdit(wanted.start, wanted.old_end, b"")])
        self.cursor = wanted.start
        self.type(wanted.new.decode())

    def request(
        self,
        method: str,
        byte: int | None = None,
        *,
        versioned: bool = False,
        timeout: float | None = None,
        **more: Any,
    ) -> Reply:
        """Send a request at a byte, or at the cursor; `versioned` adds the document version, as for next edits."""
        line, character = position_at(self.buffer, self.cursor if byte is None else byte, PositionEncoding.UTF16)
        document: dict[str, Any] = {"uri": self.uri}
        if versioned:
            document["version"] = self._version
        position = {"textDocument": document, "position": {"line": line, "character": character}}
        return self.client.request(method, {**position, **more}, timeout)

    def close(self) -> None:
        """Close the document."""
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})

    def _find(self, text: str, nth: int) -> int:
        at = -1
        for _ in range(nth):
            at = self.buffer.data.index(text.encode(), at + 1)
        return at
