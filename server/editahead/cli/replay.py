"""A scripted editing session against the real server, and each answer as an event."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from editahead.bench.stdio_client import Reply, StdioClient, server_command
from editahead.cli.samples import sample
from editahead.cli.script import Complete, Ghost, Put, Script, ScriptedChange, ScriptedNextEdit, Type
from editahead.cli.typist import CAPABILITIES, Typist
from editahead.suggest.types import Completion, Completions
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

_KINDS = {1: "text", 3: "function", 5: "attribute", 6: "variable", 7: "class", 14: "keyword"}


@dataclass(frozen=True, slots=True)
class Event:
    """One answer of the server, with the text and the cursor (a byte offset) that it was asked for."""

    surface: str
    buffer: Buffer
    cursor: int
    milliseconds: float
    found: Completions | None = None
    edit: ByteEdit | None = None
    probability: float | None = None
    typed: str = ""
    silence: str = ""
    reading: dict[str, Any] = field(default_factory=dict)


def replay(script: Script, arguments: list[str]) -> Iterator[Event]:
    """Run a session against a fresh server; one event for each look that is taken. Raises ServerError."""
    with (
        tempfile.TemporaryDirectory(prefix="editahead-demo-") as folder,
        StdioClient(server_command(*arguments)) as client,
    ):
        path = Path(folder).resolve() / script.file
        path.write_bytes(sample(script.file).data)
        root = path.parent.as_uri()
        client.request("initialize", {"processId": None, "rootUri": root, "capabilities": CAPABILITIES})
        client.notify("initialized", {})
        typist = Typist(client, path, script.language_id)
        yield first_answer(typist, client.started)
        for step in script.steps:
            if isinstance(step, Put):
                typist.put(step.text, step.nth)
            elif isinstance(step, Type):
                typist.type(step.text)
            elif isinstance(step, ScriptedChange):
                typist.change(step.old, step.new, step.nth)
            elif isinstance(step, Complete):
                typist.type(step.word[: step.typed])
                yield look_at_completions(typist, step.word)
                typist.type(step.word[step.typed :])
            elif isinstance(step, Ghost):
                yield look_at_ghost_text(typist)
            else:
                yield from look_at_next_edits(typist, step)


def first_answer(typist: Typist, started: float) -> Event:
    """Ask for completions at the end of the file; the server answers when its models are loaded.

    The time counts from the start of the process.
    """
    typist.cursor = len(typist.buffer.data)
    typist.ask("textDocument/completion", context={"triggerKind": 1})
    milliseconds = (time.perf_counter() - started) * 1000
    reading = typist.ask("editahead/explain").result or {}
    return Event("ready", typist.buffer, typist.cursor, milliseconds, reading=reading)


def look_at_completions(typist: Typist, word: str) -> Event:
    """Ask for completions at the cursor."""
    reply = typist.ask("textDocument/completion", context={"triggerKind": 1})
    items = (reply.result or {}).get("items", [])
    found = tuple(
        Completion(
            label=item["label"],
            probability=float(item.get("data", {}).get("probability", 0.0)),
            kind=_KINDS.get(item.get("kind"), "name"),
            source=item.get("data", {}).get("source", ""),
            origin_line=item.get("data", {}).get("line"),
        )
        for item in items
    )
    event = _event("completion", typist, reply, not found)
    completions = Completions(found, typist.cursor, typist.cursor, not (reply.result or {}).get("isIncomplete"))
    return replace(event, found=completions if found else None, typed=word)


def look_at_ghost_text(typist: Typist) -> Event:
    """Ask for ghost text at the cursor."""
    reply = typist.ask("textDocument/inlineCompletion", context={"triggerKind": 2})
    items = (reply.result or {}).get("items", [])
    event = _event("inline", typist, reply, not items)
    if not items:
        return event
    reading = typist.ask("editahead/explain").result or {}
    return replace(
        event,
        edit=typist.edit_of(items[0]),
        probability=_surface(reading, "inline").get("probability"),
        reading=reading,
    )


def look_at_next_edits(typist: Typist, step: ScriptedNextEdit) -> Iterator[Event]:
    """Ask for the next edit; take it and ask again as often as the script says."""
    for _ in range(step.accept):
        reply = typist.ask("editahead/nextEdit")
        edits = (reply.result or {}).get("edits", [])
        event = _event("next_edit", typist, reply, not edits)
        if not edits:
            yield event
            return
        edit = typist.edit_of(edits[0]).trimmed(typist.buffer.data)
        yield replace(event, edit=edit, probability=edits[0].get("probability"))
        typist.edit(edit)


def _event(surface: str, typist: Typist, reply: Reply, silent: bool) -> Event:
    silence = ""
    if silent:
        result = reply.result if isinstance(reply.result, dict) else {}
        silence = _reason(result) or _reason(_surface(typist.ask("editahead/explain").result or {}, surface))
    return Event(
        surface,
        typist.buffer,
        typist.cursor,
        reply.milliseconds,
        silence=silence or ("no reason given" if silent else ""),
    )


def _reason(answer: dict[str, Any]) -> str:
    return ": ".join(str(answer[key]) for key in ("reason", "detail") if answer.get(key))


def _surface(reading: dict[str, Any], surface: str) -> dict[str, Any]:
    """What `editahead/explain` says of one surface; a closed gate speaks for all of them."""
    closed = [gate for gate in reading.get("gates", ()) if not gate.get("passed")]
    found = dict(reading.get("surfaces", {}).get(surface, {}))
    if not found and closed:
        return {"reason": closed[0].get("reason"), "detail": closed[0].get("value")}
    return found
