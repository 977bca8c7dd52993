"""A network with the nested n-gram cache beside it, mixed by a learnt gate.

Shapes: B lanes, T steps, K slots, V symbols, M surfaces of one project, S scored places.

    p = (1 - g) p_network + g p_cache,   g = sigmoid(w . [1, hits, ln p_cache(top), lambda_1, entropy of p_network])

The network speaks of symbols, the cache of surfaces. Listed words and names that the file has introduced are the same
thing in both. What the network can only name by its class (an unlisted literal, a new name) is one event a class:
the cache's mass on all that the network cannot reach goes to the classes in the network's own proportions. So
likelihoods before and after are over the same events. Ranks are over surfaces, as a user sees them, and there a name
that only the cache knows counts as an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from editahead.encode.language_model.vocabulary import SPECIALS, UNKNOWN
from torch import Tensor

from editahead_models.data.corpus.batches import LmBatch
from editahead_models.data.corpus.encoded_files import FileArrays, surface_hash
from editahead_models.evaluate.language_models.cache_gate import Gate, halves
from editahead_models.evaluate.language_models.counting import SILENT, add, places_of
from editahead_models.evaluate.language_models.metrics import MISS, LmMetrics, distribution, silent_symbols
from editahead_models.evaluate.language_models.runs import Trained
from editahead_models.families.mixture import mixture_log_likelihood, reset
from editahead_models.families.ngram_cache import CacheStep, GlobalCounts, ProjectCache
from editahead_models.train.lm import EVALUATION_LANES

Ids = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
_NUMBERED = re.compile(r"(class|function|parameter|argument|variable|attribute)(-\d+)?:\d+")
_CLASSES = {SPECIALS.index(symbol) for symbol in UNKNOWN.values()}  # class symbols that are surfaces too


@dataclass
class ScoredTarget:
    """One scored place: both models over the project's surfaces, and what each says of the target's event."""

    project: int
    features: tuple[float, ...]
    network: float  # p of the target's event
    cache: float
    network_M: Floats
    cache_M: Floats
    classes: Floats  # p of the network's class symbols
    spread: float  # mass of the cache on a class, per probability of the network
    target: int  # its surface, -1 when it stands for no text
    unknown: bool  # the network's symbol for it stands for no text


class _Symbols:
    """What the network's symbols mean in one project. `surface` (V,) is -1 where a symbol stands for none."""

    def __init__(self, symbols: Sequence[str], cache: ProjectCache) -> None:
        self.silent = silent_symbols(len(symbols)).numpy()
        self.numbered = np.array([_NUMBERED.fullmatch(symbol) is not None for symbol in symbols])
        self.surface = cache.ids(np.array([surface_hash(symbol) for symbol in symbols], np.int64))
        self.is_class = self.silent | self.numbered
        text = ~self.is_class
        alone = np.flatnonzero(text & (self.surface < 0))  # words that the cache has never met
        self.surface[alone] = cache.size + np.arange(len(alone))
        self.size = cache.size + len(alone)  # M
        nothing = self.is_class & ~np.isin(np.arange(len(symbols)), list(_CLASSES))
        self.surface[nothing] = -1
        mute = cache.ids(SILENT)
        self.mute: Ids = mute[mute >= 0]


class _Lane:
    """One file being read by both models."""

    def __init__(self, project: int, cache: ProjectCache, number: int, symbols: _Symbols, slots: int) -> None:
        self.project, self.stream = project, cache.streams[number]
        self.steps: Iterator[CacheStep] = cache.read(number)
        self._symbols = symbols
        self._surface, self._is_class = symbols.surface.copy(), symbols.is_class.copy()
        self._carried = np.full(slots, -1, np.int64)  # surfaces in the memory
        self._mute = np.zeros(symbols.size, np.bool_)
        self._mute[symbols.mute] = True

    def chunk(self, batch: LmBatch, lane: int, results: Mapping[str, Floats]) -> Iterator[ScoredTarget]:
        """The scored places of one chunk; `results` is what the network says of this lane."""
        steps = int(batch.scored_BT[lane].sum())
        at = batch.position_BT[lane, :steps].numpy()
        T = batch.scored_BT.shape[1]
        bank = np.full(len(self._carried) + T, -1, np.int64)
        bank[: len(self._carried)] = self._carried
        bank[len(self._carried) : len(self._carried) + steps] = self.stream[at - 1]
        words, goals = batch.chunk.word_BT[lane].numpy(), batch.target_BT[lane].numpy()
        slots = batch.chunk.slot_BTK[lane].numpy()
        for t in range(steps):
            word = int(words[t])
            if self._symbols.numbered[word]:  # a numbered name is this name from now on
                self._surface[word], self._is_class[word] = self.stream[at[t] - 1], False
            yield self._place(
                next(self.steps),
                {name: value[t] for name, value in results.items()},
                bank[slots[t]],
                int(self.stream[at[t]]),
                int(goals[t]),
            )
        self._carried = bank[batch.chunk.next_BK[lane].numpy()]

    def _place(self, step: CacheStep, results: Mapping[str, Floats], held: Ids, target: int, goal: int) -> ScoredTarget:
        p_V, copy_K = results["symbols"], results["copies"]
        network: Floats = np.zeros(self._symbols.size)
        np.add.at(network, np.maximum(self._surface, 0), p_V * (self._surface >= 0))
        np.add.at(network, np.maximum(held, 0), copy_K * (held >= 0))
        cache = np.zeros(self._symbols.size)
        cache[: len(step.p)] = step.p
        classes = p_V[self._is_class]
        spread = max(0.0, 1 - cache[network > 0].sum()) / max(1e-12, float(classes.sum()))
        if goal >= 0 and self._is_class[goal]:
            own = int(self._surface[goal])
            mass = (float(cache[own]) if own >= 0 else 0.0) + spread * float(p_V[goal])
        else:
            mass = float(cache[target])
        network[self._mute] = cache[self._mute] = 0.0  # never shown
        features = (
            float(max(step.hits)),
            float(np.log(max(1e-9, cache.max()))),
            float(results["share"]),
            float(results["entropy"]),
        )
        shown = -1 if self._mute[target] else target
        unknown = goal >= 0 and bool(self._symbols.silent[goal])
        likelihood = float(np.exp(results["log_p"]))
        return ScoredTarget(self.project, features, likelihood, mass, network, cache, classes, spread, shown, unknown)


