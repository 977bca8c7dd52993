"""The file that refers to a class of another file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

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
