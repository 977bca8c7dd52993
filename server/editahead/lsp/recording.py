"""Recording of a session to a file, on request of the user: see docs/commands/bench.md."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from editahead.exclusion import exclusion_by_name
from editahead.lsp.documents.disk import ExclusionThread
from editahead.lsp.process.logs import log
from editahead.lsp.session import OpenDocument, Session
from editahead.lsp.status import Status
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

if TYPE_CHECKING:
    from editahead.recording.recorder import Recorder


@dataclass(eq=False)
class _Entry:
    """A pending entry of the file; `ready` once it is decided whether the document may be recorded."""

    write: Callable[[Recorder], None]
    ready: bool = True


class Recording:
    """Writes the edits of documents to a file while a recording is active. On the loop's thread.

    `post` runs a callback on the loop, from any thread.
    """

    def __init__(self, session: Session, status: Status, post: Callable[[Callable[[], None]], None]) -> None:
        self._session = session
        self._status = status
        self._recorder: Recorder | None = None
        self._exclusions = ExclusionThread(post)
        self._held: deque[_Entry] = deque()  # in the order in which it happened; the first waits for the disk
        self._idle: list[Callable[[], None]] = []  # called when nothing waits any more

    def begin(self, path: Path, anonymised: bool) -> Recorder:
        """Begin a recording, first with the documents that are open. Raises SessionError."""
        from editahead.recording.recorder import Recorder
        from editahead.recording.session_file import SessionError

        if self._recorder is not None:
            raise SessionError(f"a session is recorded to {self._recorder.path} already: stop that first")
        self._recorder = Recorder(path, anonymised, self._session.clock)
        for document in self._session.documents.values():
            self.record_open(document)
        return self._recorder

    def when_idle(self, then: Callable[[], None]) -> None:
        """Call `then` once all events so far are written."""
        if self._held:
            self._idle.append(then)
        else:
            then()

    async def drain(self, seconds: float) -> None:
        """Wait until all events so far are written, at most `seconds`."""
        done = asyncio.Event()
        self.when_idle(done.set)
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(done.wait(), seconds)

    @property
    def is_active(self) -> bool:
        """Whether a recording is active."""
        return self._recorder is not None

    def end(self) -> Recorder | None:
        """End the recording, dropping entries that are not ready. Return the recorder, None if none was active."""
        recorder, self._recorder = self._recorder, None
        self._held.clear()
        self._exclusions.stop()
        if recorder is not None:
            recorder.end()
        return recorder

    def record_open(self, document: OpenDocument) -> None:
        """Record that a document was opened."""
        if self._recorder is None or (path := self._path(document)) is None:
            return
        uri, language_id, buffer = document.uri, document.language_id, document.buffer
        held = _Entry(lambda to: to.open(uri, path, language_id, buffer), ready=False)

        def on_decision(why: str | None) -> None:
            if why is not None:
                held.write = lambda to: None
            held.ready = True
            self._write()

        self._held.append(held)
        self._ask(document, on_decision)

    def record_change(self, document: OpenDocument, before: Buffer, edits: Sequence[ByteEdit]) -> None:
        """Record edits of a document, whose text was `before`."""
        if self._recorder is None or not (self._held or document.uri in self._recorder):
            return
        uri = document.uri
        if self._path(document) is None:  # excluded since
            self.record_close(uri)
            return
        self._hold(lambda to: to.change(uri, before, edits))
        self._ask(document, lambda why: None if why is None else self.record_close(uri))  # ignored by git since

    def record_close(self, uri: str) -> None:
        """Record that a document was closed."""
        self._hold(lambda to: to.close(uri))

    def _ask(self, document: OpenDocument, on_decision: Callable[[str | None], None]) -> None:
        """Compute why a document is excluded and call `on_decision` with it (or None), if the recording continues."""
        session, recorder = self._session, self._recorder
        assert document.path is not None
        root = session.root_of(document.path)

        def on_reason(why: str | None) -> None:
            if self._recorder is recorder:
                on_decision(why)

        self._exclusions.ask(session.settings, document.path, root, on_reason)

    def _hold(self, write: Callable[[Recorder], None]) -> None:
        if self._recorder is not None:
            self._held.append(_Entry(write))
            self._write()

    def _write(self) -> None:
        """Write entries in order, up to the first that is not ready."""
        while self._held and self._held[0].ready:
            self._try(self._held.popleft().write)
        if not self._held:
            idle, self._idle = self._idle, []
            for then in idle:
                then()

    def _path(self, document: OpenDocument) -> str | None:
        """Return the document's path inside the project.

        None for a document that may not be recorded: a secret or excluded file, a file outside the workspace, in an
        unknown language, or too large. Reads nothing from disk.
        """
        session = self._session
        settings, root = session.settings, session.root_of(document.path)
        if document.path is None or document.syntax is None or (session.roots and root is None):
            return None
        if exclusion_by_name(settings, document.path, root):
            return None
        if len(document.buffer.data) > settings.max_file_bytes:
            return None
        if root is None:  # an editor without a workspace
            return document.path.name
        path = document.path.relative_to(root).as_posix()
        return path if len(session.roots) == 1 else f"{root.name}/{path}"

    def _try(self, act: Callable[[Recorder], None]) -> None:
        """Call `act`, which writes; on failure end the recording with a single message."""
        if self._recorder is None:
            return
        from editahead.recording.session_file import SessionError

        try:
            act(self._recorder)
        except SessionError as error:
            self._recorder = None
            self._held.clear()
            log.error("the recording has ended: %s", error)
            self._status.message(f"the recording has ended: {error}")
