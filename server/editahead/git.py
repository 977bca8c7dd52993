"""The only module that runs git.

Never by a shell, with the form of the answer fixed by options, off the network, nothing written, and without running
any program that a setting names.

The user's own settings are read all the same: they say which folders git may trust.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

SECONDS = 120.0  # the time limit of a command
MAX_BLOB = 1_000_000  # bytes of the largest text that is read
REGULAR_FILES = ("100644", "100755")  # the modes of files that are neither links nor other repositories
_KEPT = ("GIT_CONFIG", "GIT_CEILING", "GIT_DISCOVERY")  # of the variables that steer git; the others come from hooks
FIXED_SETTINGS = {
    "core.quotePath": "off", "color.ui": "false", "submodule.recurse": "false", "log.showSignature": "false",
    "safe.bareRepository": "explicit",  # a folder of a clone that looks like a repository is none
    "core.fsmonitor": "false", "core.hooksPath": "/dev/null", "core.alternateRefsCommand": "", "core.askPass": "",
    "core.editor": "", "core.gitProxy": "", "core.pager": "", "core.sshCommand": "", "core.virtualFilesystem": "",
    "credential.helper": "", "diff.external": "", "gpg.program": "", "gpg.openpgp.program": "", "gpg.x509.program": "",
    "gpg.ssh.program": "", "gpg.ssh.defaultKeyCommand": "", "interactive.diffFilter": "", "sequence.editor": "",
    "uploadpack.packObjectsHook": "",
}  # fmt: skip
"""Settings that every question overrides: those that name programs, and those that would have some run."""
DRIVER_SETTINGS = {
    ("filter", "clean"): "", ("filter", "smudge"): "", ("filter", "process"): "", ("filter", "required"): "false",
    ("diff", "command"): "", ("diff", "textconv"): "", ("merge", "driver"): "",
    ("hook", "command"): "",
}  # fmt: skip
"""The same of the sections that a repository can name as it likes: `filter.<name>.clean`."""


class GitError(Exception):
    """No answer: what happened and what to do, in a line. `lines` are what git wrote, if it ran."""

    def __init__(self, message: str, lines: tuple[str, ...] = ()) -> None:
        super().__init__(" ".join(message.split()))
        self.lines = lines


class RawChange(NamedTuple):
    """A regular file that differs between two trees: its status letter, its paths and blobs before and after."""

    status: str
    before: str
    after: str
    old: str
    new: str


def ask_git(root: Path, *arguments: str, given: bytes = b"", nothing: int = 0, bare: bool = False) -> bytes:
    """What git answers in a folder; `nothing` is the exit code that stands for an empty answer.

    With `bare` the folder may be a repository without a working tree. Raises GitError.
    """
    before = ["-C", str(root)]
    if bare and is_bare(root):
        before.append(f"--git-dir={os.path.abspath(root)}")
    overridden = _overrides(FIXED_SETTINGS)
    settings = _run([*before, *overridden, "--no-pager", "config", "--list", "-z"], arguments[0])
    overridden += _overrides(_driver_overrides(settings))
    return _run([*before, *overridden, "--no-pager", *arguments], arguments[0], given, nothing)


def is_bare(folder: Path) -> bool:
    """Whether a folder is, by its looks, what git takes for a repository without a working tree."""
    return os.path.lexists(folder / "HEAD") and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def find_git(
    environment: Mapping[str, str] = os.environ, windows: bool = sys.platform == "win32", separator: str = os.pathsep
) -> str | None:
    """The program in the folders of PATH: never in the current folder, where Windows would look first."""
    name = "git.exe" if windows else "git"
    for folder in environment.get("PATH", "").split(separator):
        path = os.path.join(folder.strip('"'), name)
        if os.path.isabs(path) and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def _driver_overrides(listed: bytes) -> dict[str, str]:
    """For each driver that some setting describes, what keeps its programs from running. Raises GitError."""
    overrides: dict[str, str] = {}
    for entry in listed.split(b"\0"):
        section, dot, rest = os.fsdecode(entry.partition(b"\n")[0]).partition(".")
        name, dot, _ = rest.rpartition(".")
        if not dot or section not in {first for first, _ in DRIVER_SETTINGS}:
            continue
        if "=" in name:  # which `-c` cannot name
            raise GitError(f"git was not run: the setting {section}.{name} has a name with '=' in it; rename it")
        keys = ((key, value) for (first, key), value in DRIVER_SETTINGS.items() if first == section)
        overrides |= {f"{section}.{name}.{key}": value for key, value in keys}
    return overrides


def _overrides(settings: Mapping[str, str]) -> list[str]:
    return [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]


def _run(arguments: list[str], command: str, given: bytes = b"", nothing: int = 0) -> bytes:
    """One run of git; `command` names it in messages. Raises GitError."""
    git = find_git()
    if git is None:
        raise GitError("git was not found: install it, or put it on the PATH")
    try:
        done = subprocess.run([git, *arguments], input=given, capture_output=True, env=_environment(), timeout=SECONDS)
    except (FileNotFoundError, NotADirectoryError):
        raise GitError("git was not found: install it, or put it on the PATH") from None
    except subprocess.TimeoutExpired:
        raise GitError(f"git {command} took longer than {SECONDS:.0f} s: take less of the repository") from None
    except (OSError, ValueError) as error:
        raise GitError(f"git {command} could not be run ({error}): check its installation") from None
    if done.returncode not in (0, nothing):
        lines = tuple(done.stderr.decode("utf-8", "replace").strip().splitlines())
        reason = lines[0].removeprefix("fatal: ") if lines else f"exit code {done.returncode}"
        raise GitError(f"git {command} failed: {reason}", lines)
    return done.stdout


def read_blobs(root: Path, names: Iterable[str], *, bare: bool = False, most: int = MAX_BLOB) -> dict[str, bytes]:
    """The contents of blobs; those of more than `most` bytes or not there are omitted. Raises GitError."""
    query = "".join(f"{name}\n" for name in sorted(set(names))).encode()
    if not query:
        return {}
    sizes = ask_git(root, "cat-file", "--batch-check", given=query, bare=bare).decode().splitlines()
    small = "".join(f"{line.split(' ')[0]}\n" for line in sizes if _is_small_blob(line, most))
    return dict(_contents(ask_git(root, "cat-file", "--batch", given=small.encode(), bare=bare)))


def tree_files(root: Path, commit: str, *, bare: bool = False) -> Iterator[tuple[str, str]]:
    """(path, blob) of the regular files of a commit, in the order of paths. Raises GitError."""
    raw = ask_git(root, "ls-tree", "-r", "-z", "--full-tree", commit, bare=bare)
    for entry in os.fsdecode(raw).split("\0"):
        head, _, path = entry.partition("\t")
        if head.split(" ")[0] in REGULAR_FILES:
            yield path, head.split(" ")[2]


def modified_files(
    root: Path, most: int, *options: str, tip: str = "HEAD", paths: Sequence[str] = (), bare: bool = False
) -> list[tuple[str, list[RawChange]]]:
    """(commit, the regular files it modifies) of the latest commits but merges, newest first. Raises GitError.

    Files that were added, deleted or renamed are omitted; `paths` are patterns of git's.
    """
    raw = ask_git(
        root, "log", f"--max-count={most}", "--no-merges", "--raw", "-z", "--no-abbrev", "--no-renames",
        "--format=%x01%H", *options, tip, "--", *paths, bare=bare,
    )  # fmt: skip
    modified = []
    for block in os.fsdecode(raw).split("\x01")[1:]:
        commit, *fields = block.strip("\0\n").split("\0")
        entries = [field.lstrip("\n") for field in fields if field.strip("\n")]
        modified.append((commit.strip(), [change for change in raw_changes(entries) if change.status == "M"]))
    return modified


def raw_changes(fields: Sequence[str], deleted: bool = False) -> Iterator[RawChange]:
    """The regular files among the fields of git's `--raw -z`, on demand with those that were deleted.

    A field holds modes, blobs and status; the path behind it, or both of a rename, are fields of their own.
    """
    at = 0
    while at + 1 < len(fields):
        old_mode, new_mode, old, new, status = fields[at].lstrip(":").split(" ")
        paths = fields[at + 1 : at + (3 if status[0] in "RC" else 2)]
        at += 1 + len(paths)
        was, is_now = old_mode in REGULAR_FILES, new_mode in REGULAR_FILES
        if (is_now and (was or status[0] == "A")) or (deleted and was and status[0] == "D"):
            yield RawChange(status[0], paths[0], paths[-1], old, new)


def _environment() -> dict[str, str]:
    """The user's, without what a hook sets for its own repository; git speaks English and stays off the network."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name.startswith(_KEPT)}
    offline = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    return kept | offline | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}


def _is_small_blob(line: str, most: int) -> bool:
    fields = line.split(" ")
    return len(fields) == 3 and fields[1] == "blob" and int(fields[2]) <= most


def _contents(raw: bytes) -> Iterator[tuple[str, bytes]]:
    """The blobs of `git cat-file --batch`: a line with name, type and size, the bytes, a line end."""
    at = 0
    while at < len(raw):
        end = raw.index(b"\n", at)
        name, _, size = raw[at:end].decode().split(" ")
        yield name, raw[end + 1 : end + 1 + int(size)]
        at = end + 2 + int(size)
