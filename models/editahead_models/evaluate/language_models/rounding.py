"""`editahead-models evaluate rounding`: what the weights that ship cost beside those that were trained.

Three readings of one run on the same dev tokens: as trained, with half precision throughout, and as served (tables of
eight bits, a joint vector in steps of 1/63 before the output layer).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import torch
import typer
from torch import Tensor

from editahead_models.evaluate.language_models.metrics import measure
from editahead_models.evaluate.language_models.runs import Corpus, open_run
from editahead_models.export.integer_products import STEPS
from editahead_models.export.lm import round_as_served
from editahead_models.export.onnx_graphs import round_to_half
from editahead_models.families.spn import Spn
from editahead_models.train.lm import EVALUATION_LANES


def main(
    run: Annotated[Path, typer.Argument(help="The folder of a run of the served family.")],
    data: Annotated[Path, typer.Option(help="What `prepare` wrote.")],
    tokens: Annotated[int, typer.Option(help="Dev tokens to score.")] = 300_000,
) -> None:
    """Print the dev figures of the three readings as JSON."""
    print(json.dumps(rounding_figures(run, data, tokens), indent=1))


class _Served(Spn):
    """The network with the joint vector as the served output layer reads it."""

    def widen(self, h: Tensor, c: Tensor) -> Tensor:
        return torch.round(super().widen(h, c) * STEPS) / STEPS


def rounding_figures(run: Path, data: Path, tokens: int) -> dict[str, dict[str, float]]:
    """Perplexity, loss and accuracies by reading: trained, half, served. ValueError for a run of another family."""
    corpus = Corpus(data, tokens)
    trained = open_run(run, corpus)
    if not isinstance(trained.model, Spn):
        raise ValueError(f"{run}: only a sparse pointer network is served, found {type(trained.model).__name__}")
    found: dict[str, dict[str, float]] = {}
    for reading, kind in (("trained", Spn), ("half", Spn), ("served", _Served)):
        model = kind(trained.model.config).eval()
        model.load_state_dict(trained.model.state_dict())
        if reading == "half":
            round_to_half(model)
        if reading == "served":
            round_as_served(model)
        stream, slots = trained.stream(corpus.dev)
        found[reading] = measure(model, stream, EVALUATION_LANES, slots, limit=tokens).report()
    return found
