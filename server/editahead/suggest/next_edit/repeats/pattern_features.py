"""What a place of a repeated edit looks like, as numbers: fitted and served by the same function.

All features are near [0, 1] or logarithms. A place is a `Match` of a group's pattern; see repeat_sites.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from editahead.patterns.groups import EditGroup
from editahead.patterns.matching import Match
from editahead.patterns.pattern import LINE, context_tokens, is_word, line_around
from editahead.suggest.types import Document
from editahead.syntax.tokens import Role, TokenKind

FEATURES = (
    "bias", "examples", "left", "left_next", "right", "right_next", "owner", "head", "shape", "holes", "odd_hole",
    "word", "gone", "come", "rename", "insert", "delete", "lines", "matches", "done_share", "elsewhere", "distance",
    "spread", "above", "skipped", "skips", "age", "role", "declares", "declared", "scope", "together", "twin", "prose",
    "stands", "fresh",
)  # fmt: skip
_FAR = 400.0
_PARTS = 4000
_IN_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]")


@dataclass(frozen=True, slots=True)
class PlaceSurroundings:
    """What one place's features need besides the match: counts over its group, and what syntax says."""

    document: Document
    line: int
    matches: int
    skipped: bool
    skips: int
    role: Role | None
    scopes: tuple[tuple[int, int], ...]
    prose: bool  # inside a comment or a string
    stands: bool  # one of the group's places declares the name that goes


@dataclass(frozen=True, eq=False)
class GroupView:
    """What is the same for all places of a group."""

    group: EditGroup
    homes: tuple[Document, ...]  # the document of each sample
    roles: tuple[Role | None, ...]
    scopes: tuple[tuple[tuple[int, int], ...], ...]

    @cached_property
    def shapes(self) -> frozenset[tuple[str, ...]]:
        """The kinds of tokens beside each example."""
        return frozenset(
            _shape(*(context_tokens(sample.example, step, 4) for step in (-1, 1))) for sample in self.group.samples
        )

    @cached_property
    def lines(self) -> frozenset[tuple[str, ...]]:
        """The line of each example, as it was."""
        return frozenset(line_around(sample.example.before.texts, sample.example.lo) for sample in self.group.samples)

    @cached_property
    def heads(self) -> frozenset[tuple[str, ...]]:
        """The first token of each of these lines."""
        return frozenset(line[:1] for line in self.lines)

    @cached_property
    def shared(self) -> dict[str, float]:
        """The numbers that all places have in common."""
        pattern, samples = self.group.pattern, self.group.samples
        gone, come = pattern.hi - pattern.lo, len(pattern.replacement)
        placed = zip(samples, self.homes, strict=True)
        lines = [sample.example.line for sample, home in placed if home is self.homes[0]]
        renames = pattern.renames is not None
        return {
            "bias": 1.0,
            "examples": math.log(len(samples)),
            "holes": float(pattern.holes),
            "word": math.log(max(1, len(pattern.word))),
            "gone": math.log(1.0 + gone),
            "come": math.log(1.0 + come),
            "rename": float(renames),
            "insert": float(gone == 0),
            "delete": float(come == 0),
            "lines": float(any((out.text or "").startswith("\n") for out in pattern.replacement)),
            "spread": math.log(1.0 + max(lines) - min(lines)) / math.log(_FAR),
            "age": math.log(1.0 + samples[0].age),
            "declared": float(renames and any(role and role.is_declaration for role in self.roles)),
            "fresh": self.fresh,
        }

    @cached_property
    def fresh(self) -> float:
        """Whether a word that comes stands only where the examples brought it; 0.5 where no word comes."""
        pattern, home = self.group.pattern, self.homes[0]
        known = {elem.text for elem in pattern.elements}
        new = [elem.text for elem in pattern.replacement if elem.text and is_word(elem.text)]
        come = [text for text in new if text not in known]
        if not come:
            return 0.5
        times = sum(other is home for other in self.homes)
        data = home.syntax.buffer.data
        return float(any(not _more_often(word, data, times * come.count(word)) for word in come))


