"""Questions to git: never by a shell, with the form of the answer fixed by options, off the network, nothing written.

The user's own settings are read all the same: they say which folders git may trust.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

SECONDS = 120.0
"""How long one question may take."""
MAX_BLOB = 1_000_000
"""Bytes of the largest text that is read."""
REGULAR_FILES = ("100644", "100755")
"""The modes of files that are neither links nor other repositories."""
_KEPT = ("GIT_CONFIG", "GIT_CEILING", "GIT_DISCOVERY")  # of the variables that steer git; the others come from hooks
_QUIET = ("-c", "core.quotepath=off", "-c", "core.fsmonitor=false", "-c", "color.ui=false", "--no-pager")


class GitError(Exception):
    """No answer: what happened and what to do, in one line. `said` is what git wrote, line by line, if it ran."""

    def __init__(self, message: str, said: tuple[str, ...] = ()) -> None:
        super().__init__(" ".join(message.split()))
        self.said = said


def ask_git(root: Path, *arguments: str, given: bytes = b"", nothing: int = 0) -> bytes:
    """What git answers in a folder; `nothing` is the exit code that stands for an empty answer. Raises GitError."""
    command = ["git", "-C", str(root), *_QUIET, *arguments]
    try:
        done = subprocess.run(command, input=given, capture_output=True, env=_environment(), timeout=SECONDS)
    except (FileNotFoundError, NotADirectoryError):
        raise GitError("git was not found: install it, or put it on the PATH") from None
    except subprocess.TimeoutExpired:
        raise GitError(f"git {arguments[0]} took longer than {SECONDS:.0f} s: take less of the repository") from None
    except (OSError, ValueError) as error:
        raise GitError(f"git {arguments[0]} could not be run ({error}): check its installation") from None
    if done.returncode not in (0, nothing):
        said = tuple(done.stderr.decode("utf-8", "replace").strip().splitlines())
        reason = said[0].removeprefix("fatal: ") if said else f"exit code {done.returncode}"
        raise GitError(f"git {arguments[0]} failed: {reason}", said)
    return done.stdout


def read_blobs(root: Path, names: Iterable[str]) -> dict[str, bytes]:
    """The contents of blobs; those that are too large or not there are left out. Raises GitError."""
    asked = "".join(f"{name}\n" for name in sorted(set(names))).encode()
    if not asked:
        return {}
    sizes = ask_git(root, "cat-file", "--batch-check", given=asked).decode().splitlines()
    small = "".join(f"{line.split(' ')[0]}\n" for line in sizes if _is_small_blob(line))
    return dict(_contents(ask_git(root, "cat-file", "--batch", given=small.encode())))


def _environment() -> dict[str, str]:
    """The user's, without what a hook sets for its own repository; git speaks English and stays off the network."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name.startswith(_KEPT)}
    offline = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    return kept | offline | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}


def _is_small_blob(line: str) -> bool:
    fields = line.split(" ")
    return len(fields) == 3 and fields[1] == "blob" and int(fields[2]) <= MAX_BLOB


def _contents(raw: bytes) -> Iterator[tuple[str, bytes]]:
    """The blobs of `git cat-file --batch`: a line with name, type and size, the bytes, a line end."""
    at = 0
    while at < len(raw):
        end = raw.index(b"\n", at)
        name, _, size = raw[at:end].decode().split(" ")
        yield name, raw[end + 1 : end + 1 + int(size)]
        at = end + 2 + int(size)
