"""Updates of the index of names after changes of documents and files; see editahead.index."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from editahead.index.background import BackgroundIndexer, Throttle, index_settings
from editahead.index.documents import OpenText
from editahead.index.lexicon import indexed_extensions, language_family
from editahead.index.types import IndexState, OutsideNames
from editahead.index.view import EMPTY, WorkspaceNames
from editahead.lsp.client import Client
from editahead.lsp.inference.garbage import defer_full_collections
from editahead.lsp.inference.worker import Worker
from editahead.lsp.rpc.extension_types import IndexSummary
from editahead.lsp.rpc.uris import path_of
from editahead.lsp.session import OpenDocument, Session
from editahead.lsp.status import Status, WorkDoneProgress

if TYPE_CHECKING:  # without a memory nothing is stored
    from editahead.index.stored_files import ProjectStore

QUIET_SECONDS = 0.05  # seconds without a message after which the background thread may work
MIN_FILES_FOR_PROGRESS = 100  # fewer are read too fast for a progress report
TITLE = "editahead: reading names"


class Indexing:
    """Passes changes to the background thread. On the loop's thread, but for `mark_active` and `is_busy`.

    `post` runs a callback on the loop, from any thread.
    """

    def __init__(
        self,
        client: Client,
        session: Session,
        worker: Worker,
        status: Status,
        post: Callable[[Callable[[], None]], None],
    ) -> None:
        self._client = client
        self._session = session
        self._worker = worker
        self._status = status
        self._post = post
        self._background = BackgroundIndexer(Throttle(self.is_busy), self._state_changed)
        self._background.open_store = self._open_store
        self._progress: dict[Path, WorkDoneProgress] = {}
        self._started = False
        self._rules: tuple[object, ...] = ()
        self._last_message = 0.0
        self._quarter: dict[Path, float | None] = {}
        self._surroundings = WorkspaceNames((), EMPTY)

    # -- lifetime of the thread

    def start(self) -> None:
        """Start the thread. Called once the models are loaded, so that the first answer is not delayed."""
        if not self._started:
            self._started = True
            defer_full_collections()
            self.configure()
            self._background.reads_nearest_first = not self._session.is_deterministic  # when a document opens varies
            self._background.start()

    def stop(self, wait: float = 1.0) -> None:
        """End the thread. `wait` in seconds."""
        self._background.stop(wait)

    @property
    def is_idle(self) -> bool:
        """Whether everything has been read."""
        return not self._started or self._background.is_idle

    def configure(self) -> None:
        """Apply the settings and the workspace folders. What was read of other files by other rules is dropped."""
        settings = self._session.settings
        rules = (*index_settings(settings), settings.index_environment)
        if self._rules not in ((), rules):
            self._session.unopened.forget()
            self._worker.forget_files()
        self._rules = rules
        if self._started:
            self._background.configure(self._session.roots, self._session.settings)
            for root in set(self._progress) - set(self._background.states()):
                self._progress.pop(root).end()

    def mark_active(self) -> None:
        """Pause the thread after a message; it continues QUIET seconds after the last message."""
        self._last_message = time.monotonic()

    def is_busy(self) -> bool:
        """Whether the client waits for an answer, or sent a message within QUIET seconds."""
        return time.monotonic() - self._last_message < QUIET_SECONDS or self._worker.has_work

    # -- changes of documents and files

    def document_active(self, opened: OpenDocument) -> None:
        """Record which document the user works in, with its text."""
        if opened.syntax is not None:
            root = self._session.root_of(opened.exclusion_path)
            text = OpenText(opened.uri, opened.exclusion_path, root, opened.syntax.language, opened.buffer)
            if self._background.documents.put(text):
                self._background.wake()

    def document_closed(self, uri: str) -> None:
        """Index the file on disk again: the document is no longer open."""
        self._background.documents.close(uri)
        self._surroundings = WorkspaceNames((), EMPTY)  # which may hold its names
        self.file_changed(uri)

    def file_changed(self, uri: str) -> None:
        """Read a file again that may have changed on disk, given by its URI."""
        path = path_of(uri)
        if path is not None:
            self._background.file_changed(path)

    def files_changed(self, uris: Iterable[str]) -> None:
        """Read files again that have changed on disk, given by their URIs."""
        self._background.files_changed(path for uri in uris if (path := path_of(uri)) is not None)

    def names_elsewhere(self, opened: OpenDocument, language_id: str) -> OutsideNames:
        """Return the names of other documents and of the project for code in a document, as of now."""
        self.document_active(opened)
        root = self._session.root_of(opened.path)
        own = opened.path.relative_to(root).as_posix() if opened.path and root else None
        family = language_family(language_id)
        others = self._background.documents.others(opened.uri, family)
        view, ngrams = self._background.view(root, family), self._background.ngrams(root, family)
        surroundings = WorkspaceNames(others, view, own, ngrams)
        if not surroundings.is_same_as(self._surroundings):  # else its cached answers are still right
            self._surroundings = surroundings
        return self._surroundings

    # -- reports to the client

    def summary(self) -> IndexSummary | None:
        """Return the state of all folders together, as in status and statistics; None when none is indexed."""
        states = self._background.states().values()
        if not states:
            return None
        shares = [state.share for state in states if state.share is not None]
        return {
            "files": sum(state.files for state in states),
            "names": sum(state.names for state in states),
            "building": min(shares) if shares else None,
            "full": any(state.full for state in states),
        }

    def register(self) -> None:
        """Register for changes of files on disk, if the client supports it."""
        if not self._client.capabilities.register_watching:
            return
        endings = ",".join(ending.lstrip(".") for ending in indexed_extensions())
        self._client.register(
            {
                "id": "editahead-files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": {
                    "watchers": [{"globPattern": f"**/*.{{{endings}}}"}, {"globPattern": "**/.gitignore"}]
                },
            }
        )

    def cancel(self, token: str) -> None:
        """Cancel the indexing of the folder whose progress report has this token."""
        for root, progress in self._progress.items():
            if progress.token == token:
                self._background.cancel(root)

    def _open_store(self, root: Path) -> ProjectStore:
        """Return what is stored of a project, as `editahead.memory` is on; reads nothing yet."""
        from editahead.learning.stored_index import StoredProject  # others start without SQLite

        return StoredProject(root, lambda text: self._post(lambda: self._status.message(text)))

    def _state_changed(self, root: Path, state: IndexState) -> None:
        """Pass a change of state to the loop. On the background thread."""
        self._post(lambda: self._show(root, state))

    def _show(self, root: Path, state: IndexState) -> None:
        """Report the progress of a folder to the client, and its end."""
        progress = self._progress.get(root)
        if state.share is None:
            if progress is not None:
                self._progress.pop(root).end()
        elif state.to_read >= MIN_FILES_FOR_PROGRESS and root in self._background.states():
            if progress is None:
                progress = self._progress[root] = WorkDoneProgress(self._client, TITLE, cancellable=True)
                progress.begin()
            progress.report(f"{root.name}: {state.files} files", state.share)
        quarter = None if state.share is None else int(4 * state.share) / 4
        if quarter is None or self._quarter.get(root) != quarter:
            self._quarter[root] = quarter
            self._status.send()
