"""Recording a session to a file, when somebody asks for it by name: see docs/bench.md."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editahead.exclusion import exclusion
from editahead.lsp.logs import log
from editahead.lsp.params import BadParams
from editahead.lsp.uris import expanded
from editahead.recording.events import SessionError
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer
    from editahead.lsp.session import OpenDocument
    from editahead.recording.recorder import Recorder


class Recording:
    """What the handlers tell of documents, and the file that it goes to while there is one."""

    def __init__(self, server: EditaheadServer) -> None:
        self._server = server
        self._recorder: Recorder | None = None

    def begin(self, path: Path, anonymised: bool) -> Recorder:
        """Record from now on, the documents that are open first. Raises SessionError."""
        from editahead.recording.recorder import Recorder

        if self._recorder is not None:
            raise SessionError(f"a session is recorded to {self._recorder.path} already: stop that first")
        self._recorder = Recorder(path, anonymised, self._server.session.clock)
        for document in self._server.session.documents.values():
            self.opened(document)
        if self._recorder is None:
            raise SessionError(f"cannot write {path}: the recording has ended")
        return self._recorder

    def end(self) -> Recorder | None:
        """Stop; what was recorded, None when nothing was."""
        recorder, self._recorder = self._recorder, None
        if recorder is not None:
            recorder.end()
        return recorder

    def opened(self, document: OpenDocument) -> None:
        """A document was opened."""
        if self._recorder is not None and (path := self._path(document)) is not None:
            self._try(lambda to: to.open(document.uri, path, document.language_id, document.buffer))

    def changed(self, document: OpenDocument, before: Buffer, edits: Sequence[ByteEdit]) -> None:
        """A document, which was `before`, was edited."""
        if self._recorder is None or document.uri not in self._recorder:
            return
        if self._path(document) is None:  # excluded since
            self.closed(document.uri)
        else:
            self._try(lambda to: to.change(document.uri, before, edits))

    def closed(self, uri: str) -> None:
        """A document was closed."""
        self._try(lambda to: to.close(uri))

    def _path(self, document: OpenDocument) -> str | None:
        """The document's path inside the project; None for one that may not be recorded: a secret, excluded or ignored
        file, one outside the workspace, one in no language that we know, one that is too large."""
        session = self._server.session
        settings, root = session.settings, session.root_of(document.path)
        if document.path is None or document.syntax is None or (session.roots and root is None):
            return None
        if exclusion(settings, document.path, root) or len(document.buffer.data) > settings.max_file_bytes:
            return None
        if root is None:  # an editor without a workspace
            return document.path.name
        path = document.path.relative_to(root).as_posix()
        return path if len(session.roots) == 1 else f"{root.name}/{path}"

    def _try(self, act: Any) -> None:
        """Write; where that fails the recording ends with one message, and nothing else is disturbed."""
        if self._recorder is None:
            return
        try:
            act(self._recorder)
        except SessionError as error:
            self._recorder = None
            log.error("the recording has ended: %s", error)
            self._server.status.message(f"the recording has ended: {error}")


def record(server: EditaheadServer, arguments: Sequence[Any]) -> dict[str, Any]:
    """`editahead.record`: [path, anonymised]. A relative path is one below the first workspace folder."""
    if not arguments or not isinstance(arguments[0], str) or not arguments[0].strip():
        raise BadParams("arguments must begin with the path of a file to write")
    anonymised = arguments[1] if len(arguments) > 1 else False
    if not isinstance(anonymised, bool):
        raise BadParams("arguments[1] must be true (without code) or false")
    try:
        path = expanded(arguments[0])
    except ValueError as error:
        raise BadParams(str(error)) from None
    if not path.is_absolute() and server.session.roots:
        path = server.session.roots[0] / path
    try:
        recorder = server.recording.begin(path, anonymised)
    except SessionError as error:
        raise BadParams(str(error)) from None
    return {"path": str(recorder.path), "anonymised": anonymised, "documents": recorder.events}


def stop_recording(server: EditaheadServer, arguments: Sequence[Any]) -> dict[str, Any] | None:
    """`editahead.stop-recording`: the path and the number of events; null when nothing was recorded."""
    recorder = server.recording.end()
    return None if recorder is None else {"path": str(recorder.path), "events": recorder.events}


def record_from_the_start(server: EditaheadServer) -> None:
    """`--record FILE`: where that file is there already, the first of FILE-2, FILE-3 .. that is not."""
    wanted = server.options.record
    if wanted is None:
        return
    names = (wanted, *(wanted.with_stem(f"{wanted.stem}-{number}") for number in range(2, 1000)))
    path = next((path for path in names if not os.path.lexists(path)), wanted)
    try:
        server.recording.begin(path, False)
    except SessionError as error:
        server.status.message(f"nothing is recorded: {error}")
