"""The embedded code of an open document: for each language a view with its own tree and history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from editahead.syntax.chunks.chunked import next_snapshot, open_snapshot
from editahead.syntax.embedded import EmbeddedRegion, blank_out, embedded_regions, only_language
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import EditKind, History

MAX_STEPS = 50  # edits of a notification that are applied separately: each searches the whole document


@dataclass(eq=False)
class EmbeddedView:
    """The code of a language in a document: its text, with all else blanked, its tree, and the edits inside it."""

    language_id: str
    syntax: SyntaxSnapshot
    history: History


class EmbeddedCode:
    """The views of a document's embedded languages; follows the document edit by edit."""

    def __init__(self, host: str, buffer: Buffer, clock: Callable[[], float]) -> None:
        """`host` is the language id of the document; `clock` returns monotonic seconds."""
        self._host = host
        self._clock = clock
        self._views: dict[str, EmbeddedView] = {}
        self._regions: tuple[EmbeddedRegion, ...] = ()
        self.open(buffer)

    def open(self, buffer: Buffer) -> None:
        """Begin again at a text, without history."""
        self._views.clear()
        self._regions = embedded_regions(self._host, buffer.data)
        self._open_missing(buffer)

    def at(self, byte: int) -> EmbeddedView | None:
        """The view in whose code a byte of the document stands, None outside all regions."""
        region = next((region for region in self._regions if region.start <= byte <= region.end), None)
        return self._views.get(region.language_id) if region is not None else None

    def is_inside_region(self, language_id: str, edit: ByteEdit) -> bool:
        """Whether an edit of a view stays inside a region of it: the text around the code is never changed."""
        return any(
            region.language_id == language_id and region.start <= edit.start and edit.old_end <= region.end
            for region in self._regions
        )

    def follow_all(self, steps: Sequence[tuple[ByteEdit, Buffer]], kind: EditKind | None) -> None:
        """Apply the edits of a notification, each with the text after it; rebuild the views where they are many."""
        if len(steps) > MAX_STEPS:
            self.open(steps[-1][1])
            return
        for edit, after in steps:
            self.follow(edit, after, kind)

    def follow(self, edit: ByteEdit, after: Buffer, kind: EditKind | None) -> None:
        """Apply an edit of the document, which led to the text `after`, to every view."""
        was, self._regions = self._regions, embedded_regions(self._host, after.data)
        inside = next((region for region in was if region.start <= edit.start and edit.old_end <= region.end), None)
        cuts = inside is None and any(region.start < edit.old_end and edit.start < region.end for region in was)
        if cuts or self._regions != _moved(was, inside, edit):
            for view in self._views.values():  # a region was opened, closed or joined to another
                text = Buffer(only_language(after.data, self._regions, view.language_id))
                view.history.reanchor(text)
                view.syntax = open_snapshot(text, view.syntax.language)
            self._open_missing(after)
            return
        for view in self._views.values():
            own = inside is not None and inside.language_id == view.language_id
            change = edit if own else ByteEdit(edit.start, edit.old_end, blank_out(edit.new))
            if change.is_noop(view.syntax.buffer.data):
                continue
            text = view.syntax.buffer
            view.history.push(change, text, kind if own else EditKind.FORMAT)
            view.syntax = next_snapshot(view.syntax, text.apply(change), [change])

    def _open_missing(self, buffer: Buffer) -> None:
        """Open a view for each language that has a region and a grammar."""
        for language_id in dict.fromkeys(region.language_id for region in self._regions):
            language = by_id(language_id)
            if language is None or language_id in self._views:
                continue
            try:
                language.grammar()
            except GrammarMissing:
                continue
            text = Buffer(only_language(buffer.data, self._regions, language_id))
            syntax = open_snapshot(text, language)
            self._views[language_id] = EmbeddedView(language_id, syntax, History(text, self._clock))


def _moved(
    regions: Sequence[EmbeddedRegion], inside: EmbeddedRegion | None, edit: ByteEdit
) -> tuple[EmbeddedRegion, ...]:
    """The regions after an edit that neither opens nor closes any; `inside` contains the edit."""
    moved: list[EmbeddedRegion] = []
    for region in regions:
        if region is inside:
            moved.append(EmbeddedRegion(region.language_id, region.start, region.end + edit.delta))
        elif region.start >= edit.old_end:
            moved.append(EmbeddedRegion(region.language_id, region.start + edit.delta, region.end + edit.delta))
        else:
            moved.append(region)
    return tuple(moved)
