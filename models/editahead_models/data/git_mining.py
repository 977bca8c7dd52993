"""File changes from bare git histories: (path, before, after) texts."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

MAX_BLOB = 300_000
MAX_LINE = 400
_EMPTY = "0" * 40
_SKIP = re.compile(
    r"(^|/)(_vendor|vendor|vendored|third_party|thirdparty|site-packages|node_modules|generated|\.git)/"
    r"|_pb2(_grpc)?\.py$|_parser\.py$|parsetab\.py$"
)


class FileChange(NamedTuple):
    """One file of one commit, before and after."""

    path: str
    before: str
    after: str


def _git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=True, timeout=300)
    return done.stdout.decode("utf-8", "replace")


def _changed_blobs(
    repository: Path, extension: str, commits: int, message: str | None = None
) -> list[tuple[str, str, str]]:
    """(path, old blob, new blob) of modified files in the newest `commits` commits, of those whose message matches."""
    chosen = [] if message is None else ["--extended-regexp", "--regexp-ignore-case", f"--grep={message}"]
    raw = _git(
        repository, "log", f"-n{commits}", *chosen, "--raw", "--no-renames", "--no-merges", "--no-abbrev", "--format=",
        "HEAD", "--", f"*{extension}",
    )  # fmt: skip
    found: dict[tuple[str, str], str] = {}
    for line in raw.split("\n"):
        if not line.startswith(":"):
            continue
        head, _, path = line.partition("\t")
        fields = head.split(" ")
        if fields[4] != "M" or _EMPTY in (fields[2], fields[3]) or _SKIP.search(path):
            continue
        found.setdefault((fields[2], fields[3]), path)
    return [(path, old, new) for (old, new), path in found.items()]


def _read_blobs(repository: Path, names: Sequence[str]) -> Iterator[bytes | None]:
    """Contents of blobs in order; None for missing or oversized ones."""
    check = subprocess.run(
        ["git", "-C", str(repository), "cat-file", "--batch-check"],
        input="\n".join(names).encode(), capture_output=True, check=True,
    )  # fmt: skip
    sizes = [line.split() for line in check.stdout.decode().split("\n")[: len(names)]]
    wanted = [len(size) == 3 and size[1] == "blob" and int(size[2]) <= MAX_BLOB for size in sizes]
    process = subprocess.Popen(
        ["git", "-C", str(repository), "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        for name, want in zip(names, wanted, strict=True):
            if not want:
                yield None
                continue
            process.stdin.write(name.encode() + b"\n")
            process.stdin.flush()
            header = process.stdout.readline().split()
            yield process.stdout.read(int(header[2]) + 1)[:-1]
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait()


def _text(blob: bytes | None) -> str | None:
    if blob is None or b"\r" in blob or b"\0" in blob:
        return None
    try:
        return blob.decode("utf-8")
    except UnicodeDecodeError:
        return None


def file_changes(
    repository: Path, extension: str, *, commits: int, limit: int, seed: int, message: str | None = None
) -> Iterator[FileChange]:
    """Up to `limit` changes of files with `extension`, drawn at random from the newest `commits` commits.

    With `message` only commits count whose message matches that extended regular expression, whatever its case.
    """
    pairs = _changed_blobs(repository, extension, commits, message)
    random.Random(seed).shuffle(pairs)
    pairs = pairs[:limit]
    blobs = _read_blobs(repository, [name for _, old, new in pairs for name in (old, new)])
    for path, _, _ in pairs:
        before, after = _text(next(blobs)), _text(next(blobs))
        if before is not None and after is not None:
            yield FileChange(path, before, after)


def blob_texts(repository: Path, names: Sequence[str]) -> Iterator[str | None]:
    """Texts of blobs in order; None for what is missing, too large, or no text with plain line ends."""
    return (_text(blob) for blob in _read_blobs(repository, names))


def skipped(path: str) -> bool:
    """Whether a path is that of generated or foreign code."""
    return _SKIP.search(path) is not None
