"""Names of other documents and of the project, for the documents that are open; see editahead.index."""

from __future__ import annotations

import gc
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editahead.index.background import Background
from editahead.index.documents import OpenText
from editahead.index.lexicon import family_of, indexed_extensions
from editahead.index.throttle import Pace
from editahead.index.types import Elsewhere, IndexState
from editahead.index.view import EMPTY
from editahead.index.workspace_names import Surroundings
from editahead.lsp import params as door
from editahead.lsp.params import Raw
from editahead.lsp.progress import WorkDone
from editahead.lsp.uris import path_of

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer
    from editahead.lsp.session import OpenDocument

QUIET = 0.05  # seconds without a message after which nobody waits for anything
WORTH_A_BAR = 100  # files; fewer are read before anybody could look
TITLE = "editahead: reading names"


class Indexing:
    """Feeds the background thread. On the loop's thread, but for `stir` and `busy`."""

    def __init__(self, server: EditaheadServer) -> None:
        self._server = server
        self._background = Background(Pace(self.busy), self._told)
        self._bars: dict[Path, WorkDone] = {}
        self._started = False
        self._stirred = 0.0
        self._quarter: dict[Path, float | None] = {}
        self._made = Surroundings((), EMPTY)

    # -- the thread's life

    def start(self) -> None:
        """Begin to read: once the models are there, so that the first answer does not wait."""
        if not self._started:
            self._started = True
            # All that is loaded by now stays; a full collection would look through it each time, 62 ms at a stretch.
            gc.freeze()
            self.configure()
            self._background.start()

    def stop(self, wait: float = 1.0) -> None:
        """End the thread. `wait` in seconds."""
        self._background.stop(wait)

    def configure(self) -> None:
        """Follow the settings and the workspace folders."""
        if self._started:
            self._background.configure(self._server.session.roots, self._server.session.settings)
            for root in set(self._bars) - set(self._background.states()):
                self._bars.pop(root).end()

    def stir(self) -> None:
        """A message has come: the thread stops until it is quiet again."""
        self._stirred = time.monotonic()

    def busy(self) -> bool:
        """Whether somebody waits for an answer, or will in a moment."""
        return time.monotonic() - self._stirred < QUIET or self._server.worker.busy

    # -- what happens to documents and files

    def turned_to(self, opened: OpenDocument) -> None:
        """The user works in this document."""
        if opened.syntax is not None:
            root = self._server.session.root_of(opened.judged_path)
            text = OpenText(opened.uri, opened.judged_path, root, opened.syntax.language, opened.buffer)
            if self._background.documents.put(text):
                self._background.left()

    def closed(self, uri: str) -> None:
        """The document is no longer open: what is on disk counts."""
        self._background.documents.close(uri)
        self._made = Surroundings((), EMPTY)  # which may hold its names
        self.touched(uri)

    def touched(self, uri: str) -> None:
        """A file may have changed on disk."""
        path = path_of(uri)
        if path is not None:
            self._background.touched(path)

    def reported(self, changes: Sequence[object]) -> None:
        """The client tells of many changes on disk at once."""
        uris = (door.maybe_text(change, "uri") for change in changes)
        self._background.reported(path for uri in uris if uri is not None and (path := path_of(uri)) is not None)

    def elsewhere(self, opened: OpenDocument) -> Elsewhere:
        """What this document sees of the others, as of now."""
        self.turned_to(opened)
        root = self._server.session.root_of(opened.path)
        own = opened.path.relative_to(root).as_posix() if opened.path and root else None
        family = family_of(opened.language_id)
        others = self._background.documents.others(opened.uri, family)
        view, phrases = self._background.view(root, family), self._background.phrases(root, family)
        made = Surroundings(others, view, own, phrases)
        if not made.same_as(self._made):  # else what it has been asked already need not be found again
            self._made = made
        return self._made

    # -- what the client sees of it

    def state(self) -> dict[str, Any] | None:
        """All folders together, as status and statistics tell it; None when none is indexed."""
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
        """Ask to be told of changes on disk, if the client wants to be asked for that."""
        if not self._server.abilities.register_watching:
            return
        endings = ",".join(ending.lstrip(".") for ending in indexed_extensions())
        watchers = [{"globPattern": f"**/*.{{{endings}}}"}, {"globPattern": "**/.gitignore"}]
        registration = {
            "id": "editahead-files",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": {"watchers": watchers},
        }
        self._server.protocol.request(
            "client/registerCapability", {"registrations": [registration]}, lambda answer: None
        )

    def cancel(self, token: object) -> None:
        """The user has closed the bar: the reading behind it ends."""
        for root, bar in self._bars.items():
            if bar.token is not None and bar.token == token:
                self._background.cancel(root)

    def _told(self, root: Path, state: IndexState) -> None:
        """On the background thread."""
        self._server.from_thread(self._show, root, state)

    def _show(self, root: Path, state: IndexState) -> None:
        bar = self._bars.get(root)
        if state.share is None:
            if bar is not None:
                self._bars.pop(root).end()
        elif state.to_read >= WORTH_A_BAR and root in self._background.states():
            if bar is None:
                bar = self._bars[root] = WorkDone(self._server, TITLE, cancellable=True)
                bar.begin()
            bar.report(f"{root.name}: {state.files} files", state.share)
        quarter = None if state.share is None else int(4 * state.share) / 4
        if quarter is None or self._quarter.get(root) != quarter:
            self._quarter[root] = quarter
            self._server.status.tell()


def did_change_watched_files(server: EditaheadServer, raw: Raw) -> None:
    """`workspace/didChangeWatchedFiles`."""
    changes = raw.get("changes") if isinstance(raw, Mapping) else None
    if isinstance(changes, list):
        server.indexing.reported(changes)


def cancel_progress(server: EditaheadServer, raw: Raw) -> None:
    """`window/workDoneProgress/cancel`: reading the project can be ended, loading models cannot."""
    server.indexing.cancel(door.field(raw, "token"))
