"""The texts that a check reads: the files of a diff before and after, and files of the project by their words."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from editahead.check.git import CheckedRepository, Span
from editahead.exclusion import exclusion
from editahead.git import MAX_BLOB
from editahead.patterns.changes import NetChange, net_changes
from editahead.settings import Settings
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.language import Language, by_path
from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import CoalescedEdit, HistoryView
from editahead.text.diff import common_ends
from editahead.text.edits import ByteEdit, minimal_diff


@dataclass
class _Stretch:
    """A block of adjacent changed lines: the first and the last, before and after."""

    old: tuple[int, int]
    new: tuple[int, int]
    edits: list[ByteEdit] = field(default_factory=list)


def line_edits(old: Buffer, new: Buffer) -> list[ByteEdit]:
    """Return the edits that turn a text into another, in text order and in coordinates of `old`."""
    result: list[ByteEdit] = []
    for stretch in _stretches(old, new):
        result += _by_line(old, new, stretch) or stretch.edits
    return result


def _stretches(old: Buffer, new: Buffer) -> Iterator[_Stretch]:
    """Yield the blocks of adjacent changed lines."""
    shift = 0
    last: _Stretch | None = None
    for edit in sorted(minimal_diff(old.data, new.data), key=lambda edit: edit.start):
        was = old.line_at(edit.start), old.line_at(edit.old_end)
        now = new.line_at(edit.start + shift), new.line_at(edit.new_end + shift)
        shift += edit.delta
        if last is not None and was[0] <= last.old[1] + 1:
            last.old, last.new = (last.old[0], was[1]), (last.new[0], now[1])
        else:
            if last is not None:
                yield last
            last = _Stretch(was, now)
        last.edits.append(edit)
    if last is not None:
        yield last


def _by_line(old: Buffer, new: Buffer, stretch: _Stretch) -> Sequence[ByteEdit] | None:
    """The edits of each line by itself; None where lines came, went, or changed their ends, and for a single line."""
    numbers = range(stretch.old[0], stretch.old[1] + 1)
    if len(numbers) < 2 or len(numbers) != stretch.new[1] - stretch.new[0] + 1:
        return None
    result: list[ByteEdit] = []
    for number in numbers:
        there = stretch.new[0] + number - stretch.old[0]
        if number < numbers[-1] and _line_end(old, number) != _line_end(new, there):
            return None
        low = old.line_span(number)[0]
        parts = minimal_diff(old.line_bytes(number), new.line_bytes(there))
        moved = (ByteEdit(low + part.start, low + part.old_end, part.new) for part in parts)
        result += sorted(moved, key=lambda edit: edit.start)
    return result


def _line_end(buffer: Buffer, line: int) -> bytes:
    return buffer.data[buffer.line_span(line)[1] : int(buffer.line_starts[line + 1])]


MAX_EDITS = 1000  # changes of a file; a file with more was rewritten, or changed line by line by a program
_PROSE = frozenset({"markdown"})  # no code
_HEAD = 2000
_BY_PROGRAM = re.compile(rb"@generated|do not edit", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class ChangedFile:
    """A file of the diff in its current state (its path is the document's URI), with its changes in text order.

    `moved`: of a file that is no longer at its path, and so is empty, where it went; "" if it was deleted.
    """

    document: Document
    changes: tuple[NetChange, ...]
    moved: str | None = None


def changed_file(where: str, language: Language, before: bytes, after: bytes, settings: Settings) -> ChangedFile | None:
    """Read a file of the diff; None where it was changed at too many places to be edited by hand.

    A change of all its line ends is no change.
    """
    old, new = Buffer.from_bytes(before), Buffer.from_bytes(after)
    old = Buffer(_with_line_ends_of(new.data, old.data))
    edits = line_edits(old, new)
    if len(edits) > MAX_EDITS:
        return None
    bursts: list[CoalescedEdit] = []
    shift = 0
    for number, edit in enumerate(edits):
        bursts.append(CoalescedEdit(edit.start + shift, edit.old_bytes(old.data), edit.new, float(number)))
        shift += edit.delta
    view = HistoryView(old, tuple(bursts), None, 0)
    return ChangedFile(_document(where, language, new, view, settings), tuple(net_changes(view, new.data)))


def unchanged_file(where: str, language: Language, data: bytes, settings: Settings) -> Document:
    """Read a file that the diff does not change."""
    buffer = Buffer.from_bytes(data)
    return _document(where, language, buffer, HistoryView(buffer, (), None, 0), settings)


def _document(where: str, language: Language, buffer: Buffer, history: HistoryView, settings: Settings) -> Document:
    return Document(where, None, language.id, 1, open_snapshot(buffer, language), history, settings)


def _with_line_ends_of(model: bytes, data: bytes) -> bytes:
    """Convert a text to the line ends of `model`, if each of the two uses a single kind throughout."""
    ends = [(text.count(b"\n"), text.count(b"\r\n")) for text in (model, data)]
    (lines, carried), (other, other_carried) = ends
    if lines and lines == carried and other and not other_carried:
        return data.replace(b"\n", b"\r\n")
    if lines and not carried and other and other == other_carried:
        return data.replace(b"\r\n", b"\n")
    return data


class RepositoryTexts:
    """The readable texts of a repository, on the new side of a comparison.

    Code that is not excluded, secret, ignored, generated, or too large; no link is followed. Git says which files it
    ignores, since rules of a .gitignore hold for no tracked file.
    """

    def __init__(self, repository: CheckedRepository, span: Span, settings: Settings) -> None:
        self.settings = replace(settings, respect_gitignore=False)
        self.repository, self.span = repository, span

    def language(self, where: str) -> Language | None:
        """Return the language of a file that git does not ignore, if it may be read; None for any other."""
        language = by_path(where) if where.isprintable() else None
        if language is None or language.id in _PROSE or not self.settings.language_enabled(language.id):
            return None
        try:
            language.grammar()
        except GrammarMissing:
            return None
        root = self.repository.root
        return None if exclusion(self.settings, root / where, root) else language

    def now(self, names: Iterable[str], blobs: Mapping[str, str]) -> dict[str, bytes]:
        """Read texts of files by path, as far as possible; of a commit, `blobs` maps each to its blob."""
        if self.span.new is None:
            texts = {name: _on_disk(self.repository.root, name) for name in names}
        else:
            contents = self.repository.blobs(blobs.values())
            texts = {name: contents.get(blobs.get(name, "")) for name in names}
        return {name: data for name, data in texts.items() if data is not None and _is_source_text(data)}

    @cached_property
    def _paths(self) -> frozenset[str]:
        return self.repository.paths(self.span)

    def has_file(self, path: str) -> bool:
        """Whether the repository holds a file of a path, and git does not ignore it. Raises CheckError."""
        return path in self._paths and (self.span.new is not None or os.path.lexists(self.repository.root / path))

    def at(self, paths: Iterable[str]) -> list[Document]:
        """Return the documents at some paths, as far as they exist and may be read. Raises CheckError."""
        wanted = list(paths)
        blobs = self.repository.modes(self.span, wanted)
        existing = [path for path in wanted if self.has_file(path)]
        languages = {path: language for path in existing if (language := self.language(path)) is not None}
        texts = self.now(languages, blobs)
        return [unchanged_file(path, languages[path], data, self.settings) for path, data in texts.items()]

    def holding(
        self, words: Sequence[str], but: Iterable[str], near: Iterable[str], most: int
    ) -> tuple[list[Document], bool]:
        """Return the documents that contain any of the words, by path, and whether some were dropped.

        Those named in `but` are skipped. Where there are more than `most`, those are kept whose folders are nearest to
        `near`. Raises CheckError.
        """
        without = set(but)
        code = {
            name: language
            for name in self.repository.holding(words, self.span, self.settings.secrets)
            if name not in without and (language := self.language(name)) is not None
        }
        folders = {tuple(name.split("/")[:-1]) for name in near}

        def rank_key(name: str) -> tuple[int, str]:
            own = name.split("/")[:-1]
            return -max((common_ends(own, folder)[0] for folder in folders), default=0), name

        ranked = sorted(code, key=rank_key)
        names = sorted(ranked[:most])
        texts = self.now(names, self.repository.modes(self.span, names))
        documents = [unchanged_file(name, code[name], texts[name], self.settings) for name in names if name in texts]
        return documents, len(ranked) > most


def _on_disk(root: Path, where: str) -> bytes | None:
    """Read a regular file, reached without any link; None for any other."""
    path = root / where
    try:
        status = os.stat(path, follow_symlinks=False)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BLOB or os.path.realpath(path) != str(path):
            return None
        return path.read_bytes()
    except (OSError, ValueError):
        return None


def _is_source_text(data: bytes) -> bool:
    """Whether data is text and not generated."""
    return b"\0" not in data and _BY_PROGRAM.search(data, 0, _HEAD) is None
