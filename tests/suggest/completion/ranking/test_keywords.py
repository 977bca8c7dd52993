"""Keywords compete with names by what the mixture expects of them; the ranker orders the names alone."""

from __future__ import annotations

import pytest
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.types import Completion, Shown

from tests.suggest.documents import document

CLASS = "import os\n\n\nclass Box:\n    def __init__(self, size, names=None):\n        self.size = size\n\n"
JAVA = "package a.b;\n\nimport java.util.List;\n\npublic class Box {\n  private int size;\n\n  "


def items(engine: Engine, text: str, language_id: str) -> tuple[Completion, ...]:
    made, at = document(text, language_id)
    decision = engine.complete(made, at, Cancel())
    return decision.value.items if isinstance(decision, Shown) else ()


@pytest.mark.parametrize(
    ("text", "word", "language_id"),
    [
        (f"{CLASS}    def area(self):\n        r‸", "return", "python"),
        (f"{CLASS}    def area(self):\n        f‸", "for", "python"),
        (f"{CLASS}    def area(self):\n        size = N‸", "None", "python"),
        (f"{CLASS}    def area(self):\n        for name in self.names:\n            if name i‸", "in", "python"),
        (f"{JAVA}p‸", "public", "java"),
        (f"{JAVA}void run(int count) {{\n    r‸", "return", "java"),
        (f"{JAVA}void run(int count) {{\n    Box box = n‸", "new", "java"),
    ],
)
def test_a_keyword_that_is_likely_stands_among_the_first_two(
    engine: Engine, text: str, word: str, language_id: str
) -> None:
    assert word in [item.label for item in items(engine, text, language_id)][:2]


def test_names_stay_in_front_where_no_keyword_is_likely(engine: Engine) -> None:
    labels = [item.label for item in items(engine, f"{CLASS}    def area(self):\n        return self.‸", "python")]
    assert labels[0] == "size"


@pytest.mark.parametrize(
    ("language_id", "text"), [("python", f"{CLASS}    def area(self):\n        ‸"), ("java", JAVA)]
)
def test_probabilities_sum_to_one_at_most(engine: Engine, language_id: str, text: str) -> None:
    chances = [item.probability for item in items(engine, text, language_id)]
    assert chances
    assert sum(chances) <= 1 + 1e-6
