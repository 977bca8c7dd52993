"""The origin of a suggestion: its source, its line, and the text of that line."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from rich.table import Table
from rich.text import Text

from editahead.cli.errors import printable
from editahead.cli.printing import output
from editahead.suggest.types import Completions, GhostToken
from editahead.text.buffer import Buffer
from editahead.text.percent import percent

MAX_LISTED = 10  # completions that are shown


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


def origin_json(item: Sourced, lines: SourceLines) -> dict[str, Any]:
    """Source, line (counted from 1), file (None for the current file) and the line's text."""
    return {
        "source": item.source,
        "originLine": None if item.origin_line is None else item.origin_line + 1,
        "originWhere": item.origin_where,
        "originText": lines.text(item),
    }


def completions_json(completions: Completions, lines: SourceLines) -> list[dict[str, Any]]:
    """Every candidate with its origin."""
    return [
        {"label": item.label, "probability": item.probability, "kind": item.kind, **origin_json(item, lines)}
        for item in completions.items
    ]


def tokens_json(tokens: tuple[GhostToken, ...], lines: SourceLines) -> list[dict[str, Any]]:
    """Every token of ghost text; `copyShare` is the pointer's share of the probability at that token."""
    return [
        {
            "text": token.text,
            "probability": token.probability,
            "copyShare": token.copied,
            **origin_json(token, lines),
        }
        for token in tokens
    ]


def sourced_completions_table(completions: Completions, lines: SourceLines) -> Table:
    """The best completions, each with the line that it comes from."""
    table = _table("", "completion", "probability", "kind", *_ORIGIN)
    for rank, item in enumerate(completions.items[:MAX_LISTED], 1):
        table.add_row(
            Text(str(rank), style="dim"),
            Text(item.label, style="bold"),
            _chance(item.probability),
            item.kind,
            *_origin_cells(item, lines),
        )
    if len(completions.items) > MAX_LISTED:
        table.add_row("", Text(f"and {len(completions.items) - MAX_LISTED} more (all with --json)", style="dim"))
    return table


def tokens_table(tokens: tuple[GhostToken, ...], lines: SourceLines) -> Table:
    """The tokens of ghost text, each with its probability given those before it and the pointer's share there."""
    table = _table("", "token", "probability", "copy share", *_ORIGIN)
    for number, token in enumerate(tokens, 1):
        share = "" if token.copied is None else percent(token.copied)
        table.add_row(
            Text(str(number), style="dim"),
            Text(_visible(token.text), style="bold"),
            _chance(token.probability),
            Text(f"{share:>5}"),
            *_origin_cells(token, lines),
        )
    return table


_MAX_CELLS = 32  # cells of a name or a path
_ORIGIN = ("from", "line", "text")


def _origin_cells(item: Sourced, lines: SourceLines) -> tuple[Text, Text, Text]:
    source = Text(output.SOURCES.get(item.source, item.source), style="cyan" if item.origin_line is not None else "dim")
    if item.origin_line is None:
        return source, Text(), Text()
    where = "" if item.origin_where is None else f"{item.origin_where}:"
    return (
        source,
        Text(printable(f"{where}{item.origin_line + 1}")),
        Text(printable(lines.text(item) or ""), style="dim"),
    )


def _table(*names: str) -> Table:
    """A table whose last column gives way when the screen is narrow."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", expand=True)
    for name in names:
        table.add_column(
            name,
            justify="right" if name in ("", "line") else "left",
            no_wrap=True,
            overflow="ellipsis",
            min_width=output.CHANCE_CELLS if name == "probability" else None,
            max_width=None if name == names[-1] else _MAX_CELLS,
            ratio=1 if name == names[-1] else None,
        )
    return table


def _chance(p: float) -> Text:
    return Text(f"{output.bar(p)} {percent(p):>5}")


def _visible(text: str) -> str:
    """A token as it can be seen: a line end shows as such, with the indentation behind it."""
    return f"↵ {len(text) - 1}" if text.startswith("\n") else text.strip()
