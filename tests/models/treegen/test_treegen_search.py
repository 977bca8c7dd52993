"""Search keeps to the grammar, and its scores are those of training."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

pytest.importorskip("torch")

import numpy as np
import torch
from editahead.encode.tree_generation.steps import Description, Vocabulary
from editahead.grammar.python_build import build, is_equal_tree
from editahead_models.treegen.datasets.examples import Example
from editahead_models.treegen.grammar.python_table import python_grammar
from editahead_models.treegen.network.batches import collate, expressible, make_row
from editahead_models.treegen.network.config import TreeGenConfig
from editahead_models.treegen.network.model import TreeGen
from editahead_models.treegen.network.search import (
    EnsembleScorer,
    Floats,
    RankedProgram,
    StepQueries,
    TorchScorer,
    TreeSearchOptions,
    search_ensemble,
)
from editahead_models.treegen.train import Run, TrainingData, TreeGenRecipe, load_run, looks

from tests.models.treegen.cards import TINY, in_memory


def search(
    model: TreeGen, vocabulary: Vocabulary, description: Description, how: TreeSearchOptions
) -> list[RankedProgram]:
    return search_ensemble([model], vocabulary, [description], how)[0]


SMALL = TreeGenConfig(width=32, heads=4, nl_blocks=1, ast_blocks=1, decoder_blocks=1, dropout=0.0)
RECIPE = TreeGenRecipe(batch=4, epochs=60, rate=3e-2, select="dev")


@pytest.fixture(scope="module")
def untrained() -> TreeGen:
    torch.manual_seed(5)
    model = TreeGen(TINY, in_memory()[1])
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.5)  # surer of its nonsense
    return model.eval()


@pytest.fixture(scope="module")
def overfitted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Example]]:
    examples = in_memory()[0][:4]
    folder = tmp_path_factory.mktemp("run") / "treegen"
    Run(folder, SMALL, RECIPE, TrainingData(python_grammar(), examples)).fit(examples[:2])
    return folder, examples


@pytest.mark.parametrize("beam", [1, 3])
def test_what_an_untrained_model_writes_parses(untrained: TreeGen, beam: int) -> None:
    examples, vocabulary = in_memory()
    for example in examples[:2]:
        found = search(untrained, vocabulary, example.description, TreeSearchOptions(beam, budget=40))
        assert found
        for one in found:
            module = build(vocabulary.grammar, one.tree)
            assert is_equal_tree(ast.parse(ast.unparse(module)), module)
            assert one.steps <= 40


class Fixed(TorchScorer):
    """A scorer that says the same at every step."""

    def __init__(self, classes: list[float], copies: list[float]) -> None:
        self._said = np.log(np.asarray([classes])), np.log(np.asarray([copies]))

    def step(self, queries: StepQueries) -> tuple[Floats, Floats]:
        return self._said


def test_an_ensemble_has_the_mean_of_the_probabilities() -> None:
    scorer = EnsembleScorer([Fixed([0.2, 0.3], [0.5]), Fixed([0.6, 0.1], [0.3]), Fixed([0.1, 0.5], [0.4])])
    classes, copies = scorer.step(StepQueries([], [], [], [], []))
    assert np.allclose(np.exp(classes), [[0.3, 0.3]])
    assert np.allclose(np.exp(copies), [[0.4]])


@pytest.mark.slow
def test_an_ensemble_of_one_model_writes_what_it_writes_alone(untrained: TreeGen) -> None:
    examples, vocabulary = in_memory()
    torch.manual_seed(6)
    other = TreeGen(TINY, vocabulary).eval()
    how = TreeSearchOptions(2, budget=40)
    description = examples[1].description
    alone = search(untrained, vocabulary, description, how)
    twice = search_ensemble([untrained, untrained], vocabulary, [description], how)[0]
    assert [(one.tree, round(one.logp, 3)) for one in twice] == [(one.tree, round(one.logp, 3)) for one in alone]
    both = search_ensemble([untrained, other], vocabulary, [description], how)[0]
    assert both
    assert [one.logp for one in both] != [one.logp for one in alone]


def test_scores_of_the_search_are_those_of_training(untrained: TreeGen) -> None:
    examples, vocabulary = in_memory()
    for found in search(untrained, vocabulary, examples[1].description, TreeSearchOptions(3, budget=50)):
        row = make_row(vocabulary, Example(examples[1].description, found.tree, ""))
        with torch.no_grad():
            expected = float(untrained.log_likelihood(collate([row])).sum())
        assert found.logp == pytest.approx(expected, abs=1e-3)
        assert found.score == pytest.approx(found.logp / found.steps**0.6)


def test_descriptions_that_are_searched_together_do_not_disturb_each_other(untrained: TreeGen) -> None:
    examples, vocabulary = in_memory()
    how = TreeSearchOptions(2, budget=40)
    descriptions = [examples[0].description, examples[1].description]
    alone = [search(untrained, vocabulary, description, how) for description in descriptions]
    together = search_ensemble([untrained], vocabulary, descriptions, how)
    assert [[one.tree for one in row] for row in together] == [[one.tree for one in row] for row in alone]


@pytest.mark.slow
def test_cards_are_learnt_by_heart(overfitted: tuple[Path, list[Example]]) -> None:
    folder, examples = overfitted
    model, vocabulary, config = load_run(folder)
    assert config["family"] == "treegen"
    assert looks(model, [make_row(vocabulary, example) for example in examples[:2]])["programs"] == 1.0
    written = [search(model, vocabulary, example.description, TreeSearchOptions(1))[0].tree for example in examples[:2]]
    assert any(tree == example.tree for tree, example in zip(written, examples, strict=False))
    for example in examples[:2]:  # the other may differ where actions are all but equally likely
        found = search(model, vocabulary, example.description, TreeSearchOptions(5))
        assert example.tree in [one.tree for one in found]
    found = search(model, vocabulary, examples[0].description, TreeSearchOptions(5))
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert len({ast.dump(build(vocabulary.grammar, one.tree)) for one in found}) == len(found) > 1


def test_a_run_that_is_done_goes_on_only_for_more_epochs(overfitted: tuple[Path, list[Example]]) -> None:
    folder, examples = overfitted
    _, _, config = load_run(folder)
    data = TrainingData(python_grammar(), examples)
    assert config["model"] == SMALL.to_json()
    before = (folder / "log.jsonl").read_text().splitlines()
    Run(folder, SMALL, RECIPE, data).fit(examples)
    assert (folder / "log.jsonl").read_text().splitlines() == before
    with pytest.raises(ValueError, match="other settings or data"):
        Run(folder, SMALL, TreeGenRecipe(batch=5), data)


def test_the_ceiling_knows_what_cannot_be_written() -> None:
    examples, vocabulary = in_memory()
    assert all(expressible(vocabulary, example) for example in examples)
    tree = examples[0].tree
    strange = Example(examples[1].description, tree, "")  # the name of another card: neither listed nor to be copied
    assert not expressible(vocabulary, strange)
