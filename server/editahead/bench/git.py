"""What a replay reads of a git repository, bare or not: files of a revision, pairs of files that commits changed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from editahead.exclusion import exclusion
from editahead.git import REGULAR_FILES, GitError, ask_git, read_blobs
from editahead.recording.events import SessionError
from editahead.settings import Settings
from editahead.syntax.language import by_path

_FOREIGN = ("node_modules/", "site-packages/", "_vendor/", "vendor/", "third_party/")


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository at a path: a working tree, a bare one, or a folder inside one."""

    path: Path

    def commit(self, revision: str) -> str:
        """The commit that a revision names. Raises SessionError."""
        if revision.startswith("-"):
            raise SessionError(f"there is no revision {revision} in {self.path}: see git log")
        try:
            return self._ask("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
        except SessionError as error:
            if "no git repository" in str(error) or "git was not" in str(error):
                raise
            raise SessionError(f"there is no revision {revision} in {self.path}: see git log") from None

    def files(self, commit: str) -> dict[str, str]:
        """The code files of a commit: path -> blob. Links, submodules, secrets and vendored copies are left out."""
        settings = Settings()
        found: dict[str, str] = {}
        for line in os.fsdecode(self._ask("ls-tree", "-r", "-z", "--full-tree", commit)).split("\0"):
            head, _, path = line.partition("\t")
            if head.split(" ")[0] in REGULAR_FILES and readable(path, settings):
                found[path] = head.split(" ")[2]
        return found

    def blobs(self, names: Iterable[str]) -> dict[str, bytes]:
        """The contents of blobs; those that are too large or not there are left out. Raises SessionError."""
        try:
            return read_blobs(self.path, names, bare=True)
        except GitError as error:
            raise self._session_error(error) from None

    def commits(self, tip: str, most: int) -> list[tuple[str, list[tuple[str, str, str]]]]:
        """(commit, [(path, old blob, new blob)]) of the latest commits that only change code files' contents.

        Merges are left out, and so are commits that touch more than eight such files: those are no one's typing.
        """
        settings = Settings()
        raw = self._ask(
            "log", f"--max-count={most}", "--no-merges", "--raw", "-z", "--no-abbrev", "--no-renames",
            "--diff-filter=M", "--format=%x01%H", tip, "--",
        )  # fmt: skip
        found = []
        for block in os.fsdecode(raw).split("\x01")[1:]:
            head, *fields = block.strip("\0\n").split("\0")
            commit, changed = head.strip(), []
            entries = [field.lstrip("\n") for field in fields if field.strip("\n")]
            for entry, path in zip(entries[::2], entries[1::2], strict=False):
                modes = entry.lstrip(":").split(" ")
                if len(modes) == 5 and modes[1] in REGULAR_FILES and readable(path, settings):
                    changed.append((path, modes[2], modes[3]))
            if 0 < len(changed) <= 8:
                found.append((commit, changed))
        return found

    def _ask(self, *arguments: str) -> bytes:
        try:
            return ask_git(self.path, *arguments, bare=True)
        except GitError as error:
            raise self._session_error(error) from None

    def _session_error(self, error: GitError) -> SessionError:
        said = error.said[0] if error.said else ""
        if "not a git repository" in said or "cannot change to" in said:
            return SessionError(f"{self.path} is no git repository: name one")
        return SessionError(f"{self.path}: {error}")


def readable(path: str, settings: Settings) -> bool:
    """Whether a file may be replayed: code of a known language, one's own, and none that may hold secrets."""
    if not path or "\n" in path or by_path(path) is None or any(name in f"{path}/" for name in _FOREIGN):
        return False
    return exclusion(settings, Path(path), None) is None
