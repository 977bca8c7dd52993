"""`editahead demo`: the real server as a child, a real file, a typed session, and what a person would see."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from editahead.bench.editor import EditedDocument, Editor
from editahead.bench.stdio_client import Reply, ServerError, server_command
from editahead.cli.demonstration import script as scripted
from editahead.cli.errors import CliError, ExitCode
from editahead.cli.options import BundleOption, DeviceOption, JsonOption
from editahead.cli.printing import output
from editahead.cli.question.asking import require_options
from editahead.cli.samples import sample
from editahead.recording.session_file import edit_of_change
from editahead.suggest.types import Completion, Completions
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.percent import percent

_KINDS = {1: "text", 3: "function", 5: "attribute", 6: "variable", 7: "class", 14: "keyword"}


@dataclass(frozen=True, slots=True)
class Event:
    """An answer of the server, with the text and the cursor (a byte offset) of its request."""

    surface: str
    buffer: Buffer
    cursor: int
    milliseconds: float
    completions: Completions | None = None
    edit: ByteEdit | None = None
    probability: float | None = None
    typed: str = ""
    silence: str = ""
    reading: dict[str, Any] = field(default_factory=dict)


def replay(script: scripted.Script, arguments: list[str]) -> Iterator[Event]:
    """Run a session against a new server; yield an event for each request. Raises ServerError."""
    with tempfile.TemporaryDirectory(prefix="editahead-demo-") as folder:
        root, text = Path(folder).resolve(), sample(script.file)
        (root / script.file).write_bytes(text.data)
        editor = Editor(server_command(*arguments), root)
        with editor.client:
            editor.initialize()
            document = editor.open(script.file, script.language_id, text)
            yield first_answer(document, editor.client.started)
            for step in script.steps:
                yield from _taken(document, step)


def _taken(document: EditedDocument, step: scripted.Step) -> Iterator[Event]:
    """Run a step of the script; yield an event for each request."""
    if isinstance(step, scripted.Put):
        document.put(step.text, step.nth)
    elif isinstance(step, scripted.Type):
        document.type(step.text)
    elif isinstance(step, scripted.ScriptedChange):
        document.replace(step.old, step.new, step.nth)
    elif isinstance(step, scripted.Complete):
        document.type(step.word[: step.typed])
        yield look_at_completions(document, step.word)
        document.type(step.word[step.typed :])
    elif isinstance(step, scripted.Ghost):
        yield look_at_ghost_text(document)
    else:
        yield from look_at_next_edits(document, step)


def first_answer(document: EditedDocument, started: float) -> Event:
    """Ask for completions at the end of the file; the server answers when its models are loaded.

    The time counts from the start of the process.
    """
    document.cursor = len(document.buffer.data)
    document.request("textDocument/completion", context={"triggerKind": 1})
    milliseconds = (time.perf_counter() - started) * 1000
    reading = document.request("editahead/explain").result or {}
    return Event("ready", document.buffer, document.cursor, milliseconds, reading=reading)


def look_at_completions(document: EditedDocument, word: str) -> Event:
    """Request completions at the cursor."""
    reply = document.request("textDocument/completion", context={"triggerKind": 1})
    rows = (reply.result or {}).get("items", [])
    items = tuple(
        Completion(
            label=item["label"],
            probability=float(item.get("data", {}).get("probability", 0.0)),
            kind=_KINDS.get(item.get("kind"), "name"),
            source=item.get("data", {}).get("source", ""),
            origin_line=item.get("data", {}).get("line"),
        )
        for item in rows
    )
    event = _event("completion", document, reply, not items)
    completions = Completions(items, document.cursor, document.cursor, not (reply.result or {}).get("isIncomplete"))
    return replace(event, completions=completions if items else None, typed=word)


def look_at_ghost_text(document: EditedDocument) -> Event:
    """Ask for ghost text at the cursor."""
    reply = document.request("textDocument/inlineCompletion", context={"triggerKind": 2})
    items = (reply.result or {}).get("items", [])
    event = _event("inline", document, reply, not items)
    if not items:
        return event
    reading = document.request("editahead/explain").result or {}
    return replace(
        event,
        edit=_edit_of(document, items[0]),
        probability=_surface(reading, "inline").get("probability"),
        reading=reading,
    )


def look_at_next_edits(document: EditedDocument, step: scripted.ScriptedNextEdit) -> Iterator[Event]:
    """Ask for the next edit; take it and ask again as often as the script says."""
    for _ in range(step.accept):
        reply = document.request("editahead/nextEdit", versioned=True)
        edits = (reply.result or {}).get("edits", [])
        event = _event("next_edit", document, reply, not edits)
        if not edits:
            yield event
            return
        edit = _edit_of(document, edits[0]).trim(document.buffer.data)
        yield replace(event, edit=edit, probability=edits[0].get("probability"))
        document.change([edit])


def _event(surface: str, document: EditedDocument, reply: Reply, silent: bool) -> Event:
    silence = ""
    if silent:
        result = reply.result if isinstance(reply.result, dict) else {}
        silence = _reason(result) or _reason(_surface(document.request("editahead/explain").result or {}, surface))
    return Event(
        surface,
        document.buffer,
        document.cursor,
        reply.milliseconds,
        silence=silence or ("no reason given" if silent else ""),
    )


def _edit_of(document: EditedDocument, item: dict[str, Any]) -> ByteEdit:
    """The byte edit that an answer's `range` and `text` (or `insertText`) stand for."""
    return edit_of_change(document.buffer, {"range": item["range"], "text": item.get("text", item.get("insertText"))})


