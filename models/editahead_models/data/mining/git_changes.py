"""File changes from bare git histories: (path, before, after) texts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from editahead.git import RawChange, modified_files, read_blobs

MAX_BLOB = 300_000
MAX_LINE = 400
_AT_ONCE = 200  # blobs in memory
_SKIP = re.compile(
    r"(^|/)(_vendor|vendor|vendored|third_party|thirdparty|site-packages|node_modules|generated|\.git)/"
    r"|_pb2(_grpc)?\.py$|_parser\.py$|parsetab\.py$"
)


class FileChange(NamedTuple):
    """One file of one commit, before and after."""

    path: str
    before: str
    after: str


def listed(
    repository: Path, extensions: Sequence[str], newest: int, message: str | None = None
) -> Iterator[tuple[str, list[RawChange]]]:
    """(commit, files with one of `extensions` that it modifies) of the `newest` commits, generated code left out.

    With `message` only commits count whose message matches that extended regular expression, whatever its case.
    Raises GitError.
    """
    chosen = [] if message is None else ["--extended-regexp", "--regexp-ignore-case", f"--grep={message}"]
    patterns = [f"*{extension}" for extension in extensions]
    for commit, files in modified_files(repository, newest, *chosen, paths=patterns, bare=True):
        yield commit, [file for file in files if not skipped(file.after)]


def blob_texts(repository: Path, names: Sequence[str], *, replace_line_ends: bool = False) -> Iterator[str | None]:
    """Texts of blobs in order; None for what is missing, large, or no text with plain line ends. Raises GitError.

    With `replace_line_ends` the line ends of Windows are read as those of Unix.
    """
    for first in range(0, len(names), _AT_ONCE):
        part = names[first : first + _AT_ONCE]
        blobs = read_blobs(repository, part, bare=True, most=MAX_BLOB)
        yield from (_text(blobs.get(name), replace_line_ends) for name in part)


def _text(blob: bytes | None, replace_line_ends: bool) -> str | None:
    if blob is not None and replace_line_ends:
        blob = blob.replace(b"\r\n", b"\n")
    if blob is None or b"\r" in blob or b"\0" in blob:
        return None
    try:
        return blob.decode("utf-8")
    except UnicodeDecodeError:
        return None


def file_changes(
    repository: Path, extension: str | Sequence[str], *, commits: int, limit: int, seed: int, message: str | None = None
) -> Iterator[FileChange]:
    """Up to `limit` changes of files with `extension` (one or several), drawn from the newest `commits` commits.

    With `message` only commits count whose message matches that extended regular expression, whatever its case.
    Raises GitError.
    """
    paths: dict[tuple[str, str], str] = {}
    endings = [extension] if isinstance(extension, str) else extension
    for _, files in listed(repository, endings, commits, message):
        for file in files:
            paths.setdefault((file.old, file.new), file.after)
    pairs = list(paths.items())
    random.Random(seed).shuffle(pairs)
    pairs = pairs[:limit]
    texts = blob_texts(repository, [name for names, _ in pairs for name in names])
    for _, path in pairs:
        before, after = next(texts), next(texts)
        if before is not None and after is not None:
            yield FileChange(path, before, after)


def skipped(path: str) -> bool:
    """Whether a path is that of generated or foreign code."""
    return _SKIP.search(path) is not None
