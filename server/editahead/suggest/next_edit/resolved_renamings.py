"""Renamings whose places are known from scopes: no other source of edits repeats them by their text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from editahead.text.edits import ByteEdit

_WORD = re.compile(rb"[A-Za-z0-9_$\x80-\xff]+")
_LONGEST = 200  # bytes of a name


class ResolvedRenaming(NamedTuple):
    """One name that was replaced by another one. `everywhere`: no other file may repeat it either.

    `unknown` are the bytes of the text where the old name stands and no scope tells what it is, as where the user
    changed it: in comments and strings, and behind objects that nobody knows.
    """

    old: str
    new: str
    everywhere: bool
    unknown: frozenset[int] = frozenset()

    def leaves_open(self, edit: ByteEdit) -> bool:
        """Whether an edit lies inside such a name."""
        size = len(self.old.encode())
        return any(start <= edit.start and edit.old_end <= start + size for start in self.unknown)


def makes_renaming(edit: ByteEdit, data: bytes, renamings: Sequence[ResolvedRenaming]) -> bool:
    """Whether an edit of `data` replaces the old name of one of the renamings by the new one, and no other words."""
    if not renamings:
        return False
    first, last = max(0, edit.start - _LONGEST), min(len(data), edit.old_end + _LONGEST)
    before = Counter(_WORD.findall(data[first:last]))
    after = Counter(_WORD.findall(data[first : edit.start] + edit.new + data[edit.old_end : last]))
    removed, added = set(before - after), set(after - before)
    return any(
        removed == {renaming.old.encode()} and added == {renaming.new.encode()} and not renaming.leaves_open(edit)
        for renaming in renamings
    )
