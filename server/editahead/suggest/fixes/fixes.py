"""Suggested fixes: the likeliest rewritings of the function at the cursor, or of the selected lines.

The user requests them and sees each before it is applied; so they are listed like a menu, down to a floor, with
calibrated probabilities. What makes the syntax worse, reverts the last edit, or was rejected is excluded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from editahead.encode.span_copying.tokens import RegionError, RegionTokens, line_texts, region_around
from editahead.runtime.bundle import Bundle
from editahead.runtime.ort import Cancel, Selection
from editahead.runtime.span_copying.model import Rewritings, SpanModel
from editahead.suggest.gate import not_rejected, parses_no_worse, pattern_key
from editahead.suggest.requested_edits import MOST, EditScorer, answered
from editahead.suggest.types import Decision, Document, Fixes, GateReading, Reason, RequestedEdit, Shown, Suppressed
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import style_of
from editahead.text.percent import percent_of_least

SURFACE = "fix"
FEATURES = ("bias", "ln_p", "ln_unchanged", "ln_others", "rank")
_MIN_SHARE = 1e-6


def fix_features(rewritings: Rewritings, rank: int) -> tuple[float, ...]:
    """The features, as in FEATURES, of the probability that rewriting number `rank` is right."""
    share = rewritings.outputs[rank][1]
    others = sum(other for _, other in rewritings.outputs) - share
    logs = (math.log(max(_MIN_SHARE, value)) for value in (share, rewritings.unchanged, others))
    return (1.0, *logs, float(rank))


class Fixer:
    """One span-copying model at work. Lives on the inference thread. Raises BundleError when the bundle fails."""

    def __init__(self, bundle: Bundle, selection: Selection) -> None:
        self.model = SpanModel(bundle, selection)
        self._scorer = EditScorer(bundle, SURFACE, FEATURES)

    def suggest(self, document: Document, start: int, end: int, cancel: Cancel) -> Decision[Fixes]:
        """Fixes of the function around bytes [start, end), or of these lines where there is a selection."""
        enabled = GateReading(Reason.DISABLED, document.settings.suggest_fixes, "editahead.suggestFixes")
        return answered(document, enabled, cancel, lambda _: self._fixes(document, start, end, cancel))

    def _fixes(self, document: Document, start: int, end: int, cancel: Cancel) -> Decision[Fixes]:
        lines = self.region(document, start, end)
        if lines is None:
            return Suppressed(Reason.TOO_LARGE, f"more than {self.model.longest} tokens are selected")
        region = RegionTokens.of(line_texts(document.syntax, *lines))
        if not any(text.strip() for text in region.texts):
            return Suppressed(Reason.EMPTY, "blank lines")
        rewritings = self.model.rewrite(region.texts, cancel)
        fixes_by_text: dict[bytes, RequestedEdit] = {}
        best = 0.0
        for rank, (texts, _) in enumerate(rewritings.outputs):
            probability = self.probability(rewritings, rank)
            best = max(best, probability)
            edit = self._edit(document, lines, region, texts)
            if edit is None or probability < document.settings.fix_floor:
                continue
            key = pattern_key(edit, document.syntax.buffer.data)
            if all(reading.passed for reading in self._gates(document, edit, key)):
                after = document.syntax.buffer.apply(edit).data
                existing = fixes_by_text.get(after)
                if existing is None or existing.probability < probability:
                    fixes_by_text[after] = RequestedEdit(edit, probability, key)
        items = sorted(fixes_by_text.values(), key=lambda fix: -fix.probability)[:MOST]
        if not items:
            return Suppressed(Reason.LOW_PROBABILITY, percent_of_least(best, document.settings.fix_floor))
        return Shown(Fixes(tuple(items), lines[0], lines[1] - 1, rewritings.unchanged), items[0].probability)

    def region(self, document: Document, start: int, end: int) -> tuple[int, int] | None:
        """Lines [first, last) that are rewritten; None where the selection alone is too long."""
        buffer = document.syntax.buffer
        first, last = buffer.line_at(start), buffer.line_at(end)
        if last > first and end == buffer.line_span(last)[0]:
            last -= 1  # a selection of whole lines ends at the start of the next line
        if start == end:
            return region_around(document.syntax, first, last + 1, self.model.longest)
        tokens = len(RegionTokens.of(line_texts(document.syntax, first, last + 1)).texts)
        return (first, last + 1) if tokens <= self.model.longest else None

    def probability(self, rewritings: Rewritings, rank: int) -> float:
        """The calibrated probability that a rewriting is right."""
        return self._scorer.probability(fix_features(rewritings, rank))

    @staticmethod
    def _edit(
        document: Document, lines: tuple[int, int], region: RegionTokens, texts: tuple[str, ...]
    ) -> ByteEdit | None:
        """A rewriting as the smallest edit of the buffer; None where it is none."""
        buffer = document.syntax.buffer
        tabs, eol = style_of(buffer.data)
        try:
            text = region.rewrite(texts, tabs=tabs)
        except RegionError:
            return None
        low, high = buffer.line_span(lines[0])[0], buffer.line_span(lines[1] - 1)[1]
        edit = ByteEdit(low, high, text.encode("utf-8").replace(b"\n", eol)).trim(buffer.data)
        return None if edit.is_noop(buffer.data) else edit

    @staticmethod
    def _gates(document: Document, edit: ByteEdit, key: str) -> Iterator[GateReading]:
        yield not_rejected(document, key)
        history = document.history
        last = history.pending or (history.settled[-1] if history.settled else None)
        back = last is not None and edit == last.inverse.trim(document.syntax.buffer.data)
        yield GateReading(Reason.REVERSAL, not back, "takes back your edit" if back else "takes nothing back")
        yield parses_no_worse(document.syntax.error_count(), document.syntax.errors_with([edit]))
