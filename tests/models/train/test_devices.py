"""Every trainer computes on the device that it is told: nothing that a step needs stays on the processor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
from editahead.encode.span_copying.tokens import SpanVocabulary
from editahead_models.copyspan.edit_run import EditorRun
from editahead_models.copyspan.network.batches import Pair
from editahead_models.copyspan.network.edit_encoder import EDIT_WIDTH
from editahead_models.copyspan.network.model import CopySpanConfig
from editahead_models.copyspan.train import CopySpanRecipe, Run
from editahead_models.treegen.grammar.python_table import python_grammar
from editahead_models.treegen.network.config import ablated
from editahead_models.treegen.train import Run as TreeGenRun
from editahead_models.treegen.train import TrainingData, TreeGenRecipe

from tests.models.fake_device import DEVICE, NAME, FakeDevice
from tests.models.treegen.cards import TINY, in_memory

PAIRS = [Pair(tuple("abcab"), tuple("abdab")), Pair(tuple("cba"), tuple("cbd")), Pair(tuple("aab"), tuple("aac"))]


@pytest.fixture
def gpu() -> Iterator[FakeDevice]:
    with FakeDevice() as mode:
        yield mode


def copyspan(folder: Path, single: bool, objective: str) -> torch.nn.Module:
    vocabulary = SpanVocabulary([*"abcd"])
    config = CopySpanConfig(vocabulary.size, embedding=4, encoder=4, decoder=4, single=single)
    run = Run(folder, config, vocabulary, CopySpanRecipe(objective, epochs=1, batch=2), NAME)
    run.fit(PAIRS, PAIRS)
    return run.model


def edits(folder: Path) -> torch.nn.Module:
    vocabulary = SpanVocabulary([*"abcd"])
    config = CopySpanConfig(vocabulary.size, embedding=4, encoder=4, decoder=4, edit=EDIT_WIDTH)
    run = EditorRun(folder, config, vocabulary, CopySpanRecipe(epochs=1, batch=2), NAME)
    run.fit(PAIRS, PAIRS)
    return run.model


def treegen(folder: Path, row: int) -> torch.nn.Module:
    examples = in_memory()[0][:4]
    data = TrainingData(python_grammar(), examples)
    run = TreeGenRun(folder, ablated(TINY, row), TreeGenRecipe(batch=2, epochs=1), data, NAME)
    run.fit(examples[:2])
    return run.model


TRAINERS: dict[str, Callable[[Path], torch.nn.Module]] = {
    "CopySpan": lambda folder: copyspan(folder, False, "marginal"),
    "CopySpan, longest": lambda folder: copyspan(folder, False, "longest"),
    "CopySpan, no marginalisation": lambda folder: copyspan(folder, False, "any"),
    "CopyTok": lambda folder: copyspan(folder, True, "marginal"),
    "edits as vectors": edits,
    **{f"TreeGen, row {row}": lambda folder, row=row: treegen(folder, row) for row in (1, 2, 5, 6, 7, 8, 9, 10)},
}


@pytest.mark.slow
@pytest.mark.parametrize("trainer", TRAINERS)
def test_a_trainer_keeps_to_its_device(trainer: str, tmp_path: Path, gpu: FakeDevice) -> None:
    model = TRAINERS[trainer](tmp_path / "run")
    assert {parameter.device for parameter in model.parameters()} == {DEVICE}
    assert gpu.calls > 100
