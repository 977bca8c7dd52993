"""What clients send, read at the door: values of the right type, or BadParams with one line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Raw = Mapping[str, Any]


class BadParams(ValueError):  # noqa: N818 (the parameters are bad, the server is well)
    """A message without what it needs. One line: which field, and what it should be."""


def field(raw: object, path: str) -> Any:
    """Whatever stands at a dotted path, or None."""
    value: Any = raw
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def mapping(raw: object, path: str = "") -> Raw:
    """The object at a dotted path; the whole when the path is empty. Raises BadParams."""
    value = field(raw, path) if path else raw
    if not isinstance(value, Mapping):
        raise BadParams(f"{path or 'params'} must be an object")
    return value


def text(raw: object, path: str) -> str:
    """The text at a dotted path. Raises BadParams."""
    value = field(raw, path)
    if not isinstance(value, str):
        raise BadParams(f"{path} must be a text")
    return value


def whole(raw: object, path: str) -> int:
    """The whole number at a dotted path. Raises BadParams."""
    value = field(raw, path)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value or value % 1:
        raise BadParams(f"{path} must be a whole number")
    return int(value)


def maybe_whole(raw: object, path: str) -> int | None:
    """The whole number at a dotted path, or None when there is no such thing."""
    try:
        return whole(raw, path)
    except BadParams:
        return None


def maybe_text(raw: object, path: str) -> str | None:
    """The text at a dotted path, or None when there is no such thing."""
    value = field(raw, path)
    return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class Place:
    """A document, the version that the client thinks it has (None when it does not say) and a position."""

    uri: str
    version: int | None
    line: int
    character: int


def place(raw: object) -> Place:
    """`textDocument` and `position` of a request. Raises BadParams."""
    return Place(
        text(raw, "textDocument.uri"),
        maybe_whole(raw, "textDocument.version"),
        whole(raw, "position.line"),
        whole(raw, "position.character"),
    )


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of `contentChanges`; `span` is (line, character) twice, or None for the whole text."""

    span: tuple[int, int, int, int] | None
    text: str


def changes(raw: object) -> list[Change]:
    """`contentChanges` of a didChange. Raises BadParams for the first that cannot be read."""
    entries = field(raw, "contentChanges")
    if not isinstance(entries, list):
        raise BadParams("contentChanges must be a list")
    return [Change(span(entry, "range"), text(entry, "text")) for entry in entries]


def span(raw: object, path: str) -> tuple[int, int, int, int] | None:
    """The range at a path as four numbers; None when there is none. Raises BadParams."""
    if field(raw, path) is None:
        return None
    return (
        whole(raw, f"{path}.start.line"),
        whole(raw, f"{path}.start.character"),
        whole(raw, f"{path}.end.line"),
        whole(raw, f"{path}.end.character"),
    )


def item_id(raw: object) -> str | None:
    """The identifier of an item that we sent: as `id`, or as the first argument of the item's command.

    Clients send whole items, or only what they must: `{"item": {"command": {"arguments": ["id"]}}}`.
    """
    if (direct := maybe_text(raw, "id")) is not None:
        return direct
    arguments = field(raw, "item.command.arguments")
    if isinstance(arguments, list) and arguments and isinstance(arguments[0], str):
        return arguments[0]
    return None
