"""A scripted editing session against the real server, and each answer as an event."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from editahead.bench.editor import EditedDocument, Editor
from editahead.bench.stdio_client import Reply, server_command
from editahead.cli.demonstration.script import (
    Complete,
    Ghost,
    Put,
    Script,
    ScriptedChange,
    ScriptedNextEdit,
    Step,
    Type,
)
from editahead.cli.samples import sample
from editahead.recording.session_file import edit_of_change
from editahead.suggest.types import Completion, Completions
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

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


def replay(script: Script, arguments: list[str]) -> Iterator[Event]:
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


def _taken(document: EditedDocument, step: Step) -> Iterator[Event]:
    """Run a step of the script; yield an event for each request."""
    if isinstance(step, Put):
        document.put(step.text, step.nth)
    elif isinstance(step, Type):
        document.type(step.text)
    elif isinstance(step, ScriptedChange):
        document.replace(step.old, step.new, step.nth)
    elif isinstance(step, Complete):
        document.type(step.word[: step.typed])
        yield look_at_completions(document, step.word)
        document.type(step.word[step.typed :])
    elif isinstance(step, Ghost):
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


def look_at_next_edits(document: EditedDocument, step: ScriptedNextEdit) -> Iterator[Event]:
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
