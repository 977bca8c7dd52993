"""What is claimed of a language: a figure, its aim, and whether the figure reaches it beyond its interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from editahead_models.publishing.intervals import verdict


class Claim(NamedTuple):
    """`path` leads to a share in the tables of a language; with `at_most` the aim is an upper limit."""

    text: str
    path: tuple[str, ...]
    aim: float
    at_most: bool = False


class JudgedClaim(NamedTuple):
    """A claim with its share (as JSON) and its verdict: `yes`, `no` or `undecided`."""

    claim: Claim
    share: Mapping[str, Any]
    verdict: str


def _completion(text: str, first: float, five: float, *path: str) -> tuple[Claim, Claim]:
    return (
        Claim(f"{text}: first choice", ("completions", *path, "1"), first),
        Claim(f"{text}: among the first five", ("completions", *path, "5"), five),
    )


_NEXT = ("next-edits", "precisions", "0.8")
_LOCALS = ("renames", "locals, parameters, imports")
CLAIMS = (
    *_completion("nothing typed", 0.50, 0.75, "all", "0"),
    *_completion("one letter typed", 0.78, 0.94, "all", "1"),
    *_completion("one letter typed, without what is typed", 0.78, 0.94, "longer", "1"),
    *_completion("two letters typed", 0.86, 0.96, "all", "2"),
    *_completion("two letters typed, without what is typed", 0.86, 0.96, "longer", "2"),
    *_completion("uses of names in scope, nothing typed", 0.65, 0.90, "roles", "use in scope", "0"),
    *_completion("new bindings, nothing typed", 0.20, 0.45, "roles", "new binding", "0"),
    *_completion("imports, nothing typed", 0.60, 0.85, "roles", "import", "0"),
    Claim("first choice is a local of another function", ("completions", "locals of other functions"), 0.005, True),
    Claim("ghost text at 0.8: places where it is shown", ("ghost-text", "0.8", "shown"), 0.25),
    Claim("next edits at 0.8: requests answered exactly", (*_NEXT, "exact"), 0.20),
    Claim("next edits at 0.8: wrong of those shown", (*_NEXT, "wrong of shown"), 0.20, True),
    Claim("the same substitution once more: answered exactly", (*_NEXT, "categories", "same", "exact"), 0.65),
    Claim("only tokens that were inserted before: answered exactly", (*_NEXT, "categories", "seen", "exact"), 0.15),
    Claim("nothing to come: nothing shown", (*_NEXT, "quiet"), 0.98),
    Claim("renames of locals, parameters, imports: offered", (*_LOCALS, "offered"), 0.90),
    Claim("renames of locals, parameters, imports: right", (*_LOCALS, "right"), 0.98),
    Claim("renames of attributes and methods: right", ("renames", "attributes and methods", "right"), 0.90),
    Claim("no use left: something shown", (*_LOCALS, "nothing left"), 0.05, True),
    Claim("check at 0.8: left-out edits reported", ("check", "found"), 0.65),
    Claim("check at 0.8: finished commits with a report", ("check", "finished commits"), 0.05, True),
)  # fmt: skip


def judged(
    tables: Mapping[str, Any], claims: Iterable[Claim] = CLAIMS, judge: Callable[..., str] = verdict
) -> Iterator[JudgedClaim]:
    """The claims whose figure was measured; `judge` makes a verdict of share, aim and `at_most`."""
    for claim in claims:
        found: Any = tables
        for key in claim.path:
            found = found.get(key) if isinstance(found, Mapping) else None
        if isinstance(found, Mapping) and found["n"]:
            yield JudgedClaim(claim, found, judge(found, claim.aim, at_most=claim.at_most))
