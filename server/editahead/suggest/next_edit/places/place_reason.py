"""The reason of a line: the group of features without which the model finds it least likely."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from editahead.suggest.next_edit.places.changed_words import ChangedWords
from editahead.suggest.next_edit.places.feature_names import COLUMN, FEATURES, LIKENESS
from editahead.suggest.next_edit.places.place_evidence import SiteEvidence
from editahead.suggest.next_edit.places.place_features import RatedLines
from editahead.suggest.next_edit.places.place_model import PlaceModel

MAX_NAME = 60
"""Characters of a name in a reason."""
MIN_SHARED = 0.3
"""The share of words in common from which on a line counts as like another."""
GONE_KINDS, COME_KINDS, CALL_KINDS, SUB_KINDS = (0, 1), (2, 3), (6, 7), (8,)
"""Kinds of words by what they say."""


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
    shapes = any(value[COLUMN[name]] for name in ("shape_last", "shape_any", "shape_was"))
    if shapes or value[COLUMN["words_most"]] >= MIN_SHARED:
        like = _like(lines, line, changed)
        yield _Claim(f"is like line {like + 1}, which you changed" if like is not None else "is like a line that you "
                     "changed", LIKENESS)  # fmt: skip
    for word, start in (pair for kind in SUB_KINDS for pair in kinds.get(kind, {}).items()):
        yield _Claim(f"has `{_shown(word)}`, a part of a name that you changed", ("sub_rare", "sub_share"), start)
        break
    here = last.document.uri == document.uri
    if here and value[COLUMN["head_last"]]:
        yield _Claim("begins the function that you changed", ("head_last", "head_any"))
    if here and value[COLUMN["same_unit"]]:
        yield _Claim("is in the function that you changed", ("same_unit", "unit_edits"))
    yield _Claim("is near your changes" if here else "has to do with your changes", ())


_PREFIXES = {GONE_KINDS: ("gone_",), COME_KINDS: ("come_",), CALL_KINDS: ("called_", "call_head")}


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
