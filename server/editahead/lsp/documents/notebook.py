"""Notebooks: the cells of a language are joined to a document, and edits are mapped between it and the cells.

The joined document is analysed and has the history; a cell has the text as the client holds it. Cells are joined by
line ends, with what is no code masked by as many bytes, so an offset leads to its cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from editahead.lsp.rpc.uris import path_for_exclusion
from editahead.lsp.session import OpenDocument, Session
from editahead.suggest.types import Completion, Completions
from editahead.syntax.embedded import blank_out, hosts
from editahead.syntax.ipython_magics import is_foreign_cell, mask_cell, mask_lines
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer
from editahead.text.diff import common_prefix
from editahead.text.edits import ByteEdit, lines_around, minimal_diff
from editahead.text.history import EditKind, History
from editahead.text.surrogates import LoneSurrogates

_MASKS: Mapping[str, Callable[[bytes], bytes]] = {"python": mask_cell}
OTHER_CELL = "another cell"  # the origin of a name from there


@dataclass(eq=False)
class NotebookCell(OpenDocument):
    """A cell of a notebook. `buffer` has its text as the client holds it; history and pause are those of all cells."""

    cells: JoinedCells | None = None  # of which it is a part, with its number
    number: int = 0

    @property
    def analysed(self) -> OpenDocument:
        """The joined cells of its language."""
        return self if self.cells is None else self.cells.document

    @property
    def offset(self) -> int:
        """The byte of the joined cells at which it begins."""
        return 0 if self.cells is None else int(self.cells.starts[self.number])

    @property
    def masked_text(self) -> bytes:
        """Its text as it is analysed, of the same number of bytes."""
        mask = _MASKS.get(self.language_id)
        return self.buffer.data if mask is None else mask(self.buffer.data)

    def apply(self, edits: Sequence[ByteEdit], kind: EditKind | None = None) -> None:
        """Apply the edits of a notification to the cell and to the joined cells, at the cost of the changed lines."""
        assert self.cells is not None
        start, joined = self.offset, self.cells.document
        masked = self.masked_text if joined.damaged else joined.buffer.data[start : start + len(self.buffer)]
        steps: list[ByteEdit] = []
        damaged, joined.damaged = joined.damaged, True  # until the joined cells have followed
        for edit in edits:
            whole = len(self.buffer) and edit.start == 0 and edit.old_end == len(self.buffer)
            for part in minimal_diff(self.buffer.data, edit.new) if whole else [edit]:
                before = self.buffer.data
                if part.is_noop(before):
                    continue
                self.buffer = self.buffer.apply(part)
                step = self._masked_edit(part, before, masked)
                masked = step.apply(masked)
                self.edits.append(part)
                self.serial += 1
                steps.append(ByteEdit(step.start + start, step.old_end + start, step.new))
        joined.damaged = damaged
        if steps:
            self.cells.starts[self.number + 1 :] += sum(step.delta for step in steps)
            self.cells.apply(steps, kind)

    def _masked_edit(self, edit: ByteEdit, before: bytes, masked: bytes) -> ByteEdit:
        """The edit of the masked text for an edit of the cell that has been applied to the text `before`."""
        data = self.buffer.data
        if self.language_id not in _MASKS:
            return edit
        foreign = is_foreign_cell(data)
        was_foreign, self.no_syntax_reason = bool(self.no_syntax_reason), _reason(foreign)
        if foreign != was_foreign:
            return ByteEdit(0, len(masked), mask_cell(data))
        if foreign:
            return ByteEdit(edit.start, edit.old_end, blank_out(edit.new))
        low, high = lines_around(before, edit.start, edit.old_end)
        lines = data[low : high + edit.delta]
        new = mask_lines(lines)
        if new == lines and masked[low:high] == before[low:high]:
            return edit
        return ByteEdit(low, high, new).trim(masked)

    def can_apply(self, edit: ByteEdit) -> bool:
        """Whether an edit of the cell stays inside it and leaves alone what is no code."""
        data = self.buffer.data
        if edit.old_end > len(data) or self.no_syntax_reason or self.cells is None:
            return False
        low, high = lines_around(data, edit.start, edit.old_end)
        lines = data[low:high]
        start = self.offset + low
        masked = self.analysed.buffer.data[start : start + len(lines)]
        if lines == masked:
            return True
        code = common_prefix(lines, masked)
        target = lines[:code].rpartition(b"\n")[2]  # before the first magic, on its line
        if target.strip():
            return edit.old_end < low + code
        above = low + code - len(target)
        return edit.old_end < above or (edit.old_end == above and edit.new.endswith(b"\n"))


def _reason(foreign: bool) -> str:
    return "a cell of another language" if foreign else ""


class JoinedCells:
    """The cells of a language in their order, and the byte at which each begins in their joined document."""

    def __init__(self, document: OpenDocument, cells: Sequence[NotebookCell]) -> None:
        """`document` has the text of the cells already."""
        self.document = document
        document.locator = self.locate
        self._place(cells)

    def _place(self, cells: Sequence[NotebookCell]) -> None:
        self.cells = list(cells)
        sizes = np.fromiter((len(cell.buffer) + 1 for cell in cells), np.int64, len(cells))
        self.starts = np.cumsum(sizes) - sizes
        for number, cell in enumerate(cells):
            cell.number, cell.cells = number, self
            cell.history, cell.pause = self.document.history, self.document.pause

    def apply(self, edits: Sequence[ByteEdit], kind: EditKind | None = None) -> None:
        """Apply edits of the joined text; join all cells again after an error."""
        document = self.document
        if document.damaged:
            self._place(self.cells)
            edits = [ByteEdit(0, len(document.buffer), joined_text(self.cells))]
        document.version += 1
        document.apply(edits, kind)

    def arrange(self, cells: Sequence[NotebookCell]) -> None:
        """Add, remove and move cells: only the text from the first to the last cell that differs changes."""
        old, text = self.cells, self.document.buffer.data
        ends = [*self.starts.tolist(), len(text) + 1]  # cell n has the bytes [ends[n], ends[n + 1] - 1)
        head = _common(old, cells)
        if head == len(old) == len(cells):
            return
        tail = _common(old[head:][::-1], cells[head:][::-1])
        middle = joined_text(cells[head : len(cells) - tail])
        if head:  # each cell with the line end before it, else with that behind it
            start, end = ends[head] - 1, ends[len(old) - tail] - 1
            middle = b"\n" + middle if len(cells) > head + tail else b""
        else:
            start, end = 0, ends[len(old) - tail] if tail else len(text)
            middle = middle + b"\n" if tail and len(cells) > tail else middle
        self._place(cells)
        steps = minimal_diff(text[start:end], middle)
        self.apply([ByteEdit(step.start + start, step.old_end + start, step.new) for step in steps])

    def locate(self, edit: ByteEdit) -> tuple[NotebookCell, ByteEdit] | None:
        """Return the cell of an edit of the joined text, with the edit of that cell.

        None for an edit of several cells or of what is no code. The line end behind a cell is in no cell: where an edit
        replaces whole lines up to it, the last line of the cell has none.
        """
        number = int(self.starts.searchsorted(edit.start, "right")) - 1
        if number < 0:
            return None
        cell, offset = self.cells[number], int(self.starts[number])
        start, end, new = edit.start - offset, edit.old_end - offset, edit.new
        data = cell.buffer.data
        if end == len(data) + 1 and start < end:
            end -= 1
            if new.endswith(b"\n"):
                new = new[:-1]
            elif new or (start and not data.endswith(b"\n", 0, start)):
                return None
            elif start:
                start -= 2 if data.endswith(b"\r\n", 0, start) else 1
        if start > len(data) or end < start:
            return None
        local = ByteEdit(start, end, new)
        return (cell, local) if cell.can_apply(local) else None


def joined_text(cells: Iterable[NotebookCell]) -> bytes:
    """Return the text of cells as it is analysed."""
    return b"\n".join(cell.masked_text for cell in cells)


def _common(old: Sequence[NotebookCell], new: Sequence[NotebookCell]) -> int:
    """The number of cells with which both begin."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((number for number, (cell, other) in pairs if cell is not other), min(len(old), len(new)))


