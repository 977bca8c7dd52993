"""What a replay reads of a git repository, bare or not: files of a revision, and pairs of files that commits changed.

Git is run without a shell, and nothing is written or fetched.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from editahead.bench.events import SessionError
from editahead.exclusion import exclusion
from editahead.settings import Settings
from editahead.syntax.language import by_path

MAX_BLOB = 1_000_000  # bytes; larger files are left out
_SECONDS = 120.0
_FOREIGN = ("node_modules/", "site-packages/", "_vendor/", "vendor/", "third_party/")
_FILE = ("100644", "100755")


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
            if head.split(" ")[0] in _FILE and readable(path, settings):
                found[path] = head.split(" ")[2]
        return found

    def blobs(self, names: Iterable[str]) -> dict[str, bytes]:
        """The contents of blobs; those that are too large or not there are left out."""
        asked = "".join(f"{name}\n" for name in sorted(set(names))).encode()
        if not asked:
            return {}
        sizes = [line.split(" ") for line in self._ask("cat-file", "--batch-check", given=asked).decode().splitlines()]
        small = [row[0] for row in sizes if len(row) == 3 and row[1] == "blob" and int(row[2]) <= MAX_BLOB]
        raw = self._ask("cat-file", "--batch", given="".join(f"{name}\n" for name in small).encode())
        return dict(_contents(raw))

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
                if len(modes) == 5 and modes[1] in _FILE and readable(path, settings):
                    changed.append((path, modes[2], modes[3]))
            if 0 < len(changed) <= 8:
                found.append((commit, changed))
        return found

    def _ask(self, *arguments: str, given: bytes = b"") -> bytes:
        command = ["git", "-C", str(self.path), "-c", "core.fsmonitor=false", "--no-pager", *arguments]
        try:
            done = subprocess.run(command, input=given, capture_output=True, env=_environment(), timeout=_SECONDS)
        except (FileNotFoundError, NotADirectoryError):
            raise SessionError("git was not found: install it, or put it on the PATH") from None
        except subprocess.TimeoutExpired:
            why = f"git {arguments[0]} took longer than {_SECONDS:.0f} s: take a smaller repository"
            raise SessionError(why) from None
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
            if "not a git repository" in said[0] or "cannot change to" in said[0]:
                raise SessionError(f"{self.path} is no git repository: name one")
            raise SessionError(f"git {arguments[0]} failed in {self.path}: {said[0].removeprefix('fatal: ')}")
        return done.stdout


def readable(path: str, settings: Settings) -> bool:
    """Whether a file may be replayed: code of a known language, one's own, and none that may hold secrets."""
    if not path or "\n" in path or by_path(path) is None or any(name in f"{path}/" for name in _FOREIGN):
        return False
    return exclusion(settings, Path(path), None) is None


def _environment() -> dict[str, str]:
    """The user's, without what hooks set for a repository of their own; git stays off the network."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    offline = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    return kept | offline | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}


def _contents(raw: bytes) -> Iterator[tuple[str, bytes]]:
    """The blobs of `git cat-file --batch`: a line with name, type and size, the bytes, a line end."""
    at = 0
    while at < len(raw):
        end = raw.index(b"\n", at)
        name, _, size = raw[at:end].decode().split(" ")
        yield name, raw[end + 1 : end + 1 + int(size)]
        at = end + 2 + int(size)
