"""Moments of functions that commits make async, or no longer, with all candidates: they seldom come up by chance.

A candidate is right when the commit wrote that very line, and in place when it does not have the line as it was.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.scoring.candidate_features import FEATURES

from editahead_models.data.mining.commits import Commit
from editahead_models.evaluate.consequences.async_replays import turned_documents
from editahead_models.evaluate.consequences.parameter_replays import verdict
from editahead_models.evaluate.consequences.rename_replays import uri_of
from editahead_models.evaluate.next_edits.candidate_moments import Moment, Setting

SOURCE = "await"


def async_moments(setting: Setting, commit: Commit, rng: random.Random) -> Iterator[Moment]:
    """The moments of one commit in which something follows at the calls; candidates of other sources are left out."""
    after = {uri_of(change.path): change.after for change in commit.changes}
    for document, byte in turned_documents(commit, setting.language, rng):
        rated = setting.engine.rated_candidates(document, byte, Cancel()).items
        mine = [one for one in rated if one.candidate.source == SOURCE]
        if not mine:
            continue
        verdicts = [verdict(one.candidate, after) for one in mine]
        yield Moment(
            setting.project, setting.language.id, commit.name, "burst", 1, 0, "", (SOURCE,) * len(mine),
            np.asarray([one.features for one in mine], dtype=np.float64).reshape(len(mine), len(FEATURES)),
            np.asarray([one == "right" for one in verdicts], dtype=np.bool_),
            np.asarray([one != "kept" for one in verdicts], dtype=np.bool_),
            np.asarray([one.candidate.document.uri == document.uri for one in mine], dtype=np.bool_),
            np.asarray([one.probability for one in mine], dtype=np.float64),
            tuple(one.candidate.group for one in mine),
            (),
        )  # fmt: skip
