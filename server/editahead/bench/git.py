"""Access to a git repository for replays: files of a revision, and file pairs of commits. Bare ones work, too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from editahead.exclusion import exclusion
from editahead.git import GitError, ask_git, modified_files, read_blobs, tree_files
from editahead.recording.events import SessionError
from editahead.settings import Settings
from editahead.syntax.language import by_path

MAX_FILES = 8
_FOREIGN = ("node_modules/", "site-packages/", "_vendor/", "vendor/", "third_party/")


@dataclass(frozen=True, slots=True)
class ReplayedRepository:
    """A repository at a path: a working tree, a bare repository, or a folder inside either."""

    path: Path

    def commit(self, revision: str) -> str:
        """Resolve a revision to a commit. Raises SessionError."""
        if revision.startswith("-"):
            raise SessionError(f"there is no revision {revision} in {self.path}: see git log")
        try:
            with self._session_errors():
                return ask_git(
                    self.path, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", bare=True
                ).decode().strip()  # fmt: skip
        except SessionError as error:
            if "no git repository" in str(error) or "git was not" in str(error):
                raise
            if revision == "HEAD":
                raise SessionError(f"{self.path} has no commit: make one, or name another repository") from None
            raise SessionError(f"there is no revision {revision} in {self.path}: see git log") from None

    def files(self, commit: str) -> dict[str, str]:
        """Return the code files of a commit: path -> blob, without links, submodules, secrets and vendored copies.

        Raises SessionError.
        """
        settings = Settings()
        with self._session_errors():
            files = tree_files(self.path, commit, bare=True)
            return {path: blob for path, blob in files if is_readable(path, settings)}

    def blobs(self, names: Iterable[str]) -> dict[str, bytes]:
        """Read blobs; missing and too large blobs are skipped. Raises SessionError."""
        with self._session_errors():
            return read_blobs(self.path, names, bare=True)

    def commits(self, tip: str, most: int) -> list[tuple[str, list[tuple[str, str, str]]]]:
        """Return (commit, [(path, old blob, new blob)]) of the latest commits that only change contents of code files.

        Merges are skipped, and so are commits that touch more than eight such files: nobody types those. Raises
        SessionError.
        """
        settings = Settings()
        with self._session_errors():
            modified = modified_files(self.path, most, "--diff-filter=M", tip=tip, bare=True)
        commits = []
        for commit, files in modified:
            changed = [(file.after, file.old, file.new) for file in files if is_readable(file.after, settings)]
            if 0 < len(changed) <= MAX_FILES:
                commits.append((commit, changed))
        return commits

    @contextmanager
    def _session_errors(self) -> Iterator[None]:
        try:
            yield
        except GitError as error:
            reason = error.lines[0] if error.lines else ""
            if "not a git repository" in reason or "cannot change to" in reason:
                raise SessionError(f"{self.path} is no git repository: name one") from None
            raise SessionError(f"{self.path}: {error}") from None


def is_readable(path: str, settings: Settings) -> bool:
    """Whether a file may be replayed: code in a supported language, not vendored, and without secrets."""
    if not path or "\n" in path or by_path(path) is None or any(name in f"{path}/" for name in _FOREIGN):
        return False
    return exclusion(settings, Path(path), None) is None
