"""Names behind a dot in the fit projects, with what the ranker of members is told there; kept on disk.

Each name is asked for with nothing typed and with one to three letters, in a file that ends there and in one that lacks
the name alone. Some files have no surroundings, some also two open documents: users differ.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.ranking.slots import DOTS, SlotKind
from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line, TokenKind
from editahead.text.buffer import Buffer

from editahead_models.data.corpus.source_files import blobs
from editahead_models.data.corpus.test_paths import is_test
from editahead_models.data.projects import Project
from editahead_models.evaluate.fitting.project_files import project_rows
from editahead_models.evaluate.places.evidence import Asked, known_at
from editahead_models.evaluate.places.import_places import opened_samples, without_texts
from editahead_models.evaluate.places.neighbours import Neighbourhood
from editahead_models.evaluate.places.product import Sample
from editahead_models.evaluate.places.ranker_data import RankedPlace, ranked_places

_FILES = 40  # of a project
_KINDS = frozenset(kind.value for kind in SlotKind)
_STATEMENTS = ("import", "from", "package", "use", "using", "#include")  # in which nothing is a member
_WITH_ARROWS = ("c", "cpp")  # in which an object stands before `->`


def member_places(
    model: LanguageModel, language: Language, mirror: Path, checkouts: Path | None, kept: Path, count: int, seed: int
) -> Iterator[RankedPlace]:
    """Places of `count` names of each fit project; those in the folder `kept` are read from there.

    `checkouts`: a folder with the files of each project (OWNER+NAME), where imports are looked up.
    """

    def make(project: Project, _: str) -> Iterator[RankedPlace]:
        files = list(blobs(project, language))
        chooser = random.Random(f"{seed} {project.name}")
        drawn = member_samples(files, project, language, count, chooser)
        asked = _places_to_ask(model, language, drawn, Neighbourhood(files, language), checkouts, chooser)
        return without_texts(ranked_places(model, asked, members=True), _KINDS)

    for places, _ in project_rows(mirror, kept, "fit", "places", make, languages=(language.id,)):
        yield from places


def member_samples(
    files: Sequence[tuple[str, bytes]], project: Project, language: Language, count: int, chooser: random.Random
) -> list[Sample]:
    """`count` names of two letters and more behind a dot, drawn uniformly from those of some files, in their order."""
    chosen = [row for row in files if not is_test(row[0])]
    chooser.shuffle(chosen)
    pool: list[Sample] = []
    dots = DOTS if language.id in _WITH_ARROWS else DOTS[:1]
    for path, content in chosen[:_FILES]:
        snapshot = SyntaxSnapshot.open(Buffer(content), language)
        starts = snapshot.buffer.line_starts
        for number in range(snapshot.line_count):
            tokens = [token for token in snapshot.line_tokens(number) if token.kind is not TokenKind.NEWLINE]
            if tokens and tokens[0].text in _STATEMENTS:
                continue
            for at in range(2, len(tokens)):
                token = tokens[at]
                if token.kind is TokenKind.NAME and len(token.text) > 1 and tokens[at - 1].text in dots:
                    start = int(starts[number]) + token.start
                    pool.append(Sample(project.name, content, start, start + len(token.text.encode()), True, path))
                    chooser.random()  # the draws are those of the weights that ship
    drawn = chooser.sample(pool, min(count, len(pool)))
    return sorted(drawn, key=lambda sample: (sample.path, sample.start))


def _places_to_ask(
    model: LanguageModel,
    language: Language,
    drawn: Sequence[Sample],
    around: Neighbourhood,
    checkouts: Path | None,
    chooser: random.Random,
) -> Iterator[Asked]:
    caches: DocumentCaches[Line] = DocumentCaches(words_of)
    for sample, snapshot, elsewhere in opened_samples(drawn, language, around):
        truth = sample.content[sample.start : sample.end].decode("utf-8", "replace")
        for letters in (0, chooser.choice((1, 2, 3))):
            for whole in (False, True) if letters < len(truth) else ():
                found = known_at(model, caches, sample, snapshot, elsewhere, letters, whole, checkouts, members=True)
                if found is not None and len(found.cursor.prefix) == letters:
                    yield Asked(sample.project, truth, True, whole, found)
