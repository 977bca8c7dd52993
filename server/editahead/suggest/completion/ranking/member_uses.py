"""The members that a file uses behind its receivers, read from the tokens of its lines.

A receiver is identified by its last part: `df` of `self.df.`, `open()` of a call, `rows[]` of an index.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from editahead.suggest.completion.ranking.slots import DOTS
from editahead.syntax.tokens import Line, Token, TokenKind
from editahead.text.memo import cache_texts, remembered_by_identity
from editahead.text.words import is_name

_OPENING, _CLOSING = {")": "(", "]": "["}, frozenset((")", "]"))
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
SELF = frozenset(("self", "this", "cls", "super()"))
_APART = 6  # lines between two uses that follow each other


class MemberUse(NamedTuple):
    """A member behind a receiver, and whether it is called there."""

    receiver: str
    name: str
    called: bool


class ReceiverUses(NamedTuple):
    """The uses of members in the lines around a cursor, relative to a receiver.

    `times` and `nearest`: of members behind it, how often and how many lines away; `alike`: how often behind receivers
    that end with the same word; `last`: the member used last above the cursor; `behind_last`: how often others
    directly followed it elsewhere. `calls`: of members behind any receiver the number of uses, and of calls.
    """

    times: Counter[str]
    alike: Counter[str]
    nearest: dict[str, int]
    last: str
    behind_last: Counter[str]
    calls: dict[str, tuple[int, int]]


def receiver_key(tokens: Sequence[Token]) -> str:
    """The last part of the receiver that ends with some tokens; empty where it has none."""
    last = tokens[-1].text if tokens else ""
    if last in _CLOSING:
        depth = 0
        for at in range(len(tokens) - 1, 0, -1):
            depth += (tokens[at].text == last) - (tokens[at].text == _OPENING[last])
            if depth == 0:
                name = tokens[at - 1].text
                return f"{name}{_OPENING[last]}{last}" if is_name(name) else ""
        return ""
    return last if is_name(last) else ""


@remembered_by_identity
def member_uses(line: Line) -> tuple[MemberUse, ...]:
    """The members on a line."""
    tokens = [token for token in line if token.kind is not TokenKind.NEWLINE]
    return tuple(
        MemberUse(key, tokens[at + 1].text, at + 2 < len(tokens) and tokens[at + 2].text == "(")
        for at in range(1, len(tokens) - 1)
        if tokens[at].text in DOTS and is_name(tokens[at + 1].text) and (key := receiver_key(tokens[:at]))
    )


@cache_texts(4096)
def last_word(key: str) -> str:
    """The last word of a receiver's name in small letters: `parser` of `sub_parser`; empty for calls and indexes."""
    words = _WORDS.findall(key) if key.isidentifier() and key not in SELF else ()
    return words[-1].lower() if words else ""


def receiver_uses(
    key: str, above: Iterable[tuple[int, Line]], on_line: Line, below: Iterable[tuple[int, Line]]
) -> ReceiverUses:
    """What lines say of the receiver `key`: those above with the number of lines away, the cursor's, those below."""
    times, alike, behind_last = Counter[str](), Counter[str](), Counter[str]()
    ending = last_word(key)
    nearest, calls, last = dict[str, int](), dict[str, tuple[int, int]](), ""
    rows = [(-away, line) for away, line in above] + [(0, on_line)] + list(below)
    row: list[tuple[int, str]] = []
    for away, line in rows:
        for use in member_uses(line):
            uses, called = calls.get(use.name, (0, 0))
            calls[use.name] = (uses + 1, called + use.called)
            if use.receiver == key:
                row.append((away, use.name))
            elif ending and last_word(use.receiver) == ending:
                alike[use.name] += 1
    for away, name in row:
        times[name] += 1
        nearest[name] = min(abs(away), nearest.get(name, abs(away)))
        if away <= 0:
            last = name
    for (first, name), (second, following) in pairwise(row):
        if name == last and second - first <= _APART and not first <= 0 < second:
            behind_last[following] += 1
    return ReceiverUses(times, alike, nearest, last, behind_last, calls)
