"""What is read of source files by patterns, kept while they are unchanged."""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import TypeVar, cast

from editahead.regular_file import UnreadableFileError, read_regular

MAX_FILE_BYTES = 400_000  # bytes; larger files are skipped
MAX_READ_BYTES = 2_000_000  # bytes that a query reads
_FILES = 2_000  # that are cached
_RECHECK_SECONDS = 5.0  # seconds until it is checked again whether a file may be opened

Stamp = tuple[int, int]
NO_FILE: Stamp = (0, 0)
Facts = TypeVar("Facts")


def stamp_of(path: Path) -> Stamp:
    """The time of the last change of a file and its size; zeros where there is none."""
    try:
        status = path.stat(follow_symlinks=False)
    except (OSError, ValueError):  # a path may hold anything that a text may
        return NO_FILE
    return status.st_mtime_ns, status.st_size


class FileFactsCache:
    """Facts of files. Use it from a single thread."""

    def __init__(self, root: Path, readable: Callable[[Path], bool]) -> None:
        """`readable` says of a file whether it may be opened; what is outside of `root` may not, nor behind a link."""
        self._root, self._readable, self._left = os.path.realpath(root), readable, MAX_READ_BYTES
        self.was_cut = False  # whether a file counted as unknown since the request began, for what it would have cost
        self._allowed, self._asked_at = dict[Path, bool](), 0.0
        self._known: OrderedDict[tuple[Path, object], tuple[Stamp, object]] = OrderedDict()

    def begin(self) -> None:
        """Begin a request, for which at most MOST_READ bytes are read; the rest counts as unknown."""
        self._left, self.was_cut, now = MAX_READ_BYTES, False, time.monotonic()
        if now - self._asked_at > _RECHECK_SECONDS:  # what git ignores may change at any time
            self._allowed, self._asked_at = {}, now

    def can_read(self, path: Path) -> bool:
        """Whether a file may be opened."""
        is_allowed = self._allowed.get(path)
        if is_allowed is None:
            inside = PurePath(os.path.realpath(path)).is_relative_to(self._root)
            is_allowed = self._allowed[path] = inside and self._readable(path)
        return is_allowed

    def get(self, path: Path, read: Callable[[bytes], Facts]) -> Facts | None:
        """The result of `read` for the text of a file; None where the file may not be read."""
        stamp = stamp_of(path)
        if stamp == NO_FILE or not self.can_read(path):
            return None
        cached = self._known.pop((path, read), None)
        if cached is None or cached[0] != stamp:
            data = self.text(path)
            if data is None:
                return None
            cached = (stamp, read(data))
        self._known[path, read] = cached
        while len(self._known) > _FILES:
            self._known.popitem(last=False)
        return cast("Facts", cached[1])

    def text(self, path: Path) -> bytes | None:
        """The text of a file; None where there is none, or it is not to be read."""
        size = stamp_of(path)[1]
        if not size or size > MAX_FILE_BYTES or not self.can_read(path):
            return None
        if size > self._left:
            self.was_cut = True
            return None
        self._left -= size
        try:
            return read_regular(path, MAX_FILE_BYTES)
        except (OSError, UnreadableFileError):
            return None
