"""`editahead complete FILE:LINE:COL`: ranked completions at one place."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from editahead.cli import output
from editahead.cli.engine import load_engine, warn
from editahead.cli.errors import CliError, ExitCode
from editahead.cli.opening import language_of, open_document, parse_place, place_to_byte, read_buffer
from editahead.cli.project import ProjectOption, with_project

PlaceArgument = Annotated[str, typer.Argument(metavar="FILE:LINE:COL", help="A place; both numbers count from 1.")]
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
) -> None:
    """Print what would be offered in the completion menu, best first, with its probability.

    Exit code 1 means that nothing is offered there; the reason is printed.
    """
    from editahead.runtime.ort import Cancel
    from editahead.suggest.types import Suppressed

    where = parse_place(place)
    buffer = read_buffer(where.path)
    byte = place_to_byte(buffer, where)
    language = language_of(where.path)
    if language is None:
        raise CliError(f"no language is known for {where.path.name}", ExitCode.QUIET)
    engine = load_engine(bundle or (), device)
    document = open_document(where.path, language, buffer)
    if project:
        document = with_project(document)
    began = time.perf_counter()
    decision = engine.complete(document, byte, Cancel())
    milliseconds = (time.perf_counter() - began) * 1000
    warn(engine)
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
