"""`editahead fix FILE:LINE[:COL]`: the likeliest repairs of the function at one place."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from editahead.cli import output
from editahead.cli.complete import BundleOption, DeviceOption, JsonOption
from editahead.cli.engine import load_engine, warn
from editahead.cli.errors import CliError, ExitCode
from editahead.cli.opening import language_of, open_document, parse_place, place_to_byte, read_buffer


def fix(
    place: Annotated[str, typer.Argument(metavar="FILE:LINE:COL", help="A place; both numbers count from 1.")],
    as_json: JsonOption = False,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
) -> None:
    """Print up to three repairs of the function around a place, each with its probability. Nothing is changed.

    Exit code 1 means that there is none to suggest; the reason is printed.
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
    began = time.perf_counter()
    decision = engine.fixes(document, byte, byte, Cancel())
    milliseconds = (time.perf_counter() - began) * 1000
    warn(engine)
    if as_json:
        answer = {"file": str(where.path), "line": where.line, "column": where.column, "milliseconds": milliseconds}
        output.print_json({**answer, **output.decision_json(decision, buffer)})
    elif isinstance(decision, Suppressed):
        output.console().print(output.quiet(decision))
    else:
        console = output.console()
        found = decision.value
        kept = output.percent(found.unchanged)
        console.print(f"{where.path}:{found.first + 1}-{found.last + 1}  as it is: {kept}", markup=False)
        for number, item in enumerate(found.items, 1):
            console.print(f"{number}  {output.percent(item.probability)}", markup=False)
            console.print(output.diff(buffer.data, item.edit.apply(buffer.data), where.path.name), end="")
    if isinstance(decision, Suppressed):
        raise typer.Exit(ExitCode.QUIET)
