"""What leaves the laptop, and the server's values in the laptop's terms: documents, versions, origins of names."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from editahead.exclusion import RecentExclusions
from editahead.suggest import types
from editahead.suggest.completion.import_paths.complete import place_of
from editahead.team.wire.messages import MAX_DOCUMENT, MAX_NAMES, ProjectName, WireError

OTHER_SOURCES = ("open", "project")  # sources of names outside the document


def in_local_terms(value: Any, document: types.Document, documents: Mapping[str, types.Document]) -> Any:
    """Return a value with local URIs, versions and origins; `documents` are those of the request by server URI.

    Raises WireError for a document that was not part of the request.
    """
    names = {uri: local.uri for uri, local in documents.items()}
    if isinstance(value, types.Completions):
        return replace(value, items=tuple(_with_origin(item, document) for item in value.items))
    if isinstance(value, types.InlineSuggestion):
        tokens = (replace_origin(token) for token in value.tokens)
        return replace(value, tokens=tuple(tokens))
    if isinstance(value, types.NextEdit):
        return replace(value, key=with_names(value.key, names), group=with_names(value.group, names))
    if isinstance(value, types.QueuedEdit):
        return _queued(value, documents, names)
    if isinstance(value, types.NextEdits):
        return types.NextEdits(tuple(_queued(item, documents, names) for item in value.items))
    if isinstance(value, types.RequestedEdits):
        return replace(value, items=tuple(replace(item, key=with_names(item.key, names)) for item in value.items))
    return value


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text with some URIs replaced by others, the longest first."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, names[name])
    return text


def replace_origin(token: Any) -> Any:
    """Return a token of ghost text without the position of a name in a file that the server named."""
    return token._replace(origin_line=None, origin_where=None) if token.origin_where is not None else token


def _with_origin(item: Any, document: types.Document) -> Any:
    if item.source not in OTHER_SOURCES:
        return replace(item, origin_where=None, import_from="", import_edit=None)
    origin = document.elsewhere.origin(item.label) if document.elsewhere is not None else None
    line, where = (origin.line, origin.where) if origin is not None else (None, None)
    return replace(item, origin_line=line, origin_where=where, import_from="", import_edit=None)


def _queued(
    item: types.QueuedEdit, documents: Mapping[str, types.Document], names: Mapping[str, str]
) -> types.QueuedEdit:
    document = documents.get(item.uri)
    if document is None:
        raise WireError("an edit in a document that was not part of the request")
    return replace(
        item,
        uri=document.uri,
        version=document.version,
        key=with_names(item.key, names),
        pattern=with_names(item.pattern, names),
        group=with_names(item.group, names),
    )


_MAX_BYTES = 200  # bytes before the cursor that are searched
_PREFIX = re.compile(r"[^\W\d]\w*\Z")
_DISK = re.compile(r"(?:\.\s*|^\s*(?:import|from)\b.*)\Z")


def _before(document: types.Document, byte: int) -> str:
    """Return the line of the cursor up to it, at most its last part."""
    data = document.syntax.buffer.data
    start = max(data.rfind(b"\n", 0, byte) + 1, byte - _MAX_BYTES)
    return data[start:byte].decode("utf-8", "replace")


def typed_prefix(document: types.Document, byte: int) -> str:
    """Return the part of a name that stands in front of the cursor."""
    match = _PREFIX.search(_before(document, byte))
    return match.group() if match is not None else ""


def has_disk_candidates(document: types.Document, byte: int) -> bool:
    """Whether members, modules or import paths are completed: what they hold is read from files that never leave."""
    line = _before(document, byte)
    named = _DISK.search(line[: len(line) - len(typed_prefix(document, byte))]) is not None
    return named or place_of(document, byte) is not None


def project_names(document: types.Document, byte: int) -> list[ProjectName]:
    """Return the names of the project that begin as typed, at most MAX_NAMES."""
    if document.elsewhere is None:
        return []
    names = document.elsewhere.names(typed_prefix(document, byte))
    return [
        ProjectName(name, origin.source, origin.line, origin.count, origin.files)
        for name, origin in islice(names.items(), MAX_NAMES)
    ]


class LeavingRule:
    """Decides by the rules of all suggestions. Untitled documents, cells of notebooks and large files never leave."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._exclusions = RecentExclusions(clock)

    def can_send(self, document: types.Document) -> bool:
        """Whether a document may be sent. Looks at the disk, at most once a second for each document."""
        path, settings = document.path, document.settings
        if path is None or not settings.enabled or not settings.language_enabled(document.language_id):
            return False
        if len(document.syntax.buffer.data) > min(settings.max_file_bytes, MAX_DOCUMENT):
            return False
        return self._exclusions.reason(settings, path, document.root) is None
