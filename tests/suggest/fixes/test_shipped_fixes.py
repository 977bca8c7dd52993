"""The shipped models of fixes at work."""

from __future__ import annotations

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.types import Fixes, Shown, Suppressed

from tests.suggest.documents import document


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def test_a_missing_sign_is_put_where_it_belongs(engine: Engine) -> None:
    made, byte = document("def read(path)\n    with open(path) as ‸handle:\n        return handle.read()\n")
    found = engine.fixes(made, byte, byte, Cancel())
    assert isinstance(found, Shown), found
    first = found.value.items[0]
    assert made.syntax.buffer.apply(first.edit).data.startswith(b"def read(path):\n")
    assert 0.3 < first.probability < 1.0
    assert found.value.unchanged < 0.1


@pytest.mark.parametrize(
    "text",
    [
        "def area(width, height):\n    ‸return width * height\n",
        "import os\n\n‸NAMES = ['a', 'b']\n",
        "def f():\n    ‸pass\n",
        "‸\n",
    ],
)
def test_good_code_is_left_alone_or_doubted_a_little(engine: Engine, text: str) -> None:
    made, byte = document(text)
    found = engine.fixes(made, byte, byte, Cancel())
    if isinstance(found, Shown):
        assert isinstance(found.value, Fixes)
        assert all(item.probability < 0.5 for item in found.value.items)
    else:
        assert isinstance(found, Suppressed)


def test_the_same_question_has_the_same_answer(engine: Engine) -> None:
    made, byte = document("def add(a, b):\n    return a ++ ‸b\n")
    assert engine.fixes(made, byte, byte, Cancel()) == engine.fixes(made, byte, byte, Cancel())
