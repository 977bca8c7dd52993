"""Consequences of a line that came or went in one of two lists that name the same things: the other one follows.

After `"phone": self.phone,` was put behind `"mail": self.mail,`, `phone=data["phone"],` goes behind
`mail=data["mail"],` where the line of another neighbour stands there, too. Where lines differ in more than the name,
as in a table of values, the place is led to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from editahead.analysis.signatures import path_to
from editahead.patterns.changes import NetChange, latest, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.lists.list_items import is_list_item
from editahead.suggest.next_edit.consequences.lists.parallel_lines import (
    LONGEST,
    MAX_BLOCK,
    added_item,
    block_size,
    enum_around,
    line_change,
    same_line,
    told_apart,
    with_part,
)
from editahead.suggest.next_edit.consequences.renames.name_part import Part
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, OpenPlace, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.snapshot import Region
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import line_end

SOURCE = "parallel"
MAX_CHANGES, MAX_PLACES = 3, 6
"""The latest changes that are looked at, and places of one."""
MAX_LOOKED, MAX_LINES = 100, 10
"""Places of the neighbour's name that are looked at, and lines between two items of a list whose text differs."""


class _Listed(NamedTuple):
    """A line that came (or went) behind one of its kind.

    `part` makes the line of its neighbour, `other` makes the neighbour of the line above that; `lines` are those of the
    first list, which is not to follow itself. `form`: alike (nothing else differs from the neighbour), other, or inline
    (an item between commas). `enum` is the class of which it is a member.
    """

    gone: bool
    part: Part
    other: Part
    form: str
    enum: str
    line: int
    lines: range
    change: NetChange


def parallel(moment: Moment) -> Outcome:
    """What follows in the other lists, for the latest change first. Raises what the check raises."""
    outcome = Outcome.empty()
    home = moment.document
    if home.history.pending is not None and not home.idle:
        return outcome
    data = home.syntax.buffer.data
    with interruptible(moment.check):
        changes = latest(net_changes(home.history, data), MAX_CHANGES)
        for change in changes:
            listed = _listed(home.syntax.buffer, change)
            if listed is None or (not listed.gone and not _is_code(home, listed.line)):
                continue
            outcome.take(islice(_follow(moment, home, listed), MAX_PLACES))
    return outcome


def _listed(buffer: Buffer, change: NetChange) -> _Listed | None:
    """The line that a change added to a list, or took from it; None for anything else."""
    lines = line_change(buffer, change)
    if lines is None:
        return None
    first = lines.first
    if len(lines.gone) == len(lines.come) == 1:
        parts = added_item(lines.gone[0], lines.come[0])
        enum = enum_around(buffer, first, own=True)
        return _Listed(False, *parts, "inline", enum, first, range(first, first + 1), change) if parts else None
    if len(lines.gone) + len(lines.come) != 1:
        return None
    (line,) = lines.gone or lines.come
    above, over = _text(buffer, first - 1), _text(buffer, first - 2)
    part, other = told_apart(above, line), told_apart(over, above)
    if part is None or other is None:
        return None
    form = "alike" if same_line(with_part(above, part), line) else "other"
    enum = enum_around(buffer, first)
    return _Listed(bool(lines.gone), part, other, form, enum, first, range(first - 2, first + 2), change)


def _follow(moment: Moment, home: Document, listed: _Listed) -> Iterator[Consequence | OpenPlace]:
    name = "_".join(listed.part.new)
    text = f"{listed.gone} {listed.part} {listed.other}"
    group = f"{SOURCE}-{blake2b(text.encode(), digest_size=4).hexdigest()}"
    if not not_rejected(home, group).passed:
        return
    documents = [home, *(one for one in home.others if one.language_id == home.language_id)]
    for document in documents:
        buffer = document.syntax.buffer
        touched = _touched(document)
        found = []
        for line in _neighbours(document, listed, document is home, moment.check):
            made = _removed(buffer, line, listed) if listed.gone else _added(buffer, line, listed)
            if made is None or touched.intersection(range(made[2], made[3] + 1)):
                continue
            if _fits(document, line, made, listed):
                found.append((line, made))
        found.sort(key=lambda one: (document is home and one[0] < listed.line, one[0]))
        for line, (edit, form, _, _) in found:
            key = f"{group} @ {' '.join(buffer.line_text(line).split())}"
            if not not_rejected(home, key).passed:
                continue
            kind = f"{'removed' if listed.gone else 'added'}/{form}/{listed.form}"
            kind += "" if document is home else "/other-file"
            like = home.syntax.buffer.line_at(min(listed.change.start, len(home.syntax.buffer.data)))
            if edit is None:
                end = buffer.line_span(line)[1]
                reason = f"`{name}` was added to a list with the same names"
                singular, plural = (f"{what} without `{name}`" for what in ("list", "lists"))
                yield OpenPlace(SOURCE, document, end, group, kind, reason, singular, plural, key, group)
            else:
                reason = f"`{name}` was {'taken from' if listed.gone else 'added to'} a list with the same names"
                yield Consequence(SOURCE, document, edit, group, kind, reason, 1, like, key, group)


_Made = tuple["ByteEdit | None", str, int, int]
"""An edit (None: its text is not sure), its form, and the first and last line that it depends on."""


