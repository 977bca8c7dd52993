"""A question about all open files: frozen together, and its answers moved along with what was typed in each since."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from editahead.lsp.rebasing import rebased
from editahead.lsp.session import OpenDocument, Session, Snapshot
from editahead.lsp.surface import Surface
from editahead.suggest.types import Suppressed
from editahead.text.edits import ByteEdit

MAX_OTHERS = 50


class OpenFiles:
    """The asked document and the others of its language that may be looked at, as they stood."""

    def __init__(self, session: Session, opened: OpenDocument, byte: int, surface: Surface) -> None:
        self._session = session
        beside = [
            document
            for document in session.documents.values()
            if document is not opened and document.language_id == opened.language_id
        ]
        latest = sorted(beside, key=lambda document: -document.history.changed_at)
        asked_too = (one for one in latest if not isinstance(session.gate(one.uri, None, surface), Suppressed))
        others = [session.snapshot(document, 0) for document in islice(asked_too, MAX_OTHERS)]
        asked = session.snapshot(opened, byte)
        document = replace(asked.document, others=tuple(one.document for one in others))
        self.snapshot = Snapshot(document, asked.byte, asked.serial, asked.opened)
        self._snapshots = {one.document.uri: one for one in (self.snapshot, *others)}

    def now(self, uri: str, edit: ByteEdit) -> tuple[OpenDocument, ByteEdit] | None:
        """An edit of one of the files in its text of this moment, with the file; None where that is impossible."""
        snapshot = self._snapshots.get(uri)
        if snapshot is None:
            return None
        moved = rebased(edit, self._session.edits_since(snapshot))
        return None if moved is None else (snapshot.opened, moved)
