"""Lines that differ from those of a hunk only in some names, so that the same change applies with these names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from editahead.encode.edit_model.tokens import lex_line
from editahead.syntax.snapshot import SyntaxSnapshot

MAX_NAMES = 3  # names in which the lines may differ
_SIGNS = frozenset({".", "->", "::"})
_NAME = re.compile(r"\w+")
_RARE = re.compile(r"[^\W\d]\w{2,}")
_MAX_CHARACTERS = 400  # of a line
_MAX_WORDS = 12  # of the needle that are counted


def analogy(old: Sequence[str], lines: Sequence[str]) -> dict[str, str] | None:
    """The names of `lines` by the differing names of `old` that they replace; None where other tokens differ.

    Most names must be the same. Both have the same number of lines; only their relative indentation counts.
    """
    names: dict[str, str] = {}
    same = other = 0
    shift: int | None = None
    for old_line, line in zip(old, lines, strict=True):
        if max(len(old_line), len(line)) > _MAX_CHARACTERS:
            return None
        before, after = lex_line(old_line), lex_line(line)
        if len(before.pieces) != len(after.pieces):
            return None
        if before.pieces and shift not in (None, after.indent - before.indent):
            return None
        shift = after.indent - before.indent if before.pieces else shift
        for old_piece, piece in zip(before.pieces, after.pieces, strict=True):
            old_text, text = old_piece.key.text, piece.key.text
            is_name = _NAME.fullmatch(old_text) is not None
            if old_text != text and not (is_name and _NAME.fullmatch(text)):
                return None
            if is_name:
                if names.setdefault(old_text, text) != text:
                    return None
                same, other = same + (old_text == text), other + (old_text != text)
    changed = {name: text for name, text in names.items() if name != text}
    return changed if len(changed) <= MAX_NAMES and same >= max(2, other) else None


def replace_names(line: str, names: dict[str, str]) -> str:
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


def has_all_names(names: dict[str, str], new: Sequence[str]) -> bool:
    """Whether the new lines have all names in which the sites differ, so that the change concerns none of them."""
    tokens = {piece.key.text for line in new for piece in lex_line(line).pieces}
    return tokens.issuperset(names)


def changes_member(old: Sequence[str], new: Sequence[str], names: dict[str, str]) -> bool:
    """Whether the change replaces a member of an object whose name differs between the sites."""
    before, after = (Counter(pair for line in lines for pair in _members(line)) for lines in (old, new))
    return any(owner in names for owner, _ in after - before) and any(owner in names for owner, _ in before - after)


def _members(line: str) -> Iterator[tuple[str, str]]:
    """Yield the names of members in a line, each behind the name of its object."""
    texts = [piece.key.text for piece in lex_line(line).pieces]
    for at in range(1, len(texts) - 1):
        if texts[at] in _SIGNS and _NAME.fullmatch(texts[at + 1]):
            yield texts[at - 1], texts[at + 1]


def similar_starts(
    needle: Sequence[str], syntax: SyntaxSnapshot, limit: int, check: Callable[[], None]
) -> Iterator[int]:
    """Yield the lines at which a block like `needle` may begin, by up to `limit` occurrences of its rarest word."""
    rows = ((word, row) for row, line in enumerate(needle) for word in _RARE.findall(line[:_MAX_CHARACTERS]))
    words = list(islice(rows, _MAX_WORDS))
    if not words:
        return
    word, row = min(words, key=lambda pair: syntax.count(pair[0].encode()))
    last = -1
    for at in islice(syntax.occurrences(word.encode()), limit):
        check()
        line = syntax.buffer.line_at(at) - row
        if line > last and line >= 0:
            last = line
            yield line
