"""The repository as a release sees it: its tracked files, copied to a folder of their own, and its last commit."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_FILE, _PROGRAM = 0o644, 0o755


class ReleaseError(Exception):
    """One line: what is wrong, and what to do."""


def run(*command: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Standard output of a command; `env` is added to this process's. Raises ReleaseError if it fails."""
    words = [str(part) for part in command]
    try:
        done = subprocess.run(
            words, cwd=cwd, env={**os.environ, **(env or {})}, capture_output=True, encoding="utf-8", errors="replace"
        )
    except OSError as error:
        raise ReleaseError(f"{words[0]} does not start: {error.strerror}") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
        raise ReleaseError(f"{' '.join(words[:4])} failed: {' / '.join(lines[-3:])}")
    return done.stdout


def tracked_files(root: Path) -> list[str]:
    """Paths of the files that git tracks below `root`, with slashes, sorted. Raises ReleaseError."""
    names = run("git", "-c", "core.quotePath=off", "ls-files", "-z", "--cached", cwd=root).split("\0")
    return sorted(name for name in names if name and (root / name).is_file())


def uncommitted(root: Path) -> list[str]:
    """Paths that differ from the last commit, untracked ones included. Raises ReleaseError."""
    lines = run("git", "status", "--porcelain", "--untracked-files=all", cwd=root).splitlines()
    return [line[3:] for line in lines]


def source_date(root: Path) -> int:
    """SOURCE_DATE_EPOCH of the environment, else the time of the last commit, in seconds. Raises ReleaseError."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        return int(given if given is not None else run("git", "log", "-1", "--format=%ct", cwd=root))
    except ValueError:
        raise ReleaseError(f"SOURCE_DATE_EPOCH={given} is no number of seconds") from None


def export(root: Path, target: Path) -> list[str]:
    """Copy the tracked files to `target`, with the same modes on every machine; their paths. Raises ReleaseError."""
    names = tracked_files(root)
    for name in names:
        source, copy = root / name, target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
        copy.chmod(_PROGRAM if source.stat().st_mode & 0o100 else _FILE)
    return names
