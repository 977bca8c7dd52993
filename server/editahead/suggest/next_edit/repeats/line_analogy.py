"""Lines like those that a hunk changed, but for some names: the same change with these names in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from editahead.encode.edit_model.tokens import lex_line
from editahead.syntax.snapshot import SyntaxSnapshot

MAX_NAMES = 3
"""Names in which lines may differ."""
_SIGNS = frozenset({".", "->", "::"})
_NAME = re.compile(r"\w+")
_RARE = re.compile(r"[^\W\d]\w{2,}")
_LONGEST = 400  # characters of a line
_WORDS = 12  # of the needle that are counted


def analogy(old: Sequence[str], lines: Sequence[str]) -> dict[str, str] | None:
    """The names of `lines` by those of `old` that they stand for; None where the lines differ in anything else.

    Most names must be the same. Both have the same number of lines; indentation counts only from line to line.
    """
    names: dict[str, str] = {}
    same = other = 0
    shift: int | None = None
    for one, two in zip(old, lines, strict=True):
        if max(len(one), len(two)) > _LONGEST:
            return None
        a, b = lex_line(one), lex_line(two)
        if len(a.pieces) != len(b.pieces):
            return None
        if a.pieces and shift not in (None, b.indent - a.indent):
            return None
        shift = b.indent - a.indent if a.pieces else shift
        for here, there in zip(a.pieces, b.pieces, strict=True):
            text, stands = here.key.text, there.key.text
            is_name = _NAME.fullmatch(text) is not None
            if text != stands and not (is_name and _NAME.fullmatch(stands)):
                return None
            if is_name:
                if names.setdefault(text, stands) != stands:
                    return None
                same, other = same + (text == stands), other + (text != stands)
    changed = {name: stands for name, stands in names.items() if name != stands}
    return changed if len(changed) <= MAX_NAMES and same >= max(2, other) else None


def rewritten(line: str, names: dict[str, str]) -> str:
    """A line with its names replaced."""
    if not names:
        return line
    parts, at = list[str](), 0
    for piece in lex_line(line).pieces:
        text = piece.key.text
        start = piece.end - len(text)
        parts += [line[at:start], names.get(text, text)]
        at = piece.end
    return "".join([*parts, line[at:]])


def stays(names: dict[str, str], new: Sequence[str]) -> bool:
    """Whether the change leaves all names in which lines differ, so that none of them is what it was about."""
    left = {piece.key.text for line in new for piece in lex_line(line).pieces}
    return left.issuperset(names)


def changes_member(old: Sequence[str], new: Sequence[str], names: dict[str, str]) -> bool:
    """Whether the change gives another member to an object in whose name lines differ."""
    before, after = (Counter(pair for line in lines for pair in _members(line)) for lines in (old, new))
    return any(owner in names for owner, _ in after - before) and any(owner in names for owner, _ in before - after)


def _members(line: str) -> Iterator[tuple[str, str]]:
    """The names of members in a line, each with the name before it."""
    texts = [piece.key.text for piece in lex_line(line).pieces]
    for at in range(1, len(texts) - 1):
        if texts[at] in _SIGNS and _NAME.fullmatch(texts[at + 1]):
            yield texts[at - 1], texts[at + 1]


def starts_like(needle: Sequence[str], syntax: SyntaxSnapshot, most: int, check: Callable[[], None]) -> Iterator[int]:
    """Lines at which a block like `needle` may begin: it holds the rarest word; `most` places of that are looked at."""
    words = [(word, row) for row, line in enumerate(needle) for word in _RARE.findall(line[:_LONGEST])][:_WORDS]
    if not words:
        return
    word, row = min(words, key=lambda pair: syntax.count(pair[0].encode()))
    last = -1
    for at in islice(syntax.occurrences(word.encode()), most):
        check()
        line = syntax.buffer.line_at(at) - row
        if line > last and line >= 0:
            last = line
            yield line
