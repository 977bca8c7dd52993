"""The folder that a command is run in, and whether the files that it is to write can be written."""

from __future__ import annotations

import os
from pathlib import Path

from editahead.cli.errors import CliError


def current_folder() -> Path:
    """The current folder. Raises CliError if it was deleted."""
    try:
        return Path.cwd()
    except OSError:
        raise CliError("the current folder is gone: change to the repository") from None


def require_writable(path: Path | None) -> None:
    """Raise CliError if a file cannot be written, so that this is reported before the work and not after it."""
    if path is None:
        return
    if path.is_dir():
        raise CliError(f"cannot write {path}: is a directory")
    folder = path.parent
    if not path.exists() and not folder.is_dir():
        raise CliError(f"cannot write {path}: there is no folder {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise CliError(f"cannot write {path}: permission denied")
