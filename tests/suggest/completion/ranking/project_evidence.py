"""What is known of classes at the mark of a file, with other files of its project around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from editahead.index.view import IndexView, WorkspaceNames
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.settings import Settings
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.without_model import words_evidence
from editahead.suggest.context import place_at
from editahead.suggest.types import Document

Names = frozenset[str] | None


class Evidence(Protocol):
    """Writes files; then the members that are known at the mark of another one, and the keys."""

    def __call__(
        self, files: dict[str, str], path: str, text: str, settings: Settings | None = None
    ) -> tuple[Names, Names]: ...


def located(document: Document, root: Path, path: str, files: Sequence[str]) -> Document:
    """A document as one of a project's files."""
    names = WorkspaceNames((), IndexView(files=files))
    return replace(document, path=root / path, root=root, elsewhere=names)


def known(document: Document, byte: int) -> tuple[Names, Names]:
    """The members of the receiver before a byte, and the keys of the literal around it."""
    _, found = words_evidence(DocumentCaches(words_of), document, place_at(document, byte))
    assert found.scopes is not None
    return found.scopes.members, found.literal_keys
