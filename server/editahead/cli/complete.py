"""`editahead complete FILE:LINE:COL`: ranked completions at one place."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from editahead.cli import output
from editahead.cli.asking import PlaceArgument, PrecisionOption, ask_at
from editahead.cli.engine import warn
from editahead.cli.errors import ExitCode
from editahead.cli.project import ProjectOption

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
BundleOption = Annotated[
    list[Path] | None,
    typer.Option("--bundle", metavar="DIR", help="A bundle to try before the shipped ones."),
]
DeviceOption = Annotated[str, typer.Option("--device", metavar="auto|cpu|cuda", help="Where the models run.")]


def complete(
    place: PlaceArgument,
    as_json: JsonOption = False,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
    project: ProjectOption = False,
    precision: PrecisionOption = None,
) -> None:
    """Print what would be offered in the completion menu, best first, with its probability.

    Exit code 1 means that nothing is offered there; the reason is printed.
    """
    from editahead.runtime.ort import Cancel
    from editahead.suggest.types import Suppressed

    asked = ask_at(place, bundle or (), device, project=project, precision=precision)
    where, buffer, byte = asked.where, asked.buffer, asked.byte
    began = time.perf_counter()
    decision = asked.engine.complete(asked.document, byte, Cancel())
    milliseconds = (time.perf_counter() - began) * 1000
    warn(asked.engine)
    if as_json:
        answer = {
            "file": str(where.path),
            "line": where.line,
            "column": where.column,
            "milliseconds": milliseconds,
        }
        output.print_json({**answer, **output.decision_json(decision, buffer)})
    else:
        console = output.console()
        console.print(output.caret(buffer, byte, width=console.width))
        if isinstance(decision, Suppressed):
            console.print(output.quiet(decision))
        else:
            console.print(output.completions_table(decision.value))
    if isinstance(decision, Suppressed):
        raise typer.Exit(ExitCode.QUIET)
