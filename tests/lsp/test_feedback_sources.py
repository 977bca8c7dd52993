"""Counts of what became of offered items, by the source that gave them."""

from __future__ import annotations

from editahead.lsp.feedback import Feedback


def test_next_edits_are_counted_by_source() -> None:
    feedback = Feedback(lambda: 0.0)
    one, two, _ = (
        feedback.offer("next_edit", key, 0.9, "file:///a", source=source)
        for key, source in (("a", "rename"), ("b", "network"), ("c", "rename"))
    )
    feedback.offer("completion", "d", 0.9, "file:///a")
    feedback.count_accepted(one)
    feedback.count_rejected(two)
    report = feedback.report()
    assert report["next_edit"]["sources"] == {
        "network": {"offered": 1, "rejected": 1, "shown": 1},
        "rename": {"accepted": 1, "offered": 2, "shown": 1},
    }
    assert report["next_edit"]["offered"] == 3
    assert "sources" not in report["completion"]
