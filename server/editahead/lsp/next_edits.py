"""All remaining places of a repeated edit: as a list to step through, and as one code action for the sure ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from editahead.lsp import params as door
from editahead.lsp.capabilities import REPEAT_KIND
from editahead.lsp.convert import lsp_range
from editahead.lsp.jobs import Surface
from editahead.lsp.lines import line_end, with_line_ends
from editahead.lsp.open_files import OpenFiles
from editahead.lsp.params import BadParams, Raw
from editahead.lsp.requests import ask
from editahead.lsp.session import OpenDocument
from editahead.suggest.types import QueuedEdit, Reason, Shown, Suppressed
from editahead.text.edits import ByteEdit

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer

Placed = tuple[QueuedEdit, OpenDocument, ByteEdit]


def next_edits(server: EditaheadServer, raw: Raw) -> Any:
    """`editahead/nextEdits`: every place with its probability, likeliest first, in all open files."""
    at = door.place(raw)
    opened = server.gate(at.uri, at.version, Surface.NEXT_EDITS)
    if isinstance(opened, Suppressed):
        return server.quiet(Surface.NEXT_EDITS, opened)
    byte = server.session.byte(opened, at.line, at.character)
    files = OpenFiles(server.session, opened, byte, Surface.NEXT_EDITS)

    def answer(decision: Shown[Any]) -> Any:
        found = placed(files, decision.value.items)
        if not found:
            return Suppressed(Reason.STALE, "the text moved on")
        return {"items": [_item(server, *one) for one in found]}

    return ask(
        server,
        Surface.NEXT_EDITS,
        files.snapshot,
        lambda engine, cancel: engine.next_edits(files.snapshot.document, byte, cancel),
        answer,
    )


def placed(files: OpenFiles, items: tuple[QueuedEdit, ...]) -> list[Placed]:
    """The places as they stand in the texts of this moment; those that the user has reached since are left out."""
    found: list[Placed] = []
    for item in items:
        now = files.now(item.uri, item.edit)
        if now is None:
            continue
        opened, edit = now
        edit = ByteEdit(edit.start, edit.old_end, with_line_ends(edit.new, line_end(opened.buffer.data)))
        if not edit.is_noop(opened.buffer.data):
            found.append((item, opened, edit))
    return found


def _item(server: EditaheadServer, item: QueuedEdit, opened: OpenDocument, edit: ByteEdit) -> dict[str, Any]:
    name = server.session.feedback.offer(Surface.NEXT_EDITS.value, item.key, item.probability, again=True)
    return {
        "id": name,
        "uri": opened.uri,
        "version": opened.version,
        **_text_edit(server, opened, edit),
        "probability": item.probability,
        "sure": item.sure,
        "group": item.group,
        "examples": item.examples,
        "command": server.accept_command(name),
    }


def _text_edit(server: EditaheadServer, opened: OpenDocument, edit: ByteEdit) -> dict[str, Any]:
    return {
        "range": lsp_range(opened.buffer, edit.start, edit.old_end, server.session.encoding),
        "newText": edit.new.decode("utf-8", "replace"),
    }


def code_action(server: EditaheadServer, raw: Raw) -> Any:
    """`textDocument/codeAction`: `Apply the same change to N more places`, where there are places that are sure."""
    uri = door.text(raw, "textDocument.uri")
    where = door.span(raw, "range")
    if where is None:
        raise BadParams("range must be a range")
    if not server.abilities.code_action_literals or not _wanted(raw):
        return []
    opened = server.gate(uri, door.maybe_whole(raw, "textDocument.version"), Surface.CODE_ACTION)
    if isinstance(opened, Suppressed):
        return server.quiet(Surface.CODE_ACTION, opened)
    byte = server.session.byte(opened, where[0], where[1])
    files = OpenFiles(server.session, opened, byte, Surface.CODE_ACTION)

    def answer(decision: Shown[Any]) -> Any:
        sure = [one for one in placed(files, decision.value.items) if one[0].sure]
        groups = dict.fromkeys(item.group for item, _, _ in sure)
        if not groups:
            return Suppressed(Reason.LOW_PROBABILITY, "no place is sure enough")
        return [_action(server, [one for one in sure if one[0].group == group]) for group in groups]

    return ask(
        server,
        Surface.CODE_ACTION,
        files.snapshot,
        lambda engine, cancel: engine.next_edits(files.snapshot.document, byte, cancel),
        answer,
    )


def _wanted(raw: Raw) -> bool:
    """Whether the client asks for this kind of action; without `only` it asks for all."""
    only = door.field(raw, "context.only")
    if not isinstance(only, list):
        return True
    return any(kind == "" or f"{REPEAT_KIND}.".startswith(f"{kind}.") for kind in only)


def _action(server: EditaheadServer, found: list[Placed]) -> dict[str, Any]:
    """One code action for all sure places of one repeated edit."""
    least = min(item.probability for item, _, _ in found)
    name = server.session.feedback.offer(Surface.CODE_ACTION.value, found[0][0].group, least, again=True)
    documents = {opened.uri: opened for _, opened, _ in found}
    files = f" in {len(documents)} files" if len(documents) > 1 else ""
    many = "1 more place" if len(found) == 1 else f"{len(found)} more places"
    return {
        "title": f"Apply the same change to {many}{files}",
        "kind": REPEAT_KIND,
        "edit": workspace_edit(server, found, documents),
        "command": server.accept_command(name),
    }


def workspace_edit(server: EditaheadServer, found: list[Placed], documents: dict[str, OpenDocument]) -> dict[str, Any]:
    """All edits as one; with the version of each document where the client can check it."""
    edits = {
        uri: [
            _text_edit(server, opened, edit)
            for _, other, edit in sorted(found, key=lambda one: one[2].start)
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
