"""`editahead fix FILE:LINE[:COL]`: the most likely repairs of the function at a position."""

from __future__ import annotations

import typer

from editahead.cli.commands.complete import BundleOption, DeviceOption, JsonOption
from editahead.cli.errors import ExitCode
from editahead.cli.printing import json_output, output
from editahead.cli.question.asking import PlaceArgument, ask_at
from editahead.text.percent import percent


def fix(
    position: PlaceArgument,
    as_json: JsonOption = False,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
) -> None:
    """Print up to three fixes for the function at a place, with their probabilities. The file is not changed.

    Exit code 1 means that there is none to suggest; the reason is printed.
    """
    from editahead.suggest.types import Suppressed

    query = ask_at(position, bundle or (), device)
    where, buffer = query.where, query.buffer
    decision, milliseconds = query.run(lambda document, byte, cancel: query.engine.fixes(document, byte, byte, cancel))
    if as_json:
        output.print_json({**query.json(milliseconds), **json_output.decision_json(decision, buffer)})
    elif isinstance(decision, Suppressed):
        output.console().print(output.suppression_line(decision))
    else:
        fixes = decision.value
        kept = percent(fixes.unchanged)
        output.print_heading(f"{where.path}:{fixes.first + 1}-{fixes.last + 1}  as it is: {kept}")
        for number, item in enumerate(fixes.items, 1):
            output.print_heading(f"{number}  {percent(item.probability)}")
            output.print_diff(buffer.data, item.edit.apply(buffer.data), where.path.name)
    if isinstance(decision, Suppressed):
        raise typer.Exit(ExitCode.QUIET)
