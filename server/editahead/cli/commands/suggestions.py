"""The commands that print one suggestion: `complete`, `ghost-text`, `fix`, `describe` and `next-edit`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from editahead.cli.errors import CliError, ExitCode
from editahead.cli.options import (
    BundleOption,
    DeviceOption,
    JsonOption,
    PlaceArgument,
    PrecisionOption,
    ProjectOption,
    precision_option,
)
from editahead.cli.printing import output
from editahead.cli.question.asking import (
    ask_at,
    change_document,
    is_number,
    language_of,
    load_engine,
    position_of_byte,
    read_buffer,
    warn,
    with_precision,
)
from editahead.suggest.types import Decision, NextEdits, RequestedEdit, Shown, Suppressed
from editahead.text.buffer import Buffer
from editahead.text.percent import percent


def complete(
    position: PlaceArgument,
    as_json: JsonOption = False,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
    project: ProjectOption = False,
    precision: Annotated[
        float | None,
        precision_option(
            "The setting editahead.precision; completions do not depend on it, ghost text and next edits do."
        ),
    ] = None,
) -> None:
    """Print the completions at a place, most likely first, with their probabilities.

    Exit code 1 means that nothing is offered there; the reason is printed.
    """
    query = ask_at(position, bundle or (), device, project=project, precision=precision)
    decision, milliseconds = query.run(query.engine.complete)
    console = output.console()
    if not as_json:
        console.print(output.caret(query.buffer, query.byte, width=console.width))
    _answer(
        query.json(milliseconds), decision, query.buffer, as_json,
        lambda shown: console.print(output.completions_table(shown.value, width=console.width)),
    )  # fmt: skip


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
    query = ask_at(position, bundle or (), device, project=project, precision=precision)
    decision, milliseconds = query.run(query.engine.inline)
    if not as_json:
        console = output.console()
        insert = "" if isinstance(decision, Suppressed) else decision.value.insert
        console.print(output.caret(query.buffer, query.byte, insert, width=console.width))
    _answer(
        query.json(milliseconds), decision, query.buffer, as_json,
        lambda shown: output.print_heading(percent(shown.probability)),
    )  # fmt: skip


def fix(
    position: PlaceArgument, as_json: JsonOption = False, bundle: BundleOption = None, device: DeviceOption = "auto"
) -> None:
    """Print up to three fixes for the function at a place, with their probabilities. The file is not changed.

    Exit code 1 means that there is none to suggest; the reason is printed.
    """
    query = ask_at(position, bundle or (), device)
    path = query.where.path
    decision, milliseconds = query.run(lambda document, byte, cancel: query.engine.fixes(document, byte, byte, cancel))

    def show(shown: Shown[Any]) -> None:
        fixes = shown.value
        output.print_heading(f"{path}:{fixes.first + 1}-{fixes.last + 1}  as it is: {percent(fixes.unchanged)}")
        _show_items(fixes.items, query.buffer, path)

    _answer(query.json(milliseconds), decision, query.buffer, as_json, show)


def describe(
    position: Annotated[str, typer.Argument(metavar="FILE:LINE", help="Any line of the function, counted from 1.")],
    precision: Annotated[
        float | None,
        precision_option("Target precision: the share of shown bodies that should be right; default 0.5."),
    ] = None,
    as_json: JsonOption = False,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
) -> None:
    """Print up to three bodies for a function without one, most likely first. The file is not changed.

    Exit code 1 means that nothing is likely enough, or that the function has a body; the reason is printed.
    """
    query = ask_at(_with_column(position), bundle or (), device)
    if precision is not None:
        settings = replace(query.document.settings, precision=precision, invoked_precision=precision)
        query = replace(query, document=replace(query.document, settings=settings))
    where = query.where
    decision, milliseconds = query.run(query.engine.bodies)

    def show(shown: Shown[Any]) -> None:
        output.print_heading(f"{where.path}:{shown.value.line + 1}  {shown.value.name}")
        _show_items(shown.value.items, query.buffer, where.path)

    head = {"file": str(where.path), "line": where.line, "milliseconds": milliseconds}
    _answer(head, decision, query.buffer, as_json, show)


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
    decision: Decision[Any] = (engine.next_edits if every else engine.next_edit)(document, byte, Cancel())
    milliseconds = (time.perf_counter() - began) * 1000
    warn(engine)

    def show(shown: Shown[Any]) -> None:
        many = isinstance(shown.value, NextEdits)
        for item in shown.value.items if many else (shown.value,):
            site = position_of_byte(new, after, item.edit.start)
            chance = percent(item.probability if many else shown.probability)
            unsure = "  (not sure)" if many and not item.sure else ""
            output.print_heading(f"{site.path}:{site.line}:{site.column}  {chance}{unsure}")
            output.print_diff(new.data, item.edit.apply(new.data), after.name, context=0 if many else 2)

    _answer({"milliseconds": milliseconds}, decision, new, as_json, show)


def _answer(
    head: dict[str, object], decision: Decision[Any], buffer: Buffer, as_json: bool, show: Callable[[Shown[Any]], None]
) -> None:
    """Print a decision: as JSON behind `head`, or by `show`, or the reason for none. Raises Exit for none."""
    if as_json:
        output.print_json({**head, **output.decision_json(decision, buffer)})
    elif isinstance(decision, Suppressed):
        output.console().print(output.suppression_line(decision))
    else:
        show(decision)
    if isinstance(decision, Suppressed):
        raise typer.Exit(ExitCode.QUIET)


def _show_items(items: Sequence[RequestedEdit], buffer: Buffer, path: Path) -> None:
    for number, item in enumerate(items, 1):
        output.print_heading(f"{number}  {percent(item.probability)}")
        output.print_diff(buffer.data, item.edit.apply(buffer.data), path.name)


def _with_column(position: str) -> str:
    """`FILE:LINE` as `FILE:LINE:1`, and `FILE:LINE:COL` as it is. Raises CliError for anything else."""
    head, _, last = position.rpartition(":")
    if not head or not is_number(last):
        raise CliError(f"{position!r} is no line: write FILE:LINE, for instance src/app.py:12")
    file, colon, before = head.rpartition(":")
    if file and colon and is_number(before):
        return position
    if int(last) < 1:
        raise CliError(f"{position!r} is no line: LINE counts from 1")
    return f"{position}:1"
