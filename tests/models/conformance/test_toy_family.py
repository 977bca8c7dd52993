"""CONTRIBUTING's recipe for a new model family: a file, an entry in the registry, a small variant for the suite."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("torch")
import torch
from editahead_models.families.mixture import Chunk, MixtureOutput, NeuralLanguageModel, State, generated_only
from editahead_models.families.registry import FAMILIES, Family
from torch import Tensor, nn

from tests.models.conformance import test_language_models as suite

REPOSITORY = Path(__file__).resolve().parents[3]
CHECKS = {
    name: check
    for name, check in vars(suite).items()
    if name.startswith("test_") and "model" in inspect.signature(check).parameters and "memory_length" not in name
}


@dataclass(frozen=True)
class ToyConfig:
    """Sizes."""

    vocab: int
    hidden: int = 16


class Toy(NeuralLanguageModel):
    """The file in `families/`: a recurrent network of the simplest kind. State: h (B, d)."""

    def __init__(self, config: ToyConfig) -> None:
        super().__init__()
        self.config = config
        self.word = nn.Embedding(config.vocab, config.hidden)
        self.cell = nn.GRU(config.hidden, config.hidden, batch_first=True)
        self.out = nn.Linear(config.hidden, config.vocab)

    @property
    def output_layer(self) -> tuple[Tensor, Tensor]:
        return self.out.weight, self.out.bias

    def start(self, batch: int, slots: int | None = None) -> State:
        return (torch.zeros(batch, self.config.hidden),)

    def forward(self, chunk: Chunk, state: State) -> tuple[MixtureOutput, State]:
        h_BTD, h_1BD = self.cell(self.word(chunk.word_BT), state[0].unsqueeze(0))
        return generated_only(h_BTD, chunk.mask_BTK), (h_1BD[0],)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> NeuralLanguageModel:
    monkeypatch.setitem(FAMILIES, "toy", Family(ToyConfig, Toy))
    monkeypatch.setitem(suite.SMALL, "toy", {"hidden": 24})
    return suite.a_model("toy")


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKS)
def test_the_suite_covers_it(name: str, toy: NeuralLanguageModel, tmp_path: Path) -> None:
    given = {"model": toy, "tmp_path": tmp_path}
    CHECKS[name](**{key: given[key] for key in inspect.signature(CHECKS[name]).parameters})


def test_a_family_without_a_small_variant_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    suite.test_every_family_is_covered()
    monkeypatch.setitem(FAMILIES, "toy", Family(ToyConfig, Toy))
    with pytest.raises(AssertionError):
        suite.test_every_family_is_covered()


def test_the_recipe_names_the_places_that_the_toy_needs() -> None:
    recipe = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8").split("- A model family:")[1].split("\n- ")[0]
    assert "models/editahead_models/families/" in recipe
    for word in ("registry.py", "SMALL"):
        assert word in recipe
