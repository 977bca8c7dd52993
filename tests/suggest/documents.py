"""Documents for tests of the suggest room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from editahead.settings import Settings
from editahead.suggest.types import Document
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import HistoryView


def document(text: str, language_id: str = "python", **more: Any) -> tuple[Document, int]:
    """A document and the byte of its `‸` mark (the end of the text without one)."""
    before, _, after = text.partition("‸")
    language = by_id(language_id)
    assert language is not None
    buffer = Buffer((before + after).encode())
    made = Document(
        "file:///x",
        more.pop("path", Path("/project/x.py")),
        language_id,
        1,
        SyntaxSnapshot.open(buffer, language),
        more.pop("history", HistoryView(buffer, (), None, 0)),
        more.pop("settings", Settings()),
        **more,
    )
    return made, len(before.encode())
