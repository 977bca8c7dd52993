"""Repositories for the tests of what is ignored, and what git itself says of their files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path


def git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], input=given, capture_output=True, env=os.environ, check=False
    )
    assert done.returncode in (0, 1), done.stderr.decode()
    return done.stdout


def ignored_by_git(top: Path, paths: Iterable[str]) -> set[str]:
    """Those of the paths (relative to the top, with slashes) that git ignores."""
    given = b"".join(os.fsencode(path) + b"\0" for path in paths)
    answer = git(top, "check-ignore", "--no-index", "-z", "--stdin", given=given) if given else b""
    return {os.fsdecode(path) for path in answer.split(b"\0") if path}


def put(root: Path, files: dict[str, bytes]) -> Path:
    """Write files by their relative paths; one that cannot be there is left out."""
    for where, content in files.items():
        try:
            (root / where).parent.mkdir(parents=True, exist_ok=True)
            (root / where).write_bytes(content)
        except OSError:
            continue
    return root
