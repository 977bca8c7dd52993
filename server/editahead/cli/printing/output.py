"""Output of the commands: tables, carets, diffs, JSON. Text of the user's files is never markup."""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from editahead.cli.errors import printable
from editahead.suggest import types
from editahead.suggest.types import Completion, Completions, GateReading, Suppressed
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.percent import percent
from editahead.text.positions import PositionEncoding, position_at

BAR_CELLS = 10
CHANCE_CELLS = BAR_CELLS + 6  # a bar and a percentage
SOURCES = {  # what a person reads for a source
    "pointer": "copied",
    "vocabulary": "vocabulary",
    "cache": "words of this file",
    "open": "another open file",
    "project": "the project",
    "scope": "in scope",
    "written": "the function's description",
}
_MIN_ORIGIN_CELLS = 10  # cells below which an origin is not readable
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def console() -> Console:
    """Standard output; colours only where a terminal shows them."""
    return Console(highlight=False, soft_wrap=False)


def print_json(value: Any) -> None:
    """One JSON value on standard output; escaped where the terminal cannot show a character."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2, allow_nan=False)
    print(text)


def plain_table(*columns: str) -> Table:
    """A table without lines around its cells."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column)
    return table


def bar(p: float) -> str:
    """A probability as a bar of ten cells."""
    eighths = round(max(0.0, min(1.0, p)) * BAR_CELLS * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[rest] if rest else "")).ljust(BAR_CELLS)


def caret(buffer: Buffer, byte: int, ghost: str = "", width: int = 100) -> Text:
    """The line that holds the byte, at most `width` cells of it, with a caret under it or `ghost` dim at the caret."""
    number = buffer.line_at(byte)
    start, end = buffer.line_span(number)
    gutter = f"{number + 1:>5} │ "
    room = max(20, width - len(gutter) - 1)
    before = _last_cells(printable(buffer.data[start:byte].decode("utf-8", "replace")), room * 2 // 3)
    behind = Text(printable(buffer.data[byte:end].decode("utf-8", "replace")))
    first, *more = ghost.splitlines() or [""]
    behind.truncate(max(1, room - cell_len(before) - cell_len(first)), overflow="ellipsis")
    out = Text.assemble((gutter, "dim"), before, (first, "italic dim"), behind)
    for line in more:
        out.append(" │ ".rjust(len(gutter)).join(("\n", "")), style="dim")
        out.append(line.expandtabs(4), style="italic dim")
    if not ghost:
        out.append("\n" + " " * (cell_len(gutter) + cell_len(before)) + "^", style="bold cyan")
    return out


def _last_cells(text: str, cells: int) -> str:
    """The end of a text, with an ellipsis for the omitted start."""
    if cell_len(text) <= cells:
        return text
    tail = text[-cells:]
    return "…" + next(tail[at:] for at in range(len(tail) + 1) if cell_len(tail[at:]) < cells)


def completions_table(completions: Completions, typed: str = "", width: int = 100) -> Table:
    """Ranked completions; the row of `typed` (what was typed next) is marked.

    Where `width` cells are too few, `from` and then `kind` give way: a truncated probability would be wrong.
    """
    items = completions.items
    origins = [SOURCES.get(i.source, i.source) + _line_of(i) for i in items]
    ranks, kinds = len(str(len(items))), max(4, *(cell_len(i.kind) for i in items), 0)
    labels = min(max(10, *(cell_len(i.label) for i in items), 0), max(10, width - ranks - CHANCE_CELLS - 4))
    room = width - (ranks + labels + CHANCE_CELLS + 4) - (kinds + 2)
    table = plain_table()
    table.add_column("", justify="right", style="dim", no_wrap=True)
    table.add_column("completion", no_wrap=True, max_width=labels)
    table.add_column("probability", no_wrap=True)
    if room >= 0:
        table.add_column("kind", no_wrap=True)
    if room >= _MIN_ORIGIN_CELLS:
        table.add_column("from", style="dim", no_wrap=True, max_width=room - 2)
    for rank, (item, origin) in enumerate(zip(items, origins, strict=True), 1):
        label = Text(item.label, style="bold green" if item.label == typed else "bold")
        chance = Text(f"{bar(item.probability)} {percent(item.probability):>5}")
        table.add_row(*(str(rank), label, chance, item.kind, Text(origin))[: len(table.columns)])
    return table


def _line_of(item: Completion) -> str:
    return f", line {item.origin_line + 1}" if item.origin_line is not None else ""


def print_diff(before: bytes, after: bytes, name: str, context: int = 2) -> None:
    """Print a unified diff of two texts on standard output.

    Coloured for a terminal, else line by line as a program reads it: never wrapped, with its tabs.
    """
    rows = _diff_rows(before, after, name, context)
    if not sys.stdout.isatty():
        print_plain("".join(f"{row}\n" for row in rows))
        return
    text = Text()
    for row in rows:
        text.append(
            row[:1] + printable(row[1:].removesuffix("\r")) + "\n",
            style={"+": "green", "-": "red", "@": "cyan"}.get(row[:1], "dim"),
        )
    console().print(text, end="")


def print_plain(text: str) -> None:
    """Text on standard output as it is; what the encoding lacks is escaped."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))


def print_heading(text: str) -> None:
    """A line above a diff, which is never wrapped either."""
    console().print(printable(text), markup=False, soft_wrap=not sys.stdout.isatty())


def _diff_rows(before: bytes, after: bytes, name: str, context: int) -> list[str]:
    """The rows of a unified diff below the two file names."""
    old, new = _rows(before), _rows(after)
    return list(difflib.unified_diff(old, new, name, name, lineterm="", n=context))[2:]


def _rows(data: bytes) -> list[str]:
    """Lines as `diff` and `patch` count them: they end with a line feed and nothing else."""
    rows = data.decode("utf-8", "replace").split("\n")
    return rows[:-1] if rows[-1] == "" else rows


def gates_table(gates: tuple[GateReading, ...]) -> Table:
    """Every gate, whether it is open, and the value that it tested."""
    table = plain_table("gate", "", "value")
    for gate in gates:
        verdict = Text("open", style="green") if gate.passed else Text("closed", style="red")
        table.add_row(gate.reason.value, verdict, Text(gate.value))
    return table


def suppression_line(decision: Suppressed) -> Text:
    """No suggestion, and the reason, in a single line."""
    detail = f": {decision.detail}" if decision.detail else ""
    return Text(f"nothing to suggest ({decision.reason.value}{detail})", style="yellow")


class SourceLines:
    """Reads the line that something comes from: of the current file, or of another file of its project."""

    def __init__(self, buffer: Buffer, root: Path | None) -> None:
        self._buffer, self._root = buffer, root
        self._others: dict[str, Buffer | None] = {}

    def text(self, item: types.Completion | types.GhostToken) -> str | None:
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


def _origin_json(item: types.Completion | types.GhostToken, lines: SourceLines | None) -> dict[str, Any]:
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
