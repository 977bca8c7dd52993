"""Whether git would ignore a path: `.gitignore` files, `.git/info/exclude`, `core.excludesFile`, and their precedence.

Reads files of the repository, so it is never called on the event loop. What cannot be decided counts as ignored.
"""

from __future__ import annotations

import os
import stat
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from editahead.gitignore.config import ignore_config
from editahead.gitignore.patterns import PatternList, TooManyPatternsError
from editahead.regular_file import UnreadableFileError, read_regular

_LINK_BYTES = 100_000  # of a `.git` file or a `commondir`


def nearest_top(folder: str) -> str | None:
    """The top of the working tree that holds a folder: the nearest folder with a `.git`."""
    while True:
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def tops_between(folder: str, last: str) -> list[str]:
    """Every top from a folder up to `last` (which holds it, and counts whether it has a `.git` or not), inner first."""
    tops = []
    while folder != last:
        if os.path.lexists(os.path.join(folder, ".git")):
            tops.append(folder)
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    return [*tops, last]


def shared_git_folder(top: str) -> Path | None:
    """The folder with `config` and `info/exclude`, shared by all working trees of a repository; None if there is none.

    Raises UnreadableFileError.
    """
    path = Path(top, ".git")
    if path.is_dir():
        return path
    text = read_regular(path, _LINK_BYTES, follow=True)
    if text is None or not text.startswith(b"gitdir:"):
        return None
    own = path.parent / os.fsdecode(text.removeprefix(b"gitdir:").strip().replace(b"\0", b""))
    if not _is_folder(own):
        return None
    common = read_regular(own / "commondir", _LINK_BYTES)
    if common is None:
        return own
    shared = own / os.fsdecode(common.strip().replace(b"\0", b""))
    return shared if _is_folder(shared) else own


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


IGNORE_FILE = ".gitignore"
MAX_BYTES = 10_000_000  # the largest file of patterns that is read; below a larger file, everything counts as ignored
CACHE_SECONDS = 1.0  # seconds for which git's settings and the patterns of a whole repository are not looked at again
_KEPT_LISTS, _KEPT_BYTES, _KEPT_FACTS = 1000, 20_000_000, 100
_SETTLED = 100_000_000  # ns; a file that changed less long ago may change once more within the same time stamp
_EXCLUDE = ".git/info/exclude"
_GLOBAL = "git's core.excludesFile"


def reason_ignored(path: Path, root: Path | None = None, *, folder: bool = False) -> str | None:
    """Why git ignores a file or folder, in a few words, or None.

    `path` is absolute. `root` is the workspace folder that holds it: its `.gitignore` files count even where there is
    no repository, and so do those of every repository around the path up to that which holds the root. Never raises.
    """
    parent, name = os.path.split(os.path.abspath(path))
    return FolderRules(parent, root).reason_ignored(name, folder=folder)


class FolderRules:
    """`reason_ignored` for all that is in a folder: the files of patterns are looked up once. Never raises."""

    def __init__(self, folder: str, root: Path | None) -> None:
        self._folder, self._root = folder, root
        self._why: str | None = None
        self._spellings: list[_Patterns] = []
        try:
            top = None if root is None else os.path.abspath(root)
            self._spellings += _patterns_in(folder, top)
            real = os.path.realpath(folder)
            if real != folder:  # behind a link to a folder
                self._spellings += _patterns_in(real, None if top is None else os.path.realpath(top))
        except (OSError, ValueError) as error:
            self._why = _words(error)

    def inside(self, name: str) -> FolderRules:
        """Return the rules of a folder in this folder, which is no link; only its own patterns are looked up."""
        folder = os.path.join(self._folder, name)
        if os.path.lexists(os.path.join(folder, ".git")):
            return FolderRules(folder, self._root)
        rules = copy(self)
        rules._folder = folder
        try:
            rules._spellings = [patterns.inside(os.fsencode(name)) for patterns in self._spellings]
        except (OSError, ValueError) as error:
            rules._why = _words(error)
        return rules

    def reason_ignored(self, name: str, *, folder: bool = False) -> str | None:
        """Why git ignores a file or folder of this name, in a few words, or None."""
        if self._why is not None:
            return self._why
        try:
            reasons = (patterns.reason_ignored(os.fsencode(name), folder) for patterns in self._spellings)
            return next(filter(None, reasons), None)
        except ValueError as error:
            return _words(error)


