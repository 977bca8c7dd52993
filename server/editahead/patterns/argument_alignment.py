"""Anti-unification by structure: the arguments between brackets are aligned, however many tokens each of them has.

Token by token, `f(g(1), 1)` and `f(g(1, 1), 2)` share the wrong commas and brackets. Here an argument that differs is
a hole as a whole, and the replacement is read with these holes, in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from editahead.patterns.pattern import MAX_HOLE, Element, is_balanced

_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
Texts = tuple[str, ...]
Holes = dict[tuple[Texts, Texts], int]


def unify_arguments(newer: Sequence[str], older: Sequence[str], holes: Holes) -> list[Element] | None:
    """Align two token sequences argument by argument; None without a match.

    Each pair of arguments that differ is a hole; new ones are added to `holes`.
    """
    pairs = list(zip_longest(_arguments(newer), _arguments(older)))
    if any(a is None or b is None for a, b in pairs):
        return None
    result: list[Element] = []
    for a, b in pairs:
        aligned = [Element(text) for text in a] if a == b else _unify_call(a, b, holes)
        if aligned is None:
            if not (_can_be_argument(a) and _can_be_argument(b)):
                return None
            aligned = [Element(None, holes.setdefault((a, b), len(holes)))]
        result += aligned
    return result


def fill_holes(
    newer: Sequence[str], older: Sequence[str], holes: Mapping[tuple[Texts, Texts], int]
) -> list[Element] | None:
    """Read two sequences with the holes of others, the longest first; None where they differ otherwise."""
    result: list[Element] = []
    i = j = 0
    ordered = sorted(holes.items(), key=lambda item: -len(item[0][0]))
    while i < len(newer) and j < len(older):
        for (a, b), number in ordered:
            if tuple(newer[i : i + len(a)]) == a and tuple(older[j : j + len(b)]) == b:
                result.append(Element(None, number))
                i, j = i + len(a), j + len(b)
                break
        else:
            if newer[i] != older[j]:
                return None
            result.append(Element(newer[i]))
            i, j = i + 1, j + 1
    return result if i == len(newer) and j == len(older) else None


def _arguments(texts: Sequence[str]) -> Iterator[Texts]:
    """The stretches between commas outside of brackets, and the commas themselves."""
    depth, first = 0, 0
    for at, text in enumerate(texts):
        depth += (text in _OPEN) - (text in _CLOSE)
        if depth == 0 and text == ",":
            yield tuple(texts[first:at])
            yield (text,)
            first = at + 1
    yield tuple(texts[first:])


def _unify_call(newer: Texts, older: Texts, holes: Holes) -> list[Element] | None:
    """Align two calls of the same thing by their arguments; None where they are none, or these do not match."""
    start = next((at for at, text in enumerate(newer) if text in _OPEN), 0)
    if start == 0 or newer[: start + 1] != older[: start + 1] or newer[-1] != older[-1]:
        return None
    if any(_closing(texts, start) != len(texts) - 1 for texts in (newer, older)):
        return None
    tried = dict(holes)
    inner = unify_arguments(newer[start + 1 : -1], older[start + 1 : -1], tried)
    if inner is None:
        return None
    holes.update(tried)
    return [*map(Element, newer[: start + 1]), *inner, Element(newer[-1])]


def _closing(texts: Texts, start: int) -> int:
    """The index of the bracket that closes that at `start`; -1 where none does."""
    depth = 0
    for at in range(start, len(texts)):
        depth += (texts[at] in _OPEN) - (texts[at] in _CLOSE)
        if depth == 0:
            return at
    return -1


def _can_be_argument(texts: Texts) -> bool:
    return 0 < len(texts) <= MAX_HOLE and is_balanced(texts)
