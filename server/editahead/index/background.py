"""The background thread of the index: it reads workspace folders and inactive documents in slices, while idle.

It is throttled so that it delays no answer: Python runs a single thread at a time. A waiting thread requests its turn
and gets it only after the switch interval (the server sets a fifth of a millisecond). A keystroke passes through three
threads, and each passage could cost that much. So the work is done in slices with pauses between them, and it stops at
the next step while other work is running; only what is stored of a project is read without pauses. The thread does not
have a low priority in the operating system: preempted in the middle of a slice, it would delay all other threads.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from editahead.index.documents import OpenDocuments, OpenText
from editahead.index.ngram_index import EMPTY_NGRAMS, NgramIndex
from editahead.index.project import ProjectIndex
from editahead.index.sliced_work import Steps
from editahead.index.types import IndexState
from editahead.index.view import EMPTY, IndexView
from editahead.settings import Settings

if TYPE_CHECKING:  # without a memory nothing is stored
    from editahead.index.stored_files import ProjectStore

SLICE = 0.002  # seconds of work; the rest behind a slice is as long as the slice was
REST, LONGEST_REST = 0.001, 0.1  # seconds
POLL_INTERVAL = 0.010  # seconds between two looks at whether others are still busy
MAX_DEFERRAL = 2.0  # seconds after which a slice is done although others are busy, so that the work gets done some day
MAX_URGENT = 1.0  # seconds of processor time in which what is stored is read without giving way
MAX_FIRST_DEFERRAL = 0.3  # seconds for which it gives way before, so that the first answer is not later


class Throttle:
    """A throttle that the background thread calls between any two steps."""

    def __init__(
        self,
        busy: Callable[[], bool],
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._busy = busy
        self._sleep = sleep
        self._clock = clock
        self._began = clock()
        self._impatient = False

    def begin(self) -> None:
        """Begin a piece of work: MAX_DEFERRAL counts from now."""
        self._began = self._clock()

    def wait(self) -> None:
        """Wait until the next step may run."""
        used = self._clock() - self._began
        if used < SLICE and (self._impatient or not self._busy()):
            return
        # Where the machine is overloaded a slice takes longer than it works, and so does the rest.
        self._sleep(min(max(REST, used), LONGEST_REST))
        self._impatient = self.give_way(MAX_DEFERRAL) >= MAX_DEFERRAL
        self._began = self._clock()

    def give_way(self, seconds: float) -> float:
        """Wait while others are busy, at most so many seconds; return how many."""
        waited = 0.0
        while self._busy() and waited < seconds:
            self._sleep(POLL_INTERVAL)
            waited += POLL_INTERVAL
        return waited


log = logging.getLogger("editahead.index")
MAX_REPORTED = 200  # notifications of changed files that wait; with more the folders are read again
OnStateChange = Callable[[Path, IndexState], None]  # called on the thread


class BackgroundIndexer:
    """The background thread. All methods are quick and may be called from any thread; after `stop` they do nothing."""

    def __init__(self, throttle: Throttle, on_state_change: OnStateChange) -> None:
        self.documents = OpenDocuments()
        self.reads_nearest_first = True
        """Whether what the open documents need is read first; otherwise all files in the order of their paths."""
        self.open_store: Callable[[Path], ProjectStore] | None = None
        """Returns what is stored of the project in a folder; called with `Settings.memory` alone."""
        self._throttle = throttle
        self._on_state_change = on_state_change
        self._settings = Settings()
        self._projects: dict[Path, ProjectIndex] = {}  # replaced, never changed: so it can be read without the lock
        self._to_build: list[ProjectIndex] = []
        self._to_forget: list[ProjectStore] = []  # of projects that are not indexed any more
        self._touched: dict[Path, set[str]] = {}
        self._reported: deque[Iterator[Path]] = deque()  # not yet sorted out by folder
        self._changed = threading.Condition()
        self._stopping = False
        self._idle = False  # the thread waits for something to do
        self._thread = threading.Thread(target=self._main, name="index", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self, wait: float = 1.0) -> None:
        """End the thread; waits at most `wait` seconds."""
        with self._changed:
            self._stopping = True
            self._projects = {}
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(wait)

    def configure(self, roots: Iterable[Path], settings: Settings) -> None:
        """Set the folders and settings of the index. What was read by other rules is dropped at once."""
        roots = list(dict.fromkeys(roots))
        wanted = roots if settings.enabled and settings.index_enabled else []
        with self._changed:
            same = index_settings(settings) == index_settings(self._settings)
            self._settings = settings
            kept = self._projects if same else {}
            self._projects = {root: kept.get(root) or self._new(root, settings) for root in wanted}
            self._to_build = [
                project for root, project in self._projects.items() if project in self._to_build or root not in kept
            ]
            if not settings.index_enabled:
                self._to_forget = [store for root in roots if (store := self._store(root)) is not None]
            self._touched = {root: paths for root, paths in self._touched.items() if root in self._projects}
            if not same:
                self.documents.clear()
            self._changed.notify()

    def file_changed(self, path: Path) -> None:
        """Update the index after a file or folder on disk may have been changed, created or deleted."""
        with self._changed:
            for root in self._projects:
                if path != root and path.is_relative_to(root):
                    self._touched.setdefault(root, set()).add(path.relative_to(root).as_posix())
            self._changed.notify()

    def files_changed(self, paths: Iterator[Path]) -> None:
        """Update the index after many files or folders may have changed.

        The paths are consumed on the thread, in slices: a version control system changes thousands at once, and
        finding their folders takes a tenth of a second.
        """
        with self._changed:
            if len(self._reported) < MAX_REPORTED:
                self._reported.append(paths)
            else:  # too many to follow: check everything once
                for root in self._projects:
                    self._touched.setdefault(root, set()).add("")
            self._changed.notify()

    def wake(self) -> None:
        """Look for work again: another document is active, and the previous can be read."""
        with self._changed:
            self._changed.notify()

    def cancel(self, root: Path) -> None:
        """Cancel the build of a folder; what has been read is kept."""
        project = self._projects.get(root)
        if project is not None:
            project.cancel()

    def view(self, root: Path | None, family: str) -> IndexView:
        """Return the current view of a folder's files in a family of languages."""
        project = self._projects.get(root) if root is not None else None
        return project.view(family) if project is not None else EMPTY

    def ngrams(self, root: Path | None, family: str) -> NgramIndex:
        """Return the current n-gram index of a folder's files in a family of languages."""
        project = self._projects.get(root) if root is not None else None
        return project.ngrams(family) if project is not None else EMPTY_NGRAMS

    def states(self) -> dict[Path, IndexState]:
        """Return the state of each folder's index."""
        return {root: project.state for root, project in self._projects.items()}

    @property
    def is_idle(self) -> bool:
        """Whether everything has been read. False before `start`."""
        with self._changed:
            return self._idle and not self._has_work()

    # -- on the thread

    def _new(self, root: Path, settings: Settings) -> ProjectIndex:
        changed = partial(self._on_state_change, root)
        return ProjectIndex(root, settings, changed, self._documents_now, self._store(root))

    def _store(self, root: Path) -> ProjectStore | None:
        """Return what is stored of a project, on the settings of now."""
        return self.open_store(root) if self.open_store is not None and self._settings.memory else None

    def _documents_now(self) -> tuple[OpenText, ...]:
        return self.documents.recent() if self.reads_nearest_first else ()

    def _main(self) -> None:
        while True:
            with self._changed:
                while not (self._stopping or self._has_work()):
                    self._idle = True
                    self._changed.wait()
                self._idle = False
                if self._stopping:
                    return
            self._sort_out()
            while self._to_forget:
                store = self._to_forget.pop()
                store.load()
                store.flush()
            with self._changed:
                project, steps = self._next()
            if project is not None:
                self._run(project, steps)
            del project, steps  # or this frame would keep an index that was removed
            self._read_documents()

    def _sort_out(self) -> None:
        """Assign each reported path to its folder."""
        while self._reported and not self._stopping:
            paths = self._reported.popleft()
            self._throttle.begin()
            try:
                for path in paths:
                    for root in self._projects:
                        if path != root and path.is_relative_to(root):
                            with self._changed:
                                self._touched.setdefault(root, set()).add(path.relative_to(root).as_posix())
                    self._throttle.wait()
            except Exception as error:
                log.error("changed files are skipped: %s: %s", type(error).__name__, error, exc_info=error)

    def _has_work(self) -> bool:
        return bool(self._to_build or self._to_forget or self._touched or self._reported or self._has_unread_document())

    def _has_unread_document(self) -> bool:
        return self._settings.enabled and self.documents.waiting() is not None

    def _next(self) -> tuple[ProjectIndex | None, Steps[None]]:
        """Return the next piece of work and its project (None for documents), by priority."""
        if self._to_build:
            project = self._to_build.pop(0)
            self._touched.pop(project.root, None)  # will be seen anyway
            return project, project.build()
        if self._touched:
            root = next(iter(self._touched))
            paths = self._touched.pop(root)
            if root in self._projects:
                return self._projects[root], self._projects[root].update(sorted(paths))
        return None, _nothing()

    def _run(self, project: ProjectIndex, steps: Steps[None]) -> None:
        """Run the steps while the project is indexed; an error ends the index of this project alone."""
        self._throttle.give_way(MAX_FIRST_DEFERRAL)
        self._throttle.begin()
        began = time.thread_time()
        try:
            for _ in steps:
                if self._projects.get(project.root) is not project:
                    return
                if project.is_restoring and time.thread_time() - began < MAX_URGENT:
                    continue
                self._throttle.wait()
                self._read_documents()
        except Exception as error:
            log.error("the index of a folder is skipped: %s: %s", type(error).__name__, error, exc_info=error)
            with self._changed:
                self._projects = {root: other for root, other in self._projects.items() if other is not project}
            self._on_state_change(project.root, IndexState())

    def _read_documents(self) -> None:
        """Read inactive documents; their names are the most useful ones, so this precedes the rest of a build."""
        while self._has_unread_document() and not self._stopping:
            text = self.documents.waiting()
            if text is None:
                return
            self._throttle.begin()
            try:
                for _ in self.documents.read(text, self._settings):
                    self._throttle.wait()
            except Exception as error:
                log.error("an open document is skipped: %s: %s", type(error).__name__, error, exc_info=error)
                self.documents.close(text.uri)


def index_settings(settings: Settings) -> tuple[object, ...]:
    """Return the settings that decide what an index contains."""
    return (
        settings.enabled, settings.index_enabled, settings.index_max_names, settings.index_max_files,
        settings.exclude, settings.secrets, settings.respect_gitignore, settings.languages, settings.memory,
    )  # fmt: skip


def _nothing() -> Steps[None]:
    yield from ()
