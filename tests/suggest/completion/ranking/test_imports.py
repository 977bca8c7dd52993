"""Places of imports: what is gathered there, what the features say, and that no other place pays or changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from editahead.runtime.language_model.candidate_ranker import IMPORT_CANDIDATE, IMPORT_PLACE, CandidateRanker
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.suggest.completion import completions
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.ranking.import_features import (
    CANDIDATE_FEATURES,
    PLACE_FEATURES,
    import_features,
    imported_elsewhere,
    section_of,
)
from editahead.suggest.context import place_at, read_cursor
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document, Shown

from tests.suggest.documents import document
from tests.suggest.surroundings import python_project

PROJECT = {
    "shop/orders.py": "import json\nimport os\n\nfrom shop.money import Money, price\nfrom shop.store import Store\n",
    "shop/report.py": "import json\nimport os\n\nfrom shop.money import Money\n",
    "tools/run.py": "import argparse\n",
}


def at(text: str, own: str = "shop/new.py") -> tuple[Document, int]:
    made, byte = document(text, "python")
    return replace(made, elsewhere=python_project(PROJECT, own)), byte


def gathered(model: LanguageModel, text: str) -> completions.PredictionContext:
    made, byte = at(text)
    place = place_at(made, byte)
    reading = read_cursor(model, made, place, Cancel())
    caches = DocumentCaches(words_of)
    return completions.evidence(model, reading, caches, made, place, Cancel(), with_ranking=True, with_imports=True)


def rows(model: LanguageModel, text: str, *texts: str) -> list[Mapping[str, float]]:
    found = gathered(model, text).ranking
    assert found is not None
    assert found.imports is not None
    features = import_features(texts, found.imports)
    return [dict(zip(CANDIDATE_FEATURES, row.tolist(), strict=True)) for row in features]


def of_place(model: LanguageModel, text: str) -> Mapping[str, float]:
    found = gathered(model, text).ranking
    assert found is not None
    assert found.imports is not None
    return dict(zip(PLACE_FEATURES, found.imports.position.tolist(), strict=True))


def test_other_files_are_counted_where_a_module_is_written(model: LanguageModel) -> None:
    json, argparse, nothing = rows(model, "import os\nimport ‸\n", "json", "argparse", "nothing")
    assert json["project_files"] == pytest.approx(np.log1p(2))
    assert json["alike"] == 1.0
    assert json["folder"] == 1.0
    assert argparse["alike"] == 0.0
    assert argparse["project_files"] == pytest.approx(np.log1p(1))
    assert nothing["project_files"] == 0.0


def test_other_files_are_counted_where_a_name_is_imported(model: LanguageModel) -> None:
    price, money = rows(model, "from shop.money import (\n    Money,\n    ‸\n)\n", "price", "Money")
    assert price["project_files"] == pytest.approx(np.log1p(1))
    assert price["behind_last"] == 1.0
    assert money["imported"] == 1.0
    assert price["imported"] == 0.0


def test_a_name_used_below_leads_to_its_module(model: LanguageModel) -> None:
    shop, os = rows(model, "from ‸\n\n\ndef run():\n    return Money(3)\n", "shop", "os")
    assert shop["needed"] == pytest.approx(np.log1p(1))
    assert os["needed"] == 0.0
    (money,) = rows(model, "from shop.‸\n\n\ndef run():\n    return Money(3)\n", "money")
    assert money["needed"] == pytest.approx(np.log1p(1))


def test_order_and_sections(model: LanguageModel) -> None:
    text = "import json\nimport ‸\nimport sys\n"
    before, between, after = rows(model, text, "abc", "os", "zlib")
    assert (before["behind_last"], before["before_next"]) == (-1.0, 1.0)
    assert (between["behind_last"], between["before_next"]) == (1.0, 1.0)
    assert (after["behind_last"], after["before_next"]) == (1.0, -1.0)
    assert between["same_section"] == between["standard"] == 1.0
    (other,) = rows(model, text, "requests")
    assert other["same_section"] == -1.0
    assert [section_of(name, frozenset({"shop"})) for name in ("requests", "os.path", "shop.a", ".a")] == [0, 1, 2, 2]
    assert section_of("__future__", frozenset()) == 3


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("import os\n\nfrom ‸", {"section_begins": 1, "after_standard": 1, "begins_statement": 0, "below": 0}),
        (
            "import os\nimport ‸\nimport sys\n",
            {"section_begins": 0, "begins_statement": 1, "before_import": 1, "below": 1},
        ),
        ("from . import ‸", {"relative": 1, "above": 0, "project_known": 1}),
        ("from a.‸", {"in_path": 1, "relative": 0}),
        ("from a import b, c, ‸", {"listed": float(np.log1p(2)), "in_path": 0}),
        ("from a import (\n    b,\n)\nfrom ‸", {"after_from": 1, "above": float(np.log1p(1))}),
    ],
)
def test_the_place(model: LanguageModel, text: str, wanted: dict[str, float]) -> None:
    found = of_place(model, text)
    assert {name: found[name] for name in wanted} == pytest.approx(wanted)


@pytest.mark.parametrize("text", ["x = ‸", "def f():\n    re‸", "import os as ‸", "os.‸", "class A(‸"])
def test_nothing_is_gathered_elsewhere(model: LanguageModel, text: str) -> None:
    found = gathered(model, text).ranking
    assert found is not None
    assert found.imports is None


def test_what_others_import_there_joins_the_candidates(model: LanguageModel) -> None:
    found = gathered(model, "from shop.‸").ranking
    assert found is not None
    assert found.imports is not None
    assert imported_elsewhere(found.imports, "") == ["money", "store"]
    assert imported_elsewhere(found.imports, "s") == ["store"]
    assert imported_elsewhere(found.imports, "store") == []


def test_there_are_as_many_features_as_weights_of_a_bundle_must_have() -> None:
    assert (len(CANDIDATE_FEATURES), len(PLACE_FEATURES)) == (IMPORT_CANDIDATE, IMPORT_PLACE)


def test_weights_of_imports_decide_there_and_nowhere_else(
    engine: Engine, model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert model.ranker is not None
    arrays = {name: np.zeros_like(array) for name, array in model.ranker.arrays().items()}
    hidden = len(arrays["bias"])
    arrays["candidate"] = np.zeros((hidden, arrays["candidate"].shape[1] + IMPORT_CANDIDATE), np.float32)
    arrays["place"] = np.zeros((hidden, arrays["place"].shape[1] + IMPORT_PLACE), np.float32)
    arrays["none_place"] = np.zeros_like(arrays["place"])
    arrays["direct"] = np.zeros(arrays["candidate"].shape[1], np.float32)
    arrays["direct"][-IMPORT_CANDIDATE] = 50.0  # files of the project, and nothing else
    by_files = CandidateRanker.from_arrays(arrays)
    texts = ["import ‸", "from shop.‸", "import os\n\nvalue = os.‸", "import os\n\n\ndef f(a):\n    return ‸", "for ‸"]

    def answers(ranker: CandidateRanker | None) -> list[object]:
        monkeypatch.setattr(model, "import_ranker", ranker)
        decisions = [engine.complete(*at(text), Cancel()) for text in texts]
        return [one.value.items if isinstance(one, Shown) else one for one in decisions]

    without, with_own = answers(None), answers(by_files)
    assert with_own[2:] == without[2:]
    assert with_own[0] != without[0]
    modules = with_own[1]
    assert isinstance(modules, tuple)
    assert modules[0].label == "money"
