"""Typed access to the parameters that clients send. What is not as it should be raises BadParams, with one line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

JsonValue: TypeAlias = "Mapping[str, JsonValue] | list[JsonValue] | str | int | float | None"
Raw: TypeAlias = Mapping[str, JsonValue]


class BadParams(ValueError):  # noqa: N818 (a kind of input, not a failure of the server)
    """Invalid client input. The message is one line: which field, and what it should be."""


def field(raw: JsonValue, path: str) -> JsonValue:
    """The value at a dotted path, or None."""
    value = raw
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def mapping(raw: JsonValue, path: str = "") -> Raw:
    """The object at a dotted path; the whole when the path is empty. Raises BadParams."""
    value = field(raw, path) if path else raw
    if not isinstance(value, Mapping):
        raise BadParams(f"{path or 'params'} must be an object")
    return value


def text(raw: JsonValue, path: str) -> str:
    """The text at a dotted path. Raises BadParams."""
    value = field(raw, path)
    if not isinstance(value, str):
        raise BadParams(f"{path} must be a text")
    return value


def integer(raw: JsonValue, path: str) -> int:
    """The whole number at a dotted path. Raises BadParams."""
    value = field(raw, path)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value % 1:
        raise BadParams(f"{path} must be a whole number")
    return int(value)


def maybe_integer(raw: JsonValue, path: str) -> int | None:
    """The whole number at a dotted path, or None when there is no such thing."""
    try:
        return integer(raw, path)
    except BadParams:
        return None


def flag(raw: JsonValue, path: str) -> bool:
    """Whether the value at a dotted path is true; false when there is no such thing."""
    return field(raw, path) is True


def maybe_text(raw: JsonValue, path: str) -> str | None:
    """The text at a dotted path, or None when there is no such thing."""
    value = field(raw, path)
    return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class DocumentPosition:
    """A position in a document, and the version that the client believes it has (None when it does not say)."""

    uri: str
    version: int | None
    line: int
    character: int


def document_position(raw: JsonValue) -> DocumentPosition:
    """`textDocument` and `position` of a request. Raises BadParams."""
    return DocumentPosition(
        text(raw, "textDocument.uri"),
        maybe_integer(raw, "textDocument.version"),
        integer(raw, "position.line"),
        integer(raw, "position.character"),
    )


@dataclass(frozen=True, slots=True)
class ContentChange:
    """One entry of `contentChanges`; `span` is (line, character) twice, or None for the whole text."""

    span: tuple[int, int, int, int] | None
    text: str


def changes(raw: JsonValue) -> list[ContentChange]:
    """`contentChanges` of a didChange. Raises BadParams for the first that cannot be read."""
    entries = field(raw, "contentChanges")
    if not isinstance(entries, list):
        raise BadParams("contentChanges must be a list")
    return [ContentChange(span(entry, "range"), text(entry, "text")) for entry in entries]


def span(raw: JsonValue, path: str) -> tuple[int, int, int, int] | None:
    """The range at a path as four numbers; None when there is none. Raises BadParams."""
    if field(raw, path) is None:
        return None
    return (
        integer(raw, f"{path}.start.line"),
        integer(raw, f"{path}.start.character"),
        integer(raw, f"{path}.end.line"),
        integer(raw, f"{path}.end.character"),
    )


def item_id(raw: JsonValue) -> str | None:
    """The identifier of an item of the server: as `id`, or as the first argument of the item's command.

    Clients send whole items, or only what they must: `{"item": {"command": {"arguments": ["id"]}}}`.
    """
    if (direct := maybe_text(raw, "id")) is not None:
        return direct
    arguments = field(raw, "item.command.arguments")
    if isinstance(arguments, list) and arguments and isinstance(arguments[0], str):
        return arguments[0]
    return None
