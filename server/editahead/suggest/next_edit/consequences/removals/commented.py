"""Consequences of commented-out code that was deleted: other commented-out code of the file may go, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import islice

from editahead.patterns.changes import latest, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

SOURCE = "commented"
MAX_CHANGES, MAX_PLACES = 3, 8
"""The latest changes that are looked at, and pieces of commented-out code that are given."""
MAX_LOOKED, MAX_LINES, LONGEST = 500, 40, 300
"""Lines of comments that are looked at, lines of one piece, and bytes of one line."""
_LINE = re.compile(rb"^([ \t]*)(#|//)(?![!/#:-])[ \t]?([^\r\n]*)", re.MULTILINE)
_CODE = re.compile(
    r"""\s*(?:
    [\w.\[\]"'$]+(?:\s*:\s*[\w.\[\], ]+)?\s*(?:[-+*/|&]|:)?=(?![=>])\s*\S.*   # an assignment
    | (?:await\s+|return\s+)?[\w.$]+\(.*\)\s*[;,]?                           # a call
    | (?:return|raise|throw|assert|del|yield|import|from|const|let|var|new)\s+[\w("'\[{.].*[\w)"'\]};]
    | (?:if|for|while|elif|with|def|class|else|try|except|switch|catch)\b.*[:{]
    | [})\]]+[;,]?
    | @[\w.]+(?:\(.*\))?
    )\s*""",
    re.VERBOSE,
)


def commented(moment: Moment) -> Outcome:
    """Commented-out code beside a deleted piece of it. Raises what the check raises."""
    outcome, home = Outcome.empty(), moment.document
    if home.history.pending is not None and not home.idle:
        return outcome
    data = home.syntax.buffer.data
    with interruptible(moment.check):
        pieces = 0
        line = 0
        for change in latest(net_changes(home.history, data), MAX_CHANGES):
            if not data[change.start : change.end].strip() and is_commented_code(change.old, home.syntax.language):
                line = line if pieces else home.syntax.buffer.line_at(min(change.start, len(data)))
                pieces += 1
        if pieces:
            outcome.candidates.extend(islice(_others(moment, home, line, pieces), MAX_PLACES))
    return outcome


def is_commented_code(text: bytes, language: Language) -> bool:
    """Whether a text is comments alone that contain code."""
    lines = [line for line in text.split(b"\n") if line.strip()]
    if not 0 < len(lines) <= MAX_LINES or any(len(line) > LONGEST for line in lines):
        return False
    found = [_LINE.match(line if line[:1] in b" \t" else line.lstrip()) for line in lines]
    insides = [one.group(3).decode("utf-8", "replace") for one in found if one is not None]
    return len(insides) == len(lines) and _is_code(insides, language)


def _is_code(lines: Sequence[str], language: Language) -> bool:
    """Whether most lines look like code, the first one among them, and all are read as code without an error."""
    like = [_CODE.fullmatch(line) is not None for line in lines if line.strip()]
    if not like or not like[0] or sum(like) * 2 <= len(like):
        return False
    least = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    text = "\n".join(line[least:] for line in lines)
    if text.rstrip().endswith(":"):
        text += "\n    pass"
    if language.id != "python":
        return True  # a piece of a class or of a function is no file of its own
    return SyntaxSnapshot.open(Buffer(text.encode() + b"\n"), language).error_count() == 0


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
    buffer = home.syntax.buffer
    lines: list[tuple[int, bytes, str]] = []
    for found in islice(_LINE.finditer(buffer.data), MAX_LOOKED):
        if found.end() - found.start() <= LONGEST:
            lines.append((buffer.line_at(found.start()), found.group(1), found.group(3).decode("utf-8", "replace")))
    at = 0
    while at < len(lines):
        end = at + 1
        while end < len(lines) and lines[end][0] == lines[end - 1][0] + 1 and lines[end][1] == lines[at][1]:
            end += 1
        moment.check()
        block = lines[at:end]
        while block and not _CODE.fullmatch(block[0][2]):
            block = block[1:]
        for size in range(min(len(block), MAX_LINES), max(0, len(block) - 4), -1):
            if _is_code([inside for _, _, inside in block[:size]], home.syntax.language):
                yield block[0][0], block[size - 1][0] + 1
                break
        at = end
