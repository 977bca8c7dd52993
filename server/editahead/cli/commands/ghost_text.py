"""`editahead ghost-text FILE:LINE:COL`: the inline suggestion at a position."""

from __future__ import annotations

import typer

from editahead.cli.commands.complete import BundleOption, DeviceOption, JsonOption
from editahead.cli.errors import ExitCode
from editahead.cli.printing import json_output, output
from editahead.cli.question.asking import PlaceArgument, PrecisionOption, ask_at
from editahead.cli.question.project import ProjectOption
from editahead.text.percent import percent


def ghost_text(
    position: PlaceArgument,
    as_json: JsonOption = False,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
    project: ProjectOption = False,
    precision: PrecisionOption = None,
) -> None:
    """Print the ghost text at a place, with its probability.

    Exit code 1 means that nothing is shown there; the reason is printed.
    """
    from editahead.suggest.types import Suppressed

    query = ask_at(position, bundle or (), device, project=project, precision=precision)
    buffer, byte = query.buffer, query.byte
    decision, milliseconds = query.run(query.engine.inline)
    if as_json:
        output.print_json({**query.json(milliseconds), **json_output.decision_json(decision, buffer)})
    else:
        console = output.console()
        insert = "" if isinstance(decision, Suppressed) else decision.value.insert
        console.print(output.caret(buffer, byte, insert, width=console.width))
        if isinstance(decision, Suppressed):
            console.print(output.suppression_line(decision))
        else:
            output.print_heading(percent(decision.probability))
    if isinstance(decision, Suppressed):
        raise typer.Exit(ExitCode.QUIET)
