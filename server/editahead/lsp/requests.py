"""The surfaces: each takes its snapshot at once, asks the worker, and turns the decision into an answer."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from editahead.lsp import convert
from editahead.lsp import params as door
from editahead.lsp.jobs import EngineLike, Run, Surface
from editahead.lsp.lines import line_end, with_line_ends
from editahead.lsp.logs import log, one_line
from editahead.lsp.params import BadParams, Raw
from editahead.lsp.rebasing import moved, rebased, refitted
from editahead.lsp.session import OpenDocument, Snapshot
from editahead.suggest.types import (
    Completion,
    Document,
    Explanation,
    GateReading,
    Reason,
    Shown,
    Suppressed,
)
from editahead.text.edits import ByteEdit
from editahead.text.history import HistoryView

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer
    from editahead.runtime.ort import Cancel

Answer = Callable[[Any], Any]
Empty = Callable[[Suppressed], Any]
INVOKED = 1  # InlineCompletionTriggerKind


def ask(
    server: EditaheadServer,
    surface: Surface,
    snapshot: Snapshot,
    run: Run,
    answer: Answer,
    empty: Empty | None = None,
) -> asyncio.Future[Any]:
    """Put a question to the worker; the future's result is what `answer` makes of the decision.

    `answer` returns either an answer or Suppressed, of which `empty` makes the surface's empty answer.
    Cancelling the future cancels the run. A document that links or git exclude does not reach the engine.
    """
    quiet = empty or (lambda suppressed: server.quiet(surface, suppressed))

    def run_unless_excluded(engine: EngineLike, cancel: Cancel) -> Any:
        why = server.exclusions.why(snapshot.document)
        return run(engine, cancel) if why is None else Suppressed(Reason.EXCLUDED, why)

    job = server.worker.submit(snapshot.document.uri, surface, server.deadline(surface), run_unless_excluded)
    result: asyncio.Future[Any] = server.loop.create_future()

    def settle(done: asyncio.Future[Any]) -> None:
        if result.done():
            return
        try:
            decision = done.result()
            made = answer(decision) if not isinstance(decision, Suppressed) else decision
            result.set_result(quiet(made) if isinstance(made, Suppressed) else made)
        except Exception as error:  # an answer that cannot be made is a failure of that one answer
            log.error("%s: no answer could be made: %s", surface.value, one_line(error), exc_info=error)
            result.set_result(quiet(Suppressed(Reason.FAILED, one_line(error))))

    job.future.add_done_callback(settle)
    # Before the client hears of it, so that what it does next finds the job gone.
    result.add_done_callback(lambda done: server.worker.abandon(job) if done.cancelled() else None)
    return result


def completion(server: EditaheadServer, raw: Raw) -> Any:
    """`textDocument/completion`."""
    at = door.place(raw)
    opened = server.gate(at.uri, at.version, Surface.COMPLETION)
    if isinstance(opened, Suppressed):
        return server.quiet(Surface.COMPLETION, opened)
    snapshot = server.session.snapshot(opened, server.session.byte(opened, at.line, at.character))

    def answer(decision: Shown[Any]) -> Any:
        found = refitted(decision.value, server.session.edits_since(snapshot))
        if found is None:
            return Suppressed(Reason.STALE, "the text moved on")
        uri, version = opened.uri, opened.version

        def data(item: Completion) -> dict[str, Any]:
            made = {"uri": uri, "version": version, "probability": round(item.probability, 4)}
            return {**made, "source": item.source, **convert.place(item)}

        server.session.feedback.listed(Surface.COMPLETION.value)
        return convert.completion_list(opened.buffer, found, server.session.encoding, server.abilities, data)

    return ask(
        server,
        Surface.COMPLETION,
        snapshot,
        lambda engine, cancel: engine.complete(snapshot.document, snapshot.byte, cancel),
        answer,
    )


def resolve(server: EditaheadServer, raw: Raw) -> Any:
    """`completionItem/resolve`: where the name comes from. An item that is not ours goes back as it came."""
    item = dict(door.mapping(raw))
    line = door.maybe_whole(raw, "data.line")
    probability = door.mapping(raw, "data").get("probability") if isinstance(raw.get("data"), dict) else None
    if not isinstance(probability, (int, float)):
        return item
    if not 0 <= probability <= 1:  # NaN among others
        raise BadParams("data.probability must be a number from 0 to 1")
    source = door.maybe_text(raw, "data.source") or "vocabulary"
    said = {
        "pointer": "copied from this file",
        "vocabulary": "from the model's vocabulary",
        "cache": "from this file's words",
        "spelled": "a new name, from the words around",
        "open": "from another open file",
        "project": "from the project",
    }.get(source, source)
    value = f"{convert.percent(float(probability))}, {said}"
    where = door.maybe_text(raw, "data.where")
    opened = server.session.documents.get(where or door.maybe_text(raw, "data.uri") or "")
    if where is not None:
        name = "/".join(where.split("/")[-3:]) if opened else where
        value += f"\n\n{name}" if line is None else f"\n\n{name}, line {line + 1}"
    elif opened is not None and opened.version != door.maybe_whole(raw, "data.version"):
        opened = None  # the line number is of a text that is gone
    if opened is not None and line is not None and 0 <= line < opened.buffer.line_count:
        text = opened.buffer.line_bytes(line).decode("utf-8", "replace").strip()
        if where is None:
            value += f"\n\nline {line + 1}"
        if where is None or str(item.get("label")) in text:
            value += f"\n```{opened.language_id}\n{text}\n```"
    item["documentation"] = {"kind": "markdown", "value": value}
    return item


def inline_completion(server: EditaheadServer, raw: Raw) -> Any:
    """`textDocument/inlineCompletion` (LSP 3.18)."""
    at = door.place(raw)
    selected = _selected(raw)
    opened = server.gate(at.uri, at.version, Surface.INLINE)
    if isinstance(opened, Suppressed):
        return server.quiet(Surface.INLINE, opened)
    settings = server.session.settings
    if door.maybe_whole(raw, "context.triggerKind") == INVOKED:
        lower = min(settings.precision, settings.invoked_precision)
        settings = replace(settings, precision=lower)
    cursor = server.session.byte(opened, at.line, at.character)
    snapshot = server.session.snapshot(opened, cursor, settings)
    chosen = _chosen(server, opened, selected)
    document, byte = snapshot.document, cursor
    if chosen is not None:
        document, byte = with_edit(document, chosen), chosen.new_end

    def answer(decision: Shown[Any]) -> Any:
        found = decision.value
        edit: ByteEdit | None = ByteEdit(found.start, found.end, found.insert.encode("utf-8"))
        assert edit is not None
        if chosen is not None:
            edit = _behind(convert.ghost_edit(document.syntax.buffer, edit, byte), chosen)
        typed = server.session.edits_since(snapshot)
        edit = rebased(edit, typed) if edit else None
        if edit is None or typed is None:
            return Suppressed(Reason.STALE, "the text moved on")
        drawn = edit if chosen else convert.ghost_edit(opened.buffer, edit, moved(snapshot.byte, typed))
        if drawn is None or drawn.is_noop(opened.buffer.data):
            return Suppressed(Reason.NO_OP, "nothing that a client can draw")
        new = with_line_ends(drawn.new, line_end(opened.buffer.data)).decode("utf-8", "replace")
        name = server.session.feedback.offer(Surface.INLINE.value, found.insert, decision.probability, opened.uri)
        item: dict[str, Any] = {
            "insertText": new,
            "range": convert.lsp_range(opened.buffer, drawn.start, drawn.old_end, server.session.encoding),
            "command": server.accept_command(name),
        }
        if drawn.old_end > drawn.start:
            item["filterText"] = new
        return {"items": [item]}

    return ask(server, Surface.INLINE, snapshot, lambda engine, cancel: engine.inline(document, byte, cancel), answer)


def _selected(raw: Raw) -> tuple[tuple[int, int, int, int], str] | None:
    """The item of the completion menu that is chosen, as its range and text. Raises BadParams."""
    if door.mapping(raw).get("context") is None or raw["context"].get("selectedCompletionInfo") is None:
        return None
    where = door.span(raw, "context.selectedCompletionInfo.range")
    if where is None:
        raise BadParams("context.selectedCompletionInfo.range must be a range")
    return where, door.text(raw, "context.selectedCompletionInfo.text")


def _chosen(
    server: EditaheadServer,
    opened: OpenDocument,
    selected: tuple[tuple[int, int, int, int], str] | None,
) -> ByteEdit | None:
    if selected is None:
        return None
    (line, character, end_line, end_character), text = selected
    start = server.session.byte(opened, line, character)
    end = server.session.byte(opened, end_line, end_character)
    return ByteEdit(min(start, end), max(start, end), text.encode("utf-8", "replace"))


def with_edit(document: Document, edit: ByteEdit) -> Document:
    """The document as it would be after `edit`, as if it had always been so: its history is empty."""
    buffer = document.syntax.buffer.apply(edit)
    generation = -1 - zlib.crc32(buffer.data)
    return replace(
        document,
        syntax=document.syntax.advance(buffer, [edit]),
        history=HistoryView(anchor=buffer, settled=(), pending=None, generation=generation),
    )


def _behind(ghost: ByteEdit | None, chosen: ByteEdit) -> ByteEdit | None:
    """Ghost text behind the chosen item, together with that item, as an edit of the text without it."""
    if ghost is None or ghost.start != chosen.new_end:
        return None
    return ByteEdit(chosen.start, ghost.old_end - chosen.delta, chosen.new + ghost.new)


def explain(server: EditaheadServer, raw: Raw) -> Any:
    """`editahead/explain`: every gate with its value, and what each surface would answer."""
    at = door.place(raw)
    opened = server.gate(at.uri, at.version, Surface.EXPLAIN)
    if isinstance(opened, Suppressed):
        document = server.session.documents.get(at.uri)
        server.quiet(Surface.EXPLAIN, opened)
        return explained(document.language_id if document else "", opened)
    snapshot = server.session.snapshot(opened, server.session.byte(opened, at.line, at.character))

    def run(engine: EngineLike, cancel: Cancel) -> Any:
        explanation = engine.explain(snapshot.document, snapshot.byte, cancel)
        cancel.check()  # preempted in the middle, it is done again as a whole
        return explanation

    return ask(
        server,
        Surface.EXPLAIN,
        snapshot,
        run,
        convert.explanation,
        empty=lambda suppressed: explained(opened.language_id, suppressed),
    )


def explained(language_id: str, suppressed: Suppressed) -> dict[str, Any]:
    """The explanation of a question that never reached the engine."""
    gate = GateReading(suppressed.reason, False, suppressed.detail)
    return convert.explanation(Explanation(language_id, (), (gate,)))
