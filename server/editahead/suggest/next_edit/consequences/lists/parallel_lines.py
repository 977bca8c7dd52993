"""Lines that name the same things in the same order as others: two lists of fields, an enum and what is said of it.

A line stands for a thing by one part of its words: `"mail": self.mail,` is `"name": self.name,` with another part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from editahead.patterns.changes import NetChange
from editahead.suggest.next_edit.consequences.renames.name_part import Part, differing_part, replace_part
from editahead.text.buffer import Buffer
from editahead.text.diff import common_ends

LONGEST = 200
"""Characters of a line."""
MAX_BLOCK = 8
"""Lines that stand for one thing."""
MAX_MEMBERS = 100
"""Lines of an enum."""
_ENUM = re.compile(r"\s*class (\w+)\([^)]*\b\w*(?:Enum|Flag)\)|[\w\s]*\benum (?:class )?(\w+)")
_ITEM = re.compile(r"\"\w+\"|'\w+'|\w+|\S")
_WORD = re.compile(r"[^\W\d]\w*")


class LineChange(NamedTuple):
    """Whole lines that a change took away and put in, from line `first` on."""

    first: int
    gone: tuple[str, ...]
    come: tuple[str, ...]


def line_change(buffer: Buffer, change: NetChange) -> LineChange | None:
    """A change as whole lines, wherever in them it was typed; a comma at the end of a line makes no other line of it.

    None for a change of more than MAX_BLOCK lines.
    """
    new = buffer.data[change.start : change.end]
    if max(change.old.count(b"\n"), new.count(b"\n")) > MAX_BLOCK:
        return None
    first = buffer.line_at(change.start)
    low, high = buffer.line_span(first)[0], buffer.line_span(buffer.line_at(change.end))[1]
    if high - low > (MAX_BLOCK + 2) * LONGEST:
        return None
    before, behind = buffer.data[low : change.start], buffer.data[change.end : high]
    old, now = (
        text.decode("utf-8", "replace").replace("\r", "").split("\n")
        for text in (before + change.old + behind, before + new + behind)
    )
    head, tail = common_ends(_bare(old), _bare(now))
    return LineChange(first + head, tuple(old[head : len(old) - tail]), tuple(now[head : len(now) - tail]))


def enum_around(buffer: Buffer, line: int, *, own: bool = False) -> str:
    """The name of the enum of which a line (or an item in it, with `own`) is a member; empty for other lines."""
    start, end = buffer.line_span(min(line, buffer.line_count - 1))
    text = buffer.data[start : min(end, start + LONGEST)].decode("utf-8", "replace")
    if own and (found := _ENUM.match(text)) is not None:
        return found.group(1) or found.group(2) or ""
    indent = indent_of(text)
    for number in range(line - 1, max(-1, line - MAX_MEMBERS), -1):
        low, high = buffer.line_span(number)
        text = buffer.data[low : min(high, low + LONGEST)].decode("utf-8", "replace")
        if text.strip() and indent_of(text) < indent:
            found = _ENUM.match(text)
            return found.group(1) or found.group(2) if found is not None else ""
    return ""


def added_item(old: str, new: str) -> tuple[Part, Part] | None:
    """What makes a new item between commas of the one before it, and that of the one before; None for other changes."""
    if max(len(old), len(new)) > LONGEST:
        return None
    gone, come = _ITEM.findall(old), _ITEM.findall(new)
    head, tail = common_ends(gone, come)
    fresh = come[head : len(come) - tail]
    if len(fresh) != 2 or gone[head : len(gone) - tail] or "," not in fresh:
        return None
    before = come[:head] if fresh[0] == "," else come[: head - 1]
    if len(before) < 3 or before[-2] != ",":
        return None
    items = [one.strip("'\"") for one in (before[-3], before[-1], fresh[fresh[0] == ","])]
    if not all(_WORD.fullmatch(item) for item in items):
        return None
    other, part = differing_part(items[0], items[1]), differing_part(items[1], items[2])
    return (part, other) if part is not None and other is not None else None


def told_apart(one: str, two: str) -> Part | None:
    """What makes a line of another: the part of its first other word. None for lines that are built otherwise."""
    if max(len(one), len(two)) > LONGEST or indent_of(one) != indent_of(two):
        return None
    a, b = _WORD.findall(one), _WORD.findall(two)
    for left, right in zip(a, b, strict=False):
        if left != right:
            return differing_part(left, right)
    return None


def with_part(line: str, part: Part) -> str | None:
    """A line with a part of its words replaced wherever it stands; None where it stands nowhere."""
    changed = False
    pieces, at = list[str](), 0
    for found in _WORD.finditer(line):
        word = replace_part(found.group(), part)
        if word is not None:
            pieces += [line[at : found.start()], word]
            at, changed = found.end(), True
    return "".join([*pieces, line[at:]]) if changed else None


def _bare(lines: Sequence[str]) -> list[str]:
    return [line.rstrip().rstrip(",") for line in lines]


def same_line(one: str | None, two: str) -> bool:
    """Whether two lines are the same but for the comma at their end."""
    return one is not None and one.rstrip().rstrip(",") == two.rstrip().rstrip(",")


def block_size(lines: Sequence[str], first: int, part: Part) -> int:
    """How many lines from `first` on are those right above them with a part replaced; 0 where they are not."""
    for size in range(1, min(MAX_BLOCK, first, len(lines) - first) + 1):
        if size > 1 and not _opens(lines[first : first + size]):
            break
        above = lines[first - size : first]
        if all(_alike(a, b, part) for a, b in zip(above, lines[first : first + size], strict=True)) and same_line(
            with_part(above[0], part), lines[first]
        ):
            return size
    return 0


def _opens(lines: Sequence[str]) -> bool:
    """Whether the first line is the head of the others: they are indented more, or close what it opened."""
    head = indent_of(lines[0])
    closing = ("}", "},", ")", "),")
    return all(not line.strip() or indent_of(line) > head or line.strip() in closing for line in lines[1:])


def _alike(one: str, two: str, part: Part) -> bool:
    return same_line(one, two) or same_line(with_part(one, part), two)


def indent_of(line: str) -> int:
    """The blanks before a line."""
    return len(line) - len(line.lstrip())
