"""`file:` URIs and paths that people write, as paths."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_DRIVE = re.compile(r"^/[A-Za-z]:")


def path_of(uri: str) -> Path | None:
    """The path of a `file:` URI; None for every other kind and for what is no URI. Never raises."""
    if not uri.startswith("file:"):
        return None
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path)
    if not path or "\0" in path:
        return None
    if os.name == "nt":
        if parts.netloc:
            return Path(f"//{parts.netloc}{path}")
        return Path(path[1:] if _DRIVE.match(path) else path)
    return Path(path)


def expanded(text: str) -> Path:
    """A path with `~` as the home folder. Raises ValueError, in one line, where there is no such user."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise ValueError(f"{text!r} begins with a user that this machine does not know") from None
