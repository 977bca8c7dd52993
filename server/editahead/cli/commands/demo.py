"""`editahead demo`: the real server as a child, a real file, a typed session, and what a person would see."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from editahead.bench.stdio_client import ServerError
from editahead.cli.demonstration.replay import Event, replay
from editahead.cli.demonstration.script import SCRIPTS, Script
from editahead.cli.errors import CliError, ExitCode
from editahead.cli.options import BundleOption, DeviceOption, JsonOption
from editahead.cli.printing import json_output, output
from editahead.cli.question.engine import require_options
from editahead.suggest.types import Completions
from editahead.text.percent import percent

MAX_SHOWN = 5  # completions of each answer


def demo(
    as_json: JsonOption = False,
    language: Annotated[
        str, typer.Option("--language", metavar="|".join(SCRIPTS), help="Language of the sample.")
    ] = "python",
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
) -> None:
    """Replay an editing session against the real server: a sample file is opened and edited key by key.

    Each answer is printed with its probability and response time: completions, ghost text, next edits, or the reason
    why nothing is shown. Files are written to a temporary folder only.
    """
    script = SCRIPTS.get(language)
    if script is None:
        raise CliError(f"--language {language!r} has no sample: choose one of {', '.join(SCRIPTS)}")
    require_options(bundle or (), device)
    arguments = ["--device", device, *(part for path in bundle or () for part in ("--bundle", str(path)))]
    began = time.perf_counter()
    console = output.console()
    events: list[Event] = []
    try:
        for event in replay(script, arguments):
            events.append(event)
            if not as_json:
                show(console, event, script)
    except ServerError as error:
        raise CliError(f"the demonstration stopped: {error}; run editahead doctor", ExitCode.DAMAGED) from None
    seconds = time.perf_counter() - began
    shown = sum(event.completions is not None or event.edit is not None for event in events)
    if as_json:
        rows = [as_row(event) for event in events]
        output.print_json({"language": language, "file": script.file, "seconds": seconds, "events": rows})
    else:
        requests = len(events) - 1
        summary = f"{shown} of {requests} requests got a suggestion, in {seconds:.1f} s; nothing left this machine"
        console.print()
        console.print(Text(summary, style="dim"))
    if not shown:
        raise typer.Exit(ExitCode.QUIET)


def show(console: Console, event: Event, script: Script) -> None:
    """Print an event as a person would see it."""
    if event.surface == "ready":
        models = ", ".join(event.reading.get("models", ())) or "none"
        console.print(Text(f"{script.file} is open; models: {models}", style="bold"))
        console.print(Text(f"first answer {event.milliseconds:.0f} ms after the server was started", style="dim"))
        return
    title = {"completion": "completions", "inline": "ghost text", "next_edit": "next edit"}[event.surface]
    chance = f" {percent(event.probability)}" if event.probability is not None else ""
    console.print()
    console.print(Text(title, style="bold cyan"), Text(f"{event.milliseconds:.1f} ms{chance}", style="dim"))
    if event.silence:
        if event.surface != "next_edit":
            console.print(output.caret(event.buffer, event.cursor, width=console.width))
        console.print(Text(f"nothing to suggest ({event.silence})", style="yellow"))
    elif event.completions is not None:
        console.print(output.caret(event.buffer, event.cursor, width=console.width))
        shown = event.completions
        top = Completions(shown.items[:MAX_SHOWN], shown.start, shown.end, shown.complete)
        console.print(output.completions_table(top, event.typed, console.width))
    elif event.edit is not None and event.surface == "inline":
        console.print(output.caret(event.buffer, event.cursor, event.edit.new.decode(), console.width))
    elif event.edit is not None:
        after = event.edit.apply(event.buffer.data)
        output.print_diff(event.buffer.data, after, script.file, context=1)


def as_row(event: Event) -> dict[str, Any]:
    """An event for programs; lines and columns count from 1."""
    position = json_output.place_json(event.buffer, event.cursor)
    row: dict[str, Any] = {"surface": event.surface, **position, "milliseconds": round(event.milliseconds, 2)}
    if event.surface == "ready":
        return {**row, "models": list(event.reading.get("models", ()))}
    if event.silence:
        return {
            **row,
            "shown": False,
            "reason": event.silence,
            **({"typed": event.typed} if event.typed else {}),
        }
    if event.completions is not None:
        labels = [item.label for item in event.completions.items]
        rank = labels.index(event.typed) + 1 if event.typed in labels else None
        return {
            **row,
            "shown": True,
            "typed": event.typed,
            "rank": rank,
            "items": json_output.items_json(event.completions),
        }
    assert event.edit is not None
    change = {"range": json_output.range_json(event.buffer, event.edit.start, event.edit.old_end)}
    return {
        **row,
        "shown": True,
        "probability": event.probability,
        **change,
        "newText": event.edit.new.decode(),
    }
