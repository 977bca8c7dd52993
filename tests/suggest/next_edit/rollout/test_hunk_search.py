"""The search for the next hunk: what is given up could not have been shown, and no row is computed twice."""

from __future__ import annotations

import math
from itertools import product

import pytest
from editahead.encode.edit_model.tokens import EditToken
from editahead.runtime.bundle import load_bundle
from editahead.runtime.edit_model.model import EditModel
from editahead.runtime.edit_model.states import DecoderState
from editahead.runtime.logistic import LogisticModel
from editahead.runtime.ort import select_providers
from editahead.suggest.next_edit.rollout.decoder_cache import DecoderCache
from editahead.suggest.next_edit.rollout.hunk_search import Proposal, RollOut
from editahead.suggest.next_edit.rollout.rollout_features import FEATURES, MAX_REPEATS, Outlook
from hypothesis import given
from hypothesis import strategies as st

from tests.suggest.next_edit.test_editor import RENAME, SHIPPED, Typist, needs_bundle

CALLS = "def run(self):\n" + "".join(
    f'    log.info("{name}", self.{name})\n    self.step_{name}()\n' for name in ("start", "ready", "work", "end")
)
SESSIONS = {
    "a name": (RENAME, (("res = 0", "amount = 0"), ("res +=", "amount +="))),
    "one change": (RENAME, (("items:", "things:"),)),
    "an argument": (CALLS, (('"start",', '"start", 1,'), ('"ready",', '"ready", 1,'))),
    "calls": (CALLS, (('info("start"', 'debug("start"'), ('info("ready"', 'debug("ready"'))),
    "unlike": (CALLS, (("self.start)", "self.begin)"), ("step_work", "do_work"), ("def run", "async def run"))),
}


@pytest.fixture(scope="module")
def model() -> EditModel:
    """The shipped model."""
    return EditModel(load_bundle(SHIPPED[-1], verify=False), select_providers("cpu"))


@pytest.mark.slow
@needs_bundle
@pytest.mark.parametrize("name", list(SESSIONS))
@pytest.mark.parametrize("least", [0.05, 0.2, 0.5, 0.75])
def test_giving_up_early_loses_nothing_that_is_likely_enough(model: EditModel, name: str, least: float) -> None:
    text, edits = SESSIONS[name]
    typist = Typist(text)
    for old, new in edits:
        typist.replace(old, new)
    present = DecoderCache(model).present(typist.document())
    assert present is not None
    scorer = LogisticModel(FEATURES, dict(load_bundle(SHIPPED[-1], verify=False).manifest["scorer"]))

    def likely(found: list[Proposal]) -> dict[object, float]:
        shares = {one.edits: scorer.probability(one.features) for one in found}
        return {edits: share for edits, share in shares.items() if share >= least}

    before = model.append_runs
    full = RollOut(model, present.decoder)
    every = full.proposals()
    work = model.append_runs - before
    search = RollOut(model, present.decoder, scorer=scorer, enough=lambda raw: raw >= least)
    found = search.proposals()
    assert likely(found) == pytest.approx(likely(every), abs=1e-9)
    assert model.append_runs - before - work <= work
    lost = {one.edits for one in every} - {one.edits for one in found}
    assert all(scorer.probability(one.features) < least for one in every if one.edits in lost)
    assert search.given_up < least
    assert full.given_up == 0.0


@needs_bundle
def test_a_row_serves_all_drafts_that_begin_with_it(model: EditModel, monkeypatch: pytest.MonkeyPatch) -> None:
    text, edits = SESSIONS["calls"]
    typist = Typist(text)
    for old, new in edits:
        typist.replace(old, new)
    present = DecoderCache(model).present(typist.document())
    assert present is not None
    computed: list[object] = []
    asked: list[object] = []
    append, again = EditModel.append, RollOut._append

    def counted(
        self: EditModel, decoder: DecoderState, name: int, key: EditToken | None, *, start: bool, cancel: object
    ) -> DecoderState:
        computed.append((decoder.edits, name, key))
        return append(self, decoder, name, key, start=start)

    def watched(self: RollOut, decoder: DecoderState, name: int, key: EditToken | None, start: bool) -> DecoderState:
        asked.append((decoder.edits, name, key))
        return again(self, decoder, name, key, start)

    monkeypatch.setattr(EditModel, "append", counted)
    monkeypatch.setattr(RollOut, "_append", watched)
    assert RollOut(model, present.decoder).proposals()
    assert len(computed) == len(set(computed)) < len(asked)
    assert set(computed) == set(asked)


SHARE = st.floats(0.0, 1.0)


@given(
    st.dictionaries(st.sampled_from(FEATURES), st.floats(-3.0, 3.0)),
    st.floats(-12.0, 0.0),
    SHARE,
    SHARE,
    st.integers(0, 8),
    st.lists(SHARE, min_size=5, max_size=5),
)
def test_no_ending_scores_more_than_the_outlook(
    weights: dict[str, float], inside: float, share: float, agreement: float, history: int, ending: list[float]
) -> None:
    parts = {"bias": 1.0, "start": -0.3, "lead": -0.1, "go": -0.2, "entropy": 1.2, "rank": 2.0}
    scorer = LogisticModel(FEATURES, weights)
    outlook = Outlook(parts, inside, 2, 32, share, agreement, history, (0.0, 1.0))
    best = outlook.best(scorer)
    further, end, steps, alike, repeats = ending
    for again, replayed in product((False, True), (0.0, 1.0)):
        values = {
            **parts,
            "inside": max(-12.0, inside - 9.0 * further),
            "end": math.log(max(1e-5, end)),
            "steps": math.log(2 + 30 * steps),
            "replayed": replayed,
            "repeats": 1.0 + (MAX_REPEATS - 1.0) * repeats if again else 0.0,
            "agreement": agreement * alike if again else 0.0,
            "uniform": repeats if again else 0.0,
            "alone": 0.0 if again else math.log(1.0 + history),
            "certain": agreement * alike * share if again else 0.0,
        }
        assert scorer.probability([values.get(name, 0.0) for name in FEATURES]) <= best
