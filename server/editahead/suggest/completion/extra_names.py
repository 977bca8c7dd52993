"""Names within reach that the model can neither list nor copy: in this file, in other open documents, in the project.

N names, F features of each (`NAME_FEATURES`).
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from editahead.encode.language_model.vocabulary import subword_buckets
from editahead.index.types import OPEN, PROJECT, NameOrigin
from editahead.runtime.language_model.mixture import NAME_FEATURES, Floats
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.prediction import Prediction
from editahead.suggest.completion.ranking.slot_words import slot_words
from editahead.suggest.completion.ranking.slots import DOTS
from editahead.suggest.context import CursorContext, Reading, names_nearby
from editahead.suggest.types import Document
from editahead.syntax.tokens import names_of
from editahead.text.words import is_name

_NAMES_ELSEWHERE = 200  # of those that the surroundings know
_LINES_BESIDE = 4  # up to the cursor, whose names tell what a name there is about
_USED = "<name>"


class NameSource(NamedTuple):
    """Where a name stands: `source` is "cache" (this file), "open" or "project"; `where` is None in this file."""

    source: str
    line: int
    where: str | None = None


@dataclass(frozen=True, slots=True)
class ExtraNames:
    """`names_NF` has a row for each name of `origins`, in their order; `none` are the features of "none of them".

    `nearby` are names of this file outside the window, listed ones included, each with its line (`names_nearby`).
    """

    origins: dict[str, NameSource]
    names_NF: Floats
    none: tuple[float, ...]
    nearby: Mapping[str, int] = field(default_factory=dict)


NO_NAMES = ExtraNames({}, np.zeros((0, len(NAME_FEATURES))), ())


def names_outside(
    model: LanguageModel,
    reading: Reading,
    prediction: Prediction,
    document: Document,
    cursor: CursorContext,
    expected: Iterable[str] = (),
) -> ExtraNames:
    """The names with the typed prefix that a name outside the vocabulary may be. Far lines need a typed letter.

    `expected` are names of the project that n-grams expect here, however infrequent.
    """
    prefix = cursor.prefix
    evicted = {name: at for name, at in reading.evicted_names(prediction).items() if name.startswith(prefix)}
    reachable = _within_reach(document, cursor, expected, model.vocab.ids, prediction.copies, evicted)
    signs = slot_words(document.language_id).member_signs
    attribute = cursor.before.rstrip().endswith(tuple(sign for sign in DOTS if sign in signs))
    nearby_parts = _nearby_parts(cursor)
    names_NF = np.array(
        [
            _features(name, reachable.here.get(name), reachable.there.get(name), cursor.line, nearby_parts, attribute)
            for name in reachable.origins
        ],
        np.float64,
    ).reshape(len(reachable.origins), len(NAME_FEATURES))
    return ExtraNames(reachable.origins, names_NF, _none(model, prediction, prefix, attribute), nearby=reachable.nearby)


def names_without_model(document: Document, cursor: CursorContext, expected: Iterable[str] = ()) -> ExtraNames:
    """The names with the typed prefix where no model lists or copies any; without features."""
    reachable = _within_reach(document, cursor, expected, (), (), {})
    return replace(NO_NAMES, origins=reachable.origins, nearby=reachable.nearby)


class _NamesInReach(NamedTuple):
    """Names with their origins; the lines of names of this file, and the origins of names of others."""

    origins: dict[str, NameSource]
    here: dict[str, int]
    there: dict[str, NameOrigin]
    nearby: dict[str, int]


def _within_reach(
    document: Document,
    cursor: CursorContext,
    expected: Iterable[str],
    listed: Container[str],
    copies: Container[str],
    evicted: Mapping[str, int],
) -> _NamesInReach:
    """Names that are neither `listed` nor copied; `evicted` maps names to lines."""
    prefix = cursor.prefix
    here: dict[str, int] = {}
    nearby = names_nearby(document.syntax, cursor.line, cursor.window, far=bool(prefix), prefix=prefix)
    for name, line in nearby.items():
        if name != prefix and name not in listed and name not in copies:
            here[name] = line
    for name, line in evicted.items():
        if name not in here and name not in listed:
            here[name] = line
    there: dict[str, NameOrigin] = {}
    if document.elsewhere is not None:
        there = dict(islice(document.elsewhere.names(prefix).items(), _NAMES_ELSEWHERE))
        for name in expected:
            if name not in there and name.startswith(prefix) and is_name(name) and name not in listed:
                origin = document.elsewhere.origin(name)
                if origin is not None:
                    there[name] = origin
    origins = {name: NameSource("cache", line) for name, line in here.items()}
    for name, origin in there.items():
        if name not in origins and name not in listed and name not in copies and name != prefix:
            origins[name] = NameSource(origin.source, origin.line, origin.where)
    return _NamesInReach(origins, here, there, nearby)


def _features(
    name: str, line: int | None, origin: NameOrigin | None, at: int, nearby_parts: frozenset[int], attribute: bool
) -> tuple[float, ...]:
    below, above = line is not None and line > at, line is not None and line <= at
    away = math.log1p(abs(line - at)) if line is not None else 0.0
    opened, project = origin is not None and origin.source == OPEN, origin is not None and origin.source == PROJECT
    count = math.log(max(1, origin.count)) if origin is not None else 0.0
    capital = name[:1].isupper()
    return (
        float(below),
        away * below,
        float(above),
        away * above,
        float(opened),
        count * opened,
        float(project),
        count * project,
        math.log(max(1, origin.files)) if origin is not None and project else 0.0,
        float(not nearby_parts.isdisjoint(subword_buckets(name))),
        float(capital),
        float(capital and attribute),
        float(name.startswith("_")),
    )


def _none(model: LanguageModel, prediction: Prediction, prefix: str, attribute: bool) -> tuple[float, ...]:
    used = float(prediction.words[model.vocab.ids[_USED]]) / prediction.unknown if prediction.unknown > 0 else 0.0
    letters = len(prefix)
    return (1.0, used, float(attribute), float(letters == 1), float(letters == 2), float(letters > 2))


def _nearby_parts(cursor: CursorContext) -> frozenset[int]:
    """Sub-words of the names on the cursor's line before it, and on the lines just above."""
    parts: set[int] = set()
    for line in cursor.lines[-_LINES_BESIDE:]:
        for name in names_of(line):
            parts.update(subword_buckets(name))
    return frozenset(parts)
