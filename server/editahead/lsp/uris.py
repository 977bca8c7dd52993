"""Conversion of URIs and of paths in settings to paths."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_DRIVE = re.compile(r"^/[A-Za-z]:")


def path_of(uri: str) -> Path | None:
    """The path of a `file:` URI; None for every other kind and for what is no URI. Never raises."""
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


def judged_path(uri: str) -> Path | None:
    """The path by which patterns judge a document, whatever its scheme.

    A cell of a notebook is judged by the notebook, an older version by its file, a new document by its name. None where
    the URI has none. Reads nothing, never raises.
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


def expanded(text: str) -> Path:
    """A path with `~` as the home folder. Raises ValueError, in one line, where there is no such user."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise ValueError(f"{text!r} begins with a user that this machine does not know") from None
