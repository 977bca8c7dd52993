"""Access to the git repository that is checked: revisions, changed files, texts.

Every question names the form of its answer by options, so that no setting of the user's changes it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from editahead.git import GitError, RawChange, ask_git, is_bare, raw_changes, read_blobs, tree_files

_DIFF = (
    "diff --raw -z --no-abbrev --find-renames=50% -l400 --no-ext-diff --no-textconv --no-color --no-relative "
    "--ignore-submodules=all --diff-algorithm=myers -O/dev/null"
).split()
_ABSENT = (
    "lazy fetching disabled",
    "not allowed",
    "promisor remote",
)  # what it cannot fetch, in the words of several versions


class CheckError(Exception):
    """The check cannot run; the message is a single line: what happened and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


@dataclass(frozen=True, slots=True)
class Span:
    """The compared versions: commit `old`, and commit `new` or the working tree (None)."""

    old: str
    new: str | None


@dataclass(frozen=True, slots=True)
class CheckedRepository:
    """A repository with a working tree at `root`, or a bare repository, of which only commits can be compared."""

    root: Path
    bare: bool = False

    @classmethod
    def around(cls, folder: Path) -> CheckedRepository:
        """Find the repository that contains a folder. Raises CheckError."""
        inside = _embedded(folder)
        if inside is not None:
            raise CheckError(f"{inside} has no working tree: run this in a clone that has its files")
        try:
            top_level = cls(folder)._ask("rev-parse", "--show-toplevel")
        except CheckError as error:
            if "dubious ownership" in str(error):
                raise CheckError(
                    f"git does not trust {folder}: it belongs to another user; run git config --global --add "
                    "safe.directory with that folder"
                ) from None
            if "not a git repository" in str(error):
                raise CheckError(f"{folder} is in no git repository: run this inside one") from None
            if "must be run in a work tree" in str(error):
                raise CheckError(f"{folder} has no working tree: run this in a clone that has its files") from None
            raise
        return cls(Path(os.fsdecode(top_level).rstrip("\n")).resolve())

    def span(self, base: str) -> Span:
        """Parse `REV` (against the working tree), `A..B`, or `A...B` (from the merge base). Raises CheckError.

        Before the first commit HEAD stands for an empty tree: a pre-commit hook runs there, too.
        """
        dots = "..." if "..." in base else ".."
        first, middle, last = base.partition(dots)
        if not middle:
            empty = base == "HEAD" and self._is_unborn()
            return Span(self._empty_tree() if empty else self._commit(base), None)
        old, new = self._commit(first or "HEAD"), self._commit(last or "HEAD")
        if dots == "...":
            try:
                old = self._ask("merge-base", old, new).decode().strip()
            except CheckError:
                raise CheckError(
                    f"{first or 'HEAD'} and {last or 'HEAD'} share no commit here: fetch more of the history "
                    "(in a CI checkout: fetch-depth: 0)"
                ) from None
        return Span(old, new)

    def _is_unborn(self) -> bool:
        """Whether HEAD names a branch that does not exist yet."""
        try:
            branch = self._ask("symbolic-ref", "--quiet", "HEAD", nothing=1).decode().strip()
            return bool(branch) and not self._ask("rev-parse", "--verify", "--quiet", branch, nothing=1)
        except CheckError:
            return False

    def _empty_tree(self) -> str:
        return self._ask("hash-object", "-t", "tree", "--stdin").decode().strip()

    def _commit(self, name: str) -> str:
        try:
            if not name.startswith(("-", "^")):
                return self._ask("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").decode().strip()
        except CheckError:
            pass
        hint = "commit something first" if name == "HEAD" else "see git log, or fetch it (in CI: fetch-depth: 0)"
        raise CheckError(f"there is no revision {name} here: {hint}")

    def changes(self, span: Span) -> list[RawChange]:
        """Return the regular files that differ, with renames, and the deleted files. Raises CheckError.

        `new` is empty for a text on disk.
        """
        raw = self._ask(*_DIFF, span.old, *([span.new] if span.new else []), "--")
        changes = raw_changes(os.fsdecode(raw).split("\0"), deleted=True)
        complete = changes if span.new else (change._replace(new="") for change in changes)
        return sorted(complete, key=lambda change: change.after)

    def conflicts(self, span: Span) -> set[str]:
        """Return the paths of the files in the working tree with merge conflicts. Raises CheckError."""
        if span.new is not None:
            return set()
        raw = os.fsdecode(self._ask("ls-files", "--unmerged", "-z", "--full-name"))
        return {line.partition("\t")[2] for line in raw.split("\0") if line}

    def holding(self, words: Sequence[str], span: Span, without: Sequence[str] = ()) -> list[str]:
        """Return the paths of files that contain any of the words, in commit `new` or in the working tree.

        In the working tree new files count unless git ignores them. No file that a pattern of `without` names
        is opened. Raises CheckError.
        """
        if not words:
            return []
        arguments = ["grep", "-l", "-z", "-I", "-F", "--no-color", "--full-name", "--no-recurse-submodules"]
        arguments += [item for word in words for item in ("-e", word)]
        globs = [glob for pattern in without if not pattern.startswith("!") for glob in _globs(pattern)]
        paths = ["--", ":(top)", *(f":(top,exclude,icase,glob){glob}" for glob in globs)]
        modes = [[span.new]] if span.new else [["--untracked", "--exclude-standard"]]
        if span.new is None and self._ask(
            "ls-files", "-z", "--cached", "--ignored", "--exclude-standard", "--", ":(top)"
        ):
            modes.append([])  # with --untracked, git holds tracked files against .gitignore, too
        names = [
            name for mode in modes for name in os.fsdecode(self._ask(*arguments, *mode, *paths, nothing=1)).split("\0")
        ]
        lead = f"{span.new}:" if span.new else ""
        return sorted({name.removeprefix(lead) for name in names if name})

    def paths(self, span: Span) -> frozenset[str]:
        """Return the paths of commit `new`, or of the working tree those tracked and not ignored. Raises CheckError."""
        if span.new is not None:
            with _as_check_errors():
                return frozenset(path for path, _ in tree_files(self.root, span.new, bare=self.bare))
        arguments = ["ls-files", "-z", "--full-name", "--cached", "--others", "--exclude-standard", "--", ":(top)"]
        return frozenset(os.fsdecode(self._ask(*arguments)).split("\0"))

    def has_path(self, span: Span, path: str) -> bool:
        """Whether commit `new` contains a file or folder of that path. Raises CheckError."""
        return span.new is not None and bool(self._ask("ls-tree", "-z", "--full-tree", span.new, "--", path))

    def ignored_paths(self, paths: Sequence[str]) -> set[str]:
        """Return those of some paths that the rules of the working tree ignore, there or not. Raises CheckError."""
        if self.bare or not paths:
            return set()
        given = b"".join(os.fsencode(path) + b"\0" for path in paths)
        raw = self._ask("check-ignore", "--no-index", "-z", "--stdin", given=given, nothing=1)
        return set(os.fsdecode(raw).split("\0")) - {""}

    def modes(self, span: Span, paths: Sequence[str]) -> dict[str, str]:
        """Return the blob of each path that is a regular file of commit `new`. Raises CheckError."""
        if span.new is None or not paths:
            return {}
        wanted = set(paths)
        with _as_check_errors():
            return {path: blob for path, blob in tree_files(self.root, span.new, bare=self.bare) if path in wanted}

    def blobs(self, names: Iterable[str]) -> dict[str, bytes]:
        """Read blobs; missing and too large blobs are skipped. Raises CheckError."""
        with _as_check_errors():
            return read_blobs(self.root, names, bare=self.bare)

    def _ask(self, *arguments: str, given: bytes = b"", nothing: int = 0) -> bytes:
        """Run git and return its output; `nothing` is the exit code for an empty output. Raises CheckError."""
        with _as_check_errors():
            return ask_git(self.root, *arguments, given=given, nothing=nothing, bare=self.bare)


@contextmanager
def _as_check_errors() -> Iterator[None]:
    try:
        yield
    except GitError as error:
        if any(text in line for line in error.lines for text in _ABSENT):
            message = "this clone lacks files of the compared commits: clone it without --filter"
            raise CheckError(message) from None
        raise CheckError(str(error)) from None


def _embedded(folder: Path) -> Path | None:
    """Return a folder above, inside the working tree, that git could treat as a repository of its own.

    Such a repository has settings of its own and comes with any clone.
    """
    for folder_above in (folder.absolute(), *folder.absolute().parents):
        if os.path.lexists(folder_above / ".git"):
            return None
        if is_bare(folder_above):
            return folder_above
    return None


def _globs(pattern: str) -> list[str]:
    """Convert a secret pattern to git path globs: a name at any depth, a whole folder, or a path from the root."""
    name = pattern.strip("/")
    anchored = "/" in pattern[:-1]
    start = name if anchored else f"**/{name}"
    if pattern.endswith("/"):
        return [f"{start}/**"]
    return [start, f"{start}/**"] if anchored else [start]
