"""Runs of language models that ended, networks of bundles, and the corpora that they are measured on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from editahead.runtime.bundle import Bundle

from editahead_models.data.corpus.batches import LmBatch, batches
from editahead_models.data.corpus.encoded_files import FileArrays, load_files
from editahead_models.data.corpus.name_views import View
from editahead_models.evaluate.language_models.metrics import measure
from editahead_models.export.bundle_network import known_settings, network_of
from editahead_models.families.mixture import NeuralLanguageModel
from editahead_models.families.registry import build
from editahead_models.train.checkpoints import LATEST
from editahead_models.train.lm import EVALUATION_LANES, LmRecipe, corpus_view, shape_of


@dataclass(frozen=True)
class Corpus:
    """A prepared corpus and how many dev tokens are scored."""

    data: Path
    dev_tokens: int

    @cached_property
    def train(self) -> list[FileArrays]:
        """The training files as arrays."""
        return load_files(self.data / "train")

    @cached_property
    def dev(self) -> list[FileArrays]:
        """The dev files as arrays, cut to `dev_tokens`."""
        return load_files(self.data / "dev", max_tokens=self.dev_tokens)

    @cached_property
    def described(self) -> dict[str, Any]:
        """What `data.json` says of the data."""
        return dict(json.loads((self.data / "data.json").read_text()))


@dataclass(frozen=True)
class RunFolders:
    """Where the runs of a table lie: a folder each, behind a prefix where a queue trained them."""

    root: Path
    prefix: str = ""

    def of(self, row: str) -> Path:
        """The folder of a row's run."""
        return self.root / f"{self.prefix}{row}"

    def has(self, row: str) -> bool:
        """True when the row's run ended, or stopped with a checkpoint because its ration was spent."""
        folder = self.of(row)
        if (folder / "model.pt").exists():
            return True
        state = folder / "state.json"  # of a queue
        return state.exists() and json.loads(state.read_text())["status"] == "spent" and (folder / LATEST).exists()


@dataclass(frozen=True)
class Trained:
    """A run: its network as it stands at the end or at the last checkpoint, its recipe and how it sees names."""

    model: NeuralLanguageModel
    recipe: LmRecipe
    view: View

    def stream(self, files: Sequence[FileArrays], slots: int | None = None) -> tuple[Iterator[LmBatch], int]:
        """Batches of files in order, and the memory length."""
        shape = shape_of(self.model, EVALUATION_LANES, self.recipe.steps, slots)
        return batches(files, shape, seed=None, view=self.view.see), shape.slots

    def figures(self, corpus: Corpus) -> dict[str, float]:
        """Token metrics on the dev files of a corpus."""
        stream, slots = self.stream(corpus.dev)
        return measure(self.model, stream, EVALUATION_LANES, slots, limit=corpus.dev_tokens).report()


def open_run(run: Path, corpus: Corpus) -> Trained:
    """A run from its folder."""
    described = json.loads((run / "config.json").read_text())
    recipe = LmRecipe(**described["recipe"])
    # The view was fitted on the files that the run read; numbered names depend on them.
    read = load_files(corpus.data / "train", broken=corpus.data / "train-broken") if recipe.broken else corpus.train
    view = corpus_view(corpus.data, recipe, read)
    # What was stored is complete, so the plain family of the published preset reads it too.
    family = "spn" if described["family"] == "spn-paper" else described["family"]
    settings = {key: value for key, value in described["model"].items() if key != "vocab"}
    model = build(family, view.size, settings)
    model.load_state_dict(_weights(run))
    model.eval()
    return Trained(model, recipe, view)


def open_bundle(bundle: Bundle, corpus: Corpus) -> Trained:
    """The network of a bundle. ValueError for a corpus that was not prepared with the bundle's vocabulary."""
    recipe = LmRecipe(**known_settings(LmRecipe, bundle.manifest["recipe"]["training"]))
    view = corpus_view(corpus.data, recipe, [])
    if list(view.symbols) != bundle.vocab()["symbols"]:
        raise ValueError(f"{corpus.data}: prepare it with --vocab {bundle.file('vocab.json')}")
    return Trained(network_of(bundle), recipe, view)


def _weights(run: Path) -> dict[str, Any]:
    """Those of the end, else of the last checkpoint: a run may have spent its ration before."""
    if (run / "model.pt").exists():
        return dict(torch.load(run / "model.pt", weights_only=True))
    return dict(torch.load(run / LATEST, weights_only=True)["model"])
