"""`editahead-models calibrate order`: the two weights of the order of completions that are no weights of the ranker.

`EDITED` is the log odds of names that the last edits put in: fitted on commits of the fit projects, replayed edit by
edit, at names inside the text that the next edit inserts. `KEYWORD_WORTH` is what a keyword's probability counts beside
a name's: the one that saves most letters at drawn names and keywords of the fit projects.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt
import typer
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.suggest.completion.completions import evidence, ranker_of
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.prediction_context import PredictionContext
from editahead.suggest.completion.ranking.ranked import listed_candidates, probabilities_of, with_keywords
from editahead.suggest.context import place_at
from editahead.suggest.gate import cheap_gates, first_failure
from editahead.suggest.types import Document
from editahead.syntax.language import Language
from editahead.syntax.tokens import Line
from editahead.text.edits import ByteEdit

from editahead_models.data.mining.commits import commits_of
from editahead_models.data.mining.mine_edits import EXTENSIONS
from editahead_models.data.projects import Project, open_project
from editahead_models.data.splits import projects_of
from editahead_models.evaluate.completions.completion_fit import folds
from editahead_models.evaluate.places import evidence as drawn
from editahead_models.evaluate.places.product import language_of, sample_places
from editahead_models.evaluate.repeats.cases import MAX_EVENTS, Replay

Floats = npt.NDArray[np.float64]
WORTHS = (0.25, 0.35, 0.5, 0.7, 1.0)
_NAME = re.compile(rb"(?<![\w.])[^\W\d]\w{2,}|(?<=\.)[^\W\d]\w{2,}")
_MOMENTS = 4  # of a commit
_NEWEST = 2000
_FIRST = 5


class OrderedPlace(NamedTuple):
    """Probabilities of the candidates and of none of them (N + 1,), which are marked, and the right one (-1: none).

    `length`: letters of what came that are still to be typed.
    """

    project: str
    typed: int
    chances: Floats
    marked: npt.NDArray[np.bool_]
    right: int
    length: int


def edited_places(
    model: LanguageModel, language: Language, project: Project, commits: int, seed: int
) -> Iterator[OrderedPlace]:
    """Names inside the text of edits to come, with nothing and with one letter typed; those just put in are marked."""
    extension = EXTENSIONS[language.id]
    caches: DocumentCaches[Line] = DocumentCaches(words_of)
    for commit in commits_of(project.path, extension, newest=_NEWEST, limit=commits, seed=seed):
        rng = random.Random(f"{seed}:{commit.name}")
        replay = Replay(commit, language, rng)
        if not 2 <= len(replay.events) <= MAX_EVENTS:
            continue
        asked = set(rng.sample(range(1, len(replay.events)), min(_MOMENTS, len(replay.events) - 1)))
        for number, (file, index) in enumerate(replay.events):
            edit = file.now(index)
            names = list(_NAME.finditer(edit.new)) if number in asked and file.done else []
            if names:
                found = rng.choice(names)
                for letters in (0, 1):
                    half = ByteEdit(edit.start, edit.old_end, edit.new[: found.start() + letters])
                    syntax = file.document.syntax.advance(file.buffer.apply(half), [half])
                    document = replace(file.document, syntax=syntax)
                    place = _edited(model, caches, document, half.new_end, found.group().decode(), project.name)
                    if place is not None and place.typed == letters:
                        yield place
            replay.step(number)


def _edited(
    model: LanguageModel, caches: DocumentCaches[Line], document: Document, byte: int, truth: str, project: str
) -> OrderedPlace | None:
    if first_failure(cheap_gates(document, byte)) is not None:  # such as in a comment
        return None
    at = place_at(document, byte)
    context = model.context(document.uri, at.indent_unit)
    found = evidence(model, context, caches, document, at, Cancel())
    ranker = ranker_of(model, found.ranking) if found.ranking is not None else None
    if found.ranking is None or ranker is None:
        return None
    listed = listed_candidates(model, found, found.ranking)
    chances = probabilities_of(ranker, listed, frozenset())
    marked = np.array([text in found.ranking.recent for text in listed.texts], np.bool_)
    right = listed.texts.index(truth) if truth in listed.texts else -1
    typed = len(at.prefix)
    return OrderedPlace(project, typed, np.asarray(chances, np.float64), marked, right, len(truth) - typed)


def word_place(model: LanguageModel, project: str, truth: str, found: PredictionContext) -> OrderedPlace | None:
    """A drawn name or keyword; keywords are marked."""
    ranker = ranker_of(model, found.ranking) if found.ranking is not None else None
    if found.ranking is None or ranker is None:
        return None
    listed = listed_candidates(model, found, found.ranking)
    ranked = probabilities_of(ranker, listed, found.ranking.recent)
    chances = np.append(with_keywords(ranked, listed, model.keywords), 0.0)
    marked = np.array([text in model.keywords for text in listed.texts], np.bool_)
    right = listed.texts.index(truth) if truth in listed.texts else -1
    typed = len(found.place.prefix)
    return OrderedPlace(project, typed, np.asarray(chances, np.float64), marked, right, len(truth) - typed)


def fit_log_odds(places: Iterable[OrderedPlace], steps: int = 30) -> float:
    """The log odds of marked candidates that make what came most likely (Newton's method)."""
    some = [place for place in places if place.marked.any()]
    odds = 0.0
    for _ in range(steps):
        slope = curve = 0.0
        for place in some:
            marked = np.append(place.marked, False)
            weighed = place.chances * np.exp(odds * marked)
            share = float(weighed[marked].sum() / weighed.sum())
            slope += float(place.right >= 0 and place.marked[place.right]) - share
            curve += share * (1 - share)
        if curve <= 0 or abs(slope / curve) < 1e-4:
            break
        odds += max(-1.0, min(1.0, slope / curve))
    return odds


def rank_with(place: OrderedPlace, factor: float) -> int:
    """The rank of what came where marked candidates count `factor` times their probability; -1 without it."""
    if place.right < 0:
        return -1
    worth = place.chances[:-1] * np.where(place.marked, factor, 1.0)
    return int((worth > worth[place.right]).sum())


def letters_saved(places: Sequence[OrderedPlace], factor: float) -> float:
    """Share of the letters to be typed that first choices hold."""
    saved = sum(place.length for place in places if rank_with(place, factor) == 0)
    return saved / max(1, sum(place.length for place in places))


def figures(places: Sequence[OrderedPlace], factor: float) -> str:
    """First choices and the first five, nothing typed and one letter."""
    cells = []
    for typed in (0, 1):
        ranks = [rank_with(place, factor) for place in places if place.typed == typed]
        first, five = (100 * float(np.mean([0 <= rank < most for rank in ranks])) for most in (1, _FIRST))
        cells.append(f"{typed} typed {first:.1f} / {five:.1f} % (n {len(ranks)})")
    return ", ".join(cells)


def crossed_odds(places: Sequence[OrderedPlace]) -> dict[str, float]:
    """By project the log odds that are fitted on the projects of other parts."""
    found: dict[str, float] = {}
    for held in folds(sorted({place.project for place in places})):
        odds = fit_log_odds(place for place in places if place.project not in held)
        found |= dict.fromkeys(held, odds)
    return found


def main(
    bundle: Annotated[Path, typer.Argument(help="The bundle of a language model with a ranker.")],
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories with the fit and dev projects.")],
    commits: Annotated[int, typer.Option(help="Commits to replay of each project.")] = 12,
    count: Annotated[int, typer.Option(help="Names and keywords to ask at.")] = 1200,
    seed: Annotated[int, typer.Option(help="Which are drawn.")] = 11,
) -> None:
    """Fit the weights of recent names and of keywords on the fit projects, and measure them on dev."""
    from editahead.suggest.engine import Engine

    engine = Engine.load([bundle], "cpu", lambda text, share: None)
    language = language_of(engine.report().bundles[0].manifest.language)
    model = engine.language_model(language.id)
    if model is None or model.ranker is None:
        raise typer.BadParameter(f"no ranker in {bundle}")
    edited: dict[str, list[OrderedPlace]] = {}
    words: dict[str, list[OrderedPlace]] = {}
    for split in ("fit", "dev"):
        projects = [found for name in projects_of(split, language.id) if (found := open_project(mirror, name))]
        edited[split] = [
            place for project in projects if project.licence is not None
            for place in edited_places(model, language, project, commits, seed)
        ]  # fmt: skip
        words[split] = list(_words(model, language, mirror, split, count, seed))
    crossed = crossed_odds(edited["fit"])
    print(f"log odds of recent names: {fit_log_odds(edited['fit']):.2f}; crossed {sorted(set(crossed.values()))}")
    for split, places in edited.items():
        for odds in (0.0, 1.0, 2.0, 3.0, fit_log_odds(edited["fit"])):
            print(f"{split}, {odds:.2f}: {figures(places, float(np.exp(odds)))}")
    for split, places in words.items():
        for worth in WORTHS:
            saved = letters_saved(places, worth)
            print(f"{split}, keywords worth {worth:g}: {100 * saved:.2f} % of letters; {figures(places, worth)}")


def _words(
    model: LanguageModel, language: Language, mirror: Path, split: str, count: int, seed: int
) -> Iterator[OrderedPlace]:
    """Names and keywords as they stand in files, with nothing and with one letter typed."""
    everything = sample_places(language, mirror, split, 3 * count, seed, names_only=False, code_only=True)
    some = [s for s in everything if s.content[s.start : s.end].decode("utf-8", "replace").isidentifier()][:count]
    around = drawn.neighbourhoods(language, mirror, split)
    for asked in drawn.ask(model, some, language, around, seed, typed=True):
        if asked.letters <= 1:
            place = word_place(model, asked.project, asked.truth, asked.evidence)
            if place is not None:
                yield place
