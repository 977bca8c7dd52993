"""Commits with all their files of one language, and files beside them that stayed as they were."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from editahead_models.data.git_mining import FileChange, blob_texts, skipped

MAX_FILES = 12
"""Files of the language that a commit may change; sweeping ones are scripts, not hands."""


class Commit(NamedTuple):
    """Files changed together, and a few of the same folders that were not: a user has those open as well."""

    name: str
    changes: tuple[FileChange, ...]
    beside: tuple[tuple[str, str], ...]


def commits_of(repository: Path, extension: str, *, newest: int, limit: int, seed: int) -> Iterator[Commit]:
    """Up to `limit` commits drawn from the `newest` ones, in an order of their own."""
    drawn = listed(repository, extension, newest)
    rng = random.Random(seed)
    rng.shuffle(drawn)
    drawn = drawn[:limit]
    siblings = [_siblings(repository, name, [path for path, _, _ in files], extension, rng) for name, files in drawn]
    wanted = [
        blob
        for (_, files), others in zip(drawn, siblings, strict=True)
        for blob in [*(blob for _, old, new in files for blob in (old, new)), *(blob for _, blob in others)]
    ]
    texts = blob_texts(repository, wanted)
    for (name, files), others in zip(drawn, siblings, strict=True):
        pairs = [(path, next(texts), next(texts)) for path, _, _ in files]
        beside = [(path, next(texts)) for path, _ in others]
        changes = tuple(FileChange(path, a, b) for path, a, b in pairs if a is not None and b is not None)
        if changes:
            yield Commit(name, changes, tuple((path, text) for path, text in beside if text is not None))


def listed(repository: Path, extension: str, newest: int) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """(commit, [(path, old blob, new blob)]) of commits that modify a file of the language, but not too many."""
    raw = _git(
        repository, "log", f"-n{newest}", "--raw", "--no-renames", "--no-merges", "--no-abbrev", "--format=%x00%H",
        "HEAD", "--", f"*{extension}",
    )  # fmt: skip
    found: list[tuple[str, list[tuple[str, str, str]]]] = []
    for entry in raw.split("\0")[1:]:
        name, *lines = entry.strip().split("\n")
        files = []
        for line in lines:
            head, _, path = line.partition("\t")
            fields = head.split(" ")
            if len(fields) == 5 and fields[4] == "M" and not skipped(path):
                files.append((path, fields[2], fields[3]))
        if 1 <= len(files) <= MAX_FILES:
            found.append((name, sorted(files)))
    return found


def _siblings(
    repository: Path, commit: str, changed: list[str], extension: str, rng: random.Random, count: int = 2
) -> list[tuple[str, str]]:
    """(path, blob) of up to `count` files in the folders of changed ones that the commit left alone."""
    folders = sorted({str(PurePosixPath(path).parent) for path in changed})[:2]
    listed = _git(repository, "ls-tree", commit, *(f"{folder}/" for folder in folders if folder != "."))
    others = []
    for line in listed.split("\n"):
        head, _, path = line.partition("\t")
        if " blob " in head and path.endswith(extension) and path not in changed and not skipped(path):
            others.append((path, head.split(" ")[2]))
    return rng.sample(others, min(count, len(others)))


def _git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=True, timeout=300)
    return done.stdout.decode("utf-8", "replace")
