"""Commits with all their files of one language, and files beside them that stayed as they were."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from editahead.git import ask_git

from editahead_models.data.mining.git_changes import FileChange, blob_texts, listed, skipped

MAX_FILES = 12
"""Files of the language that a commit may change; sweeping ones are scripts, not hands."""


class Commit(NamedTuple):
    """Files changed together, and a few of the same folders that were not: a user has those open as well.

    `repository` is where the rest of the project is.
    """

    name: str
    changes: tuple[FileChange, ...]
    beside: tuple[tuple[str, str], ...]
    repository: Path | None = None


def commits_of(repository: Path, extension: str, *, newest: int, limit: int, seed: int) -> Iterator[Commit]:
    """Up to `limit` commits drawn from the `newest` ones, in an order of their own, with the line ends of Unix.

    A file of which a commit changes nothing but the line ends is none of its changes.
    """
    drawn = small_commits(repository, extension, newest)
    rng = random.Random(seed)
    rng.shuffle(drawn)
    drawn = drawn[:limit]
    siblings = [_siblings(repository, name, [path for path, _, _ in files], extension, rng) for name, files in drawn]
    wanted = [
        blob
        for (_, files), others in zip(drawn, siblings, strict=True)
        for blob in [*(blob for _, old, new in files for blob in (old, new)), *(blob for _, blob in others)]
    ]
    texts = blob_texts(repository, wanted, replace_line_ends=True)
    for (name, files), others in zip(drawn, siblings, strict=True):
        pairs = [(path, next(texts), next(texts)) for path, _, _ in files]
        beside = [(path, next(texts)) for path, _ in others]
        changes = tuple(FileChange(path, a, b) for path, a, b in pairs if a is not None and b is not None and a != b)
        if changes:
            yield Commit(name, changes, tuple((path, text) for path, text in beside if text is not None), repository)


def small_commits(repository: Path, extension: str, newest: int) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """(commit, [(path, old blob, new blob)]) of commits that modify a file of the language, but not too many."""
    return [
        (commit, sorted((file.after, file.old, file.new) for file in files))
        for commit, files in listed(repository, [extension], newest)
        if 1 <= len(files) <= MAX_FILES
    ]


def _siblings(
    repository: Path, commit: str, changed: list[str], extension: str, rng: random.Random, count: int = 2
) -> list[tuple[str, str]]:
    """(path, blob) of up to `count` files in the folders of changed ones that the commit left alone."""
    folders = sorted({str(PurePosixPath(path).parent) for path in changed})[:2]
    below = [f"{folder}/" for folder in folders if folder != "."]
    listing = os.fsdecode(ask_git(repository, "ls-tree", "-z", commit, *below, bare=True))
    others = []
    for line in listing.split("\0"):
        head, _, path = line.partition("\t")
        if " blob " in head and path.endswith(extension) and path not in changed and not skipped(path):
            others.append((path, head.split(" ")[2]))
    return rng.sample(others, min(count, len(others)))
