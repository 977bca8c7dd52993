"""The likeliest site of a next edit whose text is not sure, by the model of places, with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.suggest.gate import not_excluded, paced_precision, small_enough
from editahead.suggest.next_edit.places.changed_words import ChangedWords, changed_words
from editahead.suggest.next_edit.places.line_facts import MAX_TEXT, LineFacts, line_facts
from editahead.suggest.next_edit.places.place_evidence import SiteEvidence
from editahead.suggest.next_edit.places.place_features import RatedLines, rated_lines
from editahead.suggest.next_edit.places.place_model import COLUMN, FEATURES, LIKENESS, PlaceModel, shipped_places
from editahead.suggest.types import LEARNED, Decision, Document, EditPlace, Reason, Shown, Suppressed
from editahead.text.buffer import Buffer
from editahead.text.memo import RecentEntries
from editahead.text.percent import percent

MIN_TEXT = 0.1  # the probability of a text from which on its line is reserved for it
_OWN = tuple(COLUMN[name] for name in ("gone_rare", "come_rare", "sub_rare", "shape_was"))
"""Features by which a line has evidence of its own."""
MAX_NAME = 60  # characters of a name in a reason
MIN_SHARED = 0.3  # the share of words in common from which on a line counts as like another
GONE_KINDS, COME_KINDS, CALL_KINDS, SUB_KINDS = (0, 1), (2, 3), (6, 7), (8,)  # kinds of words by what they say
_PREFIXES = {GONE_KINDS: ("gone_",), COME_KINDS: ("come_",), CALL_KINDS: ("called_", "call_head")}
MAX_FILES = 8  # other open files in which places are looked for
_KEPT = 12
_CLEAR = ("text_here", "gone_rare", "come_rare", "sub_rare", "shape_was")
"""Features of a line itself, which tell it from those beside it."""
_NEARLY = 1.0  # log odds by which a line beside the likeliest may be less likely
_SITE = " @ "  # what stands between a change and the text of its line in the key of a rejection


def reserved_for_text(
    features: npt.NDArray[np.floating], lines: npt.NDArray[np.int64], odds: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Which lines [N] are reserved for a text, by their features [N, F], ascending numbers [N] and log odds [N].

    So is a line beside a text that the model finds likelier, or that has no evidence of its own: it is that text's.
    """
    has_text = features[:, COLUMN["text_here"]] >= MIN_TEXT
    of_texts = np.where(has_text, odds, -np.inf)
    beside = np.full(len(lines), -np.inf)
    above = np.flatnonzero(np.diff(lines) == 1)
    beside[above] = of_texts[above + 1]
    beside[above + 1] = np.maximum(beside[above + 1], of_texts[above])
    has_own = features[:, _OWN].any(axis=1)
    return np.asarray(has_text | (beside > odds) | ((beside > -np.inf) & ~has_own))


class _Claim(NamedTuple):
    """A possible reason, the features that it rests on, and the byte where it stands, if any."""

    text: str
    features: tuple[str, ...]
    start: int | None = None


def place_reason(
    model: PlaceModel, lines: RatedLines, row: int, changed: ChangedWords, evidence: SiteEvidence
) -> tuple[str, int]:
    """The reason of a line, and the byte to which the cursor goes."""
    claims = list(_claims(lines, row, changed, evidence))
    values = lines.features[row]
    without = np.repeat(values[None], len(claims) + 1, axis=0)
    for number, claim in enumerate(claims):
        without[number, [COLUMN[name] for name in claim.features]] = 0.0
    odds = model.odds(without)
    strongest = claims[int(np.argmin(odds[:-1]))]
    first = _first_byte(lines, row)
    starts = [claim.start for claim in (strongest, *claims) if claim.start is not None]
    return strongest.text, starts[0] if starts else first


def _claims(lines: RatedLines, row: int, changed: ChangedWords, evidence: SiteEvidence) -> Iterator[_Claim]:
    """The possible reasons of a line, the vaguest last."""
    document, line = lines.document, int(lines.lines[row])
    value = lines.features[row]
    for rule in evidence.rules:
        if (rule.uri, rule.line) == (document.uri, line):
            yield _Claim(rule.reason, tuple(name for name in FEATURES if name.startswith("rule_")))
            break
    kinds = lines.hits.get(line, {})
    last = changed.changes[0]
    for numbers, template in (
        (GONE_KINDS, "still has `{}`, which you replaced or removed"),
        (COME_KINDS, "has `{}`, which you have just written"),
        (CALL_KINDS, "calls `{}`, which you changed"),
    ):
        named = [(word, start) for kind in numbers for word, start in kinds.get(kind, {}).items()]
        if named:
            word, start = named[0]
            if numbers is CALL_KINDS and not value[COLUMN["call"]]:
                template = "names `{}`, which you changed"
            elif numbers is CALL_KINDS and value[COLUMN["call_head"]]:
                template = "calls `{}`, whose parameters you changed"
            features = tuple(name for name in FEATURES if name.startswith(_PREFIXES[numbers]))
            yield _Claim(template.format(_shown(word)), features, start)
    if value[COLUMN["import_wanted"]]:
        yield _Claim("imports of a name that you have just written", ("import_wanted",))
    if value[COLUMN["text_near"]] or value[COLUMN["text_here"]]:
        texts = tuple(name for name in FEATURES if name.startswith("text"))
        yield _Claim("your edit may go on here", texts)
    shapes = any(value[COLUMN[name]] for name in ("shape_any", "shape_was"))
    if shapes or value[COLUMN["words_most"]] >= MIN_SHARED:
        like = _like(lines, line, changed)
        yield _Claim(f"is like line {like + 1}, which you changed" if like is not None else "is like a line that you "
                     "changed", LIKENESS)  # fmt: skip
    for word, start in (pair for kind in SUB_KINDS for pair in kinds.get(kind, {}).items()):
        yield _Claim(f"has `{_shown(word)}`, a part of a name that you changed", ("sub_rare", "sub_share"), start)
        break
    here = last.document.uri == document.uri
    if here and last.unit is not None and line == last.unit[0]:
        yield _Claim("begins the function that you changed", ())
    if here and value[COLUMN["same_unit"]]:
        yield _Claim("is in the function that you changed", ("same_unit", "unit_edits"))
    yield _Claim("is near your changes" if here else "has to do with your changes", ())


def _like(lines: RatedLines, line: int, changed: ChangedWords) -> int | None:
    """The line of the latest change of the same document, other than this."""
    own = (change.first for change in changed.changes if change.document.uri == lines.document.uri)
    return next((first for first in own if first != line), None)


def _first_byte(lines: RatedLines, row: int) -> int:
    """Where the text of a line begins."""
    buffer = lines.document.syntax.buffer
    start, _ = buffer.line_span(int(lines.lines[row]))
    text = buffer.line_bytes(int(lines.lines[row]))
    return start + len(text) - len(text.lstrip())


def _shown(word: bytes) -> str:
    text = word.decode("utf-8", "replace")
    return text if len(text) <= MAX_NAME else f"{text[: MAX_NAME - 1]}…"


class LearnedPlaces:
    """Rates lines by the model of places. Keeps the facts of the latest texts. Lives on the inference thread."""

    def __init__(self, model: PlaceModel | None = None) -> None:
        self._model = model
        self._facts = RecentEntries[int, tuple[Buffer, LineFacts]](_KEPT)

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
        return self._facts.keep(id(buffer), kept)[1]


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
