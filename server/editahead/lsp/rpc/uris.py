"""Conversion of URIs, and of paths in settings, to file paths."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_DRIVE = re.compile(r"^/[A-Za-z]:")


def path_of(uri: str) -> Path | None:
    """Return the path of a `file:` URI; None for other schemes and invalid URIs. Never raises."""
    if uri[:5].lower() != "file:":
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


def path_for_exclusion(uri: str) -> Path | None:
    """Return the path that exclusion patterns match for a document, whatever its scheme.

    That of a notebook for its cells, of the file for an older version, and the name of a new document. None where the
    URI has none. Reads nothing, never raises.
    """
    path = path_of(uri)
    if path is None:
        scheme, colon, rest = uri.partition(":")
        try:
            text = urlsplit(uri).path
        except ValueError:
            text = rest.partition("?")[0].partition("#")[0]
        text = unquote(text if colon else uri).replace("\0", "")
        if scheme.lower() == "git":  # the editor may append it, so that no language claims the older version
            text = text.removesuffix(".git")
        if os.name == "nt" and _DRIVE.match(text):
            text = text[1:]
        if not text.strip("/"):
            return None
        path = Path(text)
    return Path(os.path.normpath(path))


def expand_user(text: str) -> Path:
    """Return a path with `~` expanded to the home folder. Raises ValueError for an unknown user."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise ValueError(f"{text!r} begins with a user that this machine does not know") from None
