"""`editahead explain FILE:LINE:COL`: every answer with its sources, every gate with its value."""

from __future__ import annotations

from typing import Any

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from editahead.cli.errors import ExitCode, printable
from editahead.cli.options import BundleOption, DeviceOption, JsonOption, PlaceArgument, PrecisionOption, ProjectOption
from editahead.cli.printing import output
from editahead.cli.question.asking import ask_at, warn
from editahead.suggest import types
from editahead.text.buffer import Buffer
from editahead.text.percent import percent

_TITLES = {
    "completion": "Completions", "inline": "Ghost text", "next_edit": "Next edit", "next_edits": "Repeated edit",
    "fixes": "Fixes", "bodies": "Function bodies",
}  # fmt: skip


def explain(
    position: PlaceArgument,
    as_json: JsonOption = False,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
    project: ProjectOption = False,
    precision: PrecisionOption = None,
) -> None:
    """Explain what is suggested at a place, or why nothing is: the sources of each answer and the value of each gate.

    Exit code 1 means that nothing would be shown there.
    """
    from editahead.runtime.ort import Cancel

    query = ask_at(position, bundle or (), device, project=project, precision=precision)
    buffer, byte, document = query.buffer, query.byte, query.document
    answer = query.engine.explain(document, byte, Cancel())
    warn(query.engine)
    lines = output.SourceLines(buffer, document.root)
    if as_json:
        output.print_json(as_row(answer, buffer, lines))
    else:
        show(output.console(), answer, buffer, byte, query.where.path.name, lines)
    if not any(isinstance(decision, types.Shown) for decision in answer.surfaces.values()):
        raise typer.Exit(ExitCode.QUIET)


def as_row(answer: types.Explanation, buffer: Buffer, lines: output.SourceLines) -> dict[str, Any]:
    """The explanation as plain values. `unsure` is the ghost text that a lower precision would show, or null."""
    unsure = None
    if answer.unsure is not None:
        precision, shown = answer.unsure
        unsure = {"precision": precision, **output.decision_json(shown, buffer, lines)}
    surfaces = {name: output.decision_json(decision, buffer, lines) for name, decision in answer.surfaces.items()}
    return {
        "language": answer.language_id,
        "models": list(answer.models),
        "gates": output.gates_json(answer.gates),
        "surfaces": surfaces,
        "unsure": unsure,
    }


def show(
    console: Console, answer: types.Explanation, buffer: Buffer, byte: int, name: str, lines: output.SourceLines
) -> None:
    """Print the explanation for a person."""
    console.print(output.caret(buffer, byte, width=console.width))
    models = ", ".join(answer.models) or "none"
    console.print(f"language {answer.language_id}; models: {models}", markup=False)
    if answer.gates:
        console.print(output.gates_table(answer.gates))
    for surface, decision in answer.surfaces.items():
        console.print()
        console.print(Text(_TITLES.get(surface, surface), style="bold"))
        _show_surface(console, decision, buffer, byte, name, lines)
        unsure = answer.unsure if surface == "inline" else None
        if unsure is not None:
            console.print(Text(f"  with editahead.precision at {unsure[0]:g} this would be shown:"))
            _show_surface(console, unsure[1], buffer, byte, name, lines)
        more = tuple(gate for gate in decision.gates if gate not in answer.gates)
        if more:
            console.print(Padding(output.gates_table(more), (0, 0, 0, 2)))


def _show_surface(
    console: Console,
    decision: types.Decision[Any],
    buffer: Buffer,
    byte: int,
    name: str,
    lines: output.SourceLines,
) -> None:
    if isinstance(decision, types.Suppressed):
        console.print(Padding(output.suppression_line(decision), (0, 0, 0, 2)))
        return
    value = decision.value
    if isinstance(value, types.Completions):
        if value.copied is not None:
            share = percent(value.copied)
            console.print(Text(f"  probability that the model copies a name that it has read: {share}", style="dim"))
        console.print(Padding(sourced_completions_table(value, lines), (0, 0, 0, 2)))
    elif isinstance(value, types.InlineSuggestion):
        console.print(output.caret(buffer, byte, value.insert, console.width))
        console.print(Padding(tokens_table(value.tokens, lines), (0, 0, 0, 2)))
    elif isinstance(value, (types.NextEdits, types.RequestedEdits)):
        summary = f"  {value.summary}" if isinstance(value, types.NextEdits) else ""
        items: tuple[types.QueuedEdit | types.RequestedEdit, ...] = value.items
        for number, item in enumerate(items, 1):
            source = f", {item.source}" if isinstance(item, types.QueuedEdit) and item.source else ""
            output.print_heading(f"  {number}  {percent(item.probability)}{source}{summary if number == 1 else ''}")
            output.print_diff(buffer.data, item.edit.apply(buffer.data), name, 0)
    elif isinstance(value, types.NextEdit):
        output.print_diff(buffer.data, value.edit.apply(buffer.data), name)
    if isinstance(value, (types.InlineSuggestion, types.NextEdit)):
        source = f", source {value.source}" if isinstance(value, types.NextEdit) and value.source else ""
        console.print(Text(f"  calibrated probability {percent(decision.probability)}{source}", style="green"))


MAX_LISTED = 10  # completions that are shown


def sourced_completions_table(completions: types.Completions, lines: output.SourceLines) -> Table:
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


def tokens_table(tokens: tuple[types.GhostToken, ...], lines: output.SourceLines) -> Table:
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


def _origin_cells(item: types.Completion | types.GhostToken, lines: output.SourceLines) -> tuple[Text, Text, Text]:
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
