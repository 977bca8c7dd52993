"""Code actions: the sure places of a repeated edit as one change, fixes of the lines at the cursor, bodies of functions
that have none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from editahead.lsp import params as door
from editahead.lsp.capabilities import BODY_KIND, FIX_KIND, REPEAT_KIND
from editahead.lsp.convert import percent
from editahead.lsp.jobs import EngineLike, Surface
from editahead.lsp.lines import line_end, with_line_ends
from editahead.lsp.next_edits import Placed, placed, text_edit
from editahead.lsp.open_files import OpenFiles
from editahead.lsp.params import BadParams, Raw
from editahead.lsp.requests import ask
from editahead.lsp.session import OpenDocument
from editahead.suggest.types import (
    Decision,
    Fix,
    Fixes,
    NextEdits,
    Reason,
    Shown,
    Suppressed,
    WrittenBodies,
    WrittenBody,
)
from editahead.text.edits import ByteEdit

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer

INVOKED = 1  # CodeActionTriggerKind: a person asked; 2 is sent at every move of the cursor
SHOWN_TITLE = 60
Asked = tuple[Decision[NextEdits] | None, Decision[Fixes] | None, Decision[WrittenBodies] | None]


def code_action(server: EditaheadServer, raw: Raw) -> Any:
    """`textDocument/codeAction`: `Apply the same change to N more places`, where there are places that are sure,
    `Suggest a fix`, where a person asks for it or another server has found a fault, and `Write this function from its
    description`, where a person asks in one that has no body."""
    uri = door.text(raw, "textDocument.uri")
    where = door.span(raw, "range")
    if where is None:
        raise BadParams("range must be a range")
    repeats, fixes = _wanted(raw, REPEAT_KIND), _wanted(raw, FIX_KIND) and _asked_for(raw)
    bodies = _wanted(raw, BODY_KIND) and (_by_hand(raw) or isinstance(door.field(raw, "context.only"), list))
    if not server.abilities.code_action_literals or not (repeats or fixes or bodies):
        return []
    opened = server.gate(uri, door.maybe_whole(raw, "textDocument.version"), Surface.CODE_ACTION)
    if isinstance(opened, Suppressed):
        return server.quiet(Surface.CODE_ACTION, opened)
    start = server.session.byte(opened, where[0], where[1])
    end = max(start, server.session.byte(opened, where[2], where[3]))
    files = OpenFiles(server.session, opened, start, Surface.CODE_ACTION)

    def run(engine: EngineLike, cancel: Any) -> Any:
        document = server.exclusions.without_excluded(files.snapshot.document)
        asked: Asked = (
            engine.next_edits(document, start, cancel) if repeats else None,
            engine.fixes(document, start, end, cancel) if fixes else None,
            engine.bodies(document, start, cancel) if bodies else None,
        )
        cancel.check()  # preempted in the middle, it is done again as a whole: some of it would look like all of it
        found = [one for one in asked if isinstance(one, Shown)]
        if found:
            return Shown(asked, max(one.probability for one in found))
        return next(one for one in asked if isinstance(one, Suppressed))

    def answer(decision: Shown[Any]) -> Any:
        queue, rewritings, written = decision.value
        actions = _repeats(server, files, queue.value) if isinstance(queue, Shown) else []
        if isinstance(rewritings, Shown):
            actions += _fixes(server, files, rewritings.value, _diagnostics(raw, rewritings.value))
        if isinstance(written, Shown):
            title = "Write this function from its description"
            actions += [one for item in written.value.items if (one := _edit(server, files, item, title, BODY_KIND))]
        return actions or Suppressed(Reason.LOW_PROBABILITY, "no place is sure enough")

    return ask(server, Surface.CODE_ACTION, files.snapshot, run, answer)


def _wanted(raw: Raw, kind: str) -> bool:
    """Whether the client asks for this kind of action; without `only` it asks for all."""
    only = door.field(raw, "context.only")
    if not isinstance(only, list):
        return True
    return any(one == "" or f"{kind}.".startswith(f"{one}.") for one in only)


def _asked_for(raw: Raw) -> bool:
    """Whether a fix is worth the work: never for a mere move of the cursor through lines that nobody complains of."""
    return _by_hand(raw) or bool(door.field(raw, "context.diagnostics"))


def _by_hand(raw: Raw) -> bool:
    """Whether a person asks; clients that do not say are taken to."""
    return door.maybe_whole(raw, "context.triggerKind") in (None, INVOKED)


def _diagnostics(raw: Raw, fixes: Fixes) -> list[Mapping[str, Any]]:
    """The diagnostics that the client passed which touch the lines of the fixes, as they came."""
    passed = door.field(raw, "context.diagnostics")
    found = []
    for one in passed if isinstance(passed, list) else ():
        first, last = door.maybe_whole(one, "range.start.line"), door.maybe_whole(one, "range.end.line")
        if first is not None and last is not None and first <= fixes.last and last >= fixes.first:
            found.append(one)
    return found


def _repeats(server: EditaheadServer, files: OpenFiles, queue: NextEdits) -> list[dict[str, Any]]:
    """One action for each repeated edit that has sure places."""
    sure = [one for one in placed(files, queue.items) if one[0].sure]
    groups = dict.fromkeys(item.group for item, _, _ in sure)
    return [_repeat(server, [one for one in sure if one[0].group == group]) for group in groups]


def _repeat(server: EditaheadServer, found: list[Placed]) -> dict[str, Any]:
    """One code action for all sure places of one repeated edit."""
    least = min(item.probability for item, _, _ in found)
    surface, group, uri = Surface.CODE_ACTION.value, found[0][0].group, found[0][1].uri
    name = server.session.feedback.offer(surface, group, least, uri, again=True)
    documents = {opened.uri: opened for _, opened, _ in found}
    where = f" in {len(documents)} files" if len(documents) > 1 else ""
    many = "1 more place" if len(found) == 1 else f"{len(found)} more places"
    return {
        "title": f"Apply the same change to {many}{where}",
        "kind": REPEAT_KIND,
        "edit": workspace_edit(server, [(opened, edit) for _, opened, edit in found]),
        "command": server.accept_command(name),
    }


def _fixes(
    server: EditaheadServer, files: OpenFiles, fixes: Fixes, diagnostics: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """One action for each rewriting that still fits the text."""
    found = [one for fix in fixes.items if (one := _edit(server, files, fix, "Suggest a fix", FIX_KIND))]
    return [{**one, "diagnostics": list(diagnostics)} for one in found] if diagnostics else found


def _edit(
    server: EditaheadServer, files: OpenFiles, item: Fix | WrittenBody, title: str, kind: str
) -> dict[str, Any] | None:
    """One edit of the document as an action; None when it does not fit the text any more."""
    now = files.now(files.snapshot.document.uri, item.edit)
    if now is None:
        return None
    opened, edit = now
    edit = ByteEdit(edit.start, edit.old_end, with_line_ends(edit.new, line_end(opened.buffer.data)))
    name = server.session.feedback.offer(Surface.CODE_ACTION.value, item.key, item.probability, opened.uri, again=True)
    return {
        "title": f"{title} ({percent(item.probability)}): {told(opened, edit)}",
        "kind": kind,
        "edit": workspace_edit(server, [(opened, edit)]),
        "command": server.accept_command(name),
    }


def told(opened: OpenDocument, edit: ByteEdit) -> str:
    """The first line that an edit changes, as it would be; or that lines go."""
    after = opened.buffer.apply(edit)
    lines = after.data[edit.start : edit.new_end].decode("utf-8", "replace").strip()
    if not lines:
        gone = opened.buffer.data[edit.start : edit.old_end].decode("utf-8", "replace").split()
        text = f"without {' '.join(gone)}"
    else:
        text = after.line_bytes(after.line_at(edit.start + _leading(edit.new))).decode("utf-8", "replace").strip()
    return text if len(text) <= SHOWN_TITLE else text[: SHOWN_TITLE - 1].rstrip() + "…"


def _leading(new: bytes) -> int:
    """How many bytes of a text come before its first visible one."""
    return len(new) - len(new.lstrip())


def workspace_edit(server: EditaheadServer, found: Sequence[tuple[OpenDocument, ByteEdit]]) -> dict[str, Any]:
    """All edits as one; with the version of each document where the client can check it."""
    documents = {opened.uri: opened for opened, _ in found}
    edits = {
        uri: [
            text_edit(server, opened, edit)
            for other, edit in sorted(found, key=lambda one: one[1].start)
            if other is opened
        ]
        for uri, opened in documents.items()
    }
    if not server.abilities.document_changes:
        return {"changes": edits}
    return {
        "documentChanges": [
            {"textDocument": {"uri": uri, "version": documents[uri].version}, "edits": each}
            for uri, each in edits.items()
        ]
    }
