"""Places behind a dot: what is gathered there, what the features say, and that no other place pays or changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from editahead.runtime.language_model.candidate_ranker import MEMBER_CANDIDATE, MEMBER_PLACE, CandidateRanker
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.suggest.completion import completions
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.ranking.member_features import (
    CANDIDATE_FEATURES,
    PLACE_FEATURES,
    common_members,
    member_features,
)
from editahead.suggest.context import place_at, read_cursor
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document, Shown

from tests.suggest.documents import document
from tests.suggest.surroundings import python_project

FILLER = "\n".join(f"value_{number} = compute_{number}(value_{number - 1})" for number in range(1, 4000))
PROJECT = {"shop/a.py": "box.open()\nbox.open()\nbox.close()\n", "shop/filler.py": FILLER}
CLASS = """\
class Base:
    def save(self):
        pass


class Book(Base):
    def __init__(self, title, pages):
        self.title = title
        self.pages = pages
        self.author = None

    def copy(self):
        book.title = self.title
        book.pages = self.pages
"""


def at(text: str, language: str = "python") -> tuple[Document, int]:
    made, byte = document(text, language)
    return replace(made, elsewhere=python_project(PROJECT, "shop/new.py")), byte


def gathered(model: LanguageModel, text: str) -> completions.PredictionContext:
    made, byte = at(text)
    place = place_at(made, byte)
    reading = read_cursor(model, made, place, Cancel())
    caches = DocumentCaches(words_of)
    return completions.evidence(model, reading, caches, made, place, Cancel(), with_ranking=True, with_members=True)


def features(model: LanguageModel, text: str, name: str) -> Mapping[str, float]:
    found = gathered(model, text).ranking
    assert found is not None
    assert found.members is not None
    return dict(zip(CANDIDATE_FEATURES, member_features([name], found.members)[0].tolist(), strict=True))


def place_features(model: LanguageModel, text: str) -> Mapping[str, float]:
    found = gathered(model, text).ranking
    assert found is not None
    assert found.members is not None
    return dict(zip(PLACE_FEATURES, found.members.position.tolist(), strict=True))


def test_there_are_as_many_features_as_weights_of_a_bundle_must_have() -> None:
    assert (len(CANDIDATE_FEATURES), len(PLACE_FEATURES)) == (MEMBER_CANDIDATE, MEMBER_PLACE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "name", "wanted"),
    [
        (f"{CLASS}        self.‸", "author", {"own": 1, "inherited": 0, "of_object": 0}),
        (f"{CLASS}        self.‸", "save", {"own": 0, "inherited": np.log(2)}),
        (f"{CLASS}        self.‸", "__init__", {"own": 1, "of_object": 1}),
        (f"{CLASS}        self.‸", "pages", {"pair_last": 1, "pair_near": 1 / (1 + 1 / 4)}),
        (f"{CLASS}        self.‸", "author", {"declared_next": 1, "behind_last": 1}),
        (f"{CLASS}        self.‸", "title", {"declared_next": 0, "same_as_function": 0, "pair_times": np.log(3)}),
        (f"{CLASS}\n    def _author(self, pages):\n        return self.‸", "author", {"same_as_function": 1}),
        (f"{CLASS}\n    def f(self, pages):\n        return self.‸", "_pages", {"same_as_parameter": 1}),
        ("size = box.‸", "_size", {"same_as_hint": 1, "part_of_hint": 0}),
        ("f(size=box.‸", "get_size", {"same_as_hint": 0, "part_of_hint": 1}),
        ('{"size": box.‸', "size", {"same_as_hint": 1}),
        ("box.‸ = size", "size", {"same_as_hint": 1}),
        ("f(a, size=1, other.‸", "size", {"same_as_hint": 0}),
        ("sub_parser.add(1)\nsub_parser.add(2)\nparser.‸", "add", {"alike_times": np.log(3), "pair_times": 0}),
        ("open(1).read()\nopen(2).‸", "read", {"pair_times": np.log(2), "called": 1, "uses": np.log(2)}),
        ("box.size\nbox.‸", "size", {"called": -1}),
        ("box.‸", "open", {"pair_project": pytest.approx(2 / 3, abs=0.02)}),
        ("box.‸", "elsewhere", {"pair_project": 0, "common_here": 0, "common": 0}),
    ],
)
def test_features(model: LanguageModel, text: str, name: str, wanted: Mapping[str, float]) -> None:
    found = features(model, text, name)
    assert {feature: found[feature] for feature in wanted} == pytest.approx(wanted)


def test_members_of_a_module_are_as_common_as_in_open_source_code(model: LanguageModel) -> None:
    text = "import os\n\nvalue = os.‸"
    usual, rare = features(model, text, "environ"), features(model, text, "sysconf")
    assert usual["common_here"] > rare["common_here"] >= 0
    assert usual["common"] > rare["common"]
    assert place_features(model, text)["well_known"] == 1
    assert place_features(model, "value = os.‸")["well_known"] == 0


def test_common_members_of_a_module_are_candidates_where_it_is_not_found(engine: Engine) -> None:
    assert "date_range" in common_members("pandas")
    decision = engine.complete(*at("import pandas as pd\n\nvalue = pd.date_ra‸"), Cancel())
    assert isinstance(decision, Shown)
    assert "date_range" in [item.label for item in decision.value.items]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"{CLASS}        self.‸", {"self": 1, "one_name": 0, "begins_statement": 1, "nothing_follows": 1}),
        ("x = box.‸(1)", {"one_name": 1, "call_follows": 1, "assignment_follows": 0, "hint": 1}),
        ("box.‸ = 1", {"assignment_follows": 1, "call_follows": 0}),
        ("if box.‸ == 1", {"assignment_follows": 0}),
        ("def f():\n    return a.b.‸", {"returned": 1, "dotted": 1, "one_name": 0}),
        ("box.‸", {"project_pair": 1}),
        ("crate.‸", {"project_pair": 0}),
    ],
)
def test_features_of_a_place(model: LanguageModel, text: str, wanted: Mapping[str, float]) -> None:
    found = place_features(model, text)
    assert {feature: found[feature] for feature in wanted} == pytest.approx(wanted)


@pytest.mark.parametrize("text", ["x = ‸", "def f():\n    re‸", "import os.‸", "from os import ‸", "class A(‸"])
def test_nothing_is_gathered_elsewhere(model: LanguageModel, text: str) -> None:
    found = gathered(model, text).ranking
    assert found is not None
    assert found.members is None


def test_weights_of_members_decide_there_and_nowhere_else(
    engine: Engine, model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert model.ranker is not None
    arrays = {name: np.zeros_like(array) for name, array in model.ranker.arrays().items()}
    hidden = len(arrays["bias"])
    arrays["candidate"] = np.zeros((hidden, arrays["candidate"].shape[1] + MEMBER_CANDIDATE), np.float32)
    arrays["place"] = np.zeros((hidden, arrays["place"].shape[1] + MEMBER_PLACE), np.float32)
    arrays["none_place"] = np.zeros_like(arrays["place"])
    arrays["direct"] = np.zeros(arrays["candidate"].shape[1], np.float32)
    at_inherited = CANDIDATE_FEATURES.index("inherited") - MEMBER_CANDIDATE
    arrays["direct"][at_inherited] = 50.0  # steps to the base that declares it, and nothing else
    by_steps = CandidateRanker.from_arrays(arrays)
    texts = [f"{CLASS}        self.‸", "import ‸", "import os\n\n\ndef f(a):\n    return ‸", "for ‸"]

    def answers(ranker: CandidateRanker | None) -> list[object]:
        monkeypatch.setattr(model, "member_ranker", ranker)
        decisions = [engine.complete(*at(text), Cancel()) for text in texts]
        return [one.value.items if isinstance(one, Shown) else one for one in decisions]

    without, with_own = answers(None), answers(by_steps)
    assert with_own[1:] == without[1:]
    members = with_own[0]
    assert isinstance(members, tuple)
    assert members[0].label == "save"
