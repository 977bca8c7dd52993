"""A training that begins with the weights of a network of another vocabulary."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from editahead_models.families.registry import build
from editahead_models.families.spn import SpnConfig
from editahead_models.train.lm import LmRecipe, train
from editahead_models.train.warm_start import begin_with

DEBUG = {key: value for key, value in SpnConfig.debug(1).to_json().items() if key != "vocab"}


def test_shared_symbols_keep_their_rows_and_new_ones_their_own() -> None:
    earlier, model = build("spn", 4, DEBUG), build("spn", 5, DEBUG)
    own = model.word.weight.detach().clone()
    assert begin_with(model, ["if", "total", "new", "x", "("], earlier, ["(", "if", "old", "total"]) == 3
    assert torch.equal(model.word.weight[[0, 1, 4]], earlier.word.weight[[1, 3, 0]])
    assert torch.equal(model.word.weight[[2, 3]], own[[2, 3]])
    assert torch.equal(model.bias[[0, 1, 4]], earlier.bias[[1, 3, 0]])
    assert torch.equal(model.lstm.weight_hh_l0, earlier.lstm.weight_hh_l0)


def test_a_network_of_another_width_is_refused() -> None:
    wider = build("spn", 4, {**DEBUG, "hidden": 2 * DEBUG["hidden"]})
    with pytest.raises(ValueError, match="other settings"):
        begin_with(build("spn", 4, DEBUG), list("abcd"), wider, list("abcd"))


def test_a_recipe_begins_with_the_bundle_that_it_names(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"begins with spn-go-0\.1\.0, given: none"):
        train(tmp_path, tmp_path, LmRecipe(begin="spn-go-0.1.0"))
