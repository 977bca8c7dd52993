"""How alike two hunks are, token by token."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from editahead_models.pairs.facts import HunkFacts

LEAST_SHARE = 0.4
"""Of the tokens of the smaller hunk that an equal substitution makes up."""
ALIKE, ALIKE_WORDS = 0.6, 0.3
"""Shares of equal tokens, and of equal words among them, of lines that are alike."""
MOVED_WORDS, MOVED = 6, 0.6
"""Words of lines that moved, and the share of them among the lines that go or come."""
_NO_CALLS = frozenset("def for while switch return elif print and not func function catch match with".split())
_WORD = re.compile(r"[^\W\d]\w+")


def moved(first: HunkFacts, later: HunkFacts) -> bool:
    """Whether lines that one takes away come with the other, as most of what either does."""
    gone, come = first.lines[0] - first.lines[1], later.lines[1] - later.lines[0]
    common = gone & come
    words = sum(count * len(_WORD.findall(text)) for text, count in common.items())
    return words >= MOVED_WORDS and common.total() >= MOVED * min(gone.total(), come.total())


def shared(first: HunkFacts, later: HunkFacts, *, old: bool, new: bool) -> bool:
    """Whether equal substitutions make up much of both; `old` and `new` say which sides they have."""
    common = [one for one in first.substitutions & later.substitutions if bool(one[0]) is old and bool(one[1]) is new]
    tokens = sum(len(one[0]) + len(one[1]) for one in common)
    return bool(common) and tokens >= LEAST_SHARE * min(_size(first), _size(later))


def both_numbers(first: HunkFacts, later: HunkFacts) -> bool:
    """Whether both do nothing but replace numbers by numbers."""
    return all(one.substitutions and all(_numbers(texts) for texts in one.substitutions) for one in (first, later))


def same_calls(first: HunkFacts, later: HunkFacts) -> bool:
    """Whether calls of one function come with both, or go with both."""
    return any(_called(first, side) & _called(later, side) for side in (0, 1))


def deleted_alike(first: HunkFacts, later: HunkFacts) -> bool:
    """Whether both only delete, and alike."""
    return not first.new_texts and not later.new_texts and _alike(first, later, 0)


def inserted_alike(first: HunkFacts, later: HunkFacts) -> bool:
    """Whether both only insert, and alike."""
    return not first.old_texts and not later.old_texts and _alike(first, later, 1)


def replaced_alike(first: HunkFacts, later: HunkFacts) -> bool:
    """Whether both replace alike, on both sides or on the only side that one of them has."""
    sides = [side for side in (0, 1) if first.shapes[side] and later.shapes[side]]
    return bool(sides) and all(_alike(first, later, side) for side in sides)


def _called(facts: HunkFacts, side: int) -> set[str]:
    found = set[str]()
    for one in facts.hunk.substitutions:
        for name, sign in pairwise((one.old, one.new)[side]):
            if sign.text == "(" and name.is_word and len(name.text) > 2:
                found.add(name.text)
    return found - _NO_CALLS


def _alike(first: HunkFacts, later: HunkFacts, side: int) -> bool:
    one, other = first.shapes[side], later.shapes[side]
    words = [Counter({text: n for text, n in shape.items() if text[:1].isalpha()}) for shape in (one, other)]
    return _dice(one, other) >= ALIKE and _dice(*words) >= ALIKE_WORDS


def _dice(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def _size(facts: HunkFacts) -> int:
    return len(facts.old_texts) + len(facts.new_texts)


def _numbers(texts: tuple[tuple[str, ...], tuple[str, ...]]) -> bool:
    return all(side and all(text[:1].isdigit() or text in ".-'\"" for text in side) for side in texts)
