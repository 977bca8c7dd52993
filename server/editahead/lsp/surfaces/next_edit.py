"""Next edits: `editahead/nextEdit`, and `textDocument/copilotInlineEdit` in the format of GitHub's Copilot server."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from editahead.learning.interruptions import NEXT_EDIT, OPEN_SITE
from editahead.lsp.inference.jobs import EngineLike
from editahead.lsp.process.logs import log
from editahead.lsp.rpc import params
from editahead.lsp.rpc.extension_types import NextEditAnswer, NextEditItem
from editahead.lsp.rpc.params import BadParams, Raw
from editahead.lsp.surfaces.convert import lsp_range
from editahead.lsp.surfaces.surface_context import SurfaceContext
from editahead.suggest.types import (
    INTERRUPTED,
    LEARNED,
    Decision,
    Document,
    EditPlace,
    NextEdit,
    QueuedEdit,
    Reason,
    Shown,
    Suppressed,
)
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import in_own_line_ends
from editahead.text.percent import percent

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel

INVOKED = 1  # as in InlineCompletionTriggerKind: the user requests it
IN_OTHER_CELL = Suppressed(Reason.EMPTY, "the next edit is in another cell, which the client does not show")
TEXT_WAIT = 0.3  # seconds until a site is requested again if a more urgent request is not answered yet


def copilot_inline_edit(context: SurfaceContext, raw: Raw) -> object:
    """Answer `textDocument/copilotInlineEdit`; always with `edits`, since clients show errors to the user."""
    try:
        return _next_edit(context, raw, rich=False)
    except BadParams as error:
        log.warning("textDocument/copilotInlineEdit: %s", error)
        return {"edits": []}


def next_edit(context: SurfaceContext, raw: Raw) -> object:
    """Answer `editahead/nextEdit`: the edit with its probability, or the reason why there is none."""
    return _next_edit(context, raw, rich=True)


def _next_edit(context: SurfaceContext, raw: Raw, rich: bool) -> object:
    """Answer a request for the next edit; `rich` adds the fields of `editahead/nextEdit`.

    A client that does not report whether the user is idle may get its answer once the user has paused.
    """
    opened = context.session.find(params.document_position(raw).uri)
    if opened is not None:
        opened.pause.interrupt()  # the newest request wins
    idle = params.optional_flag(raw, "context.idle")
    if idle is None:
        idle = opened is None or context.session.is_idle(opened)
        first = _ask(context, raw, rich, idle)
        if opened is None or idle or not isinstance(first, asyncio.Future):
            return first
        # Before the next message is read, which may be a change.
        paused = opened.pause.wait()
        return asyncio.ensure_future(_after_pause(paused, first, lambda: _ask(context, raw, rich, idle=True)))
    return _ask(context, raw, rich, idle)


async def _after_pause(
    paused: asyncio.Future[bool], first: asyncio.Future[object], ask: Callable[[], object]
) -> object:
    """Return the first answer if it has an edit or the wait is interrupted, else that of a request in the pause."""
    try:
        answer = await first
        has_edits = isinstance(answer, dict) and bool(answer["edits"])
        if has_edits or not await paused:
            return answer
    finally:
        paused.cancel()
    second = ask()
    return await second if isinstance(second, asyncio.Future) else second


def _ask(context: SurfaceContext, raw: Raw, rich: bool, idle: bool) -> object:
    """Request the next edit at once; `idle`: what is being typed counts as finished."""
    wait = 0.0

    def empty(suppressed: Suppressed) -> object:
        answer = context.empty(suppressed)
        if not rich:
            return {"edits": []}
        later = {"placeAfterMs": math.ceil(1000 * wait)} if wait and suppressed.reason not in INTERRUPTED else {}
        return {**answer, **later} if isinstance(answer, dict) else answer

    at = params.document_position(raw)
    opened = context.gate(at.uri, at.version, (at.line, at.character))
    if isinstance(opened, Suppressed):
        return empty(opened)
    invoked = params.optional_integer(raw, "context.triggerKind") == INVOKED
    pause = context.pause(opened, NEXT_EDIT, invoked=invoked)
    site_pause = context.pause(opened, OPEN_SITE, invoked=invoked)
    able = context.client.capabilities
    sites = rich and able.next_edit_places and context.session.settings.next_edit_places and site_pause is None
    if pause is not None and not sites:
        return empty(pause)
    if sites:
        busy = TEXT_WAIT if context.worker.has_more_urgent(context.surface) else 0.0
        wait = max(busy, context.session.seconds_to_lead(opened))
    byte = context.session.byte(opened, at.line, at.character)
    files = context.open_files(opened, byte)
    snapshot = files.snapshot
    wanted = Wanted(pause, rich and able.next_edit_elsewhere, rich and able.next_edit_unopened, sites)

    def jump(value: EditPlace, probability: float) -> NextEditAnswer | Suppressed:
        now = files.rebase(value.uri, ByteEdit(value.start, value.start, b""))
        if now is None:
            return Suppressed(Reason.STALE, "the text moved on")
        target, edit = now
        if target is not opened and not wanted.elsewhere:
            return IN_OTHER_CELL
        proposal = context.propose(target, OPEN_SITE, None, source=value.source, pattern=value.pattern)
        key = value.key if value.uri == snapshot.document.uri else value.pattern
        item: NextEditItem = {
            "text": "",
            "range": lsp_range(target.buffer, edit.start, edit.start, context.session.encoding),
            "textDocument": {"uri": target.uri, "version": target.version},
            "command": context.offer(target, key, probability, proposal=proposal),
            "probability": probability,
            "source": value.source,
            "steps": [],
            "jump": True,
            "message": f"{value.message} ({percent(probability)})" if value.source == LEARNED else value.message,
        }
        return {"edits": [item]}

    def answer(decision: Shown[NextEdit | QueuedEdit | EditPlace]) -> NextEditAnswer | Suppressed:
        value = decision.value
        if isinstance(value, EditPlace):
            return jump(value, decision.probability)
        steps: tuple[tuple[str, float], ...] = ()
        if isinstance(value, QueuedEdit):  # a rejection concerns the edit, not only this site
            now, key = files.rebase(value.uri, value.edit), value.pattern
        else:
            now, key, steps = files.rebase(snapshot.document.uri, value.edit), value.key, value.steps
        if now is None:
            return Suppressed(Reason.STALE, "the text moved on")
        target, edit = now
        if target is not opened and not wanted.elsewhere:
            return IN_OTHER_CELL
        whole = whole_line_edit(target.buffer, edit)
        if whole is None:
            return Suppressed(Reason.NO_OP)
        proposal = context.propose(target, NEXT_EDIT, edit, source=value.source, pattern=value.pattern)
        if not invoked and (refused := context.refusal(proposal)) is not None:
            return refused
        item: NextEditItem = {
            "text": whole.new.decode("utf-8", "replace"),
            "range": lsp_range(target.buffer, whole.start, whole.old_end, context.session.encoding),
            "textDocument": {"uri": target.uri, "version": target.sent_version},
            "command": context.offer(target, key, decision.probability, proposal=proposal),
        }
        if rich:
            item["probability"] = decision.probability
            if value.source:
                item["source"] = value.source
            item["steps"] = [{"text": text, "probability": p} for text, p in steps]
        return {"edits": [item]}

    return context.ask(
        snapshot,
        lambda engine, cancel: _run(
            engine,
            replace(context.without_excluded(snapshot.document), idle=idle, may_lead=idle and wait == 0.0),
            byte,
            cancel,
            wanted,
        ),
        answer,
        empty,
    )


class Wanted(NamedTuple):
    """What may be shown: edits, unless they are paused; in other open files, in files that are not open; and places."""

    pause: Suppressed | None
    elsewhere: bool
    unopened: bool
    places: bool


def _run(
    engine: EngineLike, document: Document, byte: int, cancel: Cancel, wanted: Wanted
) -> Decision[NextEdit | QueuedEdit | EditPlace]:
    """Return the next edit of a document, or else the most likely site of the requested kinds, in that order."""
    own: Decision[NextEdit] = wanted.pause or engine.next_edit(document, byte, cancel)
    if isinstance(own, Shown) or own.reason in INTERRUPTED:
        return own
    if wanted.elsewhere and wanted.pause is None and document.others:
        other = engine.next_edit_elsewhere(document, byte, cancel)
        if isinstance(other, Shown) or other.reason in INTERRUPTED:
            return other
    if wanted.unopened and wanted.pause is None and document.unopened is not None:
        more = engine.next_edits_unopened(document, byte, cancel)
        first = next((item for item in more.value.items if item.sure), None) if isinstance(more, Shown) else None
        if first is not None:
            return Shown(first, first.probability)
    if wanted.places:
        site = engine.next_edit_place(document, byte, cancel)
        if isinstance(site, Shown) and (wanted.elsewhere or site.value.uri == document.uri):
            return site
    return own


def whole_line_edit(buffer: Buffer, edit: ByteEdit) -> ByteEdit | None:
    """Widen an edit to whole lines; None when it changes nothing.

    Unchanged lines above and below are excluded. So a pure insertion of lines has no width and
    stands at the start of a line, with text that ends a line; behind a last line without a line end it stands
    at that line's end, with text that begins with a line end.
    """
    data = buffer.data
    edit = in_own_line_ends(edit, data)
    start = buffer.line_at(edit.start)
    end = buffer.line_at(edit.old_end) + 1
    first = int(buffer.line_starts[start])
    last = int(buffer.line_starts[end]) if end < buffer.line_count else len(data)
    old = _lines(data[first:last])
    new = _lines(data[first : edit.start] + edit.new + data[edit.old_end : last])
    while old and new and old[0] == new[0]:
        first += len(old[0])
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        last -= len(old[-1])
        del old[-1], new[-1]
    if not old and not new:
        return None
    if len(old) == 1 and last == len(data) and new and new[0].rstrip(b"\r\n") == old[0] and len(new[0]) > len(old[0]):
        return ByteEdit(last, last, new[0][len(old[0]) :] + b"".join(new[1:]))
    return ByteEdit(first, last, b"".join(new))


def _lines(data: bytes) -> list[bytes]:
    """Split at LSP's line ends, which the lines keep."""
    starts = [*Buffer(data).line_starts.tolist(), len(data)]
    return [data[a:b] for a, b in pairwise(starts) if b > a]
