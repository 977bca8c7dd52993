"""The hunks of a commit as tokens that go and tokens that come, each with its byte."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from editahead.encode.edit_model.tokens import lex_line
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit, minimal_diff

from editahead_models.data.edits.hunk_edits import edits_by_hunk
from editahead_models.data.mining.commits import Commit

MAX_LINES = 60
"""Lines of a hunk, before or after, whose tokens are compared; a longer one is passed over."""
MAX_HUNKS = 40
"""Hunks of a commit."""
_WORD = re.compile(r"[^\W\d]\w*")


class Token(NamedTuple):
    """A token of one version of a file, in bytes [start, end)."""

    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it is a name or a keyword."""
        return _WORD.fullmatch(self.text) is not None


class Substitution(NamedTuple):
    """Neighbouring tokens that go, and those that come in their place; either may be empty."""

    old: tuple[Token, ...]
    new: tuple[Token, ...]

    @property
    def texts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What goes and what comes, as texts."""
        return tuple(one.text for one in self.old), tuple(one.text for one in self.new)


@dataclass(frozen=True)
class ChangedFile:
    """A file of a commit, before and after it, with the edits between."""

    path: str
    before: SyntaxSnapshot
    after: SyntaxSnapshot
    edits: tuple[ByteEdit, ...]  # of the text before, by start

    def after_byte(self, byte: int) -> int:
        """Where a byte of the text before, outside of all edits, stands afterwards."""
        return byte + sum(edit.delta for edit in self.edits if edit.old_end <= byte)

    def before_byte(self, byte: int) -> int:
        """Where a byte of the text after, outside of all edits, stood before."""
        shift = 0
        for edit in self.edits:
            if edit.start + shift + len(edit.new) > byte:
                break
            shift += edit.delta
        return byte - shift


@dataclass(frozen=True)
class Hunk:
    """Changed lines of one file. `numbers` are those of its edits; lines are [first, last)."""

    file: ChangedFile
    numbers: tuple[int, ...]
    old_lines: tuple[int, int]
    new_lines: tuple[int, int]
    substitutions: tuple[Substitution, ...]

    @property
    def old(self) -> tuple[Token, ...]:
        """All tokens that go."""
        return tuple(token for one in self.substitutions for token in one.old)

    @property
    def new(self) -> tuple[Token, ...]:
        """All tokens that come."""
        return tuple(token for one in self.substitutions for token in one.new)


def hunks_of_commit(commit: Commit, language: Language) -> list[Hunk]:
    """The hunks of a commit in the order of its files; none where it has more than MAX_HUNKS."""
    hunks: list[Hunk] = []
    for change in commit.changes:
        data, later = change.before.encode(), change.after.encode()
        edits = tuple(sorted(minimal_diff(data, later), key=lambda edit: edit.start))
        groups = edits_by_hunk(data, edits)
        if len(hunks) + len(groups) > MAX_HUNKS:
            return []
        before, after = Buffer(data), Buffer(later)
        file = ChangedFile(change.path, open_snapshot(before, language), open_snapshot(after, language), edits)
        hunks += [hunk for part in groups if (hunk := _hunk(file, part)) is not None]
    return hunks


def _hunk(file: ChangedFile, numbers: Sequence[int]) -> Hunk | None:
    """The hunk of some edits; None where it is too long, or changes nothing but blanks."""
    first, last = file.edits[numbers[0]], file.edits[numbers[-1]]
    before, after = file.before.buffer, file.after.buffer
    shift = sum(edit.delta for edit in file.edits[: numbers[0]])
    grown = sum(file.edits[number].delta for number in numbers)
    old = before.line_at(first.start), before.line_at(last.old_end) + 1
    new = after.line_at(first.start + shift), after.line_at(last.old_end + shift + grown) + 1
    if max(old[1] - old[0], new[1] - new[0]) > MAX_LINES:
        return None
    changes = tuple(_substitutions(_tokens(before, *old), _tokens(after, *new)))
    return Hunk(file, tuple(numbers), old, new, changes) if changes else None


def _tokens(buffer: Buffer, first: int, last: int) -> list[Token]:
    found: list[Token] = []
    for line in range(first, last):
        start, text = buffer.line_span(line)[0], buffer.line_text(line)
        plain = text.isascii()
        for piece in lex_line(text).pieces:
            low, high = piece.end - len(piece.key.text), piece.end
            if not plain:
                low, high = len(text[:low].encode()), len(text[:high].encode())
            found.append(Token(piece.key.text, start + low, start + high))
    return found


def _substitutions(old: Sequence[Token], new: Sequence[Token]) -> Iterator[Substitution]:
    gone, come = ([one.text for one in side] for side in (old, new))
    for kind, a, b, c, d in SequenceMatcher(None, gone, come, autojunk=False).get_opcodes():
        if kind != "equal":
            yield Substitution(tuple(old[a:b]), tuple(new[c:d]))
