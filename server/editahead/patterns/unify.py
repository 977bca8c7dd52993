"""What examples of an edit have in common, as a pattern.

Anti-unification of token sequences (Plotkin, "A note on inductive generalization", 1970; Reynolds, "Transformational
systems and the algebraic structure of atomic formulas", 1970): where two examples differ stands a hole, the same hole
for the same pair of texts. What is written may only hold tokens of both examples and holes of the left side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from editahead.encode.edit_model.tokens import EditToken
from editahead.patterns.examples import Example
from editahead.patterns.matching import gives
from editahead.patterns.pattern import (
    AROUND,
    LINE,
    MAX_HOLE,
    NEXT,
    Elem,
    Out,
    Pattern,
    balanced,
    beside,
    is_word,
    owner_of,
    shared,
)

CONTEXT = 12
"""Tokens on either side that may be needed to tell the place."""
SAME = 4
"""So near to the edit, what varies as something inside it does must be the same as that."""
_DOTS = (".", "::", "->")
_SOLID = re.compile(r"\w|[\"']")

Texts = tuple[str, ...]
Holes = dict[tuple[Texts, Texts], int]


def from_one(example: Example) -> Pattern | None:
    """The example itself, with its neighbours."""
    old, new = [Elem(key.text) for key in example.old], [Elem(key.text) for key in example.new]
    left, right = ([Elem(text) for text in beside(example, step, CONTEXT)] for step in (-1, 1))
    return _assembled(example, None, old, new, left, right)


def from_two(one: Example, two: Example) -> Pattern | None:
    """What two examples (the newer first) have in common; None when that is no edit."""
    if one.tail != two.tail:
        return None
    holes: Holes = {}
    old = _unified([key.text for key in one.old], [key.text for key in two.old], holes)
    if old is None:
        return None
    left, right = (_unified_outward(one, two, step, holes) for step in (-1, 1))
    new = _unified([key.text for key in one.new], [key.text for key in two.new], holes, known=True)
    return None if new is None else _assembled(one, two, old, new, left, right)


def _unified(one: Sequence[str], two: Sequence[str], holes: Holes, *, known: bool = False) -> list[Elem] | None:
    """Both sequences as one, with holes where they differ; `known`: only holes that are there already."""
    result: list[Elem] = []
    for a, b in _blocks(one, two):
        if a == b:
            result += [Elem(text) for text in a]
            continue
        if (a, b) not in holes:
            if known or not (_fits_hole(a) and _fits_hole(b)):
                return None
            holes[a, b] = len(holes)
        result.append(Elem(None, holes[a, b]))
    return result


def _unified_outward(one: Example, two: Example, step: int, holes: Holes) -> list[Elem]:
    """The common context on one side as far as it goes, nearest first."""
    result: list[Elem] = []
    for a, b in _blocks(beside(one, step, CONTEXT), beside(two, step, CONTEXT)):
        if a == b:
            result += [Elem(text) for text in a]
            continue
        pair = (a[::step], b[::step])  # as they stand in the text
        if not (balanced(pair[0]) and balanced(pair[1])):
            break
        result.append(Elem(None, holes.setdefault(pair, len(holes))))
    return result


def _blocks(one: Sequence[str], two: Sequence[str]) -> Iterator[tuple[Texts, Texts]]:
    """Stretches that are equal, and stretches that differ, in order; alternately."""
    if len(one) == len(two) and sum(a == b for a, b in zip(one, two, strict=True)) * 2 >= len(one):
        codes = _positional(one, two)
    else:
        codes = [code[1:] for code in SequenceMatcher(None, one, two, autojunk=False).get_opcodes()]
    for i1, i2, j1, j2 in codes:
        yield tuple(one[i1:i2]), tuple(two[j1:j2])


def _positional(one: Sequence[str], two: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Stretches of two sequences of one length, token by token."""
    codes: list[tuple[int, int, int, int]] = []
    at = 0
    while at < len(one):
        same = one[at] == two[at]
        end = at
        while end < len(one) and (one[end] == two[end]) == same:
            end += 1
        codes.append((at, end, at, end))
        at = end
    return codes


def _fits_hole(texts: Texts) -> bool:
    """Whether a hole may stand for it: balanced, not long, and more than operators."""
    return len(texts) <= MAX_HOLE and balanced(texts) and any(_SOLID.match(text) for text in texts)