@dataclass(frozen=True)
class Beside:
    """What stands beside the network: counts of a corpus, and the dev projects, with their other files or without."""

    counts: GlobalCounts
    projects: Sequence[Sequence[Ids]]
    whole: bool = True


@torch.no_grad()
def places(
    trained: Trained, files: Sequence[FileArrays], beside: Beside, limit: int
) -> Iterator[tuple[LmBatch, Iterator[ScoredTarget]]]:
    """Both models over the same files, batch by batch, at most about `limit` scored places."""
    where = places_of(files, beside.projects)
    stream, slots = trained.stream(files)
    caches: dict[int, tuple[ProjectCache, _Symbols]] = {}
    lanes: dict[int, _Lane] = {}
    state = trained.model.start(EVALUATION_LANES, slots)
    count = 0
    for batch in stream:
        output, state = trained.model(batch.chunk, reset(state, batch.fresh_B))
        logits_BTV = trained.model.logits(output.joint_BTE)
        log_y_BT = torch.log_softmax(logits_BTV, -1).gather(-1, batch.target_BT.clamp_min(0).unsqueeze(-1)).squeeze(-1)
        p_BTV, copy_BTK = distribution(output, logits_BTV, batch)
        said = {
            "symbols": p_BTV.double(),
            "copies": copy_BTK.double(),
            "log_p": mixture_log_likelihood(output, log_y_BT, batch.target_BT, batch.match_BTK).double(),
            "share": output.log_lambda_BT2[..., 1].exp().double(),
            "entropy": torch.special.entr(p_BTV).sum(-1).double() + torch.special.entr(copy_BTK).sum(-1).double(),
        }

        def read(batch: LmBatch = batch, said: Mapping[str, Tensor] = said) -> Iterator[ScoredTarget]:
            for lane in range(EVALUATION_LANES):
                if not bool(batch.scored_BT[lane].any()):
                    continue
                if bool(batch.fresh_B[lane]):
                    project, number = where[int(batch.file_B[lane])]
                    if project not in caches:
                        cache = ProjectCache(beside.counts, beside.projects[project], project=beside.whole)
                        caches[project] = cache, _Symbols(trained.view.symbols, cache)
                    lanes[lane] = _Lane(project, caches[project][0], number, caches[project][1], slots)
                yield from lanes[lane].chunk(batch, lane, {name: part[lane].numpy() for name, part in said.items()})

        yield batch, read()
        count += int(batch.scored_BT.sum())
        if count >= limit:
            return


def mixed_figures(
    trained: Trained, files: Sequence[FileArrays], beside: Beside, limit: int
) -> tuple[LmMetrics, LmMetrics, list[dict[str, float]]]:
    """(the network alone, with the cache, the two gates).

    The projects are halved; each half is measured with the gate that was fitted on the other. With a single project
    there is no other half: ValueError.
    """
    rows = [
        (place.project, place.network, place.cache, *place.features)
        for _, found in places(trained, files, beside, limit)
        for place in found
    ]
    table = np.array(rows)
    project, network, cache, features = table[:, 0].astype(np.int64), table[:, 1], table[:, 2], table[:, 3:]
    fold = halves(project)
    gates = [Gate.fit(features[fold != half], network[fold != half], cache[fold != half]) for half in (0, 1)]
    share = np.where(fold == 0, gates[0](features), gates[1](features))
    before, after = LmMetrics(), LmMetrics()
    done = 0
    for batch, found in places(trained, files, beside, limit):
        ranked = [(*_ranks(place, 0.0), *_ranks(place, g)) for place, g in zip(found, share[done:], strict=False)]
        columns = np.array(ranked).T
        here = slice(done, done + len(ranked))
        done += len(ranked)
        for metrics, g, said in ((before, 0.0 * share[here], columns[:4]), (after, share[here], columns[4:])):
            nll = -np.log(np.maximum(1e-300, (1 - g) * network[here] + g * cache[here]))
            add(metrics, batch, nll, said[0].astype(int), said[1].astype(int), said[2], said[3] > 0)
    return (
        before,
        after,
        [gate.described() | {"mean g": float(share[fold == n].mean())} for n, gate in enumerate(gates)],
    )


def _ranks(place: ScoredTarget, g: float) -> tuple[int, int, float, bool]:
    """Rank, rank if unknowns counted as answers, best probability shown, whether the target stands for no text."""
    mixed = (1 - g) * place.network_M + g * place.cache_M
    classes = place.classes * ((1 - g) + g * place.spread)
    value = float(mixed[place.target]) if place.target >= 0 else 0.0
    event = value or (1 - g) * place.network + g * place.cache
    with_unknown = int(np.count_nonzero(mixed >= event)) + int(np.count_nonzero(classes >= event))
    rank = int(np.count_nonzero(mixed >= value)) if value > 0 else MISS
    return rank, max(1, with_unknown), float(mixed.max()), place.unknown
