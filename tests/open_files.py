"""What a process has open, where the system tells it (Linux)."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def open_files(pid: int) -> list[str]:
    """What the descriptors of a process lead to; what it closes while they are read is left out."""
    found: list[str] = []
    folder = Path(f"/proc/{pid}/fd")
    for number in os.listdir(folder) if folder.exists() else ():
        with contextlib.suppress(FileNotFoundError):
            found.append(os.readlink(folder / number))
    return found
