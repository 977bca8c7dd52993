"""Values of the server in the laptop's terms: its documents, their versions, and where names come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from editahead.suggest.types import (
    Completions,
    Document,
    InlineSuggestion,
    NextEdit,
    NextEdits,
    QueuedEdit,
    RequestedEdits,
)
from editahead.team.wire.messages import WireError

OTHER_SOURCES = ("open", "project")  # sources of names outside the document


def in_local_terms(value: Any, document: Document, documents: Mapping[str, Document]) -> Any:
    """Return a value with local URIs, versions and origins; `documents` are those of the request by server URI.

    Raises WireError for a document that was not part of the request.
    """
    names = {uri: local.uri for uri, local in documents.items()}
    if isinstance(value, Completions):
        return replace(value, items=tuple(_with_origin(item, document) for item in value.items))
    if isinstance(value, InlineSuggestion):
        tokens = (replace_origin(token) for token in value.tokens)
        return replace(value, tokens=tuple(tokens))
    if isinstance(value, NextEdit):
        return replace(value, key=with_names(value.key, names), group=with_names(value.group, names))
    if isinstance(value, QueuedEdit):
        return _queued(value, documents, names)
    if isinstance(value, NextEdits):
        return NextEdits(tuple(_queued(item, documents, names) for item in value.items))
    if isinstance(value, RequestedEdits):
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


def _with_origin(item: Any, document: Document) -> Any:
    if item.source not in OTHER_SOURCES:
        return replace(item, origin_where=None, import_from="", import_edit=None)
    origin = document.elsewhere.origin(item.label) if document.elsewhere is not None else None
    line, where = (origin.line, origin.where) if origin is not None else (None, None)
    return replace(item, origin_line=line, origin_where=where, import_from="", import_edit=None)


def _queued(item: QueuedEdit, documents: Mapping[str, Document], names: Mapping[str, str]) -> QueuedEdit:
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
