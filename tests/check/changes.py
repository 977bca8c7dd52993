"""Changed files and the files beside them, as a check gets them, and what such a change leaves behind."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import replace

from editahead.check.leftover import Leftover
from editahead.check.run import OtherFiles, leftovers
from editahead.check.texts import ChangedFile, changed_file, unchanged_file
from editahead.settings import Settings
from editahead.suggest.types import Document
from editahead.syntax.language import by_path

SETTINGS = Settings()


def file(before: str, after: str, where: str = "pkg/a.py") -> ChangedFile:
    language = by_path(where)
    assert language is not None
    old, new = (textwrap.dedent(text).encode() for text in (before, after))
    made = changed_file(where, language, old, new, SETTINGS)
    assert made is not None
    return made


def other(text: str, where: str) -> Document:
    language = by_path(where)
    assert language is not None
    return unchanged_file(where, language, textwrap.dedent(text).encode(), SETTINGS)


def project(*documents: Document) -> OtherFiles:
    """The files beside those of the change, as a repository gives them."""

    def holding(words: Sequence[str]) -> list[Document]:
        return [one for one in documents if any(word.encode() in one.syntax.buffer.data for word in words)]

    def at(paths: Sequence[str]) -> list[Document]:
        return [one for one in documents if one.uri in set(paths)]

    return OtherFiles(holding, at, {one.uri for one in documents}.__contains__)


def gone(before: str, where: str, moved: str = "") -> ChangedFile:
    """A file that a change deleted, or renamed to `moved`."""
    return replace(file(before, "", where), moved=moved)


def found(*files: ChangedFile, others: Sequence[Document] = (), added: Sequence[Document] = ()) -> list[Leftover]:
    there, taken = ([one for one in files if (one.moved is None) == is_there] for is_there in (True, False))
    return leftovers(there, added, project(*others), taken)


def kinds(
    *files: ChangedFile, others: Sequence[Document] = (), added: Sequence[Document] = ()
) -> list[tuple[str, str]]:
    """Kind and name of each leftover."""
    return [(one.kind, one.name) for one in found(*files, others=others, added=added)]


def told(rows: Sequence[Leftover]) -> list[tuple[str, int, str, str]]:
    return [(one.where, one.line + 1, one.kind, one.reason) for one in rows]