def _words(error: Exception) -> str:
    detail = ""
    if isinstance(error, UnreadableFileError):
        detail = f" ({os.path.basename(str(error.filename))}: {error.strerror})"
    return f"git's patterns cannot be read{detail}"


def outer_files(root: Path) -> list[str]:
    """The files of patterns outside a workspace folder that count in it.

    They are those in the folders above it up to the top of its repository, and those of the whole repository; they may
    not exist. Never raises.
    """
    try:
        folder = os.path.abspath(root)
        top = nearest_top(folder)
        git_folder = None if top is None else shared_git_folder(top)
        if top is None or git_folder is None:
            return []
        files = [str(git_folder / "info" / "exclude")]
        files += [os.path.join(top, file) for file in ignore_config(git_folder).excludes_files]
        while folder != top:
            folder = os.path.dirname(folder)
            files.append(os.path.join(folder, IGNORE_FILE))
        return files
    except (OSError, ValueError):
        return []


@dataclass(frozen=True, slots=True)
class _Patterns:
    """What a repository says on the contents of a folder, from its top down: what an ignored folder holds is ignored.

    `where` is the folder from the top on, with a slash behind it, or empty; `why` all of it is ignored. `lists` are of
    the folders down to this folder, the deepest first, each with the length of its folder's path.
    """

    top: str
    ignores_case: bool
    weakest: Sequence[tuple[PatternList, str]]
    where: bytes = b""
    why: str | None = None
    lists: tuple[tuple[int, PatternList], ...] = ()

    def with_own(self) -> _Patterns:
        """Return them with the file of patterns in the folder itself. Raises UnreadableFileError."""
        path = os.path.join(self.top, os.fsdecode(self.where), IGNORE_FILE)
        own = _patterns(path, self.ignores_case, follow=False) if self.why is None else None
        return self if own is None else replace(self, lists=((len(self.where), own), *self.lists))

    def inside(self, name: bytes) -> _Patterns:
        """Return those of a folder in this folder. Raises UnreadableFileError."""
        return replace(self, where=self.where + name + b"/", why=self.reason_ignored(name, True)).with_own()

    def reason_ignored(self, name: bytes, folder: bool) -> str | None:
        return self.why or _decided(self.where + name, folder, self.lists, self.weakest)


def _patterns_in(folder: str, root: str | None) -> list[_Patterns]:
    """Return the patterns of the repository that holds a folder, or of the root; none without both."""
    nearest = nearest_top(folder)
    if root is None or not os.path.join(folder, "").startswith(os.path.join(root, "")):
        tops = [] if nearest is None else [nearest]
    else:
        tops = tops_between(folder, nearest_top(root) or root)
    if not tops:
        return []
    why = None
    for top, outer in pairwise(tops):  # to the repository around it, this repository is a folder
        parent, name = os.path.split(top)
        why = why or _patterns_from(outer, parent).reason_ignored(os.fsencode(name), True)
    patterns = _patterns_from(tops[0], folder)
    return [replace(patterns, why=patterns.why or why)]


def _patterns_from(top: str, folder: str) -> _Patterns:
    patterns = _Patterns(top, *_FACTS.of(top)).with_own()
    for name in filter(None, folder[len(top) :].split(os.sep)):
        patterns = patterns.inside(os.fsencode(name))
    return patterns


