"""Typed access to the parameters that clients send; invalid values raise BadParams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

JsonValue: TypeAlias = "Mapping[str, JsonValue] | list[JsonValue] | str | int | float | None"
Raw: TypeAlias = Mapping[str, JsonValue]


class BadParams(ValueError):  # noqa: N818 (a kind of input, not a failure of the server)
    """Invalid client input. The message is a single line: which field, and what it should be."""


def field(raw: JsonValue, path: str) -> JsonValue:
    """Return the value at a dotted path, or None."""
    value = raw
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def mapping(raw: JsonValue, path: str = "") -> Raw:
    """Return the object at a dotted path; `raw` itself for the empty path. Raises BadParams."""
    value = field(raw, path) if path else raw
    if not isinstance(value, Mapping):
        raise BadParams(f"{path or 'params'} must be an object")
    return value


def text(raw: JsonValue, path: str) -> str:
    """Return the string at a dotted path. Raises BadParams."""
    value = field(raw, path)
    if not isinstance(value, str):
        raise BadParams(f"{path} must be a text")
    return value


def integer(raw: JsonValue, path: str) -> int:
    """Return the integer at a dotted path. Raises BadParams."""
    value = field(raw, path)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value % 1:
        raise BadParams(f"{path} must be a whole number")
    return int(value)


def optional_integer(raw: JsonValue, path: str) -> int | None:
    """Return the integer at a dotted path, or None if there is none."""
    try:
        return integer(raw, path)
    except BadParams:
        return None


def optional_flag(raw: JsonValue, path: str) -> bool | None:
    """Return the boolean at a dotted path; None where there is none."""
    value = field(raw, path)
    return value if isinstance(value, bool) else None


def optional_text(raw: JsonValue, path: str) -> str | None:
    """Return the string at a dotted path, or None if there is none."""
    value = field(raw, path)
    return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class DocumentPosition:
    """A position in a document, with the document version that the client gives, or None."""

    uri: str
    version: int | None
    line: int
    character: int


def document_position(raw: JsonValue) -> DocumentPosition:
    """Read `textDocument` and `position` of a request. Raises BadParams."""
    return DocumentPosition(
        text(raw, "textDocument.uri"),
        optional_integer(raw, "textDocument.version"),
        integer(raw, "position.line"),
        integer(raw, "position.character"),
    )


@dataclass(frozen=True, slots=True)
class ContentChange:
    """One entry of `contentChanges`; `span` is (line, character) twice, or None for the whole text."""

    span: tuple[int, int, int, int] | None
    text: str


def content_changes(raw: JsonValue, key: str = "contentChanges") -> list[ContentChange]:
    """Read the changes of a didChange. Raises BadParams for the first invalid change."""
    entries = field(raw, key)
    if not isinstance(entries, list):
        raise BadParams(f"{key} must be a list")
    return [ContentChange(span(entry, "range"), text(entry, "text")) for entry in entries]


def span(raw: JsonValue, path: str) -> tuple[int, int, int, int] | None:
    """Return the range at a path as four integers, or None if there is none. Raises BadParams."""
    if field(raw, path) is None:
        return None
    return (
        integer(raw, f"{path}.start.line"),
        integer(raw, f"{path}.start.character"),
        integer(raw, f"{path}.end.line"),
        integer(raw, f"{path}.end.character"),
    )


def item_id(raw: JsonValue) -> str | None:
    """Return the identifier of an offered item: `id`, or the first argument of the item's command; else None.

    Clients send whole items, or only this: `{"item": {"command": {"arguments": ["id"]}}}`.
    """
    if (direct := optional_text(raw, "id")) is not None:
        return direct
    arguments = field(raw, "item.command.arguments")
    if isinstance(arguments, list) and arguments and isinstance(arguments[0], str):
        return arguments[0]
    return None
