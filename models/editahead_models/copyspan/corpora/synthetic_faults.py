"""Synthetic faults: correct regions with one small typing fault, from which a model learns the repair.

Repairs in commits are mostly new ideas, which no small model can predict. A typing fault can be repaired from the
region itself: a name that is spelled right elsewhere, an open bracket, an operator that does not fit its operands. The
faults know nothing of a language but its signs. Sources: Allamanis, Jackson-Flux and Brockschmidt 2021, "Self-
supervised bug detection and repair" (variable misuse, wrong operators, swapped arguments); the rest are common typing
errors.
"""

from __future__ import annotations

import keyword
import random
import re
from collections.abc import Callable, Sequence

from editahead.encode.span_copying.tokens import FIRST

from editahead_models.copyspan.network.batches import Pair, Tokens

SAME = 0.3
"""Share of pairs that stay as they are: most functions that are asked about have no such fault."""
PART = 0.6
"""Share of regions of which only some lines are taken: short functions are asked about as well."""
_NAME = re.compile(r" *[^\W\d]\w*$")
_WORDS = frozenset(keyword.kwlist) | frozenset(
    """abstract assert boolean break byte case catch char class const continue default do double else enum extends
    final finally float for goto if implements import instanceof int interface long native new package private protected
    public return short static super switch synchronized this throw throws transient try void volatile while null true
    false self cls None True False as async await constructor delete export function let of readonly typeof undefined
    var with yield""".split()
)
_OPERATORS = (
    ("==", "!="), ("<", "<="), (">", ">="), ("<", ">"), ("+", "-"), ("and", "or"), ("&&", "||"), ("is", "=="),
    ("+=", "-="), ("==", "="), ("in", "is"), ("*", "/"), ("===", "!=="), ("===", "="), ("??", "||"), ("?.", "."),
)  # fmt: skip
_DROPPED = frozenset((":", ")", "]", "}", ";", ",", "(", "not", "return", "self", ".", "=", "new", "!", "await", "in"))
Fault = Callable[[list[str], random.Random], "list[str] | None"]


def bare(token: str) -> str:
    """A token without the blanks before it."""
    return token.lstrip(" ")


def blanks(token: str) -> str:
    """The blanks before a token."""
    return token[: len(token) - len(bare(token))]


def is_name(token: str) -> bool:
    """Whether a token is a name that somebody chose."""
    return _NAME.fullmatch(token) is not None and bare(token) not in _WORDS


def mistyped(tokens: list[str], rng: random.Random) -> list[str] | None:
    """A name that stands elsewhere in the region with two letters swapped, one left out, or one twice."""
    counts: dict[str, int] = {}
    for token in tokens:
        counts[bare(token)] = counts.get(bare(token), 0) + 1
    long = [at for at, token in enumerate(tokens) if is_name(token) and len(bare(token)) > 3]
    places = [at for at in long if counts[bare(tokens[at])] > 1]
    if not places:
        return None
    at = rng.choice(places)
    name = bare(tokens[at])
    where = rng.randrange(1, len(name) - 1)
    wrong = rng.choice((
        name[:where] + name[where + 1] + name[where] + name[where + 2 :],
        name[:where] + name[where + 1 :],
        name[:where] + name[where] + name[where:],
    ))  # fmt: skip
    return None if wrong in counts else [*tokens[:at], blanks(tokens[at]) + wrong, *tokens[at + 1 :]]


def misused(tokens: list[str], rng: random.Random) -> list[str] | None:
    """One name of the region in the place of another."""
    places = [at for at, token in enumerate(tokens) if is_name(token)]
    names = sorted({bare(tokens[at]) for at in places})
    if len(names) < 2:
        return None
    at = rng.choice(places)
    other = rng.choice([name for name in names if name != bare(tokens[at])])
    return [*tokens[:at], blanks(tokens[at]) + other, *tokens[at + 1 :]]


def wrong_operator(tokens: list[str], rng: random.Random) -> list[str] | None:
    """Another operator of the same kind."""
    found = [
        (at, there)
        for at, token in enumerate(tokens)
        for one, other in _OPERATORS
        for here, there in ((one, other), (other, one))
        if bare(token) == here
    ]
    if not found:
        return None
    at, there = rng.choice(found)
    return [*tokens[:at], blanks(tokens[at]) + there, *tokens[at + 1 :]]


def left_out(tokens: list[str], rng: random.Random) -> list[str] | None:
    """A sign or a small word is missing."""
    places = [at for at, token in enumerate(tokens) if bare(token) in _DROPPED]
    if not places:
        return None
    at = rng.choice(places)
    return [*tokens[:at], *tokens[at + 1 :]]


def doubled(tokens: list[str], rng: random.Random) -> list[str] | None:
    """A token is there twice."""
    places = [at for at, token in enumerate(tokens) if not token.startswith("\n")]
    if not places:
        return None
    at = rng.choice(places)
    return [*tokens[: at + 1], *tokens[at:]]


def swapped(tokens: list[str], rng: random.Random) -> list[str] | None:
    """Two names on both sides of a comma have changed places."""
    places = [
        at for at in range(1, len(tokens) - 1)
        if tokens[at] == "," and is_name(tokens[at - 1]) and is_name(tokens[at + 1])
        and bare(tokens[at - 1]) != bare(tokens[at + 1])
    ]  # fmt: skip
    if not places:
        return None
    at = rng.choice(places)
    left, right = tokens[at - 1], tokens[at + 1]
    return [*tokens[: at - 1], blanks(left) + bare(right), ",", blanks(right) + bare(left), *tokens[at + 2 :]]


FAULTS: tuple[tuple[Fault, float], ...] = (
    (mistyped, 3.0), (left_out, 3.0), (wrong_operator, 1.0), (misused, 1.5), (doubled, 0.7), (swapped, 0.5),
)  # fmt: skip
"""The kinds of faults with their relative frequency."""


def with_fault(tokens: Tokens, rng: random.Random) -> Pair | None:
    """A region with a fault, and the way it should be; None where no fault is possible."""
    faults, weights = zip(*FAULTS, strict=True)
    for fault in rng.choices(faults, weights, k=4):
        broken = fault(list(tokens), rng)
        if broken is not None and tuple(broken) != tokens:
            return Pair(tuple(broken), tokens)
    return None


def some_lines(tokens: Tokens, most: int, rng: random.Random) -> Tokens:
    """Lines in a row from a drawn one on, with at most `most` tokens (one line at least)."""
    starts = [at for at, token in enumerate(tokens) if token.startswith("\n")]
    number = rng.randrange(len(starts))
    first, ends = starts[number], [*starts[number + 1 :], len(tokens)]
    last = max([end for end in ends if end - first <= most], default=ends[0])
    return (FIRST, *tokens[first + 1 : last])


def with_faults(good: Sequence[Tokens], rng: random.Random, *, longest: int) -> list[Pair]:
    """Each region of at most `longest` tokens once, or a part of it (PART): as it is (SAME), or with a fault."""
    found: list[Pair] = []
    for whole in good:
        tokens = some_lines(whole, longest // 2, rng) if rng.random() < PART else whole
        if not 6 <= len(tokens) <= longest:
            continue
        pair = Pair(tokens, tokens) if rng.random() < SAME else with_fault(tokens, rng)
        if pair is not None:
            found.append(pair)
    return found
