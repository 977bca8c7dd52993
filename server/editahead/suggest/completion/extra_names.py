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
from editahead.runtime.language_model.model import LanguageModel, LmContext
from editahead.runtime.language_model.prediction import Prediction
from editahead.suggest.completion.ranking.slot_words import slot_words
from editahead.suggest.completion.ranking.slots import DOTS
from editahead.suggest.context import CursorContext, names_nearby
from editahead.suggest.types import Document
from editahead.syntax.tokens import names_of
from editahead.text.beginnings import beginning_with
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

    `spelled` are new names, with their probability given that it is none of them. `nearby` are names of this file
    outside the window, listed ones included, each with its line (`names_nearby`).
    """

    origins: dict[str, NameSource]
    names_NF: Floats
    none: tuple[float, ...]
    spelled: Mapping[str, float] = field(default_factory=dict)
    nearby: Mapping[str, int] = field(default_factory=dict)


NO_NAMES = ExtraNames({}, np.zeros((0, len(NAME_FEATURES))), ())


def names_outside(
    model: LanguageModel,
    context: LmContext,
    prediction: Prediction,
    document: Document,
    place: CursorContext,
    expected: Iterable[str] = (),
) -> ExtraNames:
    """The names that begin as typed and that an unknown name may be. Far lines are read once a letter is typed.

    `expected` are names of the project that n-grams expect here, however many others are more frequent.
    """
    prefix = place.prefix
    evicted = beginning_with(context.evicted_names(prediction), prefix)
    found = _within_reach(document, place, expected, model.vocab.ids, prediction.copies, evicted)
    signs = slot_words(document.language_id).member_signs
    attribute = place.before.rstrip().endswith(tuple(sign for sign in DOTS if sign in signs))
    beside = _parts_beside(place)
    names_NF = np.array(
        [
            _features(name, found.here.get(name), found.there.get(name), place.line, beside, attribute)
            for name in found.origins
        ],
        np.float64,
    ).reshape(len(found.origins), len(NAME_FEATURES))
    return ExtraNames(found.origins, names_NF, _none(model, prediction, prefix, attribute), nearby=found.nearby)


def names_without_model(document: Document, place: CursorContext, expected: Iterable[str] = ()) -> ExtraNames:
    """The names that begin as typed, where no model lists or copies any; without features."""
    found = _within_reach(document, place, expected, (), (), {})
    return replace(NO_NAMES, origins=found.origins, nearby=found.nearby)


class _NamesInReach(NamedTuple):
    """Names with their origins; lines of those of this file, and what is known of the others."""

    origins: dict[str, NameSource]
    here: dict[str, int]
    there: dict[str, NameOrigin]
    nearby: dict[str, int]


def _within_reach(
    document: Document,
    place: CursorContext,
    expected: Iterable[str],
    known: Container[str],
    copies: Container[str],
    evicted: Mapping[str, int],
) -> _NamesInReach:
    """Names that are neither `known` nor copied; of `evicted` ones the number of the line in `place.numbers`."""
    prefix = place.prefix
    here: dict[str, int] = {}
    nearby = names_nearby(document.syntax, place.line, far=bool(prefix), prefix=prefix)
    for name, line in nearby.items():
        if name != prefix and name not in known and name not in copies:
            here[name] = line
    for name, index in evicted.items():
        if name not in here and name not in known:
            here[name] = place.numbers[index]
    there: dict[str, NameOrigin] = {}
    if document.elsewhere is not None:
        there = dict(islice(document.elsewhere.names(prefix).items(), _NAMES_ELSEWHERE))
        for name in expected:
            if name not in there and name.startswith(prefix) and is_name(name) and name not in known:
                found = document.elsewhere.origin(name)
                if found is not None:
                    there[name] = found
    origins = {name: NameSource("cache", line) for name, line in here.items()}
    for name, found in there.items():
        if name not in origins and name not in known and name not in copies and name != prefix:
            origins[name] = NameSource(found.source, found.line, found.where)
    return _NamesInReach(origins, here, there, nearby)


def _features(
    name: str, line: int | None, found: NameOrigin | None, at: int, beside: frozenset[int], attribute: bool
) -> tuple[float, ...]:
    below, above = line is not None and line > at, line is not None and line <= at
    away = math.log1p(abs(line - at)) if line is not None else 0.0
    opened, project = found is not None and found.source == OPEN, found is not None and found.source == PROJECT
    count = math.log(max(1, found.count)) if found is not None else 0.0
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
        math.log(max(1, found.files)) if found is not None and project else 0.0,
        float(not beside.isdisjoint(subword_buckets(name))),
        float(capital),
        float(capital and attribute),
        float(name.startswith("_")),
    )


def _none(model: LanguageModel, prediction: Prediction, prefix: str, attribute: bool) -> tuple[float, ...]:
    used = float(prediction.words[model.vocab.ids[_USED]]) / prediction.unknown if prediction.unknown > 0 else 0.0
    letters = len(prefix)
    return (1.0, used, float(attribute), float(letters == 1), float(letters == 2), float(letters > 2))


def _parts_beside(place: CursorContext) -> frozenset[int]:
    """Sub-words of the names on the cursor's line, as far as it goes, and on the lines just above."""
    found: set[int] = set()
    for line in place.lines[-_LINES_BESIDE:]:
        for name in names_of(line):
            found.update(subword_buckets(name))
    return frozenset(found)
