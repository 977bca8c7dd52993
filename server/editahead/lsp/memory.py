"""Writes what is learnt to the user's memory, on a thread of its own, while `editahead.memory` is on."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable

from editahead.learning.database import KindChange, MemoryContents, MemoryDatabase
from editahead.learning.rejected_kinds import RejectedKind, RejectedKinds
from editahead.learning.scoreboard import OUTCOMES, CountKey, of_all_projects
from editahead.learning.sqlite_file import MemoryStoreError, memory_folder
from editahead.lsp.session import Session
from editahead.lsp.status import Status

GATHER_SECONDS = 0.2  # after an outcome, in which further counts are gathered for its transaction
FLUSH_SECONDS = 10.0  # after which other counts are written
RETRY_SECONDS = 60.0  # after a failure
MAX_PENDING = 10_000  # counts and changes that wait; later changes are dropped


class LearningMemory:
    """The memory of a session. Its methods are for the loop's thread; `post` runs a callback there, from any thread."""

    def __init__(self, session: Session, status: Status, post: Callable[[Callable[[], None]], None]) -> None:
        self._session, self._status, self._post = session, status, post
        self._database = MemoryDatabase(memory_folder())
        self._lock = threading.Lock()
        self._counts: Counter[CountKey] = Counter()
        self._changes: list[KindChange] = []
        self._wake, self._ended = threading.Event(), threading.Event()
        self._identity: tuple[bytes, int] | None = None
        self._written: Counter[CountKey] = Counter()  # of all projects together
        projects = [str(root) for root in session.roots]
        session.feedback.on_count, session.feedback.on_kind = self._count, self._change
        self._thread = threading.Thread(target=self._main, args=(projects,), name="memory", daemon=True)
        self._thread.start()

    def stop(self, wait: float) -> None:
        """Write what waits, and end the thread; wait at most so many seconds."""
        feedback = self._session.feedback
        feedback.on_count, feedback.on_kind = lambda key, count: None, lambda kind, is_rejection: None
        feedback.earlier = None
        self._ended.set()
        self._wake.set()
        self._thread.join(wait)

    def _count(self, key: CountKey, count: int) -> None:
        with self._lock:
            if key in self._counts or len(self._counts) < MAX_PENDING:
                self._counts[key] += count
        if key.event in OUTCOMES:
            self._wake.set()

    def _change(self, kind: RejectedKind, is_rejection: bool) -> None:
        with self._lock:
            if len(self._changes) < MAX_PENDING:
                self._changes.append(KindChange(kind, is_rejection))
        self._wake.set()

    # -- on the thread

    def _main(self, projects: list[str]) -> None:
        try:
            self._load(self._database.begin_session(projects))
        except MemoryStoreError as error:
            self._tell(str(error))
        while not self._ended.is_set():
            self._wake.wait(FLUSH_SECONDS)
            self._ended.wait(GATHER_SECONDS)
            self._wake.clear()
            if not self._write():
                self._ended.wait(RETRY_SECONDS)
                self._wake.set()
        self._write()

    def _load(self, contents: MemoryContents) -> None:
        self._identity = contents.identity
        if self._database.set_aside:
            self._tell(self._database.set_aside)
        earlier, feedback = Counter(contents.counts) - self._written, self._session.feedback

        def take() -> None:
            feedback.earlier, feedback.rejected_kinds = earlier, RejectedKinds(contents.kinds)

        self._post(take)

    def _write(self) -> bool:
        """Write what waits; False if that failed, and it goes on waiting."""
        with self._lock:
            counts, changes = self._counts, self._changes
            self._counts, self._changes = Counter(), []
        if not counts and not changes:
            return True
        try:
            identity = self._database.add(counts, changes)
            self._written += of_all_projects(counts)
            if identity != self._identity:  # something was removed meanwhile, or the file is new
                self._load(self._database.read())
        except MemoryStoreError as error:
            with self._lock:
                self._counts.update(counts)
                self._changes[:0] = changes
            self._tell(str(error))
            return False
        return True

    def _tell(self, text: str) -> None:
        self._post(lambda: self._status.message(text))
