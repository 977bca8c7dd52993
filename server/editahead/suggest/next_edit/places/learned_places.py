"""The likeliest site of a next edit whose text is not sure, by the model of places."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator

import numpy as np

from editahead.suggest.gate import not_excluded, small_enough
from editahead.suggest.next_edit.edit_gates import paced_precision
from editahead.suggest.next_edit.places.changed_words import ChangedWords, changed_words
from editahead.suggest.next_edit.places.feature_names import COLUMN
from editahead.suggest.next_edit.places.line_facts import MAX_TEXT, LineFacts, line_facts
from editahead.suggest.next_edit.places.place_evidence import SiteEvidence
from editahead.suggest.next_edit.places.place_features import RatedLines, rated_lines
from editahead.suggest.next_edit.places.place_model import PlaceModel, shipped_places
from editahead.suggest.next_edit.places.place_reason import place_reason
from editahead.suggest.next_edit.places.text_lines import reserved_for_text
from editahead.suggest.types import LEARNED, Decision, Document, EditPlace, Reason, Shown, Suppressed
from editahead.text.buffer import Buffer
from editahead.text.percent import percent

MAX_FILES = 8
"""Other open files in which places are looked for."""
_KEPT = 12
_CLEAR = ("text_here", "gone_rare", "come_rare", "sub_rare", "shape_was")
"""Features of a line itself, which tell it from those beside it."""
_NEARLY = 1.0
"""Log odds by which a line beside the likeliest may be less likely."""
_SITE = " @ "
"""What stands between a change and the text of its line in the key of a rejection."""


class LearnedPlaces:
    """Rates lines by the model of places. Keeps the facts of the latest texts. Lives on the inference thread."""

    def __init__(self, model: PlaceModel | None = None) -> None:
        self._model = model
        self._facts: OrderedDict[int, tuple[Buffer, LineFacts]] = OrderedDict()

    def find_site(
        self, document: Document, byte: int, evidence: SiteEvidence, check: Callable[[], None]
    ) -> Decision[EditPlace]:
        """The likeliest site if it reaches the threshold. Raises what `check` raises."""
        changed, rated = self.rate_lines(document, byte, evidence, check)
        model = self._model or shipped_places()
        best: tuple[float, RatedLines, int] | None = None
        for each in rated:
            odds = model.odds(each.features)
            kept = np.flatnonzero(~reserved_for_text(each.features, each.lines, odds))
            if len(kept) and (best is None or odds[kept].max() > best[0]):
                lines = each._replace(lines=each.lines[kept], features=each.features[kept])
                best = float(odds[kept].max()), lines, int(np.argmax(odds[kept]))
        if best is None:
            return Suppressed(Reason.EMPTY, "no line qualifies")
        _, lines, row = best
        probability = float(model.probabilities(lines.features[row : row + 1])[0])
        if probability < model.threshold(paced_precision(document.target_precision("jump"), document.declined)):
            return Suppressed(Reason.LOW_PROBABILITY, f"the likeliest line has {percent(probability)}")
        row = _clearest(lines, row, model)
        target = lines.document
        reason, start = place_reason(model, lines, row, changed, evidence)
        key = f"{LEARNED}{_SITE}{_stripped(target, int(lines.lines[row]))}"
        return Shown(EditPlace(target.uri, target.version, start, reason, key, key, LEARNED), probability)

    def rate_lines(
        self, document: Document, byte: int, evidence: SiteEvidence, check: Callable[[], None]
    ) -> tuple[ChangedWords, list[RatedLines]]:
        """The recent changes, and the lines of the document and of other open files with their features.

        Files that are excluded or too large have none, and no file has any before a change. Raises what `check` raises.
        """
        documents = [document, *(other for other in document.others if not_excluded(other).passed)]
        changed = changed_words(documents, check)
        if not changed.changes:
            return changed, []
        rated: list[RatedLines] = []
        for number, each in enumerate(documents[: MAX_FILES + 1]):
            check()
            if len(each.syntax.buffer.data) <= MAX_TEXT and small_enough(each).passed:
                cursor = each.syntax.buffer.line_at(byte) if number == 0 else None
                facts = self._facts_of(each.syntax.buffer)
                rejected = _rejected_lines(document, each)
                rated.append(rated_lines(each, facts, changed, evidence, cursor, rejected, check))
        return changed, rated

    def forget(self) -> None:
        """Drop the facts of all texts."""
        self._facts.clear()

    def _facts_of(self, buffer: Buffer) -> LineFacts:
        kept = self._facts.get(id(buffer))
        if kept is None or kept[0] is not buffer:
            kept = buffer, line_facts(buffer)
        self._facts[id(buffer)] = kept
        self._facts.move_to_end(id(buffer))
        while len(self._facts) > _KEPT:
            self._facts.popitem(last=False)
        return kept[1]


def _clearest(lines: RatedLines, row: int, model: PlaceModel) -> int:
    """Of the likeliest line and those beside it that are nearly as likely, that with the clearest evidence."""
    near = [at for at in (row, row - 1, row + 1) if 0 <= at < len(lines.lines)]
    near = [at for at in near if abs(int(lines.lines[at]) - int(lines.lines[row])) <= 1]
    odds = model.odds(lines.features[near])
    clear = lines.features[near][:, [COLUMN[name] for name in _CLEAR]].sum(1)
    kept = np.flatnonzero(odds >= odds[0] - _NEARLY)
    return near[int(kept[np.argmax(clear[kept])])]


def _rejected_lines(document: Document, target: Document) -> Iterator[int]:
    """The lines of a file that stand at most a line off something that was rejected recently."""
    limit = document.settings.rejection_minutes * 60
    texts = {
        rejection.key.rsplit(_SITE, 1)[1].encode()
        for rejection in document.rejections
        if _SITE in rejection.key and document.now - rejection.time <= limit
    }
    for text in texts - {b""}:
        for line in _lines_with(target, text):
            yield from (line - 1, line, line + 1)


def _lines_with(target: Document, text: bytes) -> Iterator[int]:
    """The lines that consist of some words, whatever stands between these."""
    buffer = target.syntax.buffer
    head = text.split(b" ", 1)[0]
    seen = set[int]()
    at = buffer.data.find(head)
    while at >= 0:
        line = buffer.line_at(at)
        if line not in seen and b" ".join(buffer.line_bytes(line).split()) == text:
            yield line
        seen.add(line)
        at = buffer.data.find(head, buffer.line_span(line)[1])


def _stripped(target: Document, line: int) -> str:
    return " ".join(target.syntax.buffer.line_bytes(line).decode("utf-8", "replace").split())
