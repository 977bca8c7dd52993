"""Files in which nothing is predicted: by the user's patterns, as possible secrets, or ignored by git."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from copy import copy
from functools import lru_cache
from pathlib import Path

from editahead.gitignore.patterns import PatternList, TooManyPatternsError
from editahead.gitignore.rules import FolderRules, reason_ignored
from editahead.settings import Settings

SECRET = "may hold secrets"
EXCLUDED = "named in editahead.exclude"
CACHE_SECONDS = 1.0
_MAX_CACHED = 1000


class RecentExclusions:
    """Reasons of exclusion, looked up at most once a second for a path. For a single thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._cache: dict[tuple[Settings, Path | None, Path | None], tuple[float, str | None]] = {}

    def reason(self, settings: Settings, path: Path | None, root: Path | None) -> str | None:
        """Return what `exclusion` says, as of the last second."""
        key, now = (settings, path, root), self._clock()
        cached = self._cache.get(key)
        if cached is None or now - cached[0] >= CACHE_SECONDS:
            if len(self._cache) >= _MAX_CACHED:
                self._cache.clear()
            cached = self._cache[key] = now, exclusion(settings, path, root)
        return cached[1]


def exclusion(settings: Settings, path: Path | None, root: Path | None, *, folder: bool = False) -> str | None:
    """Why a file is excluded, in a few words, or None when it is not.

    `root` is the workspace folder that holds the file; without a root, patterns are matched against the whole path.
    With `folder` the path is that of a folder below the root, and the answer holds for all that is in it. Looks at the
    disk (links, git's pattern files), so it is not called on the event loop; never raises, never opens the file itself.
    """
    why = exclusion_by_name(settings, path, root, folder=folder)
    if why is not None or path is None or not path.is_absolute():
        return why
    target, inside = _target(path, root)
    if target is not None:
        why = exclusion_by_name(settings, target, inside, folder=folder)
    if why is None and settings.respect_gitignore:
        why = reason_ignored(path, root, folder=folder)
        if why is None and target is not None and os.path.islink(path):
            why = reason_ignored(target, inside, folder=folder)
    return why


class FolderExclusions:
    """`exclusion` for regular files and folders below the root in a folder: what holds for all is looked up once.

    `where` is the folder's path relative to the root, with slashes.
    """

    def __init__(self, settings: Settings, root: Path, where: str) -> None:
        self._settings, self._root, self._where = settings, root, where
        self._rules: FolderRules | None = None
        folder = os.path.abspath(root / where)
        # Behind a link the names of its target count as well.
        self._has_link = not root.is_absolute() or os.path.realpath(folder) != os.path.normpath(
            os.path.join(os.path.realpath(root), where)
        )
        if settings.respect_gitignore and not self._has_link:
            self._rules = FolderRules(folder, root)

    def inside(self, name: str) -> FolderExclusions:
        """Return those of a folder in this folder, which is no link."""
        where = f"{self._where}/{name}" if self._where else name
        if self._has_link or os.name == "nt":  # where folders can be mounted as links are
            return FolderExclusions(self._settings, self._root, where)
        exclusions = copy(self)
        exclusions._where = where
        exclusions._rules = None if self._rules is None else self._rules.inside(name)
        return exclusions

    def reason(self, where: str, *, folder: bool = False) -> str | None:
        """Why a file or folder of this folder, which is no link, is excluded; its path is relative to the root."""
        if self._has_link:
            return exclusion(self._settings, self._root / where, self._root, folder=folder)
        why = _reason_by_name(self._settings, where, folder)
        if why is None and self._rules is not None:
            why = self._rules.reason_ignored(where.rpartition("/")[2], folder=folder)
        return why


def exclusion_by_name(settings: Settings, path: Path | None, root: Path | None, *, folder: bool = False) -> str | None:
    """The part of `exclusion` that the path's words decide: secrets and the user's own patterns. Reads nothing.

    A secret pattern without a slash is for file names; with a slash at its end, for folders.
    """
    if path is None:
        return None
    relative = path
    if root is not None and path.is_relative_to(root):
        relative = path.relative_to(root)
    return _reason_by_name(settings, relative.as_posix().lstrip("/"), folder)


def _reason_by_name(settings: Settings, name: str, folder: bool) -> str | None:
    if settings.secrets and _matches(settings.secrets, name, folder, True):
        return SECRET
    if settings.exclude and _matches(settings.exclude, name, folder, False):
        return EXCLUDED
    return None


@lru_cache(maxsize=64)
def _compiled(patterns: tuple[str, ...]) -> PatternList:
    text = "\n".join(pattern.replace("\n", "") for pattern in patterns)
    try:
        return PatternList(text.encode("utf-8", "surrogateescape"))
    except (TooManyPatternsError, UnicodeError):
        return PatternList(b"*")  # when unsure, leave alone


@lru_cache(maxsize=64)
def _secret_patterns(patterns: tuple[str, ...]) -> tuple[PatternList, PatternList]:
    """Secret patterns for files, and those of them that name folders: all with a slash.

    Secrets hide behind capitals too, so these are in small letters.
    """
    small = tuple(pattern.lower() for pattern in patterns)
    return _compiled(small), _compiled(tuple(pattern for pattern in small if "/" in pattern))


@lru_cache(maxsize=4096)
def _matches(patterns: tuple[str, ...], name: str, folder: bool, secrets: bool) -> bool:
    """Whether a path is named by patterns in the form of a .gitignore, itself or by a folder that it lies in."""
    if secrets:
        for_files, for_folders = _secret_patterns(patterns)
        name = name.lower()
    else:
        for_files = for_folders = _compiled(patterns)
    where = name.encode("utf-8", "surrogateescape" if os.name == "posix" else "surrogatepass")
    end = where.find(b"/")
    while end >= 0:
        if for_folders.verdict(where[:end], True):
            return True
        end = where.find(b"/", end + 1)
    return bool((for_folders if folder else for_files).verdict(where, folder))


def _target(path: Path, root: Path | None) -> tuple[Path | None, Path | None]:
    """The target of a path with a link in it (else None), and the root as seen from there, if it is inside."""
    try:
        target = Path(os.path.realpath(path))
        if target == path:
            return None, root
        real_root = None if root is None else Path(os.path.realpath(root))
    except (OSError, ValueError):
        return None, root
    return target, real_root if real_root is not None and target.is_relative_to(real_root) else None
