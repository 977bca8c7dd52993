"""Places where a next edit is due but no text is sure, by rules and sources, as the model of places reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from editahead.suggest.next_edit.consequences.rates import rate
from editahead.suggest.next_edit.consequences.types import OpenPlace
from editahead.suggest.next_edit.edit_gates import paced_precision
from editahead.suggest.next_edit.scoring.candidate_features import scored_source
from editahead.suggest.types import Decision, Document, EditPlace, Reason, Shown, Suppressed

if TYPE_CHECKING:
    from editahead.suggest.next_edit.candidate_pool import RatedCandidates

RATES = "{}-place"  # the name of the rates of a source's places
MAX_TEXTS, MAX_RULES = 300, 100  # candidates, likeliest first, and places of rules that are read


def next_place(places: Sequence[OpenPlace], document: Document, byte: int) -> Decision[EditPlace]:
    """The first place behind the cursor, then from the top, then in other files, without that at the cursor.

    Its probability is the rate of its kind, which must reach the target precision.
    """
    precision = paced_precision(document.settings.place_precision, document.declined)
    ordered = sorted(
        (place for place in places if not _is_at(place, document, byte)),
        key=lambda place: (place.document.uri != document.uri, place.start < byte, place.start),
    )
    for place in ordered:
        probability = rate(RATES.format(place.source), place.kind)
        if probability >= precision:
            uri, version = place.document.uri, place.document.version
            value = EditPlace(uri, version, place.start, place.reason, place.key, place.pattern, place.source)
            return Shown(value, probability)
    return Suppressed(Reason.EMPTY, "no place asks for an edit")


def summary_of(places: Sequence[OpenPlace]) -> str:
    """The number and the kind of the places of the last change: `5 calls of ...`; empty without places."""
    if not places:
        return ""
    number = len({(each.document.uri, each.start) for each in places if each.group == places[0].group})
    return f"{number} {places[0].singular if number == 1 else places[0].plural}"


def _is_at(place: OpenPlace, document: Document, byte: int) -> bool:
    """Whether the cursor is at a place, or a character off: editors may keep it before the end of a line."""
    if place.document.uri != document.uri:
        return False
    between = document.syntax.buffer.data[min(place.start, byte) : max(place.start, byte)]
    return len(between) <= 4 and len(between.decode("utf-8", "replace")) <= 1


class TextSite(NamedTuple):
    """A candidate for the next edit: its file, zero-based line, source and calibrated probability."""

    uri: str
    line: int
    source: str
    probability: float


class RuleSite(NamedTuple):
    """A site that a rule gives: its file, zero-based line, rule, kind, the rate of that kind, and the reason."""

    uri: str
    line: int
    source: str
    kind: str
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
            site.document.uri, site.document.syntax.buffer.line_at(site.start), site.source, site.kind,
            rate(RATES.format(site.source), site.kind), site.reason,
        )
        for site in rated.places[:MAX_RULES]
    )  # fmt: skip
    return SiteEvidence(tuple(texts), tuple(rules))
