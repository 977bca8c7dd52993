"""Successive versions of files from a git history."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from editahead_models.data.mining.git_changes import blob_texts, listed


class FileHistory(NamedTuple):
    """A file's texts, oldest first; each one is the version that the next one was made of."""

    path: str
    texts: tuple[str, ...]


def histories(
    repository: Path, extensions: Sequence[str], *, commits: int, files: int, versions: int, seed: int
) -> Iterator[FileHistory]:
    """Up to `files` histories of two to `versions` texts, drawn from the newest `commits` commits.

    Merges, renames, generated and vendored files are passed over; a text that cannot be read ends its history.
    """
    found = _chains(repository, extensions, commits)
    random.Random(seed).shuffle(found)
    chosen = [(path, names[:versions]) for path, names in found[:files]]
    texts = blob_texts(repository, [name for _, names in chosen for name in names])
    for path, names in chosen:
        read = [next(texts) for _ in names]
        whole = read[: read.index(None)] if None in read else read
        if len(whole) > 1:
            yield FileHistory(path, tuple(text for text in whole if text is not None))


def _chains(repository: Path, extensions: Sequence[str], commits: int) -> list[tuple[str, list[str]]]:
    """(path, names of successive blobs), oldest first; a file that was changed out of sight begins a new one."""
    open_at: dict[str, list[str]] = {}
    found: list[tuple[str, list[str]]] = []
    newest_first = [file for _, files in listed(repository, extensions, commits) for file in files]
    for file in reversed(newest_first):
        path, old, new = file.after, file.old, file.new
        chain = open_at.get(path)
        if chain is None or chain[-1] != old:
            chain = open_at[path] = [old]
            found.append((path, chain))
        chain.append(new)
    return found
