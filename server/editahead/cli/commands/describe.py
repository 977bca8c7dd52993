"""`editahead describe FILE:LINE`: bodies for the function without a body at a line, from its description."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from editahead.cli.commands.complete import BundleOption, DeviceOption, JsonOption
from editahead.cli.errors import CliError, ExitCode
from editahead.cli.printing import json_output, output
from editahead.cli.question.asking import ask_at
from editahead.text.percent import percent

LineArgument = Annotated[str, typer.Argument(metavar="FILE:LINE", help="Any line of the function, counted from 1.")]
PrecisionOption = Annotated[
    float | None,
    typer.Option(
        "--precision",
        min=0.0,
        max=1.0,
        metavar="P",
        help="Target precision: the share of shown bodies that should be right; default 0.5.",
    ),
]


def describe(
    position: LineArgument,
    precision: PrecisionOption = None,
    as_json: JsonOption = False,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
) -> None:
    """Print up to three bodies for a function without one, most likely first. The file is not changed.

    Exit code 1 means that nothing is likely enough, or that the function has a body; the reason is printed.
    """
    from editahead.suggest.types import Suppressed

    query = ask_at(with_column(position), bundle or (), device)
    if precision is not None:
        settings = replace(query.document.settings, precision=precision, invoked_precision=precision)
        query = replace(query, document=replace(query.document, settings=settings))
    buffer = query.buffer
    decision, milliseconds = query.run(query.engine.bodies)
    if as_json:
        answer = {"file": str(query.where.path), "line": query.where.line, "milliseconds": milliseconds}
        output.print_json({**answer, **json_output.decision_json(decision, buffer)})
    elif isinstance(decision, Suppressed):
        output.console().print(output.suppression_line(decision))
    else:
        bodies = decision.value
        output.print_heading(f"{query.where.path}:{bodies.line + 1}  {bodies.name}")
        for number, item in enumerate(bodies.items, 1):
            output.print_heading(f"{number}  {percent(item.probability)}")
            output.print_diff(buffer.data, item.edit.apply(buffer.data), query.where.path.name)
    if isinstance(decision, Suppressed):
        raise typer.Exit(ExitCode.QUIET)


def with_column(position: str) -> str:
    """`FILE:LINE` as `FILE:LINE:1`, and `FILE:LINE:COL` as it is. Raises CliError for anything else."""
    head, _, last = position.rpartition(":")
    if not head or not _is_number(last):
        raise CliError(f"{position!r} is no line: write FILE:LINE, for instance src/app.py:12")
    file, colon, before = head.rpartition(":")
    if file and colon and _is_number(before):
        return position
    if int(last) < 1:
        raise CliError(f"{position!r} is no line: LINE counts from 1")
    return f"{position}:1"


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
