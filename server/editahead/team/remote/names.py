"""Names of the project that a completion request takes along, and requests that need this disk."""

from __future__ import annotations

import re
from itertools import islice

from editahead.suggest.completion.import_paths.complete import place_of
from editahead.suggest.types import Document
from editahead.team.wire.messages import MAX_NAMES, ProjectName

_MAX_BYTES = 200  # bytes before the cursor that are searched
_PREFIX = re.compile(r"[^\W\d]\w*\Z")
_DISK = re.compile(r"(?:\.\s*|^\s*(?:import|from)\b.*)\Z")


def _before(document: Document, byte: int) -> str:
    """Return the line of the cursor up to it, at most its last part."""
    data = document.syntax.buffer.data
    start = max(data.rfind(b"\n", 0, byte) + 1, byte - _MAX_BYTES)
    return data[start:byte].decode("utf-8", "replace")


def typed_prefix(document: Document, byte: int) -> str:
    """Return the part of a name that stands in front of the cursor."""
    match = _PREFIX.search(_before(document, byte))
    return match.group() if match is not None else ""


def has_disk_candidates(document: Document, byte: int) -> bool:
    """Whether members, modules or import paths are completed: what they hold is read from files that never leave."""
    line = _before(document, byte)
    named = _DISK.search(line[: len(line) - len(typed_prefix(document, byte))]) is not None
    return named or place_of(document, byte) is not None


def project_names(document: Document, byte: int) -> list[ProjectName]:
    """Return the names of the project that begin as typed, at most MAX_NAMES."""
    if document.elsewhere is None:
        return []
    names = document.elsewhere.names(typed_prefix(document, byte))
    return [
        ProjectName(name, origin.source, origin.line, origin.count, origin.files)
        for name, origin in islice(names.items(), MAX_NAMES)
    ]
