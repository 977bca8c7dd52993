"""The commit that is checked out."""

from __future__ import annotations

from pathlib import Path

from editahead.git import GitError, ask_git


def short_head(folder: Path, *paths: str) -> str:
    """The commit that is checked out, in short, "-dirty" behind it if files below `paths` differ from it.

    "unknown" outside a repository. Never raises.
    """
    try:
        name = ask_git(folder, "rev-parse", "--short", "HEAD").decode().strip()
        return f"{name}-dirty" if paths and ask_git(folder, "diff", "--name-only", "HEAD", "--", *paths) else name
    except GitError:
        return "unknown"
