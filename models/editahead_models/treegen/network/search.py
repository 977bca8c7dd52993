"""Search with a model that is open in torch: each step computes all that was done anew, whatever the ablation.

B hypotheses, E descriptions, L words, T steps, D width, C classes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from editahead.encode.tree_generation.steps import Description, Done, Vocabulary, word_features
from editahead.runtime.tree_generation.search import Floats, RankedProgram, StepQueries, TreeSearchOptions, search_all

from editahead_models.treegen.network.batches import pad_rules, pad_words
from editahead_models.treegen.network.model import TreeGen, causal

__all__ = ["RankedProgram", "TorchScorer", "TreeSearchOptions", "search_ensemble"]


class TorchScorer:
    """A `Scorer` without caches."""

    def __init__(self, model: TreeGen, vocabulary: Vocabulary, descriptions: Sequence[Description]) -> None:
        self._model = model.eval()
        self._words = pad_words([word_features(vocabulary, description) for description in descriptions])
        self._y_ELD = model.read_words(self._words)
        self._done: list[tuple[Done, ...]] = [()] * len(descriptions)

    def step(self, queries: StepQueries) -> tuple[Floats, Floats]:
        """Log masses of the next step of every hypothesis. All have made equally many steps.

        Classes (R, C) and copies (R, L).
        """
        model = self._model
        self._done = [(*self._done[row], last) for row, last in zip(queries.came_from, queries.done, strict=True)]
        rows = zip(self._done, queries.paths, queries.tags, strict=True)
        rules = pad_rules([(list(done), [path], [tag]) for done, path, tag in rows])
        which = torch.tensor(queries.which)
        y_BLD, real_BL = self._y_ELD[which], self._words.real_BL[which]
        z_BTD = model.read_rules(rules, y_BLD, real_BL)
        seen = causal(z_BTD.shape[1], z_BTD.device)[:, :, -1:]
        h_B1D = model.decode(model.queries(rules.path_BTP[:, :1], rules.nth_BT[:, :1]), z_BTD, y_BLD, real_BL, seen)
        masses = model.masses(h_B1D[:, 0], y_BLD, real_BL, rules.tag_BT[:, 0])
        return np.asarray(masses.class_NC), np.asarray(masses.copy_NL)


class EnsembleScorer:
    """Several models of one vocabulary, each with the same weight: the mean of their probabilities."""

    def __init__(self, scorers: Sequence[TorchScorer]) -> None:
        self._scorers = scorers

    def step(self, queries: StepQueries) -> tuple[Floats, Floats]:
        """As `TorchScorer.step`: classes (R, C) and copies (R, L)."""
        found = [scorer.step(queries) for scorer in self._scorers]
        classes, copies = (np.logaddexp.reduce(parts) - np.log(len(found)) for parts in zip(*found, strict=True))
        return classes, copies


@torch.no_grad()
def search_ensemble(
    models: Sequence[TreeGen],
    vocabulary: Vocabulary,
    descriptions: Sequence[Description],
    how: TreeSearchOptions | None = None,
) -> list[list[RankedProgram]]:
    """Programs for each description, best first, at most `beam`; fewer where nothing can fill a place.

    Hypotheses of all descriptions are computed together, and models of one vocabulary are asked together.
    """
    scorer = EnsembleScorer([TorchScorer(model, vocabulary, descriptions) for model in models])
    return search_all(scorer, vocabulary, descriptions, how)
