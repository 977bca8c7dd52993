"""Counting models in the same figures as networks: scored at the same places of the same dev files.

Shapes: T tokens of a file, N surfaces, S scored places of a batch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from editahead.encode.language_model.vocabulary import INDENT_OF, SPECIALS

from editahead_models.data.corpus.batches import LmBatch, Shape, batches
from editahead_models.data.corpus.encoded_files import FileArrays, surface_hash
from editahead_models.data.corpus.name_views import View
from editahead_models.evaluate.language_models.metrics import MISS, LmMetrics
from editahead_models.evaluate.language_models.runs import Corpus
from editahead_models.families.ngram_cache import GIVEN, GlobalCounts, ProjectCache
from editahead_models.train.lm import EVALUATION_LANES

Ids = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
SILENT = np.array([surface_hash(symbol) for symbol in SPECIALS if symbol not in INDENT_OF], np.int64)  # never shown


def dev_projects(corpus: Corpus) -> list[list[Ids]]:
    """The surface hashes of all dev files, project by project. A file is (T,)."""
    projects = []
    for path in sorted((corpus.data / "dev").glob("*.npz")):
        with np.load(path, allow_pickle=False) as data:
            projects.append(np.split(data["surface"], np.cumsum(data["lengths"])[:-1]))
    return projects


def places_of(files: Sequence[FileArrays], projects: Sequence[Sequence[Ids]]) -> list[tuple[int, int]]:
    """(project, number within it) of each file, found by its text: no two files of a corpus have the same.

    A file is (T,).
    """
    known = {text.tobytes(): (p, n) for p, texts in enumerate(projects) for n, text in enumerate(texts)}
    return [known[np.ascontiguousarray(file.surface).tobytes()] for file in files]


def scored_batches(files: Sequence[FileArrays], steps: int, limit: int, view: View | None = None) -> Iterator[LmBatch]:
    """Batches without memory: the places where a network over the same files is scored."""
    count = 0
    for batch in batches(files, Shape(EVALUATION_LANES, steps, 0), seed=None, view=view.see if view else None):
        yield batch
        count += int(batch.scored_BT.sum())
        if count >= limit:
            return


def places_in(scored: Sequence[LmBatch], files: Sequence[FileArrays]) -> Iterator[Ids]:
    """Where the scored targets of each batch stand in the files laid end to end, in the batch's own order.

    A batch has (S,).
    """
    start = np.cumsum([0, *(len(file.word) for file in files)])
    for batch in scored:
        at = start[batch.file_B.numpy()][:, None] + batch.position_BT.numpy()
        yield at[batch.scored_BT.numpy()]


def cache_metrics(counts: GlobalCounts, corpus: Corpus, steps: int, *, project: bool) -> LmMetrics:
    """The nested cache at the places where networks are scored; `project`: with the other files of the project."""
    scored = list(scored_batches(corpus.dev, steps, corpus.dev_tokens))
    last = np.zeros(len(corpus.dev), np.int64)
    for batch in scored:
        np.maximum.at(last, batch.file_B.numpy(), batch.position_BT.numpy().max(1))
    projects = dev_projects(corpus)
    opened: tuple[int, ProjectCache] | None = None
    found = []
    for number, (place, own) in enumerate(places_of(corpus.dev, projects)):
        if last[number] and (opened is None or opened[0] != place):
            opened = place, ProjectCache(counts, projects[place], project=project)
        read = np.zeros((5, len(corpus.dev[number].word)))
        if last[number] and opened is not None:
            read[:, : last[number] + 1] = score_file(opened[1], own, int(last[number]))
        found.append(read)
    nll, rank, with_unknown, best, unknown = np.concatenate(found, 1)
    metrics = LmMetrics()
    for batch, at in zip(scored, places_in(scored, corpus.dev), strict=True):
        add(metrics, batch, nll[at], rank[at].astype(int), with_unknown[at].astype(int), best[at], unknown[at] > 0)
    return metrics


def score_file(cache: ProjectCache, number: int, last: int) -> Floats:
    """(5, last + 1): nll, rank, rank if unknowns counted as answers, best probability shown, whether it is unknown.

    Column t is token t of the file; column 0, the start symbol, stays zero.
    """
    silent = cache.ids(SILENT)
    silent = silent[silent >= 0]
    stream = cache.streams[number]
    out = np.zeros((5, last + 1))
    for t, step in zip(range(GIVEN, last + 1), cache.read(number), strict=False):
        word = int(stream[t])
        known = step.p[word] > 0
        value = float(step.p[word]) if known else step.unknown
        with_unknown = np.count_nonzero(step.p >= value) + (step.unknown >= value)
        step.p[silent] = 0.0  # never shown
        mute = not known or word in silent
        rank = MISS if mute else np.count_nonzero(step.p >= value)
        out[:, t] = -math.log(value), rank, with_unknown, step.p.max(), mute
    return out


def add(
    metrics: LmMetrics,
    batch: LmBatch,
    nll: Floats,
    rank: Ids,
    with_unknown: Ids,
    best: Floats,
    unknown: npt.NDArray[np.bool_],
) -> None:
    """The scored positions of a batch, in its order, from arrays of a model that is no network. Arrays are (S,)."""
    scored = batch.scored_BT
    metrics.nll.append(nll)
    metrics.rank.append(rank)
    metrics.rank_with_unknown.append(with_unknown)
    metrics.best.append(best)
    metrics.unknown.append(unknown)
    metrics.is_name.append(batch.is_name_BT[scored].numpy())
    metrics.is_use.append(batch.is_use_BT[scored].numpy())
    metrics.count += len(nll)
