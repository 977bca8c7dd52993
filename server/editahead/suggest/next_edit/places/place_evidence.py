"""Results of the sources of next edits by line, which the model of places reads: texts that are not sure, and rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from editahead.suggest.next_edit.consequences.rule import rate
from editahead.suggest.next_edit.open_places import RATES
from editahead.suggest.next_edit.scoring.candidate_features import scored_source

if TYPE_CHECKING:
    from editahead.suggest.next_edit.candidate_pool import RatedCandidates

MAX_TEXTS, MAX_RULES = 300, 100  # candidates, likeliest first, and places of rules that are read


class TextSite(NamedTuple):
    """A candidate for the next edit: its file, zero-based line, source and calibrated probability."""

    uri: str
    line: int
    source: str
    probability: float


class RuleSite(NamedTuple):
    """A site that a rule gives: its file, zero-based line, rule, the rate of its kind, and the reason."""

    uri: str
    line: int
    source: str
    probability: float
    reason: str


class SiteEvidence(NamedTuple):
    """The candidates and the places of the rules of a request."""

    texts: tuple[TextSite, ...] = ()
    rules: tuple[RuleSite, ...] = ()


def place_evidence(rated: RatedCandidates) -> SiteEvidence:
    """The evidence of rated candidates, in files up to a number of sites."""
    likeliest = sorted(rated.items, key=lambda item: -item.probability)[:MAX_TEXTS]
    texts = (
        TextSite(item.candidate.document.uri, item.candidate.line, scored_source(item.candidate), item.probability)
        for item in likeliest
    )
    rules = (
        RuleSite(
            site.document.uri, site.document.syntax.buffer.line_at(site.start), site.source,
            rate(RATES.format(site.source), site.kind), site.reason,
        )
        for site in rated.places[:MAX_RULES]
    )  # fmt: skip
    return SiteEvidence(tuple(texts), tuple(rules))