def _decided(
    path: bytes, folder: bool, lists: Sequence[tuple[int, PatternList]], weakest: Sequence[tuple[PatternList, str]]
) -> str | None:
    for start, patterns in lists:
        verdict = patterns.verdict(path[start:], folder)
        if verdict is not None:
            return "named in a .gitignore" if verdict else None
    for patterns, name in weakest:
        verdict = patterns.verdict(path, folder)
        # Of several files that core.excludesFile may name, any that ignores the path decides.
        if verdict or (verdict is False and name == _EXCLUDE):
            return f"named in {name}" if verdict else None
    return None


class RepositoryRules:
    """What holds for the whole of a repository; looked at anew every second. For any thread."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, bool, tuple[tuple[PatternList, str], ...]]] = {}

    def of(self, top: str) -> tuple[bool, tuple[tuple[PatternList, str], ...]]:
        """Whether case is ignored, and the patterns of the whole repository, strongest first.

        Raises UnreadableFileError.
        """
        now = time.monotonic()
        cached = self._known.get(top)
        if cached is None or not 0 <= now - cached[0] < CACHE_SECONDS:
            if len(self._known) >= _KEPT_FACTS:
                self._known.clear()
            cached = self._known[top] = (now, *_facts(top))
        return cached[1], cached[2]

    def forget(self) -> None:
        """Look at everything anew."""
        self._known.clear()


def _facts(top: str) -> tuple[bool, tuple[tuple[PatternList, str], ...]]:
    git_folder = shared_git_folder(top)
    if git_folder is None:  # no repository: only the .gitignore files count
        return False, ()
    config = ignore_config(git_folder)
    files = [(str(git_folder / "info" / "exclude"), _EXCLUDE)]
    files += [(os.path.join(top, file), _GLOBAL) for file in config.excludes_files]
    pattern_lists = ((_patterns(path, config.ignore_case, follow=True), name) for path, name in files)
    return config.ignore_case, tuple((patterns, name) for patterns, name in pattern_lists if patterns is not None)


class _ParsedLists:
    """What was parsed, by file and its stamp; the least recently used goes first. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lists: OrderedDict[tuple[str, bool], tuple[tuple[int, ...], PatternList]] = OrderedDict()
        self._bytes = 0

    def get(self, key: tuple[str, bool], stamp: tuple[int, ...]) -> PatternList | None:
        with self._lock:
            cached = self._lists.get(key)
            if cached is None or cached[0] != stamp:
                return None
            self._lists.move_to_end(key)
            return cached[1]

    def put(self, key: tuple[str, bool], stamp: tuple[int, ...], patterns: PatternList) -> None:
        with self._lock:
            old = self._lists.pop(key, None)
            self._bytes += patterns.size - (old[1].size if old else 0)
            self._lists[key] = stamp, patterns
            while len(self._lists) > 1 and (len(self._lists) > _KEPT_LISTS or self._bytes > _KEPT_BYTES):
                self._bytes -= self._lists.popitem(last=False)[1][1].size


_KEPT = _ParsedLists()
_FACTS = RepositoryRules()


def forget_repositories() -> None:
    """Look at git's settings of every repository anew at the next question."""
    _FACTS.forget()


def _patterns(path: str, fold: bool, *, follow: bool) -> PatternList | None:
    """The current patterns of a file; None where there is none. Raises UnreadableFileError."""
    try:
        status = os.stat(path, follow_symlinks=follow)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        return _parsed(path, fold, follow)
    if not stat.S_ISREG(status.st_mode):
        return None
    stamp = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_dev, status.st_mode)
    key = path, fold
    cached = _KEPT.get(key, stamp)
    if cached is not None:
        return cached
    patterns = _parsed(path, fold, follow)
    if patterns is not None and abs(time.time_ns() - status.st_mtime_ns) > _SETTLED:
        _KEPT.put(key, stamp, patterns)
    return patterns


def _parsed(path: str, fold: bool, follow: bool) -> PatternList | None:
    data = read_regular(path, MAX_BYTES, follow=follow)
    if data is None:
        return None
    try:
        return PatternList(data, fold)
    except TooManyPatternsError as error:
        raise UnreadableFileError(0, str(error), path) from None
