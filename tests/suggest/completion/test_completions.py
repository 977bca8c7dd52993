"""Completions of the shipped models with their surroundings: where names come from, and what a list may claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from editahead.index.types import NameOrigin, NgramPrediction
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel, GraphSession
from editahead.settings import Settings
from editahead.suggest.completion.candidates import Candidate
from editahead.suggest.completion.completions import calibrated
from editahead.suggest.engine import Engine
from editahead.suggest.types import Completion, Document, Shown
from hypothesis import given
from hypothesis import strategies as st

from tests.suggest.documents import document

ALL = Settings(completion_floor=0.0, max_completions=200)
FILES = """import os


class Folder:
    def __init__(self, location, suffix):
        self.location = location
        self.suffix = suffix

    def files(self):
        return [name for name in os.listdir(self.location) if name.endswith(self.‸)]


def qwertz_below(folder):
    return folder.qwertz_size
"""


class Names:
    """Surroundings with some names."""

    reliable_context = 5
    imports = None

    def __init__(self, origins: Mapping[str, NameOrigin]) -> None:
        self._origins = origins

    def names(self, prefix: str) -> Mapping[str, NameOrigin]:
        return {name: origin for name, origin in self._origins.items() if name.startswith(prefix)}

    def origin(self, name: str) -> NameOrigin | None:
        return self.names("").get(name)

    def files_named(self, name: str) -> Sequence[str]:
        return ()

    def followers(self, context: Sequence[str]) -> NgramPrediction:
        return NgramPrediction({}, 0, 0)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def items(engine: Engine, made: Document, byte: int) -> tuple[Completion, ...]:
    decision = engine.complete(made, byte, Cancel())
    assert isinstance(decision, Shown), decision
    return decision.value.items


def test_a_name_of_the_project_is_offered_with_its_file_and_line(engine: Engine) -> None:
    around = Names({"qwertz_total": NameOrigin("project", "shop/cart.py", 41, 12, 5)})
    made, byte = document(FILES.replace("self.‸", "qw‸"), settings=ALL, elsewhere=around)
    found = {item.label: item for item in items(engine, made, byte)}
    assert (found["qwertz_total"].origin_where, found["qwertz_total"].origin_line) == ("shop/cart.py", 41)
    assert found["qwertz_total"].source == "project"
    assert found["qwertz_below"].origin_where is None  # stands in this file
    assert found["qwertz_below"].origin_line == 12


def test_surroundings_that_know_nothing_change_nothing(engine: Engine) -> None:
    made, byte = document(FILES, settings=ALL)
    alone = items(engine, made, byte)
    assert items(engine, replace(made, elsewhere=Names({})), byte) == alone


def test_a_name_of_this_file_is_not_said_to_stand_elsewhere(engine: Engine) -> None:
    around = Names({name: NameOrigin("open", "file:///b.py", 3, 9, 1) for name in ("qwertz_below", "os")})
    made, byte = document(FILES.replace("self.‸", "‸"), settings=ALL, elsewhere=around)
    found = {item.label: item for item in items(engine, made, byte)}
    assert found["qwertz_below"].origin_where is None
    assert found["os"].origin_where is None


@pytest.mark.parametrize("language_id", ["python", "java"])
def test_the_chances_of_a_list_never_sum_to_more_than_one(engine: Engine, language_id: str) -> None:
    around = Names({f"s{n}": NameOrigin("project", "a", n, n, 1) for n in range(1, 150)})
    for text in ("‸", "s‸", "self.‸", "x = s‸", "return ‸", "for i‸", "class A:\n    def s‸"):
        made, byte = document(text, language_id, settings=ALL, elsewhere=around)
        decision = engine.complete(made, byte, Cancel())
        if isinstance(decision, Shown):
            chances = [item.probability for item in decision.value.items]
            assert sum(chances) <= 1 + 1e-9
            assert all(0 <= chance <= 1 for chance in chances)
            typed = decision.value.items[0].label == made.syntax.buffer.data[decision.value.start : byte].decode()
            behind = chances[1:] if typed else chances  # a word that is whole already stands first in any case
            assert behind == sorted(behind, reverse=True)


@given(st.lists(st.floats(0, 1), max_size=60).map(lambda raw: sorted(raw, reverse=True)), st.integers(0, 4))
def test_calibrated_lists_stay_in_order_and_within_one(engine: Engine, raw: list[float], letters: int) -> None:
    for language_id in ("python", "java"):
        model = engine.language_model(language_id)
        assert model is not None
        listed = [Candidate("return" if not number else f"name{number}", p, "cache") for number, p in enumerate(raw)]
        chances = calibrated(model, letters, listed)
        assert len(chances) == len(raw)
        assert all(0 <= chance <= 1 for chance in chances)
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) <= 1 + 1e-9


def test_the_letters_of_a_name_run_no_graph(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands before a name is computed once, however far the name is typed; the answers stay what they were."""
    texts = [FILES.replace("self.‸", f"self.{typed}‸") for typed in ("", "s", "su", "suf")]
    asked = [document(text, settings=ALL) for text in texts]
    fresh = [items(Engine.load(find_bundles(), "cpu", lambda text, share: None), *one) for one in asked[1::2]]
    ran: list[str] = []
    real = GraphSession.run
    monkeypatch.setattr(GraphSession, "run", lambda self, *more: ran.append("graph") or real(self, *more))
    first = items(engine, *asked[0])
    assert ran
    ran.clear()
    typed = [items(engine, *one) for one in asked[1:]]
    assert ran == []
    assert typed[::2] == fresh
    assert typed[2][0].label == "suffix"
    assert first != typed[0]
    renamed = document(texts[2].replace("suffix", "suffer"), settings=ALL)
    assert items(engine, *renamed)[0].label == "suffer"


def test_names_renamed_under_the_cursor_are_not_what_they_were(engine: Engine) -> None:
    """Steps of two contexts may be the same to the model where their names are not."""
    for name in ("qqqqa", "qqqqb", "qqqqa"):
        made, byte = document(f"def f({name}):\n    return {name}\n\n\ndef g({name}):\n    return qq‸", settings=ALL)
        assert items(engine, made, byte)[0].label == name
