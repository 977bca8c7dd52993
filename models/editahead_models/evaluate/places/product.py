"""Figures as a user feels them: the real engine asked at sampled places of projects that no model has learnt from.

Two situations: the file is cut at the place, as if everything below were not written yet (`cut`), or only the token
itself is missing (`whole`). Comments and strings are left out by the product's own gates. Completions: is the
identifier that stands there offered first, or among the first five, with nothing and with one letter typed?
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from editahead.runtime.calibration import expected_calibration_error
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Completion, Document, Shown
from editahead.syntax.language import Language, by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import TokenKind
from editahead.text.buffer import Buffer
from editahead.text.history_view import HistoryView
from rich.progress import track

from editahead_models.data.corpus.source_files import blobs
from editahead_models.data.corpus.test_paths import is_test
from editahead_models.data.projects import open_project
from editahead_models.data.splits import projects_of
from editahead_models.evaluate.places.neighbours import Neighbourhood

_WORD = re.compile(rb"[^\W\d]\w*")
SETTINGS = Settings(completion_floor=0.0, max_completions=50)


@dataclass(frozen=True, slots=True)
class Sample:
    """A token of a file: bytes [start, end) of `content`; `path` is that of the file inside its project."""

    project: str
    content: bytes
    start: int
    end: int
    is_name: bool
    path: str = ""


def sample_places(
    language: Language,
    mirror: Path,
    split: str,
    count: int,
    seed: int,
    *,
    names_only: bool,
    without: Container[str] = (),
    code_only: bool = False,
) -> list[Sample]:
    """`count` tokens, the same number from each project of the split, drawn uniformly from its files' tokens.

    Tokens whose text is in `without` are passed over; with `code_only`, line ends and files that are tests are, too.
    """
    chooser = random.Random(seed)
    samples: list[Sample] = []
    projects = [found for name in projects_of(split, language.id) if (found := open_project(mirror, name)) is not None]
    for project in projects:
        files = [row for row in blobs(project, language) if not (code_only and is_test(row[0]))]
        chooser.shuffle(files)
        pool: list[Sample] = []
        for path, content in files[:40]:
            snapshot = SyntaxSnapshot.open(Buffer(content), language)
            starts = snapshot.buffer.line_starts
            for line in range(snapshot.line_count):
                for token in snapshot.line_tokens(line):
                    name = token.kind is TokenKind.NAME
                    kept = name or (not names_only and token.kind is not TokenKind.COMMENT)
                    if kept and token.text not in without and (token.text.strip() or not code_only):
                        at = int(starts[line])
                        pool.append(Sample(project.name, content, at + token.start, at + token.end, name, path))
        samples += chooser.sample(pool, min(len(pool), -(-count // len(projects))))
    chooser.shuffle(samples)
    return samples[:count]


def document_of(language: Language, content: bytes, settings: Settings = SETTINGS) -> Document:
    """A document as the engine sees it, without history."""
    buffer = Buffer(content)
    view = HistoryView(buffer, (), None, 0)
    return Document("file:///sample", None, language.id, 0, SyntaxSnapshot.open(buffer, language), view, settings)


def completion_figures(
    engine: Engine, samples: Sequence[Sample], language: Language, around: Mapping[str, Neighbourhood]
) -> dict[str, float]:
    """Share of identifiers offered first and among the first five, by situation and letters typed; calibration.

    `project/` is the same for a document whose project is indexed. `words` is the same for a server that offers the
    words of the whole file, the nearest first. `ECE by chance` is the calibration error that a perfectly calibrated
    server would show at so many places.
    """
    figures: dict[str, float] = {}
    for letters in (0, 1):
        long = [s for s in samples if s.end - s.start > letters]  # what is typed needs no completion
        near = [(sample.content[sample.start : sample.end], _nearest_words(sample, letters)) for sample in long]
        for top in (1, 5):
            right = sum(truth in words[:top] for truth, words in near)
            figures[f"words/{letters} typed/first {top}"] = right / max(1, len(long))
    for prefix, surroundings in (("", None), ("project/", around)):
        pairs: list[tuple[float, bool]] = []
        for letters in (0, 1):
            long = [s for s in samples if s.end - s.start > letters]
            for whole in (False, True):
                counted: dict[int, int] = defaultdict(int)
                for sample, items in _asked(engine, long, language, letters, whole, surroundings):
                    truth = sample.content[sample.start : sample.end].decode("utf-8", "replace")
                    labels = [item.label for item in items]
                    counted[1] += labels[:1] == [truth]
                    counted[5] += truth in labels[:5]
                    pairs.append((items[0].probability if items else 0.0, labels[:1] == [truth]))
                where = "whole" if whole else "cut"
                for top in (1, 5):
                    figures[f"{prefix}{where}/{letters} typed/first {top}"] = counted[top] / max(1, len(long))
        figures |= {f"{prefix}{name}": value for name, value in reliability(pairs).items() if name != "n"}
    figures["n"] = float(len(samples))
    return figures


def reliability(pairs: Sequence[tuple[float, bool]], draws: int = 200) -> dict[str, float]:
    """Calibration error, and the one that as many places would show if every probability were true (`by chance`)."""
    chances, hits = (np.array(column, np.float64) for column in zip(*pairs, strict=True))
    random = np.random.default_rng(0)
    drawn = ((random.random(len(chances)) < chances).astype(np.float64) for _ in range(draws))
    return {
        "ECE": expected_calibration_error(chances, hits),
        "ECE by chance": float(np.mean([expected_calibration_error(chances, some) for some in drawn])),
        "n": float(len(pairs)),
    }


def _asked(
    engine: Engine,
    samples: Sequence[Sample],
    language: Language,
    letters: int,
    whole: bool,
    around: Mapping[str, Neighbourhood] | None,
) -> Iterator[tuple[Sample, tuple[Completion, ...]]]:
    """What the product offers at each sample, file by file, which keeps contexts warm."""
    ordered = sorted(samples, key=lambda sample: (sample.project, sample.path, sample.start))
    at_work, elsewhere = "", None
    for sample in track(ordered, f"{letters} typed", transient=True):
        if around is not None and at_work != f"{sample.project}/{sample.path}":
            at_work, elsewhere = f"{sample.project}/{sample.path}", around[sample.project].around(sample.path)
        at = min(sample.end, sample.start + letters)
        content = sample.content[:at] + (sample.content[sample.end :] if whole else b"")
        document = replace(document_of(language, content), elsewhere=elsewhere)
        decision = engine.complete(document, at, Cancel())
        yield sample, decision.value.items if isinstance(decision, Shown) else ()


def _nearest_words(sample: Sample, letters: int) -> list[bytes]:
    """Distinct words of the file that begin with the typed letters, the nearest first."""
    prefix = sample.content[sample.start : sample.start + letters]
    found: dict[bytes, int] = {}
    for match in _WORD.finditer(sample.content):
        word, distance = match.group(), abs(match.start() - sample.start)
        if match.start() != sample.start and word.startswith(prefix) and distance < found.get(word, 1 << 40):
            found[word] = distance
    return sorted(found, key=lambda word: found[word])


def language_of(language_id: str) -> Language:
    """The language of an id; ValueError when there is none."""
    language = by_id(language_id)
    if language is None:
        raise ValueError(f"no language called {language_id}")
    return language
