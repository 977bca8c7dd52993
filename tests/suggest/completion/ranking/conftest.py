"""The engine of the shipped bundles, its language model of Python, and files of a project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.language_model.model import LanguageModel
from editahead.settings import Settings
from editahead.suggest.engine import Engine

from tests.suggest.completion.ranking.project_evidence import Evidence, Names, known, located
from tests.suggest.completion.test_ranked_words import opened


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


@pytest.fixture
def model(engine: Engine) -> LanguageModel:
    found = engine.language_model("python")
    assert found is not None
    return found


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    def read(files: dict[str, str], path: str, text: str, settings: Settings | None = None) -> tuple[Names, Names]:
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content, encoding="utf-8")
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        made, byte = opened(text, path)
        return known(replace(located(made, tmp_path, path, [*files]), settings=settings or made.settings), byte)

    return read
