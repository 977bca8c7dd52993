"""Consequences of commented-out code that was deleted: other commented-out code of the file may go, too."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice

from editahead.analysis.signatures import path_to
from editahead.patterns.changes import latest, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.removals.commented_code import (
    LONGEST,
    MAX_LINES,
    is_code,
    is_commented_code,
    is_directive,
    line_pattern,
    looks_like_code,
)
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.edits import ByteEdit

SOURCE = "commented"
MAX_CHANGES, MAX_PLACES = 3, 8
"""The latest changes that are looked at, and pieces of commented-out code that are given."""
MAX_LOOKED = 500
"""Lines of comments that are looked at."""


def commented(moment: Moment) -> Outcome:
    """Commented-out code beside a deleted piece of it. Raises what the check raises."""
    outcome, home = Outcome.empty(), moment.document
    if home.history.pending is not None and not home.idle:
        return outcome
    data, syntax = home.syntax.buffer.data, home.syntax
    with interruptible(moment.check):
        pieces = 0
        line = 0
        for change in latest(net_changes(home.history, data), MAX_CHANGES):
            if data[change.start : change.end].strip() or not is_commented_code(change.old, syntax.language):
                continue
            if syntax.region_at(min(change.start, len(data))) is not Region.STRING:
                line = line if pieces else home.syntax.buffer.line_at(min(change.start, len(data)))
                pieces += 1
        if pieces:
            outcome.candidates.extend(islice(_others(moment, home, line, pieces), MAX_PLACES))
    return outcome


def _others(moment: Moment, home: Document, line: int, pieces: int) -> Iterator[Consequence]:
    """The pieces of commented-out code, from the change on, then from the top."""
    buffer = home.syntax.buffer
    group = f"{SOURCE}-{blake2b(home.uri.encode(), digest_size=4).hexdigest()}"
    if not not_rejected(home, group).passed:
        return
    around = home.syntax.scopes_at(min(int(buffer.line_starts[line]), len(buffer.data)))[:1]
    touched = {buffer.line_at(one.start) for one in net_changes(home.history, buffer.data) if one.end > one.start}
    blocks = [one for one in _blocks(moment, home) if not touched.intersection(range(one[0], one[1]))]
    for first, last in sorted(blocks, key=lambda one: (one[0] < line, one[0])):
        low = int(buffer.line_starts[first])
        high = int(buffer.line_starts[last]) if last < buffer.line_count else len(buffer.data)
        key = f"{group} @ {' '.join(buffer.line_text(first).split())}"
        if not not_rejected(home, key).passed:
            continue
        inside = any(start <= low <= end for start, end in around)
        kind = f"{'function' if inside else 'file'}/{'again' if pieces > 1 else 'once'}"
        reason = "other commented-out code was deleted"
        yield Consequence(SOURCE, home, ByteEdit(low, high, b""), group, kind, reason, pieces, line, key, group)


def _blocks(moment: Moment, home: Document) -> Iterator[tuple[int, int]]:
    """The lines [first, last) of each piece of commented-out code; prose at its ends is no part of it."""
    buffer, language, pattern = home.syntax.buffer, home.syntax.language, line_pattern(home.syntax.language)
    lines: list[tuple[int, bytes, str]] = []
    for found in islice(pattern.finditer(buffer.data), MAX_LOOKED) if pattern is not None else ():
        inside = found.group(2)[:LONGEST].decode("utf-8", "replace")
        moment.check()
        says_code = found.end() - found.start() <= LONGEST and not is_directive(inside)
        if says_code and _is_comment(home.syntax, found.end(1)):
            lines.append((buffer.line_at(found.start()), found.group(1), inside))
    at = 0
    while at < len(lines):
        end = at + 1
        while end < len(lines) and lines[end][0] == lines[end - 1][0] + 1 and lines[end][1] == lines[at][1]:
            end += 1
        moment.check()
        block = lines[at:end]
        while block and not looks_like_code(block[0][2]):
            block = block[1:]
        for size in range(min(len(block), MAX_LINES), max(0, len(block) - 4), -1):
            if is_code([inside for _, _, inside in block[:size]], language):
                yield block[0][0], block[size - 1][0] + 1
                break
        at = end


def _is_comment(syntax: SyntaxSnapshot, byte: int) -> bool:
    """Whether a comment begins at a byte: a sign in a text, or inside of a longer comment, begins none."""
    path, offset = path_to(syntax, byte)
    return any(node.type in syntax.language.comment_nodes and node.start_byte + offset == byte for node in path[-3:])
