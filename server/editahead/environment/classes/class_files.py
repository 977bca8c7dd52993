"""How the files of a language share classes, and what is read of them by patterns, kept while they are unchanged."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple, TypeVar, cast

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.regular_file import UnreadableFileError, read_regular
from editahead.syntax.language import Language, by_path
from editahead.text.memo import RecentEntries

MAX_FILE_BYTES = 400_000  # bytes; larger files are skipped
MAX_READ_BYTES = 2_000_000  # bytes that a query reads
_FILES = 2_000  # that are cached
_RECHECK_SECONDS = 5.0  # seconds until it is checked again whether a file may be opened

Stamp = tuple[int, int]
NO_FILE: Stamp = (0, 0)
Facts = TypeVar("Facts")
_ENDS_MEMBER = re.compile(rb"[;{},]")
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_PRIVATE = re.compile(rb"\bprivate\b")
_MAX_MODIFIER_BYTES = 400  # bytes before the name of a member


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
        self._known = RecentEntries[tuple[Path, object], tuple[Stamp, object]](_FILES)

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
        return cast("Facts", self._known.keep((path, read), cached)[1])

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


FilesNamed = Callable[[str], Sequence[str]]
"""The files of the project that are called like a name, without ending, as paths relative to its root."""


class ReferencingFile(NamedTuple):
    """A file of a project: its path and language, the root of the project, its text and the files around it."""

    path: Path
    root: Path
    language_id: str
    data: bytes
    files_named: FilesNamed


def join_lexically(folder: Path, written: str) -> Path:
    """A folder and a relative path without `.` and `..`, which may lead through links."""
    for part in written.split("/"):
        folder = folder.parent if part == ".." else folder / part if part not in ("", ".") else folder
    return folder


class ClassLocation(NamedTuple):
    """A file that may declare a class, and the name that the class has there."""

    path: Path
    name: str


class ClassFiles:
    """The rules of a language that needs none: every file stands alone, and what is marked private is hidden.

    `facts`: the facts of files. Use it from a single thread.
    """

    def __init__(self, facts: FileFactsCache) -> None:
        self.facts = facts

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:
        """Where a dotted name of a file may be declared in other files, most likely first; a location may not exist.

        `module`: what its first name is imported from, as it is written; empty where it is not imported.
        """
        return iter(())

    def added_members(self, path: Path, name: str) -> Iterable[str]:
        """Members that other files add to the class of a name in a file."""
        return ()

    def parts(self, path: Path, name: str) -> Iterable[Path]:
        """Other files that may hold a part of the class of a name in a file."""
        return ()

    def package_names(self, source: ReferencingFile, name: str, module: str) -> tuple[str, ...] | None:
        """What a package exports that a file imports under a name; None where the name is none of a package."""
        return None

    def sees(self, source: ReferencingFile, path: Path) -> Callable[[str], bool] | None:
        """Which members of the classes of another file a file sees, by their names; None where it sees all."""
        return None

    def language_of(self, path: Path) -> Language | None:
        """The language of a file that a file of this language refers to."""
        return by_path(path.name)

    def hides(self, data: bytes, begins: int, ends: int) -> Callable[[NameAt], bool]:
        """Which members other files do not see, of the class at bytes [begins, ends) of a file."""
        return lambda member: _PRIVATE.search(before_member(data, member.start)) is not None


def before_member(data: bytes, name: int) -> bytes:
    """The text of a member before its name, without comments."""
    before = data[max(0, name - _MAX_MODIFIER_BYTES) : name]
    head, closed, rest = before.partition(b"*/")
    before = _COMMENT.sub(b" ", rest if closed and b"/*" not in head else before)
    return before[max((match.end() for match in _ENDS_MEMBER.finditer(before)), default=0) :]
