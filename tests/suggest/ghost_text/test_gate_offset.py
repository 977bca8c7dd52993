"""The offset of a session's gate: a stricter gate shows nothing that a laxer one does not, and says the probability."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import InlineSuggestion, Shown

from tests.suggest.documents import document

CODE = """def area(width, height):
    return width * height


def volume(width, height, depth):
    return width * ‸
"""


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def shown(engine: Engine, offset: float) -> Shown[InlineSuggestion] | None:
    made, byte = document(CODE, settings=Settings(precision=0.5))
    decision = engine.inline(replace(made, gate_offset=offset), byte, Cancel())
    return decision if isinstance(decision, Shown) else None


def test_a_stricter_gate_lowers_the_probability_until_nothing_is_shown(engine: Engine) -> None:
    usual = shown(engine, 0.0)
    assert usual is not None
    probabilities = [usual.probability]
    for offset in (-0.2, -0.5, -1.0, -2.0, -4.0):
        decision = shown(engine, offset)
        if decision is None:
            break
        odds = [p / (1 - p) for p in (decision.probability, usual.probability)]
        if decision.value.insert == usual.value.insert:
            assert odds[0] / odds[1] == pytest.approx(2.718281828**offset, rel=1e-6)
        probabilities.append(decision.probability)
    assert len(probabilities) > 1, "a slightly stricter gate shows it still"
    assert probabilities == sorted(probabilities, reverse=True)
    assert shown(engine, -8.0) is None
