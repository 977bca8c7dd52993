"""A question about all open files: frozen together, and its answers moved along with what was typed in each since."""

from __future__ import annotations

from dataclasses import replace

from editahead.lsp.jobs import Surface
from editahead.lsp.session import OpenDocument, Session, Snapshot
from editahead.lsp.stale import rebased
from editahead.suggest.types import Suppressed
from editahead.text.edits import ByteEdit

MAX_OTHERS = 50


class OpenFiles:
    """The asked document and the others of its language that may be looked at, as they stood."""

    def __init__(self, session: Session, opened: OpenDocument, byte: int, surface: Surface) -> None:
        self._session = session
        others = [
            session.snapshot(document, 0)
            for uri, document in list(session.documents.items())
            if document is not opened
            and document.language_id == opened.language_id
            and not isinstance(session.gate(uri, None, surface), Suppressed)
        ]
        others = sorted(others, key=lambda one: -_last_change(one))[:MAX_OTHERS]
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


def _last_change(snapshot: Snapshot) -> float:
    history = snapshot.document.history
    last = history.pending or (history.settled[-1] if history.settled else None)
    return last.time if last is not None else float("-inf")
