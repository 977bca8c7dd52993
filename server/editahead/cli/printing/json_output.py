"""Decisions and suggestions as the JSON that the commands print with --json."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from editahead.suggest import types
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.positions import PositionEncoding, position_at


class Sourced(Protocol):
    """What completions and tokens of ghost text have in common."""

    @property
    def source(self) -> str:
        """Which source proposed the item."""

    @property
    def origin_line(self) -> int | None:
        """Line in the document where the name stands, or None."""

    @property
    def origin_where(self) -> str | None:
        """Place outside the document where the name stands, or None."""


class SourceLines:
    """Reads the line that something comes from: of the current file, or of another file of its project."""

    def __init__(self, buffer: Buffer, root: Path | None) -> None:
        self._buffer, self._root = buffer, root
        self._others: dict[str, Buffer | None] = {}

    def text(self, item: Sourced) -> str | None:
        """The line without its indentation; None when there is none that can be read."""
        buffer = self._buffer if item.origin_where is None else self._other(item.origin_where)
        line = item.origin_line
        if buffer is None or line is None or not 0 <= line < buffer.line_count:
            return None
        return buffer.line_text(line).strip()

    def _other(self, where: str) -> Buffer | None:
        if where not in self._others:
            try:
                self._others[where] = Buffer((self._root / where).read_bytes()) if self._root is not None else None
            except OSError:
                self._others[where] = None
        return self._others[where]


def _origin_json(item: Sourced, lines: SourceLines | None) -> dict[str, Any]:
    """Source and line (counted from 1); with `lines` also the file (None for the current file) and the line's text."""
    origin = {"source": item.source, "originLine": None if item.origin_line is None else item.origin_line + 1}
    more = {} if lines is None else {"originWhere": item.origin_where, "originText": lines.text(item)}
    return {**origin, **more}


def decision_json(decision: types.Decision[Any], buffer: Buffer, lines: SourceLines | None = None) -> dict[str, Any]:
    """A decision of any surface as plain values; lines and columns count from 1. With `lines`, all about its sources.

    Raises TypeError for a value of no surface.
    """
    gates = gates_json(decision.gates)
    if isinstance(decision, types.Suppressed):
        return {"shown": False, "reason": decision.reason.value, "detail": decision.detail, "gates": gates}
    return {"shown": True, "probability": decision.probability, **_value_json(decision, buffer, lines), "gates": gates}


def _value_json(decision: types.Shown[Any], buffer: Buffer, lines: SourceLines | None) -> dict[str, Any]:
    value = decision.value
    if isinstance(value, types.Completions):
        where = range_json(buffer, value.start, value.end)
        share = {} if lines is None else {"copyShare": value.copied}
        return {"range": where, "complete": value.complete, "items": items_json(value, lines), **share}
    if isinstance(value, types.InlineSuggestion):
        tokens = [
            {"text": token.text, "probability": token.probability}
            | ({} if lines is None else {"copyShare": token.copied, **_origin_json(token, lines)})
            for token in value.tokens
        ]
        return {"range": range_json(buffer, value.start, value.end), "insert": value.insert, "tokens": tokens}
    if isinstance(value, types.NextEdit):
        steps = [{"step": text, "probability": p} for text, p in value.steps]
        return {**edit_json(value.edit, buffer), "key": value.key, "source": value.source, "steps": steps}
    if isinstance(value, types.NextEdits):
        return {"items": [queued_json(item, buffer) for item in value.items]}
    if isinstance(value, types.WrittenBodies):
        return {"function": value.name, "defLine": value.line + 1, "items": requested_json(value, buffer)}
    if isinstance(value, types.Fixes):
        return {
            "lines": [value.first + 1, value.last + 1],
            "unchanged": value.unchanged,
            "items": requested_json(value, buffer),
        }
    raise TypeError(f"no surface answers with {type(value).__name__}")


def edit_json(edit: ByteEdit, buffer: Buffer) -> dict[str, Any]:
    """What an edit replaces, and its text; of bytes that are no text a note instead."""
    text = edit.new_text(buffer.data)
    note = {"note": "no replacement is given, as the text is not UTF-8"} if text is None else {}
    return {"range": range_json(buffer, edit.start, edit.old_end), "newText": text, **note}


def requested_json(edits: types.RequestedEdits, buffer: Buffer) -> list[dict[str, Any]]:
    """Fixes or bodies as plain values."""
    return [{**edit_json(item.edit, buffer), "probability": item.probability} for item in edits.items]


def queued_json(item: types.QueuedEdit, buffer: Buffer) -> dict[str, Any]:
    """A site of a repeated edit as plain values."""
    return {
        **edit_json(item.edit, buffer),
        "probability": item.probability,
        "sure": item.sure,
        "group": item.group,
        "examples": item.examples,
    }


def gates_json(gates: tuple[types.GateReading, ...]) -> list[dict[str, Any]]:
    """Gates as plain values."""
    return [{"gate": gate.reason.value, "passed": gate.passed, "value": gate.value} for gate in gates]


def items_json(completions: types.Completions, lines: SourceLines | None = None) -> list[dict[str, Any]]:
    """Ranked completions as plain values."""
    return [
        {"label": item.label, "probability": item.probability, "kind": item.kind, **_origin_json(item, lines)}
        for item in completions.items
    ]


def place_json(buffer: Buffer, byte: int) -> dict[str, int]:
    """Line and column (characters) of a byte offset, counted from 1."""
    line, column = position_at(buffer, byte, PositionEncoding.UTF32)
    return {"line": line + 1, "column": column + 1}


def range_json(buffer: Buffer, start: int, end: int) -> dict[str, dict[str, int]]:
    """The places of bytes [start, end)."""
    return {"start": place_json(buffer, start), "end": place_json(buffer, end)}
