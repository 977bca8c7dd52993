"""Anti-unification: the pattern that examples of an edit have in common.

Anti-unification of token sequences (Plotkin, "A note on inductive generalization", 1970; Reynolds, "Transformational
systems and the algebraic structure of atomic formulas", 1970): where two examples differ stands a hole, the same hole
for the same pair of texts. The replacement may only contain tokens of both examples and holes of the left side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from editahead.encode.edit_model.tokens import EditToken
from editahead.patterns.argument_alignment import Holes, Texts, fill_holes, unify_arguments
from editahead.patterns.examples import Example, TokenChange
from editahead.patterns.matching import is_consistent_with_change
from editahead.patterns.pattern import (
    AROUND,
    LINE,
    MAX_HOLE,
    NEXT,
    Element,
    NewElement,
    Pattern,
    common_tokens,
    context_tokens,
    is_balanced,
    is_word,
    owner_of,
)
from editahead.text.memo import cache_texts

NEAR_CONTEXT = 4  # elements of context within which a hole that also stands in the edit becomes required context
_DOTS = (".", "::", "->")


def context_extent(
    old: Sequence[Element], new: Sequence[Element], left: Sequence[Element], right: Sequence[Element], *, alone: bool
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


CONTEXT = 12  # most tokens of context on either side of the edit
_KEPT = 128  # pairs of changes whose pattern is remembered
_SOLID = re.compile(r"\w|[\"']")


def single_pattern(example: Example) -> Pattern | None:
    """Return the pattern of a single example with its neighbouring tokens; None where it has no pattern."""
    return _single_pattern(example.change)


@cache_texts(maxsize=_KEPT)
def _single_pattern(change: TokenChange) -> Pattern | None:
    old, new = [Element(key.text) for key in change.old], [Element(key.text) for key in change.new]
    left, right = ([Element(text) for text in context_tokens(change, step, CONTEXT)] for step in (-1, 1))
    return _assemble(change, None, old, new, left, right)


def anti_unify(newer: Example, older: Example) -> Pattern | None:
    """Anti-unify two examples, the newer first; None where what they share is no edit."""
    return _anti_unify(newer.change, older.change)


@cache_texts(maxsize=_KEPT)
def _anti_unify(newer: TokenChange, older: TokenChange) -> Pattern | None:
    if newer.tail != older.tail:
        return None
    holes: Holes = {}
    sides = ([key.text for key in newer.old], [key.text for key in older.old])
    results = ([key.text for key in newer.new], [key.text for key in older.new])
    old = _unify_sequences(*sides, holes)
    if old is not None:
        contexts = [_unify_contexts(newer, older, step, holes) for step in (-1, 1)]
        new = _unify_sequences(*results, holes, allow_new=False)
        pattern = None if new is None else _assemble(newer, older, old, new, *contexts)
        if pattern is not None:
            return pattern
    return _unify_by_arguments(newer, older)


def _unify_by_arguments(newer: TokenChange, older: TokenChange) -> Pattern | None:
    """Anti-unify two changes by their bracketed arguments, for tokens that align otherwise or in another order."""
    holes: Holes = {}
    old = unify_arguments([key.text for key in newer.old], [key.text for key in older.old], holes)
    if old is None or not holes:
        return None
    new = fill_holes([key.text for key in newer.new], [key.text for key in older.new], holes)
    if new is None:
        return None
    contexts = [_unify_contexts(newer, older, step, holes) for step in (-1, 1)]
    return _assemble(newer, older, old, new, *contexts)


def _unify_sequences(
    newer: Sequence[str], older: Sequence[str], holes: Holes, *, allow_new: bool = True
) -> list[Element] | None:
    """Anti-unify two token sequences, with holes where they differ; new holes only with `allow_new`."""
    result: list[Element] = []
    for a, b in _blocks(newer, older):
        if a == b:
            result += [Element(text) for text in a]
            continue
        if (a, b) not in holes:
            if not (allow_new and _can_be_hole(a) and _can_be_hole(b)):
                return None
            holes[a, b] = len(holes)
        result.append(Element(None, holes[a, b]))
    return result


def _unify_contexts(newer: TokenChange, older: TokenChange, step: int, holes: Holes) -> list[Element]:
    """Anti-unify the contexts on a side as far as possible, nearest element first."""
    result: list[Element] = []
    for a, b in _blocks(context_tokens(newer, step, CONTEXT), context_tokens(older, step, CONTEXT)):
        if a == b:
            result += [Element(text) for text in a]
            continue
        pair = (a[::step], b[::step])  # as they stand in the text
        if not (is_balanced(pair[0]) and is_balanced(pair[1])):
            break
        result.append(Element(None, holes.setdefault(pair, len(holes))))
    return result


def _blocks(newer: Sequence[str], older: Sequence[str]) -> Iterator[tuple[Texts, Texts]]:
    """Yield aligned stretches of two sequences in order, equal and different ones alternately."""
    if len(newer) == len(older) and sum(a == b for a, b in zip(newer, older, strict=True)) * 2 >= len(newer):
        codes = _positional(newer, older)
    else:
        codes = [code[1:] for code in SequenceMatcher(None, newer, older, autojunk=False).get_opcodes()]
    for i1, i2, j1, j2 in codes:
        yield tuple(newer[i1:i2]), tuple(older[j1:j2])


def _positional(newer: Sequence[str], older: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Align two sequences of the same length token by token, as ranges of equal and of different tokens."""
    codes: list[tuple[int, int, int, int]] = []
    at = 0
    while at < len(newer):
        same = newer[at] == older[at]
        end = at
        while end < len(newer) and (newer[end] == older[end]) == same:
            end += 1
        codes.append((at, end, at, end))
        at = end
    return codes


