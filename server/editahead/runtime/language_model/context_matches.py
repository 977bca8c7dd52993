"""Other contexts that are the same but for names, and what followed them: a prediction by analogy.

The tokens before the cursor are compared, backwards, with those before each token above and below: all but names must
be equal, and each name must stand for the same name throughout (parameterized matching: Baker, A theory of
parameterized pattern matching, 1993). What followed the longest such context is expected here, with its names replaced:
below a getter that was written for `width`, the next for `height` says the same of `height`.

A token is a number: of its word, or, for a name, below zero by the number of the name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_KEY = 3  # tokens that contexts share at least, names aside
_MAX_LENGTH = 64  # tokens that are compared
_TRIED = 24  # contexts, the latest first
_NAME = -1
_MIN_LETTERS = 3  # of a word that is replaced
_MAX_WORDS = 12  # of a name
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\WA-Z_]+|_+|\W")


class ContextMatch(NamedTuple):
    """The longest other context that is the same but for names.

    `token` is what followed, as it is expected here: a name with the number of the name that stands for it.
    `length` counts the tokens of the context, `same` its names that are themselves. `names`: the names of the other
    context with those that stand for them here. `is_mapped`: what followed is such a name. `rival`: the length of the
    longest context that another token followed, 0 for none.
    """

    token: int
    length: int
    same: int
    names: Mapping[int, int]
    is_mapped: bool
    rival: int

    @property
    def renamed(self) -> Sequence[tuple[int, int]]:
        """The names that stand for others, each behind the other."""
        return [(other, name) for other, name in self.names.items() if other != name]


class ContextMatches:
    """The tokens of a context, and where each run of _KEY tokens stands in it."""

    def __init__(self) -> None:
        self._tokens: list[int] = []
        self._shapes: list[int] = []
        self._at: dict[tuple[int, ...], list[int]] = {}

    def __len__(self) -> int:
        return len(self._tokens)

    def truncate(self, count: int) -> None:
        """Keep the first `count` tokens alone."""
        for end in range(len(self._tokens), max(count, _KEY), -1):
            rows = self._at[tuple(self._shapes[end - _KEY : end])]
            if rows and rows[-1] == end:
                rows.pop()
        del self._tokens[count:], self._shapes[count:]

    def extend(self, tokens: Sequence[int]) -> None:
        """Add tokens at the end."""
        for token in tokens:
            self._tokens.append(token)
            self._shapes.append(max(token, _NAME))
            if len(self._shapes) > _KEY:
                end = len(self._shapes)
                self._at.setdefault(tuple(self._shapes[end - _KEY : end]), []).append(end)

    def longest(self, below: ContextMatches | None = None) -> ContextMatch | None:
        """The longest context that is like the end, here or in `below`; None where there is none."""
        best: ContextMatch | None = None
        lengths: dict[int, int] = {}  # of each expected token the longest context
        for other in (self, below) if below is not None else (self,):
            for start in other._starts(self._shapes[-_KEY:]):
                length, same, here = self._compare(other._tokens, start)
                token = other._tokens[start]
                is_mapped = token in here
                expected = here.get(token, token)
                lengths[expected] = max(length, lengths.get(expected, 0))
                if best is None or length > best.length:
                    best = ContextMatch(expected, length, same, here, is_mapped, 0)
        if best is None:
            return None
        return best._replace(rival=max((n for token, n in lengths.items() if token != best.token), default=0))

    def _starts(self, key: Sequence[int]) -> list[int]:
        """Where the latest contexts with these tokens at their end are followed by a token."""
        starts = self._at.get(tuple(key), ())[-_TRIED - 1 :]
        return [start for start in reversed(starts) if start < len(self._tokens)]

    def _compare(self, others: Sequence[int], start: int) -> tuple[int, int, dict[int, int]]:
        """How many tokens before `start` match the end, how many names are equal, and which stands for which."""
        tokens, here, there, same = self._tokens, dict[int, int](), dict[int, int](), 0
        longest = min(_MAX_LENGTH, start, len(tokens))
        for back in range(1, longest + 1):
            old, new = others[start - back], tokens[-back]
            if old >= 0 or new >= 0:
                if old != new:
                    return back - 1, same, here
            elif here.setdefault(old, new) != new or there.setdefault(new, old) != old:
                if here[old] == new:  # two names stand for `new`
                    del here[old]
                return back - 1, same, here
            elif old == new:
                same += 1
        return longest, same, here


def derived_name(name: str, renamed: Sequence[tuple[str, str]]) -> str:
    """A name with the words replaced in which other names differ: `unpaid` where `all_unpaid` became `all_overdue`."""
    for old, new in renamed:
        before, after = (_WORD.findall(part) for part in (old, new))
        start = _count_equal(before, after)
        end = _count_equal(before[start:][::-1], after[start:][::-1])
        differing, instead = "".join(before[start : len(before) - end]), "".join(after[start : len(after) - end])
        if len(differing) < _MIN_LETTERS or not instead:
            continue
        words = _WORD.findall(name)
        for at in range(len(words) if len(words) <= _MAX_WORDS else 0):
            for stop in range(at + 1, len(words) + 1):
                text = "".join(words[at:stop])
                if text.lower() == differing.lower():
                    return "".join([*words[:at], _in_case_of(text, instead), *words[stop:]])
    return name


def _count_equal(some: Sequence[str], others: Sequence[str]) -> int:
    return next(
        (n for n, (word, other) in enumerate(zip(some, others, strict=False)) if word != other),
        min(len(some), len(others)),
    )


def _in_case_of(word: str, text: str) -> str:
    if word.isupper():
        return text.upper()
    return text[:1].upper() + text[1:] if word[:1].isupper() else text[:1].lower() + text[1:]
