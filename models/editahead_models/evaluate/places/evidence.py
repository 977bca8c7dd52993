"""What the product knows at sampled places of a split's projects, whose answers are known: what fits learn from.

A name is asked for with none to three letters typed, in a file that ends there (`cut`) or goes on (`whole`). Some
places have no surroundings, some a project, some also two open documents: users differ.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from editahead.encode.language_model.vocabulary import INDENT_OF
from editahead.index.types import OutsideNames
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import LINE_END, DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.suggest.completion.candidates import match_features, mixture_of, parts_of
from editahead.suggest.completion.completions import evidence
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.ranking.features import PredictionContext
from editahead.suggest.context import place_at, read_cursor
from editahead.suggest.gate import cheap_gates, first_failure
from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from rich.progress import track

from editahead_models.data.corpus.source_files import blobs
from editahead_models.data.projects import open_project
from editahead_models.data.splits import projects_of
from editahead_models.evaluate.places.neighbours import Neighbourhood
from editahead_models.evaluate.places.product import Sample, document_of

_ALONE, _OPEN = 0.25, 0.25  # shares of the places without surroundings, and with open documents
_OPENED = 2
_LOOKED_AT = 100  # vocabulary entries


@dataclass(frozen=True, slots=True)
class Asked:
    """A place with what is known there and what came: `truth` is a token's text, or LINE_END."""

    project: str
    truth: str
    is_name: bool
    whole: bool
    evidence: PredictionContext

    @property
    def letters(self) -> int:
        """How many are typed."""
        return len(self.evidence.cursor.prefix)


def neighbourhoods(language: Language, mirror: Path, split: str) -> dict[str, Neighbourhood]:
    """The projects of a split and a language that the mirror holds, by name."""
    found = {name: open_project(mirror, name) for name in projects_of(split, language.id)}
    return {name: Neighbourhood(blobs(project, language), language) for name, project in found.items() if project}


def ask(
    model: LanguageModel,
    samples: Sequence[Sample],
    language: Language,
    around: Mapping[str, Neighbourhood],
    seed: int,
    *,
    typed: bool,
    checkouts: Path | None = None,
) -> Iterator[Asked]:
    """What is known at each sample in each of its situations, file by file, which keeps contexts warm.

    Letters are only typed, and line ends left out, where `typed` is set. `checkouts`: a folder with the files of each
    project (OWNER+NAME), where imports are looked up.
    """
    caches: DocumentCaches[Line] = DocumentCaches(words_of)
    chooser = random.Random(seed)
    path, snapshot = "", None
    views: dict[int | None, OutsideNames] = {}
    for sample in track(sorted(samples, key=lambda s: (s.project, s.path, s.start)), "asking", transient=True):
        if snapshot is None or path != f"{sample.project}/{sample.path}":
            path, views = f"{sample.project}/{sample.path}", {}
            snapshot = SyntaxSnapshot.open(Buffer(sample.content), language)
        opened = chooser.choices((None, 0, _OPENED), (_ALONE, 1 - _ALONE - _OPEN, _OPEN))[0]
        if opened is not None and opened not in views:
            views[opened] = around[sample.project].around(sample.path, opened)
        elsewhere = views.get(opened)
        truth = sample.content[sample.start : sample.end].decode("utf-8", "replace")
        for letters in (0, 1, chooser.choice((2, 3))) if typed else (0,):
            if letters and letters >= len(truth):
                continue
            for whole in (False, True):
                found = known_at(model, caches, sample, snapshot, elsewhere, letters, whole, checkouts)
                if found is not None and len(found.cursor.prefix) == letters:
                    yield Asked(sample.project, truth if truth.strip() else LINE_END, sample.is_name, whole, found)


def gate_row(model: LanguageModel, asked: Asked) -> tuple[tuple[float, ...], float, float] | None:
    """What the gate sees at a place, and the probability of what came by the model and by the n-grams."""
    place, prediction, cache, outside, _ = asked.evidence
    parts = parts_of(model, prediction, place.prefix, cache, outside, top=_LOOKED_AT)
    if not parts.ngrams:
        return None
    own = said = 0.0
    for text in INDENT_OF if asked.truth == LINE_END else (asked.truth,):
        unlikely = prediction.words[model.vocab.ids[text]] if not place.prefix and text in model.vocab.ids else 0.0
        own += parts.model.get(text, float(unlikely))  # too unlikely to be looked at
        said += parts.ngrams.get(text, 0.0)
    return parts.features, own, said


def match_row(model: LanguageModel, asked: Asked) -> tuple[tuple[float, ...], float, float] | None:
    """What the gate of expected tokens sees, and the probability of what came by the mixture and by the match."""
    place, prediction, cache, outside, _ = asked.evidence
    mass, _ = mixture_of(model, prediction, place.prefix, cache, outside, with_match=False)
    features = match_features(prediction, mass, place.prefix)
    if prediction.expected is None or not features:
        return None
    texts = INDENT_OF if asked.truth == LINE_END else (asked.truth,)
    return features, sum(mass.get(text, 0.0) for text in texts), float(prediction.expected.text in texts)


def known_at(
    model: LanguageModel,
    caches: DocumentCaches[Line],
    sample: Sample,
    snapshot: SyntaxSnapshot,
    elsewhere: OutsideNames | None,
    letters: int,
    whole: bool,
    checkouts: Path | None,
    *,
    imports: bool = False,
    members: bool = False,
) -> PredictionContext | None:
    """What is known at a sample when its text from `letters` on, or all from there on, is not written yet.

    A line start is asked for where the code before it ends. None where the product would stay silent. `imports`,
    `members`: also what the rankers of imports and of members are told.
    """
    content = sample.content
    at, end, gap = sample.start + letters, sample.end, b""
    if not content[sample.start : sample.end].strip():
        at = end = len(content[: sample.start].rstrip())
        if at == 0:
            return None
        gap = b" "  # so that a name there is not taken for one that is being typed
    edit = ByteEdit(at, end if whole else len(content), gap)
    at += len(gap)
    syntax = snapshot.advance(snapshot.buffer.apply(edit), [edit])
    uri = "file:///whole" if whole else "file:///cut"  # each keeps a context and n-grams of its own warm
    root = checkouts / sample.project.replace("/", "+") if checkouts is not None else None
    path = root / sample.path if root is not None else None
    document = replace(
        document_of(snapshot.language, b""), uri=uri, syntax=syntax, elsewhere=elsewhere, path=path, root=root
    )
    if first_failure(cheap_gates(document, at)) is not None:
        return None
    place = place_at(document, at)
    reading = read_cursor(model, document, place, Cancel())
    return evidence(
        model, reading, caches, document, place, Cancel(),
        with_ranking=True, with_imports=imports, with_members=members,
    )  # fmt: skip
