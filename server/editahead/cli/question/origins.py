"""The origin of a suggestion: its source, its line, and the text of that line."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from editahead.cli.errors import printable
from editahead.cli.printing import output
from editahead.cli.printing.json_output import Sourced, SourceLines
from editahead.suggest.types import Completions, GhostToken
from editahead.text.percent import percent

MAX_LISTED = 10  # completions that are shown


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
