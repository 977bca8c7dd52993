"""Training of the neural editor: the loop, the folder and the resumption are those of any span-copying run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from editahead.encode.span_copying.tokens import SpanVocabulary
from torch import Tensor, nn

from editahead_models.copyspan.network.batches import Pair, make_batch
from editahead_models.copyspan.network.edit_encoder import NeuralEditor, cropped, edit_rows
from editahead_models.copyspan.network.model import CopySpanConfig
from editahead_models.copyspan.network.objective import loss_of
from editahead_models.copyspan.train import FAMILY, Run
from editahead_models.layers.device import to_device
from editahead_models.run_folder import BEST, RunFolder


class EditorRun(Run):
    """A run that learns to make each edit again from the vector of that same edit."""

    def build(self) -> nn.Module:
        """The edit encoder with its editor."""
        return NeuralEditor(self.config)

    def loss(self, pairs: Sequence[Pair]) -> Tensor:
        """Mean of -ln p per target token, given the pair's own edit vector. A scalar."""
        assert isinstance(self.model, NeuralEditor)
        z_BZ = self.model.edit_vectors(to_device(edit_rows(pairs, self.vocabulary), self.device))
        batch = to_device(make_batch(pairs, self.vocabulary, self.recipe.kind(self.config.single)), self.device)
        return loss_of(self.model.editor, batch, self.recipe.objective, z_BZ)


def load_editor(folder: Path) -> tuple[NeuralEditor, SpanVocabulary, dict[str, Any]]:
    """The neural editor of a run, its vocabulary and its configuration. ValueError, one line, when there is none."""
    config = RunFolder(folder).config(FAMILY)
    try:
        model = NeuralEditor(CopySpanConfig(**config["model"]))
        model.load_state_dict(torch.load(folder / BEST, weights_only=True, map_location="cpu"))
        vocabulary = SpanVocabulary.from_json(config["vocabulary"])
    except (OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"{folder}: no run of a neural editor ({error})") from error
    model.eval()
    return model, vocabulary, config


def edits_of(pairs: Iterable[Pair], around: int, most: int) -> list[Pair]:
    """The changed lines of each pair, each edit once, see `edit_encoder.cropped`."""
    found = (cropped(pair, around, most) for pair in pairs)
    return list(dict.fromkeys(edit for edit in found if edit is not None))
