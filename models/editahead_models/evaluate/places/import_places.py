"""Names of import lines of a split's projects, with what the ranker of imports is told there; kept on disk.

A name is asked for in a file that ends there, or whose rest of the line is missing, or that lacks the name alone.
Some files have no surroundings, some also two open documents: users differ.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from zlib import crc32

from editahead.index.types import OutsideNames
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.ranking.ranked import listed_candidates
from editahead.suggest.completion.ranking.special_evidence import SLOTS
from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line, TokenKind
from editahead.text.buffer import Buffer

from editahead_models.data.corpus.source_files import blobs
from editahead_models.data.corpus.test_paths import is_test
from editahead_models.data.projects import Project
from editahead_models.evaluate.fitting.project_files import project_rows
from editahead_models.evaluate.places.evidence import known_at
from editahead_models.evaluate.places.neighbours import Neighbourhood
from editahead_models.evaluate.places.product import Sample
from editahead_models.evaluate.places.ranker_data import RankedPlace

CUT, LINE, TOKEN = SITUATIONS = ("cut", "line", "token")
_FILES = 40  # of a project
_LINES = 400  # of a file
_LEAST_LETTERS = 3
_OPENED = 2
_ALONE, _OPEN = 0.12, 0.25  # shares of the files without surroundings, and with open documents
_KINDS = frozenset(kind.value for kind in SLOTS)


def import_places(
    model: LanguageModel, language: Language, mirror: Path, checkouts: Path, folder: Path, count: int, seed: int
) -> Iterator[RankedPlace]:
    """Places of `count` names of each fit project, each in two situations; those in `folder` are read from there."""

    def make(project: Project, _: str) -> Iterator[RankedPlace]:
        return without_texts(_of_project(model, language, project, checkouts, count, seed))

    for places, _ in project_rows(mirror, folder, "fit", "imports", make, languages=(language.id,)):
        yield from places


def without_texts(places: Iterable[RankedPlace], kinds: Container[str] = _KINDS) -> Iterator[RankedPlace]:
    """Places of some kinds that have candidates, without the texts of these: what a fit is made from again."""
    for place in places:
        if place.slot in kinds and len(place.candidates):
            yield place._replace(texts=(), new=False)


def _of_project(
    model: LanguageModel, language: Language, project: Project, checkouts: Path, count: int, seed: int
) -> Iterator[RankedPlace]:
    chooser = random.Random(f"{seed} {project.name}")
    everything = list(blobs(project, language))
    files = [row for row in everything if not is_test(row[0]) and b"\r" not in row[1]]
    chooser.shuffle(files)
    samples = [sample for path, content in files[:_FILES] for sample in names(project.name, path, content, language)]
    drawn = sorted(chooser.sample(samples, min(count, len(samples))), key=lambda sample: (sample.path, sample.start))
    around = Neighbourhood(everything, language)
    caches: DocumentCaches[Line] = DocumentCaches(words_of)
    for sample, snapshot, elsewhere in opened_samples(drawn, language, around):
        for number, situation in enumerate(chooser.sample(SITUATIONS, 2)):
            for letters in (0, chooser.choice((1, 2, 3))) if number else (0,):
                place = place_of(model, caches, sample, snapshot, elsewhere, letters, situation, checkouts)
                if place is not None:
                    yield place


def place_of(
    model: LanguageModel,
    caches: DocumentCaches[Line],
    sample: Sample,
    snapshot: SyntaxSnapshot,
    elsewhere: OutsideNames | None,
    letters: int,
    situation: str,
    checkouts: Path,
) -> RankedPlace | None:
    """A name in one of the situations, with some letters typed; None where the product would stay silent."""
    content = sample.content
    truth = content[sample.start : sample.end].decode("utf-8", "replace")
    if letters >= len(truth):
        return None
    line_end = content.find(b"\n", sample.end)
    asked = sample if situation == TOKEN else replace(sample, end=line_end if line_end >= 0 else len(content))
    found = known_at(model, caches, asked, snapshot, elsewhere, letters, situation != CUT, checkouts, imports=True)
    if found is None or found.ranking is None or len(found.cursor.prefix) != letters:
        return None
    listed = listed_candidates(model, found, found.ranking)
    texts = tuple(listed.texts)
    right = texts.index(truth) if truth in texts else -1
    slot = found.ranking.slot.kind.value
    return RankedPlace(
        sample.project, letters, situation != CUT, slot, listed.candidates, listed.position, right, False, texts
    )


def opened_samples(
    drawn: Iterable[Sample], language: Language, around: Neighbourhood
) -> Iterator[tuple[Sample, SyntaxSnapshot, OutsideNames | None]]:
    """Samples that stand in the order of their files, each with its file and what is known around it."""
    for path, samples in groupby(drawn, key=lambda sample: sample.path):
        snapshot, elsewhere = None, surroundings(around, path)
        for sample in samples:
            snapshot = snapshot or SyntaxSnapshot.open(Buffer(sample.content), language)
            yield sample, snapshot, elsewhere


def surroundings(around: Neighbourhood, path: str) -> OutsideNames | None:
    """The surroundings of a file: none for some, with open documents for others, always the same for one path."""
    share = crc32(path.encode()) / 2**32
    return None if share < _ALONE else around.around(path, _OPENED if share > 1 - _OPEN else 0)


def names(project: str, path: str, content: bytes, language: Language) -> Iterator[Sample]:
    """The names of three and more letters in the import lines of a file."""
    snapshot = SyntaxSnapshot.open(Buffer(content), language)
    starts, depth = snapshot.buffer.line_starts, 0
    for line in range(min(snapshot.line_count, _LINES)):
        tokens = snapshot.line_tokens(line)
        texts = [token.text for token in tokens if token.text.strip()]
        if depth <= 0 and texts[:1] not in (["from"], ["import"]):
            continue
        depth = max(depth, 0) + texts.count("(") - texts.count(")")
        at = int(starts[line])
        for token in tokens:
            if token.kind is TokenKind.NAME and len(token.text) >= _LEAST_LETTERS:
                yield Sample(project, content, at + token.start, at + token.end, True, path)
