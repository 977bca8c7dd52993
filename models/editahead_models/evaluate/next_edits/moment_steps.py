"""What a user does in a replayed commit beside whole edits: letters that go again, an undo, half an edit."""

from __future__ import annotations

import random
import re

from editahead.text.edits import ByteEdit
from editahead.text.history import EditKind

from editahead_models.evaluate.repeats.cases import OpenFile, Replay

_CUT = re.compile(rb"[(\[{,]\s*|\s+")


def letter_typed_and_deleted(replay: Replay, rng: random.Random) -> tuple[OpenFile, int]:
    """A letter typed at the end of a word and deleted again."""
    file = rng.choice(replay.files)
    words = [found.end() for found in re.finditer(rb"[A-Za-z_]{3,}", file.buffer.data)]
    at = rng.choice(words) if words else 0
    for edit in (ByteEdit(at, at, b"e"), ByteEdit(at, at + 1, b"")):
        _push(replay, file, edit, None, 0.2)
    return file, at


def last_undone(replay: Replay, number: int) -> OpenFile:
    """The last edit undone."""
    file, index = replay.events[number]
    edit = file.edits[index]
    file.done.remove(index)
    now = file.now(index)
    _push(replay, file, ByteEdit(now.start, now.start + len(edit.new), edit.old_bytes(file.before)), EditKind.UNDO, 1.0)
    return file


def half_typed(replay: Replay, number: int, rng: random.Random) -> tuple[OpenFile, int] | None:
    """The first part of an edit typed: mostly up to a bracket, a comma or a blank, else into the middle of a word."""
    file, index = replay.events[number]
    edit = file.edits[index]
    ends = [found.end() for found in _CUT.finditer(edit.new) if found.end() < len(edit.new)]
    inside = [at for at in range(1, len(edit.new)) if not 0x80 <= edit.new[at] < 0xC0]
    if not inside:
        return None
    at = rng.choice(ends if ends and rng.random() < 0.7 else inside)
    first = ByteEdit(edit.start, edit.old_end, edit.new[:at])
    rest = ByteEdit(edit.old_end, edit.old_end, edit.new[at:])
    now = file.now(index)
    file.edits[index : index + 1] = [first, rest]
    file.done = [done + (done > index) for done in file.done] + [index]
    _push(replay, file, ByteEdit(now.start, now.old_end, first.new), EditKind.TYPED, 0.2)
    return file, now.start + at


def _push(replay: Replay, file: OpenFile, edit: ByteEdit, kind: EditKind | None, pause: float) -> None:
    replay.push(file, edit, kind)
    replay.clock.seconds += pause
