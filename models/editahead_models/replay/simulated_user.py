"""A project in a folder of its own, the real server on it over stdio, and a person who types there key by key."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from editahead.bench.editor import EditedDocument, Editor
from editahead.bench.stdio_client import ServerError, server_command
from editahead.syntax.language import Language
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

SECONDS = 600.0
"""For the models and the project's index, and again for one answer."""
READY = "editahead/ready"
"""The notification that the models are loaded and the project is read."""


class SimulatedUser:
    """Types in files of one project. Raises ServerError when the server is gone."""

    def __init__(self, editor: Editor, command: str = "") -> None:
        self._editor, self._command = editor, command
        self._document: EditedDocument | None = None

    @property
    def server(self) -> str:
        """The name and version that the server gives itself, else its command."""
        return self._editor.about or self._command

    def go_to(self, path: str, language: Language, before: bytes, below: bytes) -> EditedDocument:
        """Open a file with the cursor's line empty, and type the line as far as the cursor.

        A file that was open is closed first, so that nothing that is removed stays in the history of edits.
        """
        self.close()
        line = before.rfind(b"\n") + 1
        text = before[line:].decode("utf-8", "replace")
        indent = text[: len(text) - len(text.lstrip())]
        self._document = self._editor.open(path, language.id, Buffer(before[:line] + below))
        self._document.cursor = line
        if indent:
            self._document.change([ByteEdit(line, line, indent.encode())])
        self._document.type(text[len(indent) :])
        return self._document

    def close(self) -> None:
        """Close the open file."""
        if self._document is not None:
            self._document.close()
            self._document = None

    def set_precision(self, precision: float) -> None:
        """Change the setting `editahead.precision`."""
        self._editor.settings["precision"] = precision
        self._editor.client.notify(
            "workspace/didChangeConfiguration", {"settings": {"editahead": dict(self._editor.settings)}}
        )


@contextmanager
def user_of(
    files: Iterable[tuple[str, bytes, Language]],
    bundles: Iterable[Path] = (),
    settings: Mapping[str, Any] = MappingProxyType({}),
) -> Iterator[SimulatedUser]:
    """A user of the real server in a folder with these files, with settings other than the default ones.

    The server runs in its deterministic mode: no answer depends on how busy the machine is. Raises ServerError.
    """
    chosen = {**settings, "bundles": [str(path.resolve()) for path in bundles]}
    with _folder_with(files) as root, _started(server_command("--deterministic"), root, chosen) as editor:
        if not editor.client.wait_for(lambda method, params: method == READY, SECONDS):
            raise ServerError(f"the project was not read within {SECONDS:g} s")
        yield SimulatedUser(editor)


@contextmanager
def user_of_other(files: Iterable[tuple[str, bytes, Language]], command: Sequence[str]) -> Iterator[SimulatedUser]:
    """A user of another server in a folder with these files. Raises ServerError."""
    with _folder_with(files) as root, _started(command, root, {}) as editor:
        yield SimulatedUser(editor, Path(command[0]).name)


@contextmanager
def _folder_with(files: Iterable[tuple[str, bytes, Language]]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="editahead-publishing-") as folder:
        root = Path(folder).resolve()
        for path, content, _ in files:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content)
        yield root


@contextmanager
def _started(command: Sequence[str], root: Path, settings: Mapping[str, Any]) -> Iterator[Editor]:
    editor = Editor(command, root, settings, SECONDS)
    with editor.client:
        editor.initialize(SECONDS)
        yield editor