def _can_be_hole(texts: Texts) -> bool:
    """Whether a hole may stand for these tokens: balanced, not long, and not only operators."""
    return len(texts) <= MAX_HOLE and is_balanced(texts) and any(_SOLID.match(text) for text in texts)


def _assemble(
    newer: TokenChange,
    older: TokenChange | None,
    old: list[Element],
    new: list[Element],
    left: list[Element],
    right: list[Element],
) -> Pattern | None:
    """Build the pattern with the least context that it needs; None where it does not reproduce the examples."""
    extent = context_extent(old, new, left, right, alone=older is None)
    if extent is None:
        return None
    before, behind = extent
    elements = (*left[:before][::-1], *old, *right[:behind])
    lo, hi = before, before + len(old)
    words = [at for at, elem in enumerate(elements) if elem.text and is_word(elem.text)]
    anchor = max(words, key=lambda at: (lo <= at < hi, len(elements[at].text or "")))
    out = _out(newer, old, new, elements, lo)
    if out is None:
        return None
    around = [context_tokens(change, step, AROUND) for change in (newer, older or newer) for step in (-1, 1)]
    owners = {owner_of(change.before.texts, change.lo) for change in (newer, older or newer)}
    pattern = Pattern(
        elements,
        lo,
        hi,
        out,
        newer.tail,
        anchor,
        common_tokens(around[0], around[2]),
        common_tokens(around[1], around[3]),
        owners.pop() if len(owners) == 1 else None,
        older is None or len(newer.old) == len(older.old) == len(old),
    )
    return pattern if all(is_consistent_with_change(pattern, change) for change in (newer, older or newer)) else None


def _out(
    newer: TokenChange, old: list[Element], new: list[Element], elements: Sequence[Element], lo: int
) -> tuple[NewElement, ...] | None:
    """Build the right side: copies of kept elements, and new elements with their blanks as in the example."""
    old_gaps, new_gaps = _gaps(old, newer.old), _gaps(new, newer.new)
    if old_gaps is None or new_gaps is None:
        return None
    where = {elem.hole: at for at, elem in enumerate(elements) if elem.text is None}
    out: list[NewElement] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for number, (elem, gap) in enumerate(zip(new[j1:j2], new_gaps[j1:j2], strict=True)):
            if tag == "equal":
                at = i1 + number
                out.append(NewElement(None, lo + at, None if gap == old_gaps[at] else gap, lo + at))
                continue
            instead = number == 0 and i2 > i1 and not _is_newline(elem) and not _is_newline(old[i1])
            like = lo + i1 if instead and gap == old_gaps[i1] else -1
            if not old and not out and newer.tail is not None and gap == newer.before.keys[newer.old_hi].gap:
                like = NEXT
            ref = where[elem.hole] if elem.text is None else -1
            out.append(NewElement(elem.text, ref, gap if like == -1 else None, like))
    return tuple(out)


def _is_newline(elem: Element) -> bool:
    return elem.text is not None and elem.text.startswith("\n")


def _gaps(elems: Sequence[Element], keys: Sequence[EditToken]) -> list[int] | None:
    """Return the number of blanks before each element in an example; None where the elements do not match it."""
    gaps: list[int] = []
    at = 0
    for number, elem in enumerate(elems):
        if at >= len(keys):
            return None
        gaps.append(keys[at].gap)
        if elem.text is not None:
            if keys[at].text != elem.text:
                return None
            at += 1
            continue
        rest = elems[number + 1 :]
        at = _hole_end([key.text for key in keys], at, rest)
        if at < 0:
            return None
    return gaps if at == len(keys) else None


def _hole_end(texts: Sequence[str], at: int, rest: Sequence[Element]) -> int:
    """Return the end of a hole that begins at `at`, so that the next element follows; -1 if there is none."""
    for end in range(at + 1, min(len(texts), at + MAX_HOLE) + 1):
        if not is_balanced(texts[at:end]):
            continue
        if not rest:
            if end == len(texts):
                return end
        elif end < len(texts) and (rest[0].text is None or rest[0].text == texts[end]):
            return end
    return -1
