"""Places that need an edit because of the user's changes, where no text is sure."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.suggest.gate import paced_precision
from editahead.suggest.next_edit.consequences.rule import rate
from editahead.suggest.next_edit.consequences.types import OpenPlace
from editahead.suggest.types import Decision, Document, EditPlace, Reason, Shown, Suppressed

RATES = "{}-place"  # the name of the rates of a source's sites


def next_place(places: Sequence[OpenPlace], document: Document, byte: int) -> Decision[EditPlace]:
    """The first site behind the cursor, then from the top, then in other files, without that at the cursor.

    Its probability is the rate of its kind, which must reach the target precision.
    """
    precision = paced_precision(document.target_precision("jump"), document.declined)
    ordered = sorted(
        (site for site in places if not _is_at(site, document, byte)),
        key=lambda site: (site.document.uri != document.uri, site.start < byte, site.start),
    )
    for site in ordered:
        probability = rate(RATES.format(site.source), site.kind)
        if probability >= precision:
            uri, version = site.document.uri, site.document.version
            value = EditPlace(uri, version, site.start, site.reason, site.key, site.pattern, site.source)
            return Shown(value, probability)
    return Suppressed(Reason.EMPTY, "no place asks for an edit")


def summary_of(places: Sequence[OpenPlace]) -> str:
    """The number and the kind of the places of the last change: `5 calls of ...`; empty without places."""
    if not places:
        return ""
    number = len({(each.document.uri, each.start) for each in places if each.group == places[0].group})
    return f"{number} {places[0].singular if number == 1 else places[0].plural}"


def _is_at(site: OpenPlace, document: Document, byte: int) -> bool:
    """Whether the cursor is at a site, or a character off: editors may keep it before the end of a line."""
    if site.document.uri != document.uri:
        return False
    between = document.syntax.buffer.data[min(site.start, byte) : max(site.start, byte)]
    return len(between) <= 4 and len(between.decode("utf-8", "replace")) <= 1