def features(view: GroupView, match: Match, around: PlaceSurroundings) -> tuple[float, ...]:
    """The numbers of one place, in the order of FEATURES."""
    group, pattern = view.group, match.pattern
    samples = group.samples
    here = around.document is view.homes[0]
    left, left_next = _agreement(group.left, match.left)
    right, right_next = _agreement(group.right, match.right)
    placed = zip(samples, view.homes, strict=True)
    near = [abs(around.line - sample.example.line) for sample, home in placed if home is around.document]
    line = match.row
    values = {
        **view.shared,
        "left": left,
        "left_next": left_next,
        "right": right,
        "right_next": right_next,
        "owner": _same(pattern.owner, match.owner),
        "head": float(line[:1] in view.heads),
        "shape": float(_shape(match.left, match.right) in view.shapes),
        "odd_hole": float(pattern.simple and _holds_more(match)),
        "matches": math.log(around.matches),
        "done_share": len(samples) / (len(samples) + around.matches),
        "elsewhere": float(not here),
        "distance": math.log(1.0 + min(near)) / math.log(_FAR) if near else 1.5,
        "above": float(here and around.line < samples[0].example.line),
        "skipped": float(around.skipped),
        "skips": math.log(1.0 + around.skips),
        "role": _role_agrees(view.roles, around.role),
        "declares": float(around.role is not None and around.role.is_declaration),
        "scope": _scope_agrees(view, around),
        "together": float(bool(near) and min(near) <= 1),
        "twin": float(line in view.lines),
        "prose": float(around.prose),
        "stands": float(around.stands),
    }
    return tuple(map(values.__getitem__, FEATURES))


def _agreement(wanted: Sequence[str | None], found: Sequence[str]) -> tuple[float, float]:
    """The share of the shared context that is here too, near tokens counting more; and whether the next token is."""
    total = here = 0.0
    for at, text in enumerate(wanted):
        if text is None:
            continue
        weight = 0.7**at
        total += weight
        here += weight * (at < len(found) and found[at] == text)
    first = wanted[0] if wanted else None
    next_one = 0.5 if first is None else float(bool(found) and found[0] == first)
    return (here / total if total else 0.5), next_one


def _more_often(word: str, data: bytes, most: int) -> bool:
    """Whether a word stands in a text more than so many times.

    A long text is read no farther than that needs, and of the many words that it is a part of only the first _PARTS
    are.
    """
    wanted = word.encode()
    seen = looked = 0
    at = data.find(wanted)
    while at >= 0 and seen <= most and looked < _PARTS:
        looked += 1
        end = at + len(wanted)
        seen += not (_IN_WORD.match(data[max(0, at - 1) : at]) or _IN_WORD.match(data[end : end + 1]))
        at = data.find(wanted, end)
    return seen > most


def _same(wanted: str | None, found: str | None) -> float:
    return 0.5 if wanted is None else float(wanted == found)


def _holds_more(match: Match) -> bool:
    """Whether a hole holds several tokens."""
    elems = zip(match.spans, match.pattern.elements, strict=True)
    return any(high - low > 1 for (low, high), elem in elems if elem.text is None)


def _shape(left: Sequence[str], right: Sequence[str]) -> tuple[str, ...]:
    """The kinds of the four tokens on either side: names are alike, all others stand for themselves."""
    beside = [*left[:4], "|", *right[:4]]
    return tuple("name" if text[0] == "_" or text[0].isalnum() else text for text in beside if text != LINE)


def _role_agrees(roles: Sequence[Role | None], role: Role | None) -> float:
    known = {one for one in roles if one is not None}
    if role is None or not known:
        return 0.5
    return float(role in known)


def _scope_agrees(view: GroupView, around: PlaceSurroundings) -> float:
    """Whether the place is in the function of an example: 0.5 outside all functions or in another file."""
    homes = [scopes for scopes, home in zip(view.scopes, view.homes, strict=True) if home is around.document]
    if not homes or not around.scopes:
        return 0.5
    return float(any(around.scopes[-1] == scopes[-1] for scopes in homes if scopes))


def role_at(document: Document, byte: int) -> Role | None:
    """The role of the name at a byte; None where there is none, or where the language has no roles."""
    if not document.syntax.language.has_scopes:
        return None
    buffer = document.syntax.buffer
    line = buffer.line_at(byte)
    column = byte - int(buffer.line_starts[line])
    for token in document.syntax.line_tokens(line):
        if token.start <= column < token.end:
            return token.role if token.kind is TokenKind.NAME else None
    return None
