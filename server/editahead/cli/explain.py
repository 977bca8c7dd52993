"""`editahead explain FILE:LINE:COL`: every gate with its value, and what each surface would answer."""

from __future__ import annotations

import typer

from editahead.cli import output
from editahead.cli.complete import BundleOption, DeviceOption, JsonOption, PlaceArgument
from editahead.cli.engine import load_engine
from editahead.cli.errors import CliError, ExitCode
from editahead.cli.opening import language_of, open_document, parse_place, place_to_byte, read_buffer


def explain(
    place: PlaceArgument,
    as_json: JsonOption = False,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
) -> None:
    """Say why something is suggested at a place, or why not: each gate, and the answer of each surface.

    Exit code 1 means that no surface would show anything there.
    """
    from editahead.runtime.ort import Cancel
    from editahead.suggest.types import Completions, InlineSuggestion, NextEdit, Shown, Suppressed

    where = parse_place(place)
    buffer = read_buffer(where.path)
    byte = place_to_byte(buffer, where)
    language = language_of(where.path)
    if language is None:
        raise CliError(f"no language is known for {where.path.name}", ExitCode.QUIET)
    engine = load_engine(bundle or (), device)
    answer = engine.explain(open_document(where.path, language, buffer), byte, Cancel())
    if as_json:
        gates = [{"gate": g.reason.value, "passed": g.passed, "value": g.value} for g in answer.gates]
        surfaces = {
            name: output.decision_json(decision, buffer) for name, decision in answer.surfaces.items()
        }
        output.print_json(
            {
                "language": answer.language_id,
                "models": list(answer.models),
                "gates": gates,
                "surfaces": surfaces,
            }
        )
    else:
        console = output.console()
        console.print(output.caret(buffer, byte))
        console.print(
            f"language {answer.language_id}; models: {', '.join(answer.models) or 'none'}", markup=False
        )
        console.print(output.gates_table(answer.gates))
        for name, decision in answer.surfaces.items():
            console.print()
            console.print(name, style="bold")
            if isinstance(decision, Suppressed):
                console.print(output.quiet(decision))
            elif isinstance(decision.value, Completions):
                console.print(output.completions_table(decision.value))
            elif isinstance(decision.value, InlineSuggestion):
                console.print(
                    output.caret(buffer, byte, decision.value.insert), output.percent(decision.probability)
                )
            elif isinstance(decision.value, NextEdit):
                edited = decision.value.edit.apply(buffer.data)
                console.print(output.diff(buffer.data, edited, where.path.name), end="")
            if decision.gates:
                console.print(output.gates_table(decision.gates))
    if not any(isinstance(decision, Shown) for decision in answer.surfaces.values()):
        raise typer.Exit(ExitCode.QUIET)
