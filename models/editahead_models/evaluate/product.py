"""Figures as a user feels them: the real engine asked at sampled places of projects that no model has learnt from.

Two situations: the file is cut at the place, as if everything below were not written yet (`cut`), or only the token
itself is missing (`whole`). Comments and strings are left out by the product's own gates. Completions: is the
identifier that stands there offered first, or among the first five, with nothing and with one letter typed?
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from editahead.runtime.calibration import expected_calibration_error
from editahead.runtime.ngram import BUCKETS, DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.cached import context_of, words_of
from editahead.suggest.candidates import ranked
from editahead.suggest.context import place_at
from editahead.suggest.engine import Engine
from editahead.suggest.types import Completion, Document, Shown
from editahead.syntax.language import Language, by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line, TokenKind
from editahead.text.buffer import Buffer
from editahead.text.history import HistoryView
from rich.progress import track

from editahead_models.data.projects import DEV, open_project
from editahead_models.data.source_files import blobs

_WORD = re.compile(rb"[^\W\d]\w*")
_CALIBRATED = 10  # completions of a list that a calibration learns from
SETTINGS = Settings(completion_floor=0.0, max_completions=50)


@dataclass(frozen=True, slots=True)
class Sample:
    """A token of a file: bytes [start, end) of `content`."""

    project: str
    content: bytes
    start: int
    end: int
    is_name: bool


def sample_places(language: Language, mirror: Path, count: int, seed: int, *, names_only: bool) -> list[Sample]:
    """`count` tokens, the same number from each dev project, drawn uniformly from its files' tokens."""
    chooser = random.Random(seed)
    samples: list[Sample] = []
    projects = [found for name in DEV[language.id] if (found := open_project(mirror, name)) is not None]
    for project in projects:
        files = list(blobs(project, language))
        chooser.shuffle(files)
        pool: list[Sample] = []
        for _, content in files[:40]:
            snapshot = SyntaxSnapshot.open(Buffer(content), language)
            starts = snapshot.buffer.line_starts
            for line in range(snapshot.line_count):
                for token in snapshot.line_tokens(line):
                    name = token.kind is TokenKind.NAME
                    if name or (not names_only and token.kind is not TokenKind.COMMENT):
                        at = int(starts[line])
                        pool.append(Sample(project.name, content, at + token.start, at + token.end, name))
        samples += chooser.sample(pool, min(len(pool), -(-count // len(projects))))
    chooser.shuffle(samples)
    return samples[:count]


def document_of(language: Language, content: bytes, settings: Settings = SETTINGS) -> Document:
    """A document as the engine sees it, without history."""
    buffer = Buffer(content)
    view = HistoryView(buffer, (), None, 0)
    return Document("file:///sample", None, language.id, 0, SyntaxSnapshot.open(buffer, language), view, settings)


def completion_figures(engine: Engine, samples: Sequence[Sample], language: Language) -> dict[str, float]:
    """Share of identifiers offered first and among the first five, by situation and letters typed; calibration.

    `words` is the same for a server that offers the words of the whole file, the nearest first.
    """
    figures: dict[str, float] = {}
    chances: list[float] = []
    hits: list[bool] = []
    everything = samples
    for letters in (0, 1):
        samples = [s for s in everything if s.end - s.start > letters]  # what is typed needs no completion
        for whole in (False, True):
            where = "whole" if whole else "cut"
            counted: dict[int, int] = defaultdict(int)
            for sample, items in _asked(engine, samples, language, letters, whole):
                truth = sample.content[sample.start : sample.end].decode("utf-8", "replace")
                labels = [item.label for item in items]
                counted[1] += labels[:1] == [truth]
                counted[5] += truth in labels[:5]
                chances.append(items[0].probability if items else 0.0)
                hits.append(labels[:1] == [truth])
            for top in (1, 5):
                figures[f"{where}/{letters} typed/first {top}"] = counted[top] / max(1, len(samples))
        near = [_nearest_words(sample, letters) for sample in samples]
        for top in (1, 5):
            right = sum(
                sample.content[sample.start : sample.end] in words[:top]
                for sample, words in zip(samples, near, strict=True)
            )
            figures[f"words/{letters} typed/first {top}"] = right / max(1, len(samples))
    figures["ECE"] = expected_calibration_error(np.array(chances), np.array(hits))
    figures["n"] = float(len(everything))
    return figures


def completion_pairs(
    engine: Engine, samples: Sequence[Sample], language: Language, *, typed: bool
) -> tuple[list[float], list[bool]]:
    """Raw probability of each of the first completions, and whether it is right: what a calibration is fitted on.

    With nothing typed (`typed` False) half of the files are cut; with letters typed, one or two.
    """
    chances: list[float] = []
    hits: list[bool] = []
    half = len(samples) // 2
    for part, letters, whole in ((samples[:half], int(typed), False), (samples[half:], 2 * int(typed), True)):
        for sample, items in _asked(engine, part, language, letters, whole):
            truth = sample.content[sample.start : sample.end].decode("utf-8", "replace")
            chances += [item.probability for item in items[:_CALIBRATED]]
            hits += [item.label == truth for item in items[:_CALIBRATED]]
    return chances, hits


def _asked(
    engine: Engine, samples: Sequence[Sample], language: Language, letters: int, whole: bool
) -> Iterator[tuple[Sample, tuple[Completion, ...]]]:
    for number, sample in enumerate(track(samples, f"{letters} typed", transient=True)):
        at = min(sample.end, sample.start + letters)
        content = sample.content[:at] + (sample.content[sample.end :] if whole else b"")
        document = replace(document_of(language, content), uri=f"file:///{number % 4}")
        decision = engine.complete(document, at, Cancel())
        if isinstance(decision, Shown):
            yield sample, decision.value.items
        else:
            yield sample, ()


def _nearest_words(sample: Sample, letters: int) -> list[bytes]:
    """Distinct words of the file that begin with the typed letters, the nearest first."""
    prefix = sample.content[sample.start : sample.start + letters]
    found: dict[bytes, int] = {}
    for match in _WORD.finditer(sample.content):
        word, distance = match.group(), abs(match.start() - sample.start)
        if match.start() != sample.start and word.startswith(prefix) and distance < found.get(word, 1 << 40):
            found[word] = distance
    return sorted(found, key=lambda word: found[word])


def cache_weights(engine: Engine, samples: Sequence[Sample], language: Language, rounds: int = 30) -> list[float]:
    """The share that the file's n-grams deserve beside the model, by evidence: maximum likelihood, by EM.

    Ten imagined samples a bucket at a share of 0.1 keep rare buckets sane.
    """
    model = engine.language_model(language.id)
    assert model is not None
    caches: DocumentCaches[Line] = DocumentCaches(words_of)
    pairs: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for sample in track(samples, "cache weights", transient=True):
        document = document_of(language, sample.content[: sample.start])
        place = place_at(document, sample.start)
        context = model.context(document.uri, place.indent_unit)
        context.extend_to(place.lines)
        truth = sample.content[sample.start : sample.end].decode("utf-8", "replace")
        found = {candidate.text: candidate.probability for candidate in ranked(model, context.predict())}
        said = caches.update(document.uri, place.known).predict(context_of(place.lines[-1]))
        proper = said.words.get(truth, 0.0) / (1 - 2.0**-said.hits) if said.hits else 0.0
        pairs[said.bucket].append((found.get(truth, 1e-7), proper))
    weights = [0.0] * BUCKETS
    for bucket, seen in pairs.items():
        share = 0.1
        for _ in range(rounds):
            owed = sum(share * c / (share * c + (1 - share) * m) for m, c in seen)
            share = (owed + 1.0) / (len(seen) + 10.0)
        weights[bucket] = round(min(0.95, share), 4) if bucket else 0.0
    return weights


def language_of(language_id: str) -> Language:
    """The language of an id; ValueError when there is none."""
    language = by_id(language_id)
    if language is None:
        raise ValueError(f"no language called {language_id}")
    return language