def _assembled(
    one: Example, two: Example | None, old: list[Elem], new: list[Elem], left: list[Elem], right: list[Elem]
) -> Pattern | None:
    """The pattern with as much context as it needs, or None where that does not give the examples back."""
    extent = _extent(old, new, left, right, alone=two is None)
    if extent is None:
        return None
    before, behind = extent
    need = (*left[:before][::-1], *old, *right[:behind])
    lo, hi = before, before + len(old)
    words = [at for at, elem in enumerate(need) if elem.text and is_word(elem.text)]
    anchor = max(words, key=lambda at: (lo <= at < hi, len(need[at].text or "")))
    out = _out(one, old, new, need, lo)
    if out is None:
        return None
    around = [beside(example, step, AROUND) for example in (one, two or one) for step in (-1, 1)]
    owners = {owner_of(example.before.texts, example.lo) for example in (one, two or one)}
    pattern = Pattern(
        need,
        lo,
        hi,
        out,
        one.tail,
        anchor,
        shared(around[0], around[2]),
        shared(around[1], around[3]),
        owners.pop() if len(owners) == 1 else None,
        two is None or len(one.old) == len(two.old) == len(old),
    )
    return pattern if all(gives(pattern, example) for example in (one, two or one)) else None


def _extent(
    old: Sequence[Elem], new: Sequence[Elem], left: Sequence[Elem], right: Sequence[Elem], *, alone: bool
) -> tuple[int, int] | None:
    """How many elements of context must be there on either side.

    They are a neighbour, every hole that is written, an end that is a token, and a word at least. None where the
    context does not have them.
    """
    before = behind = int(alone)
    if not old and not alone:
        before, behind = (int(bool(side) and side[0].text is not None) for side in (left, right))
        if not before and not behind:
            behind = 1
    inner = {elem.hole for elem in old if elem.text is None}
    beside = {elem.hole for side in (left, right) for elem in side[:SAME] if elem.text is None}
    wanted = ({elem.hole for elem in new if elem.text is None} - inner) | (inner & beside)
    for hole in wanted:
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


def _first_word(side: Sequence[Elem], *, own_line: bool = False) -> int | None:
    """Where the nearest word of a context stands; a word of the edit's own line tells more than a nearer one."""
    for at, elem in enumerate(side):
        if own_line and elem.text == LINE:
            return None
        if elem.text and is_word(elem.text):
            return at
    return None


def _whole_chain(side: Sequence[Elem], count: int, *, call: bool = False) -> int:
    """`count`, or more so that a name there comes with what it is a part of: `self.send(` and not `self` alone."""
    if not count or count > len(side) or not is_word(side[count - 1].text or ""):
        return count
    while count + 1 < len(side) and side[count].text in _DOTS and is_word(side[count + 1].text or ""):
        count += 2
    return count + (call and count < len(side) and side[count].text == "(")


def _until_token(side: Sequence[Elem], count: int, core: Elem | None) -> int:
    """`count`, or more so that the outermost element is a token; past the end when there is none."""
    edge = side[count - 1] if count and count <= len(side) else core if count == 0 else None
    while edge is not None and edge.text is None:
        count += 1
        edge = side[count - 1] if count <= len(side) else None
    return count


def _out(one: Example, old: list[Elem], new: list[Elem], need: Sequence[Elem], lo: int) -> tuple[Out, ...] | None:
    """The right side: what of `old` is kept, and what is new with its blanks as in the example."""
    old_gaps, new_gaps = _gaps(old, one.old), _gaps(new, one.new)
    if old_gaps is None or new_gaps is None:
        return None
    where = {elem.hole: at for at, elem in enumerate(need) if elem.text is None}
    out: list[Out] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for number, (elem, gap) in enumerate(zip(new[j1:j2], new_gaps[j1:j2], strict=True)):
            if tag == "equal":
                at = i1 + number
                out.append(Out(None, lo + at, None if gap == old_gaps[at] else gap, lo + at))
                continue
            instead = number == 0 and i2 > i1 and not _breaks(elem) and not _breaks(old[i1])
            like = lo + i1 if instead and gap == old_gaps[i1] else -1
            if not old and not out and one.tail is not None and gap == one.before.keys[one.old_hi].gap:
                like = NEXT
            ref = where[elem.hole] if elem.text is None else -1
            out.append(Out(elem.text, ref, gap if like == -1 else None, like))
    return tuple(out)


def _breaks(elem: Elem) -> bool:
    """Whether it is a newline token."""
    return elem.text is not None and elem.text.startswith("\n")


def _gaps(elems: Sequence[Elem], keys: Sequence[EditToken]) -> list[int] | None:
    """The blanks before each element in one example: holes take as many tokens as are left between tokens."""
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


def _hole_end(texts: Sequence[str], at: int, rest: Sequence[Elem]) -> int:
    """Where a hole that begins at `at` ends, so that the next element follows; -1 when it cannot."""
    for end in range(at + 1, min(len(texts), at + MAX_HOLE) + 1):
        if not balanced(texts[at:end]):
            continue
        if not rest:
            if end == len(texts):
                return end
        elif end < len(texts) and (rest[0].text is None or rest[0].text == texts[end]):
            return end
    return -1
