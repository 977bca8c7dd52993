"""Recording a session to a file, when somebody asks for it by name: see docs/bench.md."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editahead.exclusion import exclusion_by_name
from editahead.lsp.disk import ExclusionThread
from editahead.lsp.json_rpc import INVALID_PARAMS, RequestError
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


@dataclass(eq=False)
class _Held:
    """Something to write; `ready` once it is known whether the document may be recorded."""

    write: Callable[[Recorder], None]
    ready: bool = True


class Recording:
    """What the handlers tell of documents, and the file that it goes to while there is one. On the loop's thread."""

    def __init__(self, server: EditaheadServer) -> None:
        self._server = server
        self._recorder: Recorder | None = None
        self._exclusions = ExclusionThread(lambda run: server.from_thread(run))
        self._held: deque[_Held] = deque()  # in the order in which it happened; the first waits for the disk
        self._idle: list[Callable[[], None]] = []  # called when nothing waits any more

    def begin(self, path: Path, anonymised: bool) -> Recorder:
        """Record from now on, the documents that are open first. Raises SessionError."""
        from editahead.recording.recorder import Recorder

        if self._recorder is not None:
            raise SessionError(f"a session is recorded to {self._recorder.path} already: stop that first")
        self._recorder = Recorder(path, anonymised, self._server.session.clock)
        for document in self._server.session.documents.values():
            self.opened(document)
        return self._recorder

    def when_idle(self, then: Callable[[], None]) -> None:
        """Call `then` once all that has happened so far is in the file."""
        if self._held:
            self._idle.append(then)
        else:
            then()

    async def drain(self, seconds: float) -> None:
        """Wait until all that has happened is in the file, at most so long."""
        done = asyncio.Event()
        self.when_idle(done.set)
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(done.wait(), seconds)

    @property
    def active(self) -> bool:
        """Whether a session is recorded now."""
        return self._recorder is not None

    def end(self) -> Recorder | None:
        """Stop; what was recorded, None when nothing was. What still waits for the disk is left out."""
        recorder, self._recorder = self._recorder, None
        self._held.clear()
        self._exclusions.stop()
        if recorder is not None:
            recorder.end()
        return recorder

    def opened(self, document: OpenDocument) -> None:
        """A document was opened."""
        if self._recorder is None or (path := self._path(document)) is None:
            return
        uri, language_id, buffer = document.uri, document.language_id, document.buffer
        held = _Held(lambda to: to.open(uri, path, language_id, buffer), ready=False)

        def known(why: str | None) -> None:
            if why is not None:
                held.write = lambda to: None
            held.ready = True
            self._write()

        self._held.append(held)
        self._ask(document, known)

    def changed(self, document: OpenDocument, before: Buffer, edits: Sequence[ByteEdit]) -> None:
        """A document, which was `before`, was edited."""
        if self._recorder is None or not (self._held or document.uri in self._recorder):
            return
        uri = document.uri
        if self._path(document) is None:  # excluded since
            self.closed(uri)
            return
        self._hold(lambda to: to.change(uri, before, edits))
        self._ask(document, lambda why: None if why is None else self.closed(uri))  # ignored by git since

    def closed(self, uri: str) -> None:
        """A document was closed."""
        self._hold(lambda to: to.close(uri))

    def _ask(self, document: OpenDocument, known: Callable[[str | None], None]) -> None:
        """Whether the disk excludes a document; the answer counts while this recording goes on."""
        session, recorder = self._server.session, self._recorder
        assert document.path is not None
        root = session.root_of(document.path)

        def answered(why: str | None) -> None:
            if self._recorder is recorder:
                known(why)

        self._exclusions.ask(session.settings, document.path, root, answered)

    def _hold(self, write: Callable[[Recorder], None]) -> None:
        if self._recorder is not None:
            self._held.append(_Held(write))
            self._write()

    def _write(self) -> None:
        """Write what is known, in its order."""
        while self._held and self._held[0].ready:
            self._try(self._held.popleft().write)
        if not self._held:
            idle, self._idle = self._idle, []
            for then in idle:
                then()

    def _path(self, document: OpenDocument) -> str | None:
        """The document's path inside the project; None for one that may not be recorded: a secret or excluded file,
        one outside the workspace, one in no language that we know, one that is too large. Looks at no disk."""
        session = self._server.session
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

    def _try(self, act: Any) -> None:
        """Write; where that fails the recording ends with one message, and nothing else is disturbed."""
        if self._recorder is None:
            return
        try:
            act(self._recorder)
        except SessionError as error:
            self._recorder = None
            self._held.clear()
            log.error("the recording has ended: %s", error)
            self._server.status.message(f"the recording has ended: {error}")


def record(server: EditaheadServer, arguments: Sequence[Any]) -> asyncio.Future[Any]:
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
    return _once_idle(server, lambda: _begun(server, recorder))


def _begun(server: EditaheadServer, recorder: Recorder) -> dict[str, Any]:
    if not server.recording.active:
        raise RequestError(INVALID_PARAMS, f"cannot write {recorder.path}: the recording has ended")
    return {"path": str(recorder.path), "anonymised": recorder.anonymised, "documents": recorder.events}


def stop_recording(server: EditaheadServer, arguments: Sequence[Any]) -> asyncio.Future[Any]:
    """`editahead.stop-recording`: the path and the number of events; null when nothing was recorded."""
    return _once_idle(server, lambda: _ended(server))


def _ended(server: EditaheadServer) -> dict[str, Any] | None:
    recorder = server.recording.end()
    return None if recorder is None else {"path": str(recorder.path), "events": recorder.events}


def _once_idle(server: EditaheadServer, answer: Callable[[], Any]) -> asyncio.Future[Any]:
    """What `answer` returns once all that has happened so far is recorded; it runs even if nobody waits for that."""
    result: asyncio.Future[Any] = server.loop.create_future()

    def then() -> None:
        try:
            value = answer()
        except RequestError as error:
            if not result.done():
                result.set_exception(error)
        else:
            if not result.done():
                result.set_result(value)

    server.recording.when_idle(then)
    return result


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
