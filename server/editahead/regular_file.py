"""Guarded reading: a regular file of bounded size, opened without blocking.

A path in somebody else's repository may be a link to a device, a named pipe, or the standard input of this process.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

_FLAGS = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOCTTY", 0)
)  # fmt: skip
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class UnreadableFileError(OSError):
    """A file is there, and its content cannot be read: no permission, larger than the limit, a fault of the disk."""


def read_regular(path: str | Path, limit: int, *, follow: bool = False) -> bytes | None:
    """The bytes of a regular file of at most `limit` bytes, or None.

    None where there is nothing, a folder, a device, a pipe, or (unless `follow`) a link. Raises UnreadableFileError.

    Nothing but a regular file is ever opened for reading, so no pipe is drained and no device woken.
    """
    try:
        # Looked at first: opening a device can have effects, and not every system has O_NOFOLLOW.
        if not stat.S_ISREG(os.stat(path, follow_symlinks=follow).st_mode):
            return None
        handle = os.open(path, _FLAGS | (0 if follow else _NO_LINK))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError as error:
        if os.path.islink(path):  # a loop of links, or a link put there since
            return None
        raise UnreadableFileError(error.errno or 0, error.strerror or type(error).__name__, str(path)) from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return None
        if status.st_size > limit:
            raise UnreadableFileError(0, f"larger than {limit} bytes", str(path))
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(limit + 1)
    except UnreadableFileError:
        raise
    except OSError as error:
        raise UnreadableFileError(error.errno or 0, error.strerror or type(error).__name__, str(path)) from None
    finally:
        os.close(handle)
    if len(data) > limit:
        raise UnreadableFileError(0, f"larger than {limit} bytes", str(path))
    return data
