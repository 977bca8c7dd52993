"""How much context a pattern requires on either side of its edit, so that every match is unambiguous."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.patterns.pattern import LINE, Element, is_word

NEAR_CONTEXT = 4
"""Elements of context within which a hole that also stands in the edit becomes required context."""
_DOTS = (".", "::", "->")


def context_extent(
    old: Sequence[Element],
    new: Sequence[Element],
    left: Sequence[Element],
    right: Sequence[Element],
    *,
    alone: bool,
) -> tuple[int, int] | None:
    """Return how many elements of context are required on either side.

    They contain a neighbour, every hole of the replacement and a word, and end in a token. None where the
    context does not have these.
    """
    before = behind = int(alone)
    if not old and not alone:
        before, behind = (int(bool(side) and side[0].text is not None) for side in (left, right))
        if not before and not behind:
            behind = 1
    inner = {elem.hole for elem in old if elem.text is None}
    beside = {elem.hole for side in (left, right) for elem in side[:NEAR_CONTEXT] if elem.text is None}
    required_holes = ({elem.hole for elem in new if elem.text is None} - inner) | (inner & beside)
    for hole in required_holes:
        spots = [(at, side) for side in (0, 1) for at, elem in enumerate((left, right)[side]) if elem.hole == hole]
        if not spots:
            return None
        at, side = min(spots)
        before, behind = (max(before, at + 1), behind) if side == 0 else (before, max(behind, at + 1))
    if not any(elem.text and is_word(elem.text) for elem in (*left[:before], *old, *right[:behind])):
        on_left, on_right = (_first_word(side, own_line=True) for side in (left, right))
        if on_left is None and on_right is None:
            on_left, on_right = (_first_word(side) for side in (left, right))
        if on_left is None and on_right is None:
            return None
        if on_left is None or (on_right is not None and on_right <= on_left):
            behind = max(behind, (on_right or 0) + 1)
        else:
            before = max(before, on_left + 1)
    if not old:
        before, behind = _whole_chain(left, before), _whole_chain(right, behind, call=True)
    before = _until_token(left, before, old[0] if old else None)
    behind = _until_token(right, behind, old[-1] if old else None)
    if not 0 <= before <= len(left) or not 0 <= behind <= len(right):
        return None
    return before, behind


def _first_word(side: Sequence[Element], *, own_line: bool = False) -> int | None:
    """Return the index of the nearest word of a context; with `own_line`, only of a word on the edit's line."""
    for at, elem in enumerate(side):
        if own_line and elem.text == LINE:
            return None
        if elem.text and is_word(elem.text):
            return at
    return None


def _whole_chain(side: Sequence[Element], count: int, *, call: bool = False) -> int:
    """Extend a context so that it does not end inside a dotted name: `self.send(` and not `self` alone."""
    if not count or count > len(side) or not is_word(side[count - 1].text or ""):
        return count
    while count + 1 < len(side) and side[count].text in _DOTS and is_word(side[count + 1].text or ""):
        count += 2
    return count + (call and count < len(side) and side[count].text == "(")


def _until_token(side: Sequence[Element], count: int, core: Element | None) -> int:
    """Extend a context so that its outermost element is a token; beyond the end when there is none."""
    edge = side[count - 1] if count and count <= len(side) else core if count == 0 else None
    while edge is not None and edge.text is None:
        count += 1
        edge = side[count - 1] if count <= len(side) else None
    return count