class Notebook:
    """An open notebook: its cells as the client counts them, and those of each language joined."""

    def __init__(self, uri: str, session: Session) -> None:
        self.uri = uri
        self.cells: list[NotebookCell] = []
        self._session = session
        self._joined: dict[str, JoinedCells] = {}

    @property
    def documents(self) -> list[OpenDocument]:
        """The joined documents."""
        return [joined.document for joined in self._joined.values()]

    def cell(self, uri: str, language_id: str, version: int, text: str) -> NotebookCell:
        """Return a cell that is in no notebook yet."""
        language = by_id(language_id)
        buffer = Buffer.from_text(text)
        foreign = language is not None and language.id in _MASKS and is_foreign_cell(buffer.data)
        return NotebookCell(
            uri=uri,
            path=None,
            language_id=language_id if language is None else language.id,
            version=version,
            buffer=buffer,
            syntax=None,
            history=History(buffer, self._session.clock),
            no_syntax_reason=_reason(foreign),
            exclusion_path=path_for_exclusion(self.uri),
            surrogates=LoneSurrogates(text, buffer.data),
        )

    def arrange(self, cells: Sequence[NotebookCell]) -> None:
        """Replace the list of the cells; the joined document of a language opens with its first cell."""
        self.cells = list(cells)
        groups: dict[str, list[NotebookCell]] = {}
        for cell in cells:  # a text with embedded code is a document of its own: a fence ends with its cell
            groups.setdefault(cell.uri if cell.language_id in hosts() else cell.language_id, []).append(cell)
        self._joined = {group: joined for group, joined in self._joined.items() if group in groups}
        for group, members in groups.items():
            if group in self._joined:
                self._joined[group].arrange(members)
            else:
                self._joined[group] = JoinedCells(self._open(group, members), members)

    def _open(self, group: str, cells: Sequence[NotebookCell]) -> OpenDocument:
        uri = f"notebook:{self.uri.partition(':')[2]}#{group}"
        text = joined_text(cells).decode("utf-8", "replace")
        document = self._session.open(uri, cells[0].language_id, 0, text)
        document.exclusion_path = path_for_exclusion(self.uri)
        return document


