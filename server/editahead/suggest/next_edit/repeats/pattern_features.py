"""Features of the sites of a repeated edit, computed by the same function in fitting and in serving.

All features are near [0, 1] or logarithms. A site is a `Match` of a group's pattern; see group_sites.
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
_MAX_PARTS = 4000
_IN_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]")


@dataclass(frozen=True, slots=True)
class SiteContext:
    """The context of a match that its features need: counts over its group, and its syntax."""

    document: Document
    line: int
    matches: int
    skipped: bool
    skips: int
    role: Role | None
    scopes: tuple[tuple[int, int], ...]
    prose: bool  # inside a comment or a string
    has_declaration: bool  # a site of the group declares the name that is replaced


@dataclass(frozen=True, eq=False)
class GroupView:
    """The values that all sites of a group share."""

    group: EditGroup
    sample_documents: tuple[Document, ...]
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
        """The line of each example before the edit."""
        return frozenset(line_around(sample.example.before.texts, sample.example.lo) for sample in self.group.samples)

    @cached_property
    def heads(self) -> frozenset[tuple[str, ...]]:
        """The first token of each of these lines."""
        return frozenset(line[:1] for line in self.lines)

    @cached_property
    def shared(self) -> dict[str, float]:
        """The features that all sites share."""
        pattern, samples = self.group.pattern, self.group.samples
        gone, come = pattern.hi - pattern.lo, len(pattern.replacement)
        rows = zip(samples, self.sample_documents, strict=True)
        lines = [sample.example.line for sample, document in rows if document is self.sample_documents[0]]
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
        """Whether a new word occurs only where the examples inserted it; 0.5 without a new word."""
        pattern, newest = self.group.pattern, self.sample_documents[0]
        old = {elem.text for elem in pattern.elements}
        words = [elem.text for elem in pattern.replacement if elem.text and is_word(elem.text)]
        new = [word for word in words if word not in old]
        if not new:
            return 0.5
        times = sum(document is newest for document in self.sample_documents)
        data = newest.syntax.buffer.data
        return float(any(not _is_more_frequent(word, data, times * new.count(word)) for word in new))


def features(view: GroupView, match: Match, context: SiteContext) -> tuple[float, ...]:
    """The features of a site, in the order of FEATURES."""
    group, pattern = view.group, match.pattern
    samples = group.samples
    here = context.document is view.sample_documents[0]
    left, left_next = _agreement_and_equality_of_first(group.left, match.left)
    right, right_next = _agreement_and_equality_of_first(group.right, match.right)
    rows = zip(samples, view.sample_documents, strict=True)
    near = [abs(context.line - sample.example.line) for sample, document in rows if document is context.document]
    line = match.row
    values = {
        **view.shared,
        "left": left,
        "left_next": left_next,
        "right": right,
        "right_next": right_next,
        "owner": _equality(pattern.owner, match.owner),
        "head": float(line[:1] in view.heads),
        "shape": float(_shape(match.left, match.right) in view.shapes),
        "odd_hole": float(pattern.simple and _has_long_hole(match)),
        "matches": math.log(context.matches),
        "done_share": len(samples) / (len(samples) + context.matches),
        "elsewhere": float(not here),
        "distance": math.log(1.0 + min(near)) / math.log(_FAR) if near else 1.5,
        "above": float(here and context.line < samples[0].example.line),
        "skipped": float(context.skipped),
        "skips": math.log(1.0 + context.skips),
        "role": _role_agreement(view.roles, context.role),
        "declares": float(context.role is not None and context.role.is_declaration),
        "scope": _scope_agreement(view, context),
        "together": float(bool(near) and min(near) <= 1),
        "twin": float(line in view.lines),
        "prose": float(context.prose),
        "stands": float(context.has_declaration),
    }
    return tuple(map(values.__getitem__, FEATURES))


def _agreement_and_equality_of_first(expected: Sequence[str | None], actual: Sequence[str]) -> tuple[float, float]:
    """The share of the expected tokens that agree, near tokens weighted more; and whether the first agrees."""
    total = same = 0.0
    for at, text in enumerate(expected):
        if text is None:
            continue
        weight = 0.7**at
        total += weight
        same += weight * (at < len(actual) and actual[at] == text)
    first = expected[0] if expected else None
    return (same / total if total else 0.5), _equality(first, actual[0] if actual else None)


def _is_more_frequent(word: str, data: bytes, times: int) -> bool:
    """Whether a word occurs in a text more than so many times.

    Reading stops as soon as that is certain, or after _MAX_PARTS occurrences inside longer words.
    """
    needle = word.encode()
    count = compared = 0
    at = data.find(needle)
    while at >= 0 and count <= times and compared < _MAX_PARTS:
        compared += 1
        end = at + len(needle)
        count += not (_IN_WORD.match(data[max(0, at - 1) : at]) or _IN_WORD.match(data[end : end + 1]))
        at = data.find(needle, end)
    return count > times


def _equality(expected: str | None, actual: str | None) -> float:
    return 0.5 if expected is None else float(expected == actual)


def _has_long_hole(match: Match) -> bool:
    """Whether a hole matches several tokens."""
    elems = zip(match.spans, match.pattern.elements, strict=True)
    return any(high - low > 1 for (low, high), elem in elems if elem.text is None)


def _shape(left: Sequence[str], right: Sequence[str]) -> tuple[str, ...]:
    """The kinds of the four tokens on either side: `name` for all names, the text of other tokens."""
    beside = [*left[:4], "|", *right[:4]]
    return tuple("name" if text[0] == "_" or text[0].isalnum() else text for text in beside if text != LINE)


def _role_agreement(sample_roles: Sequence[Role | None], role: Role | None) -> float:
    roles = set(sample_roles) - {None}
    return 0.5 if role is None or not roles else float(role in roles)


def _scope_agreement(view: GroupView, context: SiteContext) -> float:
    """Whether the site is in the function of an example: 0.5 outside all functions or in another file."""
    rows = zip(view.scopes, view.sample_documents, strict=True)
    sample_scopes = [scopes for scopes, document in rows if document is context.document]
    if not sample_scopes or not context.scopes:
        return 0.5
    return float(any(context.scopes[-1] == scopes[-1] for scopes in sample_scopes if scopes))


def role_at(document: Document, byte: int) -> Role | None:
    """The role of the name at a byte; None where there is none, or where the language has no roles."""
    if document.syntax.language.scopes is None:
        return None
    buffer = document.syntax.buffer
    line = buffer.line_at(byte)
    column = byte - int(buffer.line_starts[line])
    for token in document.syntax.line_tokens(line):
        if token.start <= column < token.end:
            return token.role if token.kind is TokenKind.NAME else None
    return None