def _reason(answer: dict[str, Any]) -> str:
    return ": ".join(str(answer[key]) for key in ("reason", "detail") if answer.get(key))


def _surface(reading: dict[str, Any], surface: str) -> dict[str, Any]:
    """The part of `editahead/explain` about a surface; a closed gate applies to all surfaces."""
    closed = [gate for gate in reading.get("gates", ()) if not gate.get("passed")]
    explained = dict(reading.get("surfaces", {}).get(surface, {}))
    if not explained and closed:
        return {"reason": closed[0].get("reason"), "detail": closed[0].get("value")}
    return explained


MAX_SHOWN = 5  # completions of each answer


def demo(
    as_json: JsonOption = False,
    language: Annotated[
        str, typer.Option("--language", metavar="|".join(scripted.SCRIPTS), help="Language of the sample.")
    ] = "python",
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
) -> None:
    """Replay an editing session against the real server: a sample file is opened and edited key by key.

    Each answer is printed with its probability and response time: completions, ghost text, next edits, or the reason
    why nothing is shown. Files are written to a temporary folder only.
    """
    script = scripted.SCRIPTS.get(language)
    if script is None:
        raise CliError(f"--language {language!r} has no sample: choose one of {', '.join(scripted.SCRIPTS)}")
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


def show(console: Console, event: Event, script: scripted.Script) -> None:
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
    position = output.place_json(event.buffer, event.cursor)
    row: dict[str, Any] = {"surface": event.surface, **position, "milliseconds": round(event.milliseconds, 2)}
    if event.surface == "ready":
        return {**row, "models": list(event.reading.get("models", ()))}
    if event.silence:
        return {**row, "shown": False, "reason": event.silence, **({"typed": event.typed} if event.typed else {})}
    if event.completions is not None:
        labels = [item.label for item in event.completions.items]
        rank = labels.index(event.typed) + 1 if event.typed in labels else None
        return {
            **row,
            "shown": True,
            "typed": event.typed,
            "rank": rank,
            "items": output.items_json(event.completions),
        }
    assert event.edit is not None
    change = {"range": output.range_json(event.buffer, event.edit.start, event.edit.old_end)}
    return {**row, "shown": True, "probability": event.probability, **change, "newText": event.edit.new.decode()}
