"""`editahead next-edit BEFORE AFTER`: the edit that most likely follows a change."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from editahead.cli.commands.complete import BundleOption, DeviceOption, JsonOption
from editahead.cli.errors import CliError, ExitCode
from editahead.cli.printing import json_output, output
from editahead.cli.question.asking import PrecisionOption, with_precision
from editahead.cli.question.engine import load_engine, warn
from editahead.cli.question.opening import change_document, language_of, position_of_byte, read_buffer
from editahead.text.percent import percent

if TYPE_CHECKING:
    from editahead.suggest.types import NextEdits
    from editahead.text.buffer import Buffer


def next_edit(
    before: Annotated[Path, typer.Argument(metavar="BEFORE", help="The file before the change.")],
    after: Annotated[Path, typer.Argument(metavar="AFTER", help="The file after the change.")],
    every: Annotated[
        bool, typer.Option("--all", help="Print all remaining places of the change, each with its probability.")
    ] = False,
    as_json: JsonOption = False,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
    precision: PrecisionOption = None,
) -> None:
    """Print the predicted next edit after the change from one version of a file to another.

    With --all, list every place where the same change could be made, likeliest first.
    Exit code 1 means that there is no suggestion; the reason is printed.
    """
    from editahead.runtime.ort import Cancel
    from editahead.suggest.types import NextEdits, Suppressed

    old, new = read_buffer(before), read_buffer(after)
    language = language_of(after) or language_of(before)
    if language is None:
        raise CliError(f"{after.name} is in no supported language", ExitCode.QUIET)
    if old.data == new.data:
        raise CliError(f"{before} and {after} are equal: there is no change to continue")
    engine = load_engine(bundle or (), device)
    document, byte = change_document(after, language, old, new)
    document = with_precision(document, precision)
    began = time.perf_counter()
    decision = (engine.next_edits if every else engine.next_edit)(document, byte, Cancel())
    milliseconds = (time.perf_counter() - began) * 1000
    warn(engine)
    if as_json:
        output.print_json({"milliseconds": milliseconds, **json_output.decision_json(decision, new)})
    elif isinstance(decision, Suppressed):
        output.console().print(output.suppression_line(decision))
    elif isinstance(decision.value, NextEdits):
        show_queue(decision.value, new, after)
    else:
        edit = decision.value.edit
        position = position_of_byte(new, after, edit.start)
        heading = f"{position.path}:{position.line}:{position.column}"
        output.print_heading(f"{heading}  {percent(decision.probability)}")
        output.print_diff(new.data, edit.apply(new.data), after.name)
    if isinstance(decision, Suppressed):
        raise typer.Exit(ExitCode.QUIET)


def show_queue(edits: NextEdits, buffer: Buffer, path: Path) -> None:
    """Print the remaining sites of a repeated edit: position, probability, and the changed line of each."""
    for item in edits.items:
        position = position_of_byte(buffer, path, item.edit.start)
        mark = "" if item.sure else "  (not sure)"
        output.print_heading(f"{position.path}:{position.line}:{position.column}  {percent(item.probability)}{mark}")
        output.print_diff(buffer.data, item.edit.apply(buffer.data), path.name, context=0)
