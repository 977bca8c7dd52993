"""Which repositories a path lies in, and where git keeps what belongs to them."""

from __future__ import annotations

import os
from pathlib import Path

from editahead.regular_file import read_regular

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
