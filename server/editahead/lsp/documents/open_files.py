"""Snapshots of all open files of languages that share declarations, and rebasing of their edits over later typing."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from editahead.index.lexicon import language_family
from editahead.lsp.documents.rebasing import rebase_edit
from editahead.lsp.session import OpenDocument, Session, Snapshot
from editahead.lsp.surfaces.surface import Surface
from editahead.suggest.types import Document, Suppressed
from editahead.text.edits import ByteEdit
from editahead.text.history import History

MAX_OTHERS = 50


class OpenFiles:
    """The snapshot of a request: its document and the other open files, of related languages, that are not excluded."""

    def __init__(self, session: Session, opened: OpenDocument, byte: int, surface: Surface) -> None:
        self._session = session
        own = session.snapshot(opened, byte)
        family = language_family(own.document.language_id)
        beside = [
            document
            for document in session.documents.values()
            if document is not opened.analysed and language_family(document.language_id) == family
        ]
        latest = sorted(beside, key=lambda document: -document.history.changed_at)
        passing = (other for other in latest if not isinstance(session.gate(other.uri, None, surface), Suppressed))
        others = [session.snapshot(document, 0) for document in islice(passing, MAX_OTHERS)]
        paths = frozenset(document.path for document in session.documents.values() if document.path is not None)
        self._read = dict[str, OpenDocument]()  # files that are not open
        self._unopened = session.unopened.view(own.document, paths)
        document = replace(own.document, others=tuple(other.document for other in others), unopened=self._unopened)
        self.snapshot = Snapshot(document, own.byte, own.serial, own.opened)
        self._snapshots = {snapshot.document.uri: snapshot for snapshot in (self.snapshot, *others)}

    def rebase(self, uri: str, edit: ByteEdit) -> tuple[OpenDocument, ByteEdit] | None:
        """Rebase an edit of any of the files onto its current text; return both, None where that is impossible.

        An edit of joined cells becomes an edit of its cell.
        A file that is not open has the text that was read for the request.
        """
        snapshot = self._snapshots.get(uri)
        if snapshot is None:
            document = self._unopened.read_before(uri) if self._unopened is not None else None
            if document is None:
                return None
            return self._read.setdefault(uri, _unopened(document)), edit
        moved = rebase_edit(edit, self._session.edits_since(snapshot))
        return None if moved is None or not snapshot.can_apply(moved) else snapshot.opened.analysed.locate(moved)

    def has_other_uses(self, name: str) -> bool:
        """Whether unopened files beyond those that are edited may use a name that was renamed."""
        return self._unopened is not None and name in self._unopened.cut


def _unopened(document: Document) -> OpenDocument:
    """A file that is not open, as surfaces answer about it."""
    buffer = document.syntax.buffer
    history = History(buffer, lambda: 0.0)
    return OpenDocument(document.uri, document.path, document.language_id, document.version, buffer, None, history)
