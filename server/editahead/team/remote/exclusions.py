"""Which documents may leave the laptop: the last check before anything is sent."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from editahead.exclusion import exclusion
from editahead.settings import Settings
from editahead.suggest.types import Document
from editahead.team.wire.messages import MAX_DOCUMENT

CACHE_SECONDS = 1.0
_MAX_CACHED = 1000


class LeavingRule:
    """Decides by the rules of all suggestions. Untitled documents, cells of notebooks and large files never leave."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._cache: dict[tuple[Path, Path | None, Settings], tuple[float, bool]] = {}

    def can_send(self, document: Document) -> bool:
        """Whether a document may be sent. Looks at the disk, at most once a second for each document."""
        path, settings = document.path, document.settings
        if path is None or not settings.enabled or not settings.language_enabled(document.language_id):
            return False
        if len(document.syntax.buffer.data) > min(settings.max_file_bytes, MAX_DOCUMENT):
            return False
        key = path, document.root, settings
        now = self._clock()
        cached = self._cache.get(key)
        if cached is None or now - cached[0] >= CACHE_SECONDS:
            if len(self._cache) >= _MAX_CACHED:
                self._cache.clear()
            cached = self._cache[key] = now, exclusion(settings, path, document.root) is None
        return cached[1]
