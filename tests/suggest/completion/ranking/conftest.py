"""The engine of the shipped bundles, and its language model of Python."""

from __future__ import annotations

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.language_model.model import LanguageModel
from editahead.suggest.engine import Engine


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


@pytest.fixture
def model(engine: Engine) -> LanguageModel:
    found = engine.language_model("python")
    assert found is not None
    return found