def _neighbours(document: Document, listed: _Listed, own: bool, check: Callable[[], None]) -> Iterator[int]:
    """The lines of other lists that name the neighbour of the line that came or went, each once."""
    buffer, seen = document.syntax.buffer, set[int]()
    needle = listed.part.old[0]
    for spelled in dict.fromkeys((needle, needle.title(), needle.upper())):
        for at in islice(document.syntax.occurrences(spelled.encode()), MAX_LOOKED):
            check()
            line = buffer.line_at(at)
            if line not in seen and not (own and line in listed.lines):
                seen.add(line)
                yield line


def _added(buffer: Buffer, first: int, listed: _Listed) -> _Made | None:
    """What is to come behind the neighbour in another list."""
    lines, at, size = _blocks(buffer, first, listed.other)
    if size:
        if any(_names(line, listed.part) for line in lines[max(0, at - 2) :]):
            return None  # it stands there already
        block = [with_part(line, listed.part) or line for line in lines[at : at + size]]
        end = buffer.line_span(first + size - 1)[1]
        is_last = lines[at - 1].endswith(",") and not lines[at + size - 1].endswith(",")  # it has no comma
        fresh = b"".join(line_end(buffer.data) + line.encode() for line in block)
        form = "block" if size > 1 else "item" if is_last or fresh.endswith(b",") else "line"
        return ByteEdit(end, end, b"," * is_last + fresh), form, first - size, first + size - 1
    text = _text(buffer, first)
    if not listed.enum or f"{listed.enum}." not in text:
        return None  # of other lists, 6 of 41 followed
    above, below = (range(first - MAX_LINES, first), range(first + 1, first + MAX_LINES))
    listing = any(told_apart(_text(buffer, number), text) == listed.other for number in above)
    return (
        (None, "enum", first, first)
        if listing and not any(_names(_text(buffer, number), listed.part) for number in below)
        else None
    )


def _removed(buffer: Buffer, first: int, listed: _Listed) -> _Made | None:
    """What is to go behind the neighbour in another list."""
    lines, at, size = _blocks(buffer, first, listed.other)
    gone = lines[at + size : at + 2 * size]
    block = [with_part(line, listed.part) or line for line in lines[at : at + size]]
    last = first + 2 * size
    if not size or last >= buffer.line_count or len(gone) < size:
        return None
    if not all(same_line(one, two) for one, two in zip(block, gone, strict=True)):
        return None
    low, high = int(buffer.line_starts[first + size]), int(buffer.line_starts[last])
    form = "block" if size > 1 else "item" if lines[at].endswith(",") else "line"
    return ByteEdit(low, high, b""), form, first, last - 1


def _fits(document: Document, line: int, made: _Made, listed: _Listed) -> bool:
    """Whether the lines are items of a list (or another place that is led to is code), and the syntax lets them be."""
    edit, _, _, last = made
    if edit is None:
        return _is_code(document, line)
    if not listed.gone:
        return is_list_item(document, line, last, alone=edit.new.startswith(b","))
    size = (last + 1 - line) // 2
    return all(is_list_item(document, one, one + size - 1, goes=True) for one in (line, line + size))


def _is_code(document: Document, line: int) -> bool:
    """Whether a line begins outside of texts and comments."""
    buffer = document.syntax.buffer
    low, high = buffer.line_span(min(line, buffer.line_count - 1))
    text = buffer.data[low : min(high, low + LONGEST)]
    start = low + len(text) - len(text.lstrip())
    return document.syntax.region_at(start) is Region.CODE and not _is_comment(document, start)


def _is_comment(document: Document, start: int) -> bool:
    path, _ = path_to(document.syntax, start)
    return any(node.type in document.syntax.language.comment_nodes for node in path[-3:])


def _blocks(buffer: Buffer, first: int, part: Part) -> tuple[list[str], int, int]:
    """The lines around one, its number in them, and the size of its block; 0 where it is not as its neighbour above."""
    text = _text(buffer, first)
    wanted = with_part(text, Part(part.new, part.old))
    above = range(max(0, first - MAX_BLOCK), first)
    if wanted is None or not any(same_line(wanted, _text(buffer, number)) for number in above):
        return [], 0, 0
    lines = [_text(buffer, number) for number in range(above.start, min(first + 2 * MAX_BLOCK, buffer.line_count))]
    return lines, first - above.start, block_size(lines, first - above.start, part)


def _names(line: str, part: Part) -> bool:
    """Whether a line names the thing already."""
    return with_part(line, Part(part.new, part.old)) is not None


def _text(buffer: Buffer, line: int) -> str:
    if not 0 <= line < buffer.line_count:
        return ""
    start, end = buffer.line_span(line)
    return buffer.data[start : min(end, start + 2 * LONGEST)].decode("utf-8", "replace").rstrip("\r\n")


def _touched(document: Document) -> frozenset[int]:
    """The lines that the user changed."""
    data, line_at = document.syntax.buffer.data, document.syntax.buffer.line_at
    spans = ((line_at(one.start), line_at(one.end)) for one in net_changes(document.history, data))
    return frozenset(line for first, last in spans for line in range(first, min(last, first + 200) + 1))
