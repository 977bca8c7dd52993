"""The search for the next hunk with a part left out, on the shipped model."""

from __future__ import annotations

import pytest
from editahead.runtime.bundle import load_bundle
from editahead.runtime.edit_model.model import EditModel
from editahead.runtime.ort import select_providers
from editahead.suggest.next_edit.rollout.decoder_cache import DecoderCache
from editahead.suggest.next_edit.rollout.rollout_scorer import FEATURES

from tests.suggest.next_edit.rollout.test_hunk_search import SESSIONS
from tests.suggest.next_edit.test_editor import SHIPPED, Typist, needs_bundle

pytest.importorskip("torch")

from editahead_models.evaluate.edit_models.ablations import one_step, without_replay
from editahead_models.evaluate.edit_models.hunks import roll_out

REPLAYED = FEATURES.index("replayed")


@needs_bundle
def test_each_search_leaves_one_thing_out() -> None:
    model = EditModel(load_bundle(SHIPPED[-1], verify=False), select_providers("cpu"))
    text, edits = SESSIONS["an argument"]
    typist = Typist(text)
    for old, new in edits:
        typist.replace(old, new)
    present = DecoderCache(model).present(typist.document())
    assert present is not None
    whole, own, single = (search(model, present.decoder) for search in (roll_out, without_replay, one_step))
    assert any(one.features[REPLAYED] for one in whole)
    assert own
    assert not any(one.features[REPLAYED] for one in own)
    assert {len(one.edits) for one in single} <= {1}
    assert max(len(one.edits) for one in whole) > 1
