"""`editahead complete FILE:LINE:COL`: ranked completions at a position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from editahead.cli.errors import ExitCode
from editahead.cli.printing import json_output, output
from editahead.cli.question.asking import PlaceArgument, ask_at
from editahead.cli.question.project import ProjectOption

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
BundleOption = Annotated[
    list[Path] | None,
    typer.Option("--bundle", metavar="DIR", help="Bundle that takes precedence over the shipped ones."),
]
DeviceOption = Annotated[str, typer.Option("--device", metavar="auto|cpu|cuda", help="Device that runs the models.")]


def complete(
    position: PlaceArgument,
    as_json: JsonOption = False,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
    project: ProjectOption = False,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            min=0.0,
            max=1.0,
            metavar="P",
            help="The setting editahead.precision; completions do not depend on it, ghost text and next edits do.",
        ),
    ] = None,
) -> None:
    """Print the completions at a place, most likely first, with their probabilities.

    Exit code 1 means that nothing is offered there; the reason is printed.
    """
    from editahead.suggest.types import Suppressed

    query = ask_at(position, bundle or (), device, project=project, precision=precision)
    buffer, byte = query.buffer, query.byte
    decision, milliseconds = query.run(query.engine.complete)
    if as_json:
        output.print_json({**query.json(milliseconds), **json_output.decision_json(decision, buffer)})
    else:
        console = output.console()
        console.print(output.caret(buffer, byte, width=console.width))
        if isinstance(decision, Suppressed):
            console.print(output.suppression_line(decision))
        else:
            console.print(output.completions_table(decision.value, width=console.width))
    if isinstance(decision, Suppressed):
        raise typer.Exit(ExitCode.QUIET)
