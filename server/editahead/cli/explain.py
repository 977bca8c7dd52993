"""`editahead explain FILE:LINE:COL`: every gate with its value, and what each surface would answer."""

from __future__ import annotations

from typing import Any

import typer
from rich.console import Console

from editahead.cli import output
from editahead.cli.complete import BundleOption, DeviceOption, JsonOption, PlaceArgument
from editahead.cli.engine import load_engine, warn
from editahead.cli.errors import CliError, ExitCode
from editahead.cli.opening import language_of, open_document, parse_place, place_to_byte, read_buffer
from editahead.cli.project import ProjectOption, with_project
from editahead.suggest.types import (
    Completions,
    Decision,
    Explanation,
    InlineSuggestion,
    NextEdit,
    Shown,
    Suppressed,
)
from editahead.text.buffer import Buffer


def explain(
    place: PlaceArgument,
    as_json: JsonOption = False,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
    project: ProjectOption = False,
) -> None:
    """Say why something is suggested at a place, or why not: each gate, and the answer of each surface.

    Exit code 1 means that no surface would show anything there.
    """
    from editahead.runtime.ort import Cancel

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
    answer = engine.explain(document, byte, Cancel())
    warn(engine)
    if as_json:
        output.print_json(as_row(answer, buffer))
    else:
        show(output.console(), answer, buffer, byte, where.path.name)
    if not any(isinstance(decision, Shown) for decision in answer.surfaces.values()):
        raise typer.Exit(ExitCode.QUIET)


def as_row(answer: Explanation, buffer: Buffer) -> dict[str, Any]:
    """The explanation as plain values."""
    surfaces = {name: output.decision_json(decision, buffer) for name, decision in answer.surfaces.items()}
    return {
        "language": answer.language_id,
        "models": list(answer.models),
        "gates": output.gates_json(answer.gates),
        "surfaces": surfaces,
    }


def show(console: Console, answer: Explanation, buffer: Buffer, byte: int, name: str) -> None:
    """Print the explanation for a person."""
    console.print(output.caret(buffer, byte, width=console.width))
    models = ", ".join(answer.models) or "none"
    console.print(f"language {answer.language_id}; models: {models}", markup=False)
    if answer.gates:
        console.print(output.gates_table(answer.gates))
    for surface, decision in answer.surfaces.items():
        console.print()
        console.print(surface.replace("_", " "), style="bold")
        show_surface(console, decision, buffer, byte, name)


def show_surface(console: Console, decision: Decision[Any], buffer: Buffer, byte: int, name: str) -> None:
    """Print what one surface would answer, then its gates."""
    if isinstance(decision, Suppressed):
        console.print(output.quiet(decision))
    elif isinstance(decision.value, Completions):
        console.print(output.completions_table(decision.value))
    elif isinstance(decision.value, InlineSuggestion):
        console.print(output.percent(decision.probability))
        console.print(output.caret(buffer, byte, decision.value.insert, console.width))
    elif isinstance(decision.value, NextEdit):
        console.print(output.percent(decision.probability))
        edited = decision.value.edit.apply(buffer.data)
        console.print(output.diff(buffer.data, edited, name), end="")
    if decision.gates:
        console.print(output.gates_table(decision.gates))
