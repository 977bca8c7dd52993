"""Exclusion of documents by what is on disk (links, git), which is never read on the event loop."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from editahead.exclusion import RecentExclusions, exclusion
from editahead.settings import Settings
from editahead.suggest.types import Document


class Exclusions:
    """The exclusion reasons of documents, cached for a second if `kept`. For the inference thread alone."""

    def __init__(self, *, kept: bool = True) -> None:
        self._reason = RecentExclusions().reason if kept else exclusion

    def reason(self, document: Document) -> str | None:
        """Return why a document is excluded, in a few words; None when it is not."""
        return self._reason(document.settings, document.exclusion_path, document.root)

    def without_excluded(self, document: Document) -> Document:
        """Return the document without those of its `others` that are excluded."""
        others = tuple(other for other in document.others if self.reason(other) is None)
        return document if len(others) == len(document.others) else replace(document, others=others)


class ExclusionThread:
    """A thread that computes `exclusion` for paths in turn; it starts with the first request."""

    def __init__(self, answer: Callable[[Callable[[], None]], None]) -> None:
        self._answer = answer  # runs something on the loop
        self._queue: queue.SimpleQueue[tuple[Settings, Path, Path | None, Callable[[str | None], None]] | None]
        self._queue = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def ask(self, settings: Settings, path: Path, root: Path | None, then: Callable[[str | None], None]) -> None:
        """Compute why a path is excluded and call `then` on the loop with the reason, or None."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._main, name="exclusions", daemon=True)
            self._thread.start()
        self._queue.put((settings, path, root, then))

    def stop(self) -> None:
        """End the thread once its queue is empty. Does not wait."""
        if self._thread is not None:  # otherwise the next thread would read this end mark
            self._queue.put(None)
            self._thread = None

    def _main(self) -> None:
        while (question := self._queue.get()) is not None:
            settings, path, root, then = question
            why = exclusion(settings, path, root)
            self._answer(partial(then, why))
