"""Questions about files whose answer lies on the disk, asked off the event loop: is this document left alone?"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from editahead.exclusion import exclusion
from editahead.settings import Settings
from editahead.suggest.types import Document

KEPT_SECONDS = 1.0
_MOST_KEPT = 1000
Key = tuple[Path | None, Path | None, Settings]


class Exclusions:
    """Why documents are left alone, each answer kept for a second. For the inference thread alone."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: dict[Key, tuple[float, str | None]] = {}

    def why(self, document: Document) -> str | None:
        """Why a document is left alone, in a few words; None when it is not."""
        key = document.judged_path, document.root, document.settings
        now = self._clock()
        known = self._known.get(key)
        if known is None or now - known[0] >= KEPT_SECONDS:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            known = self._known[key] = now, exclusion(document.settings, document.judged_path, document.root)
        return known[1]

    def without_excluded(self, document: Document) -> Document:
        """The document, without those of its `others` that are left alone."""
        others = tuple(other for other in document.others if self.why(other) is None)
        return document if len(others) == len(document.others) else replace(document, others=others)


class ExclusionThread:
    """Answers `exclusion` for paths, one after the other, on a thread that starts with the first question."""

    def __init__(self, answer: Callable[[Callable[[], None]], None]) -> None:
        self._answer = answer  # runs something on the loop
        self._asked: queue.SimpleQueue[tuple[Settings, Path, Path | None, Callable[[str | None], None]] | None]
        self._asked = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def ask(self, settings: Settings, path: Path, root: Path | None, then: Callable[[str | None], None]) -> None:
        """Call `then` with why the path is excluded, on the loop."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._main, name="exclusions", daemon=True)
            self._thread.start()
        self._asked.put((settings, path, root, then))

    def stop(self) -> None:
        """Answer what was asked, then end; nobody waits for it."""
        if self._thread is not None:  # else the word would be for the next one, which it would end at its start
            self._asked.put(None)
            self._thread = None

    def _main(self) -> None:
        while (asked := self._asked.get()) is not None:
            settings, path, root, then = asked
            why = exclusion(settings, path, root)
            self._answer(partial(then, why))
