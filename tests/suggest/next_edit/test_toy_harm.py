"""A toy source that proposes harm and is sure of it: the decision shows nothing, on no surface of next edits."""

from __future__ import annotations

import pytest
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.candidate_pool import RatedCandidate, RatedCandidates
from editahead.suggest.next_edit.edit_candidate import EditCandidate, VerifiedUnit
from editahead.suggest.next_edit.verified_groups import VerifiedGroups
from editahead.suggest.types import Document, Reason, Shown, Suppressed

from tests.suggest.next_edit.deciding import deciding
from tests.verification.proposed import proposed
from tests.verification.test_verifier import HARM


@pytest.mark.parametrize("harm", HARM)
def test_a_sure_source_of_harm_shows_nothing(harm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    document, edits = proposed(HARM[harm][1])
    decision = deciding(lambda row: 0.9)

    def candidates(asked: Document, byte: int, cancel: Cancel) -> list[EditCandidate]:
        return [
            EditCandidate(
                "toy",
                document,
                edit,
                edit,
                "toy",
                "toy",
                2,
                0,
                f"toy-{edit.start}",
                "toy",
                "harm",
                0.9,
                unit=VerifiedUnit.CHANGE,
            )
            for edit in edits
        ]

    monkeypatch.setattr(decision.pool.consequences, "candidates", candidates)
    shown = decision.next_edit(document, 0, Cancel(), None)
    assert isinstance(shown, Suppressed)
    assert shown.reason in (Reason.BREAKS_CODE, Reason.PARSES_WORSE, Reason.REVERSAL)
    queue = decision.queue(document, 0, Cancel(), None)
    texts = [item.edit for item in queue.value.items] if isinstance(queue, Shown) else []
    assert not set(texts) & set(edits)


def test_half_a_renaming_is_not_listed_because_its_other_half_passes() -> None:
    text = "".join(f"def f{at}():\n    ‹log>row› = get({at})\n    return ‹log>row›\n\n\n" for at in range(2))
    document, edits = proposed(f"{text}def k(«a>b»): ...\n")
    candidates = [
        EditCandidate(
            "toy", document, edit, edit, "toy", "toy", 2, 0, f"toy-{edit.start}", "toy", "", 0.9, unit=VerifiedUnit.NAME
        )
        for edit in edits
    ]
    moment = RatedCandidates(tuple(RatedCandidate(candidate, 0.9, True) for candidate in candidates))
    groups = VerifiedGroups(ResolverCache())
    for listed, expected in (
        (candidates, candidates), (candidates[:1], []), (candidates[::2], []), (candidates[:2], candidates[:2])
    ):  # fmt: skip
        assert groups.compatible(listed, moment, document, Cancel()) == expected
