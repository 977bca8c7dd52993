"""Which files are never predicted in: by the user's patterns, as possible secrets, or ignored by git."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pathspec

from editahead.settings import Settings

_IGNORE_BYTES = 1_000_000  # a larger .gitignore is not one


@lru_cache(maxsize=256)
def _spec(patterns: tuple[str, ...]) -> pathspec.GitIgnoreSpec:
    """Compiled patterns. One that git would not understand is left out, the others stay."""
    good = []
    for pattern in patterns:
        try:
            pathspec.GitIgnoreSpec.from_lines([pattern])
        except ValueError:
            continue
        good.append(pattern)
    return pathspec.GitIgnoreSpec.from_lines(good)


@lru_cache(maxsize=4096)
def _names(patterns: tuple[str, ...], name: str, folded: bool) -> bool:
    """Whether one of the patterns names a file or folder; `folded` where capitals make no difference."""
    if folded:
        patterns, name = tuple(pattern.lower() for pattern in patterns), name.lower()
    return _spec(patterns).match_file(name)


@lru_cache(maxsize=512)
def _ignore_lines(path: Path, _stamp: tuple[int, int]) -> tuple[str, ...]:
    try:
        return tuple(path.read_text(encoding="utf-8", errors="replace").splitlines())
    except OSError:
        return ()


def _ignore_file(folder: Path) -> tuple[str, ...]:
    """The lines of a folder's .gitignore; none when it has no readable one. Re-read when the file changes."""
    path = folder / ".gitignore"
    try:
        stat = path.stat()
    except OSError:
        return ()
    return _ignore_lines(path, (stat.st_mtime_ns, stat.st_size)) if stat.st_size <= _IGNORE_BYTES else ()


def _ignored_by_git(relative: Path, root: Path, end: str) -> bool:
    """Whether the .gitignore files from the root down to the file's folder ignore it; deeper files win."""
    ignored = False
    parts = relative.parts
    for depth in range(len(parts)):
        lines = _ignore_file(root.joinpath(*parts[:depth]))
        if not lines:
            continue
        verdict = _spec(lines).check_file("/".join(parts[depth:]) + end).include
        ignored = ignored if verdict is None else verdict
    return ignored


def exclusion(
    settings: Settings, path: Path | None, root: Path | None, *, folder: bool = False
) -> str | None:
    """Why a file is excluded, in a few words, or None when it is not.

    `root` is the workspace folder that holds the file; without one, patterns are matched against the whole
    path and no .gitignore is read. With `folder` the path is that of a folder below the root, and the answer holds
    for all that is in it. Never raises, and never opens the file itself.
    """
    if path is None:
        return None
    relative = path
    if root is not None:
        try:
            relative = path.relative_to(root)
        except ValueError:
            root = None
    end = "/" if folder else ""  # which pathlib drops, and patterns look for
    name = relative.as_posix().lstrip("/") + end
    if settings.secrets and _names(tuple(settings.secrets), name, True):  # secrets hide behind capitals too
        return "may hold secrets"
    if settings.exclude and _names(tuple(settings.exclude), name, False):
        return "named in editahead.exclude"
    if settings.respect_gitignore and root is not None and _ignored_by_git(relative, root, end):
        return "named in a .gitignore"
    return None
