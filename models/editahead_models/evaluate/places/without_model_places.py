"""Words of a split's projects, asked for without a language model; kept on disk.

A word is missing, or typed in part, in a file that is whole otherwise or that ends there. Some files have no
surroundings, some also two open documents: users differ.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from editahead.index.types import OutsideNames
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.suggest.completion.item_list import reserved_words
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.without_model import listed_words, words_evidence
from editahead.suggest.context import place_at
from editahead.suggest.gate import cheap_gates, first_failure
from editahead.suggest.types import Document
from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line, TokenKind
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

from editahead_models.data.corpus.source_files import blobs
from editahead_models.data.corpus.test_paths import is_test
from editahead_models.data.projects import Project
from editahead_models.data.splits import projects_of
from editahead_models.evaluate.fitting.project_files import project_rows
from editahead_models.evaluate.places.import_places import without_texts
from editahead_models.evaluate.places.neighbours import Neighbourhood
from editahead_models.evaluate.places.product import Sample, document_of, language_of
from editahead_models.evaluate.places.ranker_data import RankedPlace

NAME, SHORT_NAME, KEYWORD = KINDS = ("name", "short name", "keyword")
"""Kinds of words, in the field `slot`: names of three and more letters, of fewer, and what the language reserves."""
_LEAST_LETTERS = 3
_FILES = 40  # of a project
_OPENED = 2
_ALONE, _OPEN = 0.25, 0.25  # shares of the files without surroundings, and with open documents
_UNTOLD = frozenset((TokenKind.COMMENT, TokenKind.STRING))
_RECEIVERS = frozenset(("self", "cls", "this", "super"))


def word_places(
    language_id: str, split: str, mirror: Path, kept: Path, count: int, most: int, seed: int
) -> Iterator[RankedPlace]:
    """Places of about `count` words, of the first `most` projects of a language; those in `kept` are read from there.

    Each word is asked for twice, with nothing and with one to three letters typed.
    """
    of_project = -(-count // min(most, len(projects_of(split, language_id))))

    def make(project: Project, _: str) -> Iterator[RankedPlace]:
        language = language_of(language_id)
        files = list(blobs(project, language))
        return without_texts(_ranked_words(language, project.name, files, of_project, seed), kinds=KINDS)

    folder = kept / language_id
    for places, _ in project_rows(mirror, folder, split, "words", make, most=most, languages=(language_id,)):
        yield from places


def _ranked_words(
    language: Language, project: str, files: Sequence[tuple[str, bytes]], count: int, seed: int
) -> Iterator[RankedPlace]:
    chooser = random.Random(f"{seed} {project}")
    around = Neighbourhood(files, language)
    caches: DocumentCaches[Line] = DocumentCaches(words_of)
    for situation in drawn_words(language, project, files, count, chooser):
        sample, snapshot, views = situation
        opened = chooser.choices((None, 0, _OPENED), (_ALONE, 1 - _ALONE - _OPEN, _OPEN))[0]
        if opened is not None and opened not in views:
            views[opened] = around.around(sample.path, opened)
        whole = chooser.random() < 0.5
        for letters in (0, chooser.choice((1, 1, 2, 3))):
            place = place_of(caches, sample, snapshot, views.get(opened), letters, whole=whole)
            if place is not None:
                yield place


def drawn_words(
    language: Language, project: str, files: Sequence[tuple[str, bytes]], count: int, chooser: random.Random
) -> Iterator[tuple[Sample, SyntaxSnapshot, dict[int | None, OutsideNames]]]:
    """`count` words of a project's files without tests, file by file, each with its file and what is around it.

    The last part is empty at each file's first word, for the caller to fill.
    """
    chosen = [row for row in files if not is_test(row[0]) and b"\r" not in row[1]]
    chooser.shuffle(chosen)
    pool = [sample for path, content in chosen[:_FILES] for sample in _words(language, project, path, content)]
    drawn = sorted(chooser.sample(pool, min(count, len(pool))), key=lambda sample: (sample.path, sample.start))
    snapshot, views = None, dict[int | None, OutsideNames]()
    for before, sample in pairwise([None, *drawn]):
        assert sample is not None
        if snapshot is None or before is None or before.path != sample.path:
            snapshot, views = SyntaxSnapshot.open(Buffer(sample.content), language), {}
        yield sample, snapshot, views


def _words(language: Language, project: str, path: str, content: bytes) -> Iterator[Sample]:
    snapshot = SyntaxSnapshot.open(Buffer(content), language)
    starts = snapshot.buffer.line_starts
    for line in range(snapshot.line_count):
        for token in snapshot.line_tokens(line):
            if token.text.isidentifier() and token.kind not in _UNTOLD:
                at = int(starts[line])
                name = token.kind is TokenKind.NAME
                yield Sample(project, content, at + token.start, at + token.end, name, path)


def document_at(
    sample: Sample, snapshot: SyntaxSnapshot, elsewhere: OutsideNames | None, letters: int, *, whole: bool
) -> tuple[Document, int]:
    """The document in which a word's text from `letters` on, or all from there on, is not written yet; the cursor."""
    at = sample.start + letters
    edit = ByteEdit(at, sample.end if whole else len(sample.content), b"")
    syntax = snapshot.advance(snapshot.buffer.apply(edit), [edit])
    uri = "file:///whole" if whole else "file:///cut"  # each keeps n-grams of its own warm
    return replace(document_of(snapshot.language, b""), uri=uri, syntax=syntax, elsewhere=elsewhere), at


def place_of(
    caches: DocumentCaches[Line],
    sample: Sample,
    snapshot: SyntaxSnapshot,
    elsewhere: OutsideNames | None,
    letters: int,
    *,
    whole: bool,
) -> RankedPlace | None:
    """A word with some letters typed; None where the product would stay silent."""
    truth = sample.content[sample.start : sample.end].decode("utf-8", "replace")
    if letters >= len(truth):
        return None
    document, at = document_at(sample, snapshot, elsewhere, letters, whole=whole)
    if first_failure(cheap_gates(document, at)) is not None:
        return None
    place = place_at(document, at)
    if len(place.prefix) != letters:
        return None
    found, evidence = words_evidence(caches, document, place)
    listed = listed_words(snapshot.language, found, evidence)
    texts = tuple(listed.texts)
    right = texts.index(truth) if truth in texts else -1
    kind = kind_of(truth, snapshot.language, is_name=sample.is_name)
    return RankedPlace(sample.project, letters, whole, kind, listed.candidates, listed.position, right, False, texts)


def kind_of(word: str, language: Language, *, is_name: bool) -> str:
    """One of KINDS."""
    if not is_name or word in _RECEIVERS or word in reserved_words(language):
        return KEYWORD
    return NAME if len(word) >= _LEAST_LETTERS else SHORT_NAME


def by_language(
    languages: Sequence[str], split: str, mirror: Path, kept: Path, count: int, most: int, seed: int
) -> Mapping[str, list[RankedPlace]]:
    """The places of each language."""
    return {one: list(word_places(one, split, mirror, kept, count, most, seed)) for one in languages}