def in_cell(opened: OpenDocument, completions: Completions) -> Completions | None:
    """Return completions of `opened.analysed` in coordinates of `opened`; None where they are outside of it."""
    if opened.analysed is opened:
        return completions
    prefix = opened.within(ByteEdit(completions.start, completions.end, b""))
    if prefix is None:
        return None
    items = tuple(_item_in_cell(opened, item) for item in completions.items)
    return replace(completions, items=items, start=prefix.start, end=prefix.old_end)


def _item_in_cell(opened: OpenDocument, item: Completion) -> Completion:
    """Return a completion with its origin and import in the cell: at its top where the imports are in another cell."""
    added, lines = item.import_edit, opened.analysed.buffer.line_starts
    if added is not None:
        here = opened.within(added)
        if here is None and opened.language_id == "python" and not opened.buffer.data.startswith(b"%%"):
            here = ByteEdit(0, 0, f"from {item.import_from} import {item.label}\n".encode())
        item = replace(item, import_edit=here, import_from=item.import_from if here is not None else "")
    if item.origin_line is None or item.origin_where is not None or item.origin_line >= len(lines):
        return item
    start = opened.offset
    if not start <= lines[item.origin_line] <= start + len(opened.buffer):
        return replace(item, origin_line=None, origin_where=OTHER_CELL)
    return replace(item, origin_line=item.origin_line - opened.analysed.buffer.line_at(start))
