"""All remaining places of a repeated edit, as a list to step through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from editahead.lsp import params as door
from editahead.lsp.convert import lsp_range
from editahead.lsp.jobs import Surface
from editahead.lsp.lines import line_end, with_line_ends
from editahead.lsp.open_files import OpenFiles
from editahead.lsp.params import Raw
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
        lambda engine, cancel: engine.next_edits(
            server.exclusions.without_excluded(files.snapshot.document), byte, cancel
        ),
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
    name = server.session.feedback.offer(Surface.NEXT_EDITS.value, item.key, item.probability, opened.uri, again=True)
    return {
        "id": name,
        "uri": opened.uri,
        "version": opened.version,
        **text_edit(server, opened, edit),
        "probability": item.probability,
        "sure": item.sure,
        "group": item.group,
        "examples": item.examples,
        "command": server.accept_command(name),
    }


def text_edit(server: EditaheadServer, opened: OpenDocument, edit: ByteEdit) -> dict[str, Any]:
    """A `TextEdit`."""
    return {
        "range": lsp_range(opened.buffer, edit.start, edit.old_end, server.session.encoding),
        "newText": edit.new.decode("utf-8", "replace"),
    }
