"""What all replays of consequences share: the moments that they yield, and documents as an editor holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from editahead.settings import Settings
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import Language
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import EditKind, History

PAUSE = 30.0  # seconds between two edits


@dataclass(frozen=True)
class Replay:
    """One moment with a candidate. `first`: what the commit did at the first one, `right`, `kept` or `other`."""

    project: str
    language: str
    label: str
    first: str

    def row(self) -> dict[str, object]:
        """As JSON."""
        return asdict(self)


def first_of_each(project: str, language: Language, verdicts: Iterable[tuple[str, str]]) -> Iterator[Replay]:
    """A moment for each kind among the (kind, verdict) of candidates, with the verdict of its first one."""
    first: dict[str, str] = {}
    for kind, verdict in verdicts:
        first.setdefault(kind, verdict)
    return (Replay(project, language.id, kind, verdict) for kind, verdict in first.items())


def opened(path: str, text: str, language: Language) -> Document:
    """An open document that nobody has changed."""
    buffer = Buffer(text.encode())
    view = History(buffer, lambda: 0.0).view()
    return Document(uri_of(path), None, language.id, 1, open_snapshot(buffer, language), view, Settings())


def edited(document: Document, edits: Iterable[ByteEdit], kind: EditKind | None = None) -> Document:
    """A document after edits, each in the text that the ones before leave, while the user rests."""
    clock, syntax = 0.0, document.syntax
    history = History(syntax.buffer, lambda: clock)
    for edit in edits:
        clock += PAUSE
        before = syntax.buffer
        history.push(edit, before, kind)
        syntax = syntax.advance(before.apply(edit), [edit])
        history.settle()
    view = history.view()
    return Document(document.uri, None, document.language_id, 1, syntax, view, document.settings, idle=True)


def uri_of(path: str) -> str:
    """The URI of a file of a commit."""
    return f"file:///{path}"
