"""Counts of what became of offered items, by the source that gave them."""

from __future__ import annotations

from editahead.lsp.surfaces.feedback import Feedback, OfferedChange


def test_next_edits_are_counted_by_source() -> None:
    feedback = Feedback(lambda: 0.0)
    one, two, _ = (
        feedback.offer("next_edit", key, 0.9, "file:///a", OfferedChange("next_edit", source=source))
        for key, source in (("a", "rename"), ("b", "network"), ("c", "rename"))
    )
    feedback.offer("completion", "d", 0.9, "file:///a", OfferedChange("completion"))
    feedback.count_accepted(one)
    feedback.count_rejected(two)
    report = feedback.report()
    assert report["next_edit"]["sources"] == {
        "network": {"offered": 1, "rejected": 1, "shown": 1},
        "rename": {"accepted": 1, "offered": 2, "shown": 1},
    }
    assert report["next_edit"]["offered"] == 3
    assert "sources" not in report["completion"]


def test_rejections_in_a_row_count_until_a_next_edit_is_accepted_or_they_are_old() -> None:
    clock = [100.0]
    feedback = Feedback(lambda: clock[0])
    for source in ("rename", "repeat", ""):  # the last one is no next edit
        feedback.count_rejected(
            feedback.offer("next-edit", f"key {source}", 0.9, "file:///a", OfferedChange("next-edit", source=source))
        )
        clock[0] += 10.0
    assert feedback.count_declined(0.0) == 2
    assert feedback.count_declined(105.0) == 1
    feedback.count_accepted(feedback.offer("inline", "x", 0.9, "file:///a", OfferedChange("inline")))
    assert feedback.count_declined(0.0) == 2
    feedback.count_accepted(
        feedback.offer("next-edit", "other", 0.9, "file:///a", OfferedChange("next-edit", source="lines"))
    )
    assert feedback.count_declined(0.0) == 0
