"""The further features of the ranker of members.

Shapes: N candidates, C and S further features of a candidate and of the position.
A receiver is identified by its last part: `df` of `self.df.`, `open()` of a call, `rows[]` of an index. How common
members are in open-source code, of popular modules and classes and behind any dot, is a table that
`editahead-models mine members` writes from the projects that networks learn from.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.suggest.completion.ranking.slots import DOTS, opening_of
from editahead.syntax.tokens import Line, Token, TokenKind
from editahead.text.memo import cache_texts, remembered_by_identity
from editahead.text.words import is_name

_CALLS = {")": "()", "]": "[]"}
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
SELF = frozenset(("self", "this", "cls", "super()"))
_APART = 6  # lines between two uses that follow each other
_NONE: Mapping[str, float] = MappingProxyType({})
CANDIDATE_FEATURES = (
    "own",  # declared by the receiver's class itself
    "inherited",  # ln(1 + steps to the base that declares it)
    "of_object",  # every object has it
    "pair_times",  # ln(1 + uses behind the same receiver in reach)
    "pair_near",  # 1 / (1 + lines to the nearest of them / 4)
    "pair_last",  # the member used last above
    "behind_last",  # share of the uses behind that member
    "declared_next",  # 1 / (1 + members declared between that member and it), 0 before it
    "alike_times",  # ln(1 + uses behind receivers that end with the same word)
    "pair_project",  # share of the uses behind the same receiver in other files
    "project",  # ln(share of the uses behind any receiver in other files), scaled to [0, 1]
    "common_here",  # ln(share of the uses of the module's or class's members in open-source code), scaled to [0, 1]
    "common",  # the same behind any dot
    "called",  # how often it is called, of its uses behind any receiver: -1 never, 1 always, 0 without a use
    "uses",  # ln(1 + uses behind any receiver in reach)
    "same_as_hint",  # the name that the value is given to, but for underscores
    "part_of_hint",  # either begins or ends with the other
    "same_as_function",  # the name of the function around
    "same_as_parameter",  # the name of a parameter of the function around
)
PLACE_FEATURES = (
    "self",  # the object whose method is written
    "one_name",
    "dotted",
    "begins_statement",
    "call_follows",  # behind the cursor stands a bracket
    "assignment_follows",
    "nothing_follows",
    "returned",
    "hint",  # the value is assigned to a name
    "uses",  # ln(1 + uses of members behind the receiver in reach)
    "members",  # ln(1 + members of its class)
    "project_pair",  # other files have the receiver
    "well_known",  # open-source code uses the module or class often
)
_RARE = 1e-5  # the minimum share of a member


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
    if last in _CALLS:
        at = opening_of(tokens, len(tokens) - 1)
        name = tokens[at - 1].text if at > 0 else ""
        return f"{name}{_CALLS[last]}" if is_name(name) else ""
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


FILE = Path(__file__).with_name("common_members.json")


def common_members(module: str = "") -> Mapping[str, float]:
    """Shares of the members of a module or class, given by its dotted name; behind any dot if it is empty.

    A share is that of the files that use the member in all such pairs of file and member.
    """
    return _table().get(module, _NONE)


@cache
def _table() -> dict[str, dict[str, float]]:
    counts: dict[str, dict[str, int]] = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        module: {name: count / total for name, count in names.items()}
        for module, names in counts.items()
        if (total := sum(names.values()))
    }


Floats = npt.NDArray[np.float32]


class MemberEvidence(NamedTuple):
    """The evidence behind a dot.

    `levels`: of members the steps from the receiver's class to the base that declares them; `object_members`: those of
    every object; `declared`: those of a class of the file in their order; `project`, `anywhere`: shares of the members
    behind the receiver and behind any in other files; `common_here`, `common`: the same in open-source code, by the
    receiver's module or class; `hint`: the name that the value
    is given to, `function` that of the function around, `parameters` those of its parameters, all without underscores
    at their ends; `position`: features (S,).
    """

    levels: Mapping[str, int]
    object_members: frozenset[str]
    declared: tuple[str, ...]
    uses: ReceiverUses
    project: Mapping[str, float]
    anywhere: Mapping[str, float]
    common_here: Mapping[str, float]
    common: Mapping[str, float]
    hint: str
    function: str
    parameters: frozenset[str]
    position: Floats


def member_features(texts: Sequence[str], evidence: MemberEvidence) -> Floats:
    """Features (N, C) of candidates."""
    rows = np.zeros((len(texts), len(CANDIDATE_FEATURES)), np.float32)
    uses, hint = evidence.uses, evidence.hint
    followed = max(1, uses.behind_last.total())
    order = {name: number for number, name in enumerate(evidence.declared)}
    last = order.get(uses.last, len(order))
    for number, text in enumerate(texts):
        level, bare = evidence.levels.get(text), text.strip("_")
        of_all, called = uses.calls.get(text, (0, 0))
        rows[number] = (
            level == 0, math.log1p(level or 0), text in evidence.object_members,
            math.log1p(uses.times[text]),
            1 / (1 + uses.nearest[text] / 4) if text in uses.nearest else 0.0,
            text == uses.last, uses.behind_last[text] / followed,
            1 / (order[text] - last) if order.get(text, -1) > last else 0.0,
            math.log1p(uses.alike[text]), evidence.project.get(text, 0.0),
            _scaled(evidence.anywhere.get(text, 0.0)), _scaled(evidence.common_here.get(text, 0.0)),
            _scaled(evidence.common.get(text, 0.0)),
            2 * called / of_all - 1 if of_all else 0.0, math.log1p(of_all),
            bool(hint) and bare == hint, bool(hint) and bare != hint and _has_common_end(bare, hint),
            bool(bare) and bare == evidence.function, bare in evidence.parameters,
        )  # fmt: skip
    return rows


def _scaled(share: float) -> float:
    """The logarithm of a share, from 0 for a rare member to 1."""
    return 1 + math.log(max(share, _RARE)) / -math.log(_RARE)


def _has_common_end(first: str, second: str) -> bool:
    short, long = sorted((first.lower(), second.lower()), key=len)
    return len(short) > 1 and (long.startswith(short) or long.endswith(short))
