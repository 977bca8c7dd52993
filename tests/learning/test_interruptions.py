"""The interruption budget, with a clock of its own."""

from __future__ import annotations

import pytest
from editahead.learning.interruptions import (
    BUDGET,
    LOWEST_OFFSET,
    MAX_PAUSE,
    MIN_PAUSE,
    NEXT_EDIT,
    OFFSET_STEP,
    REJECTED,
    TYPED_THROUGH,
    UNDONE,
    WINDOW_KEYS,
    InterruptionBudget,
)

GHOST = ("python", "inline")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def budget(clock: Clock) -> InterruptionBudget:
    return InterruptionBudget(clock)


def use_up(budget: InterruptionBudget, outcome: str = REJECTED) -> None:
    for _ in range(3):
        budget.add_unwanted(GHOST, outcome)


def test_after_three_unwanted_suggestions_in_a_row_nothing_is_shown(budget: InterruptionBudget) -> None:
    for _ in range(2):
        budget.add_unwanted(GHOST, REJECTED)
        assert budget.pause(GHOST) == ""
    budget.add_unwanted(GHOST, REJECTED)
    assert budget.pause(GHOST).startswith("3 suggestions in a row were rejected; nothing is shown for ")


def test_what_is_typed_through_counts_less(budget: InterruptionBudget) -> None:
    use_up(budget, TYPED_THROUGH)
    assert budget.pause(GHOST) == ""
    budget.add_unwanted(GHOST, TYPED_THROUGH)
    assert budget.pause(GHOST).startswith("4 suggestions in a row were typed through")


def test_other_languages_and_kinds_have_budgets_of_their_own(budget: InterruptionBudget) -> None:
    use_up(budget)
    assert budget.pause(("java", "inline")) == budget.pause(("python", "next_edit")) == ""


def test_the_reason_names_what_happened(budget: InterruptionBudget) -> None:
    for outcome in (REJECTED, TYPED_THROUGH, UNDONE):
        budget.add_unwanted(GHOST, outcome)
        assert budget.pause(GHOST) == ""
    assert budget.describe(GHOST) == "2.75 of 3 used by unwanted suggestions in a row, in 100 keystrokes"
    budget.add_unwanted(GHOST, TYPED_THROUGH)
    assert "4 suggestions in a row were not wanted (1 rejected, 2 typed through, 1 undone)" in budget.pause(GHOST)


def test_unwanted_suggestions_far_apart_use_nothing_up(budget: InterruptionBudget) -> None:
    for _ in range(20):
        budget.add_unwanted(GHOST, REJECTED)
        for _ in range(WINDOW_KEYS // 2 + 1):
            budget.count_key()
        assert budget.pause(GHOST) == ""


def test_an_acceptance_between_them_begins_the_count_anew(budget: InterruptionBudget) -> None:
    for _ in range(5):
        budget.add_unwanted(GHOST, REJECTED)
        budget.add_unwanted(GHOST, REJECTED)
        budget.accept(GHOST)
        assert budget.pause(GHOST) == ""


def test_an_acceptance_that_is_undone_does_not_begin_the_count_anew(budget: InterruptionBudget) -> None:
    for _ in range(3):
        assert budget.pause(GHOST) == ""
        budget.accept(GHOST)
        budget.add_unwanted(GHOST, UNDONE)
    assert "were undone" in budget.pause(GHOST)


@pytest.mark.parametrize("end", ["accept", "resume"])
def test_an_acceptance_or_a_request_ends_the_pause(budget: InterruptionBudget, end: str) -> None:
    use_up(budget)
    getattr(budget, end)(GHOST)
    assert budget.pause(GHOST) == ""
    budget.add_unwanted(GHOST, REJECTED)
    assert budget.pause(GHOST) == ""


def test_a_pause_ends_and_grows_with_what_is_unwanted_up_to_a_bound(budget: InterruptionBudget, clock: Clock) -> None:
    lengths = []
    for _ in range(8):
        use_up(budget)
        begun = clock.now
        while budget.pause(GHOST):
            clock.now += 1.0
        lengths.append(clock.now - begun)
    assert lengths == sorted(lengths)
    assert MIN_PAUSE <= lengths[0] < lengths[1]
    assert lengths[-1] <= MAX_PAUSE + 1.0


def test_acceptances_shorten_the_next_pause(budget: InterruptionBudget) -> None:
    for _ in range(20):
        budget.accept(GHOST)
    assert budget.scores()[GHOST] > 0.95
    use_up(budget)
    assert "nothing is shown for 118 s" in budget.pause(GHOST)  # 60 s / (0.99 * 0.8 ** 3)


def test_a_clock_that_jumps_back_does_not_prolong_the_pause(budget: InterruptionBudget, clock: Clock) -> None:
    use_up(budget)
    clock.now = -1e6
    assert f"for {MAX_PAUSE:.0f} s more" in budget.pause(GHOST)
    clock.now = 1e9
    assert budget.pause(GHOST) == ""


def test_at_most_three_wrong_suggestions_are_shown_in_any_hundred_keystrokes_however_probable(clock: Clock) -> None:
    """A model that drifted: everything it shows is rejected."""
    budget = InterruptionBudget(clock)
    shown_at: list[int] = []
    for key in range(2000):
        budget.count_key()
        clock.now += 0.2
        if not budget.pause(GHOST):
            shown_at.append(key)
            budget.add_unwanted(GHOST, REJECTED)
    assert all(third - first > 0 for first, third in zip(shown_at, shown_at[2:], strict=False))
    windows = [sum(start <= key < start + WINDOW_KEYS for key in shown_at) for start in range(1900)]
    assert max(windows) <= BUDGET


def test_an_accepted_edit_in_any_language_ends_the_higher_precision(budget: InterruptionBudget, clock: Clock) -> None:
    budget.add_unwanted(("python", NEXT_EDIT), REJECTED)
    assert budget.count_declined(0.0) == 1
    clock.now += 1
    budget.accept(("go", NEXT_EDIT))
    assert budget.count_declined(0.0) == 0


def test_unwanted_suggestions_make_the_gate_stricter_and_wanted_ones_take_it_back(budget: InterruptionBudget) -> None:
    assert budget.offset(GHOST) == 0.0
    for _ in range(5):
        budget.add_unwanted(GHOST, TYPED_THROUGH, 0.8)
    assert budget.offset(GHOST) == pytest.approx(-5 * OFFSET_STEP * 0.8)
    assert budget.offset(("java", "inline")) == 0.0
    before = budget.offset(GHOST)
    budget.accept(GHOST, 0.8)
    assert before < budget.offset(GHOST) < 0
    assert "stricter by 0.4 log odds" in budget.describe(GHOST)
    for _ in range(100):
        budget.accept(GHOST, 0.8)
    assert budget.offset(GHOST) == 0.0, "never laxer than it was fitted"
    assert "stricter" not in budget.describe(GHOST)


def test_the_gate_becomes_only_so_strict(budget: InterruptionBudget) -> None:
    for _ in range(100):
        budget.add_unwanted(GHOST, REJECTED, 0.9)
    assert budget.offset(GHOST) == LOWEST_OFFSET


def test_a_gate_that_keeps_its_promise_stays(budget: InterruptionBudget) -> None:
    for number in range(500):
        if number % 5:
            budget.accept(GHOST, 0.8)
        else:
            budget.add_unwanted(GHOST, TYPED_THROUGH, 0.8)
    assert budget.offset(GHOST) > -0.1
