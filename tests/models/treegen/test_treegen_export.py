"""One step at a time equals the full pass, and the exported graphs equal both."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from editahead.encode.tree_generation.steps import Description, Vocabulary, children_table, word_features
from editahead.runtime.ort import Cancel, Cancelled, select_providers
from editahead.runtime.tree_generation.model import CachedScorer, ProgramModel, program_features
from editahead.runtime.tree_generation.search import Floats, StepQueries, TreeSearchOptions, search_all
from editahead_models.treegen.export import STEP_INPUTS, export
from editahead_models.treegen.network.config import TreeGenConfig
from editahead_models.treegen.network.incremental import EncodeGraph, StepGraph
from editahead_models.treegen.network.model import TreeGen
from editahead_models.treegen.network.search import TorchScorer

from tests.models.treegen.cards import TINY, in_memory

DEEPER = TreeGenConfig(width=16, heads=2, nl_blocks=2, ast_blocks=2, decoder_blocks=2, dropout=0.0)
HOW = TreeSearchOptions(beam=3, power=0.0, budget=40)


def made(config: TreeGenConfig = DEEPER, seed: int = 4) -> TreeGen:
    torch.manual_seed(seed)
    model = TreeGen(config, in_memory()[1])
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.5)  # surer of its nonsense
    return model.eval()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> tuple[TreeGen, ProgramModel]:
    model, out = made(), tmp_path_factory.mktemp("bundles")
    limits = {"words": 60, "steps": 60, "beam": 3}
    bundle = export(model, in_memory()[1], out, language="python", version="0", manifest={"limits": limits})
    return model, ProgramModel(bundle, select_providers("cpu"))


class Both:
    """Follows one scorer and holds the other against it."""

    def __init__(self, full: TorchScorer, cached: CachedScorer) -> None:
        self.full, self.cached = full, cached
        self.worst, self.steps = 0.0, 0

    def step(self, asked: StepQueries) -> tuple[Floats, Floats]:
        wanted, found = self.full.step(asked), self.cached.step(asked)
        for one, other in zip(wanted, found, strict=True):
            possible = one > -1e6
            assert ((other > -1e6) == possible).all()
            self.worst = max(self.worst, float(np.abs(one - other)[possible].max(initial=0.0)))
        self.steps += 1
        return wanted


def cached_in_torch(model: TreeGen, vocabulary: Vocabulary, description: Description) -> CachedScorer:
    word, letter = (torch.tensor(row) for row in word_features(vocabulary, description))
    step = StepGraph(model).eval()
    with torch.no_grad():
        memory = EncodeGraph(model).eval()(word, letter)

    def run(feeds: Mapping[str, Any]) -> Sequence[Any]:
        given = {name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in feeds.items()}
        with torch.no_grad():
            return [out.numpy() for out in step(*(memory if n == "memory" else given[n] for n in STEP_INPUTS))]

    return CachedScorer(vocabulary, np.asarray(children_table(vocabulary)), run, step.kept)


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 5])
def test_a_step_with_caches_equals_the_full_pass(number: int) -> None:
    """Conformance 13, first half; the rays of a beam change places on the way."""
    examples, vocabulary = in_memory()
    description, model = examples[number].description, made()
    with torch.no_grad():
        both = Both(TorchScorer(model, vocabulary, [description]), cached_in_torch(model, vocabulary, description))
        assert search_all(both, vocabulary, [description], HOW)[0]
    assert both.steps > 15
    assert both.worst < 1e-5


@pytest.mark.slow
def test_the_graphs_equal_training(served: tuple[TreeGen, ProgramModel]) -> None:
    """Conformance 13, second half."""
    model, runtime = served
    examples, vocabulary = in_memory()
    for description in (examples[1].description, Description(("tin",), ({"name": "tin"},))):
        with torch.no_grad():
            both = Both(TorchScorer(model, vocabulary, [description]), runtime.scorer(description))
            assert search_all(both, vocabulary, [description], HOW)[0]
        assert both.worst < 1e-4


def test_bodies_parse_and_come_best_first(served: tuple[TreeGen, ProgramModel]) -> None:
    examples, _ = in_memory()
    _, runtime = served
    bodies = runtime.write(examples[2].description, how=TreeSearchOptions(beam=3, power=0.0, budget=60))
    assert bodies
    assert [body.logp for body in bodies] == sorted((body.logp for body in bodies), reverse=True)
    assert len({ast.dump(ast.parse(body.text)) for body in bodies}) == len(bodies)
    bias, ln_p, ln_others, ln_steps, rank = program_features(bodies, len(bodies) - 1)
    assert (bias, rank) == (1.0, len(bodies) - 1)
    assert ln_steps == pytest.approx(math.log(bodies[-1].steps))
    shares = [math.exp(body.logp) for body in bodies]
    assert ln_p == pytest.approx(math.log(max(1e-6, shares[-1])))
    assert ln_others == pytest.approx(math.log(max(1e-6, sum(shares[:-1]))))


def test_it_stops_when_it_is_told_to(served: tuple[TreeGen, ProgramModel]) -> None:
    examples, _ = in_memory()
    _, runtime = served
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        runtime.write(examples[2].description, cancel)
    assert runtime.write(examples[2].description, how=TreeSearchOptions(beam=3, power=0.0, budget=60, calls=0)) == ()
    assert (
        runtime.write(examples[2].description, how=TreeSearchOptions(beam=3, power=0.0, budget=60, least=-1e-9)) == ()
    )
    assert runtime.write(Description((), ())) == ()


def test_a_number_of_calls_ends_a_search(served: tuple[TreeGen, ProgramModel]) -> None:
    examples, vocabulary = in_memory()
    description = examples[0].description
    with torch.no_grad():
        scorer = Both(TorchScorer(served[0], vocabulary, [description]), served[1].scorer(description))
        search_all(scorer, vocabulary, [description], TreeSearchOptions(3, calls=4))
    assert scorer.steps == 4


def test_long_descriptions_are_cut(served: tuple[TreeGen, ProgramModel]) -> None:
    _, runtime = served
    many = Description(("word",) * 500, ({"name": "word"},) * 500)
    how = TreeSearchOptions(beam=1, power=0.0, budget=30)
    short = Description(many.words[:60], many.copies[:60])
    assert runtime.write(many, how=how) == runtime.write(short, how=how) != ()


@pytest.mark.parametrize("change", [{"masked": False}, {"plain": True}, {"conv_blocks": 1}, {"decoder_blocks": 0}])
def test_only_the_full_model_is_exported(change: dict[str, Any], tmp_path: Path) -> None:
    config = TreeGenConfig(**{**TINY.to_json(), **change})
    with pytest.raises(ValueError, match="masked model can be exported"):
        export(made(config), in_memory()[1], tmp_path, language="python", version="0", manifest={})
