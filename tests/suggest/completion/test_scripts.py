"""Names in any script complete: by their letters, whole, and by members of their class."""

from __future__ import annotations

import unicodedata

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.types import Completions, Shown

from tests.suggest.documents import document

NAMES = {
    "Latin": ("depot", "quantity", "rest"),
    "Cyrillic": ("склад", "количество", "остаток"),
    "CJK": ("倉庫", "数量計", "残高表"),
    "Greek": ("αποθήκη", "ποσότητα", "υπόλοιπο"),
    "Arabic": ("مخزن", "كمية", "رصيد"),
    "Devanagari": ("भंडार", "मात्रा", "शेष"),
    "beyond the first plane": ("𝔞𝔟𝔠", "𝔡𝔢𝔣𝔤", "𝔤𝔥𝔦𝔧"),
    "composed accents": tuple(unicodedata.normalize("NFC", name) for name in ("dépôt", "édité", "bénéfice")),
    "decomposed accents": tuple(unicodedata.normalize("NFD", name) for name in ("dépôt", "édité", "bénéfice")),
    "astral letters in names": ("a𠮷b", "c𠮷d", "e𠮷f"),
}
PYTHON = """class {0}:
    def __init__(self, {1}, {2}):
        self.{1} = {1}
        self.{2} = {2}

    def total(self, {2}):
        return self.{1} + {2}

    def rest(self, {1}):
        return ‸
"""
JAVA = """class {0} {{
  int {1};
  int total(int {2}) {{ return this.{1} + {2}; }}
  int rest(int {1}) {{
    return ‸
  }}
}}
"""


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def completed(engine: Engine, text: str, language: str) -> tuple[Completions, int]:
    made, at = document(text, language)
    decision = engine.complete(made, at, Cancel())
    assert isinstance(decision, Shown)
    return decision.value, at


@pytest.mark.slow
@pytest.mark.parametrize("language", ["python", "java"])
@pytest.mark.parametrize("script", NAMES)
def test_names_in_any_script(engine: Engine, script: str, language: str) -> None:
    names = NAMES[script]
    whole = {"python": PYTHON, "java": JAVA}[language].format(*names)
    for letters in range(len(names[1])):
        typed = names[1][:letters]
        value, at = completed(engine, whole.replace("‸", f"{typed}‸"), language)
        labels = [item.label for item in value.items]
        assert names[1] in labels
        assert at - value.start == len(typed.encode()), "what is replaced is what is typed"
        assert value.end == at
        assert not letters or names[1] == labels[0]
    members, _ = completed(engine, whole.replace("‸", "self.‸" if language == "python" else "this.‸"), language)
    assert names[1] in [item.label for item in members.items][:3]
