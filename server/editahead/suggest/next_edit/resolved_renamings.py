"""Renamings whose references are resolved by scopes, so that no other source of edits repeats them by their text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from editahead.suggest.next_edit.edit_candidate import EditCandidate
from editahead.text.edits import ByteEdit

_WORD = re.compile(rb"[A-Za-z0-9_$\x80-\xff]+")
_MAX_BYTES = 200  # of a name


class ResolvedRenaming(NamedTuple):
    """A renaming of a name. `everywhere`: it is resolved in all files, so that no other file may repeat it either.

    `unknown` are the bytes of unresolved occurrences of the old name of the kind that the user changed: in comments and
    strings, and behind objects of unknown type.
    """

    old: str
    new: str
    everywhere: bool
    unknown: frozenset[int] = frozenset()

    def is_unknown(self, edit: ByteEdit) -> bool:
        """Whether an edit lies inside an unresolved occurrence."""
        size = len(self.old.encode())
        return any(start <= edit.start and edit.old_end <= start + size for start in self.unknown)


def makes_renaming(edit: ByteEdit, data: bytes, renamings: Sequence[ResolvedRenaming]) -> bool:
    """Whether an edit of `data` replaces the old name of any of the renamings by the new name, and no other words."""
    if not renamings:
        return False
    first, last = max(0, edit.start - _MAX_BYTES), min(len(data), edit.old_end + _MAX_BYTES)
    before = Counter(_WORD.findall(data[first:last]))
    after = Counter(_WORD.findall(data[first : edit.start] + edit.new + data[edit.old_end : last]))
    removed, added = set(before - after), set(after - before)
    return any(
        removed == {renaming.old.encode()} and added == {renaming.new.encode()} and not renaming.is_unknown(edit)
        for renaming in renamings
    )


def repeats_resolved(candidate: EditCandidate, uri: str, renamings: Sequence[ResolvedRenaming]) -> bool:
    """Whether a candidate makes a renaming of document `uri` that is resolved in the candidate's file."""
    resolved = [renaming for renaming in renamings if renaming.everywhere or candidate.document.uri == uri]
    return makes_renaming(candidate.edit, candidate.document.syntax.buffer.data, resolved)
