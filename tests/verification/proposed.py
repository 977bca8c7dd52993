"""Texts with what the user changed, «old>new», and what is proposed, ‹old>new›, as the verifier takes them."""

from __future__ import annotations

from collections.abc import Mapping

from editahead.suggest.types import Document
from editahead.suggest.verified_edits import proposal_of
from editahead.text.edits import ByteEdit
from editahead.verification.proposal import Violation
from editahead.verification.verifier import Verifier

from tests.suggest.next_edit.consequences.marked_renames import played, wanted


def proposed(marked: str, uri: str = "file:///w/home.py") -> tuple[Document, list[ByteEdit]]:
    """The document after the user's changes, and the proposed edits of it."""
    document = played(marked, uri)
    data = document.syntax.buffer.data
    plain = marked_plain(marked)
    edits = [ByteEdit(start, start + len(old), new) for (start, new), old in zip(wanted(marked), plain, strict=True)]
    assert all(edit.old_end <= len(data) for edit in edits)
    return document, edits


def marked_plain(marked: str) -> list[bytes]:
    """What each proposed edit takes away."""
    import re

    return [old.encode() for old, _ in re.findall("‹([^›>]*)>([^›>]*)›", marked)]


def verdict(marked: str, uri: str = "file:///w/home.py", others: Mapping[str, str] | None = None) -> Violation | None:
    """Why the proposed edits of a text are refused together; None where they pass."""
    from dataclasses import replace

    document, edits = proposed(marked, uri)
    beside = tuple(played(text, name) for name, text in (others or {}).items())
    document = replace(document, others=beside)
    verifier = Verifier()
    return verifier.verify(proposal_of(document, [(document, edit) for edit in edits]), lambda: None, "test")
