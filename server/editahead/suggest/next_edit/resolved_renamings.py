"""Renamings whose places are known from scopes: no other source of edits repeats them by their text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from editahead.text.edits import ByteEdit

_WORD = re.compile(rb"[A-Za-z0-9_$\x80-\xff]+")
_LONGEST = 200  # bytes of a name


class ResolvedRenaming(NamedTuple):
    """One name that was replaced by another one. `everywhere`: its places in other open files are known, too.

    `unbound` are the bytes of the text where the old name is a member of something that nobody knows.
    """

    old: str
    new: str
    everywhere: bool
    unbound: frozenset[int] = frozenset()

    def leaves_open(self, edit: ByteEdit) -> bool:
        """Whether an edit lies inside a member of which nobody knows whether it is meant."""
        size = len(self.old.encode())
        return any(start <= edit.start and edit.old_end <= start + size for start in self.unbound)


def makes_renaming(edit: ByteEdit, data: bytes, renamings: Sequence[ResolvedRenaming]) -> bool:
    """Whether an edit of `data` puts the new name of one of the renamings where the old one stands."""
    if not renamings:
        return False
    first, last = max(0, edit.start - _LONGEST), min(len(data), edit.old_end + _LONGEST)
    before = _WORD.findall(data[first:last])
    after = _WORD.findall(data[first : edit.start] + edit.new + data[edit.old_end : last])
    return any(
        after.count(one.new.encode()) > before.count(one.new.encode())
        and after.count(one.old.encode()) < before.count(one.old.encode())
        and not one.leaves_open(edit)
        for one in renamings
    )
